package io.selvage.otp;

import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A process that starts others in order, starts them again when they fail, gives up when that does
 * not help, and stops them in the opposite order.
 *
 * <pre>{@code
 * Supervisor bank =
 *     Supervisor.start(
 *             node,
 *             SupervisorSpec.restForOne(
 *                     ChildSpec.of("ledger", Server.of(new Ledger())),
 *                     ChildSpec.supervisor("accounts", DynamicSupervisor.of(DynamicSpec.defaults())))
 *                 .withIntensity(3, Duration.ofSeconds(10)))
 *         .orThrow()
 *         .value();
 * }</pre>
 *
 * <p>This is a handle of it: immutable, to be used from any thread and process but the supervisor
 * itself and a child that it is just starting, which would wait for each other. Its methods are
 * {@linkplain Pid#call calls} without a timeout; if the supervisor has ended, or ends meanwhile,
 * they throw {@link io.selvage.kernel.CallException}.
 *
 * <p>The start of a supervisor returns when all children run. If one does not, those before it are
 * stopped and the start fails with {@link SupervisorEnd.StartFailed}. While it starts a child a
 * supervisor does nothing else; while it waits for one to stop it answers questions, and obeys its
 * own parent and {@link Sys#stop}, whatever it is doing. An exit signal from a thread that is no
 * process, as of a node that closes, stops it as its parent's does. Children stay linked until they
 * are down: if the supervisor is killed, so are they.
 *
 * <p>Differs from {@code supervisor}: the intensity is kept in nanoseconds, not in whole seconds.
 *
 * @param pid the process
 */
public record Supervisor(Pid<SupervisorMessage> pid) {
  /**
   * The code of a supervisor, to be given to any {@code start} of the kernel, and to {@link
   * ChildSpec#supervisor}.
   *
   * @param spec what it does
   * @return what to start; any number of times
   */
  public static Init<SupervisorMessage, Supervisor> of(SupervisorSpec spec) {
    return StaticLoop.program(spec, Supervisor::new);
  }

  /**
   * Starts a supervisor and its children and waits until they run.
   *
   * @param spawner the node, or the process that starts it
   * @param spec what it does
   * @param options the options of its process
   * @return its handle, or why it was not started
   */
  public static StartResult<SupervisorMessage, Supervisor> start(
      Spawner spawner, SupervisorSpec spec, SpawnOptions<SupervisorMessage> options) {
    return spawner.start(of(spec), Sys.FOREVER, options);
  }

  /**
   * Starts a supervisor with default options.
   *
   * @param spawner the node, or the process that starts it
   * @param spec what it does
   * @return its handle, or why it was not started
   */
  public static StartResult<SupervisorMessage, Supervisor> start(
      Spawner spawner, SupervisorSpec spec) {
    return start(spawner, spec, SpawnOptions.defaults());
  }

  /**
   * The handle of a supervisor that runs.
   *
   * @param pid its process
   * @return the handle
   */
  public static Supervisor at(Pid<SupervisorMessage> pid) {
    return new Supervisor(pid);
  }

  /**
   * Starts another child, after those there are. Its specification is kept as if it had been there
   * from the beginning, unless the start fails.
   *
   * @param spec the child
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return what came of it
   * @throws IllegalArgumentException if it is significant and this supervisor never shuts down
   *     because of that
   */
  public <M, A> StartChildResult<M, A> startChild(ChildSpec<M, A> spec) {
    return SupervisorRequest.<StartChildResult<M, A>>ask(
        pid, replyTo -> new SupervisorRequest.StartChild<>(spec, replyTo));
  }

  /**
   * Stops a child and waits until it is down. Its specification is kept unless it is temporary. One
   * that is being restarted is restarted no more.
   *
   * @param id the child
   * @return what came of it
   */
  public StopChildResult stopChild(String id) {
    return SupervisorRequest.<StopChildResult>ask(
        pid, replyTo -> new SupervisorRequest.StopById(id, replyTo));
  }

  /**
   * Starts a child again that was stopped or has ended for good.
   *
   * @param id the child
   * @return what came of it
   */
  public RestartChildResult restartChild(String id) {
    return SupervisorRequest.<RestartChildResult>ask(
        pid, replyTo -> new SupervisorRequest.RestartChild(id, replyTo));
  }

  /**
   * Forgets a child that does not run.
   *
   * @param id the child
   * @return what came of it
   */
  public DeleteChildResult deleteChild(String id) {
    return SupervisorRequest.<DeleteChildResult>ask(
        pid, replyTo -> new SupervisorRequest.DeleteChild(id, replyTo));
  }

  /**
   * All children, in the order of their start.
   *
   * @return the children
   */
  public List<ChildInfo> whichChildren() {
    return SupervisorRequest.<List<ChildInfo>>ask(pid, SupervisorRequest.WhichChildren::new);
  }

  /**
   * How many children there are.
   *
   * @return the numbers
   */
  public ChildCounts countChildren() {
    return SupervisorRequest.<ChildCounts>ask(pid, SupervisorRequest.CountChildren::new);
  }

  /**
   * The specification of a child. Source: {@code supervisor:get_childspec}.
   *
   * @param id the child
   * @return empty if there is no such child
   */
  public Optional<ChildSpec<?, ?>> childSpec(String id) {
    return SupervisorRequest.<Optional<ChildSpec<?, ?>>>ask(
        pid, replyTo -> new SupervisorRequest.SpecOf(id, replyTo));
  }

  /**
   * Stops the whole tree within a time, and waits until it has ended: what is left then is killed.
   *
   * @param deadline how long it may take; zero or more
   * @return how it went, and who used the time up
   * @throws IllegalArgumentException if {@code deadline} is negative
   */
  public ShutdownReport stop(Duration deadline) {
    return SupervisorRequest.stop(pid, deadline);
  }
}
