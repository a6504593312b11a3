package io.selvage.otp;

import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * A supervisor of many children that come and go: each is known by its pid, not by an id, is
 * restarted alone, and all are stopped at the same time.
 *
 * <p>To start and to stop a child takes constant time, however many there are. Of a temporary child
 * nothing is kept but its {@link ChildTraits}, which all may share: a table entry of about 40
 * bytes, and its link.
 *
 * <pre>{@code
 * static final ChildTraits CALL = ChildTraits.of("call").restarting(Restart.TEMPORARY);
 *
 * Pid<Call.Msg> call =
 *     calls.startChild(ChildSpec.of(CALL, Server.of(new Call(from, to)), SpawnOptions.defaults()))
 *         .orThrow().pid();
 * }</pre>
 *
 * <p>This is a handle of it, as a {@link Supervisor} is. Source: {@code simple_one_for_one} of
 * {@code supervisor}, and Elixir's {@code DynamicSupervisor}.
 *
 * @param pid the process
 */
public record DynamicSupervisor(Pid<SupervisorMessage> pid) {
  /**
   * The code of a dynamic supervisor, to be given to any {@code start} of the kernel, and to {@link
   * ChildSpec#supervisor}.
   *
   * @param spec what it does
   * @return what to start; any number of times
   */
  public static Init<SupervisorMessage, DynamicSupervisor> of(DynamicSpec spec) {
    return DynamicLoop.program(spec);
  }

  /**
   * Starts a dynamic supervisor.
   *
   * @param spawner the node, or the process that starts it
   * @param spec what it does
   * @param options the options of its process
   * @return its handle, or why it was not started
   */
  public static StartResult<SupervisorMessage, DynamicSupervisor> start(
      Spawner spawner, DynamicSpec spec, SpawnOptions<SupervisorMessage> options) {
    return spawner.start(of(spec), Sys.FOREVER, options);
  }

  /**
   * Starts a dynamic supervisor with default options.
   *
   * @param spawner the node, or the process that starts it
   * @param spec what it does
   * @return its handle, or why it was not started
   */
  public static StartResult<SupervisorMessage, DynamicSupervisor> start(
      Spawner spawner, DynamicSpec spec) {
    return start(spawner, spec, SpawnOptions.defaults());
  }

  /**
   * The handle of a dynamic supervisor that runs.
   *
   * @param pid its process
   * @return the handle
   */
  public static DynamicSupervisor at(Pid<SupervisorMessage> pid) {
    return new DynamicSupervisor(pid);
  }

  /**
   * Starts a child with a specification of its own. Ids need not differ.
   *
   * @param spec the child
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return what came of it
   * @throws IllegalArgumentException if it is significant, which no child of a dynamic supervisor
   *     is
   */
  public <M, A> StartChildResult<M, A> startChild(ChildSpec<M, A> spec) {
    return SupervisorRequest.<StartChildResult<M, A>>ask(
        pid, replyTo -> new SupervisorRequest.StartChild<>(spec, replyTo));
  }

  /**
   * Starts a child of a template.
   *
   * @param template makes the specification from the argument; runs in the caller, once
   * @param argument what this child is started with
   * @param <X> the argument
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return what came of it
   */
  public <X, M, A> StartChildResult<M, A> startChild(
      Function<? super X, ChildSpec<M, A>> template, X argument) {
    return startChild(template.apply(argument));
  }

  /**
   * Stops a child and waits until it is down; other children are started and stopped meanwhile. One
   * that is being restarted is known by the pid it had, and is restarted no more.
   *
   * @param child its process
   * @return what came of it; {@link StopChildResult.Stopped} too if it is known and has ended
   */
  public StopChildResult stopChild(Pid<?> child) {
    return SupervisorRequest.<StopChildResult>ask(
        pid, replyTo -> new SupervisorRequest.StopByPid(child, replyTo));
  }

  /**
   * All children, in no order.
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
