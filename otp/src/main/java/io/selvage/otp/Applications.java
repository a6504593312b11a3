package io.selvage.otp;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs {@link Application}s: starts them one after the other, each behind those that it depends on,
 * watches them, and stops them in reverse.
 *
 * <p>All or none: if one can not be started, those that were are stopped in reverse, and the start
 * fails with {@link NotStarted}. Names that are there twice, missing dependencies and circles are
 * refused before anything starts.
 *
 * <p>While they run, single ones may be stopped, started again, and added: {@link #start(String)},
 * {@link #ensureStarted}, {@link #stop(String)} and {@link #load}. What the end of one means that
 * nobody asked for, its {@link Application.Type} says; one that is stopped ends nobody else.
 *
 * <p>The methods may be called from any thread and process but those that it starts, while it
 * starts them. Source: Erlang's application controller.
 */
public final class Applications {
  private final Pid<?> pid;
  private final Pid<SystemMessage> address;

  Applications(Pid<?> pid) {
    this.pid = pid;
    this.address = SystemMessage.addressOf(pid).orElseThrow();
  }

  /**
   * How applications are run. Immutable: each method answers a changed copy.
   *
   * @param environment settings that take the place of the applications' own
   * @param deadline how long the stop of all together may take; zero or more
   * @param stopped told how the stop went, in the controller
   */
  public record Options(
      Environment environment, Duration deadline, Consumer<? super StopReport> stopped) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the deadline is negative
     */
    public Options {
      Objects.requireNonNull(environment, "environment");
      Objects.requireNonNull(stopped, "stopped");
      if (deadline.isNegative()) {
        throw new IllegalArgumentException(
            "the deadline of the stop is " + deadline + ", but it is a time: give zero or more");
      }
    }

    /**
     * The applications' own settings, 30 seconds, and a line on {@code System.err} if some do not
     * stop in order. (In a JVM that shuts down, loggers may be gone.)
     *
     * @return the defaults
     */
    public static Options defaults() {
      return new Options(
          Environment.empty(),
          Duration.ofSeconds(30),
          report -> {
            if (!report.late().isEmpty()) {
              System.err.println("applications: " + report);
            }
          });
    }

    /**
     * Gives a setting a value, for all applications.
     *
     * @param setting the setting
     * @param value its value
     * @param <T> the value
     * @return a changed copy
     */
    public <T> Options with(Setting<T> setting, T value) {
      return new Options(environment.with(setting, value), deadline, stopped);
    }

    /**
     * How long the stop of all together may take.
     *
     * @param time the time; zero or more
     * @return a changed copy
     */
    public Options withDeadline(Duration time) {
      return new Options(environment, time, stopped);
    }

    /**
     * Who is told how the stop went.
     *
     * @param listener told in the controller
     * @return a changed copy
     */
    public Options reportingTo(Consumer<? super StopReport> listener) {
      return new Options(environment, deadline, listener);
    }
  }

  /**
   * Why a start failed.
   *
   * @param application the name of the one that could not be started
   * @param phase the phase that failed, or empty if it was the start itself
   * @param reason why
   */
  public record NotStarted(String application, String phase, ExitReason reason)
      implements ExitReason.UserReason {
    @Override
    public String toString() {
      return "application "
          + application
          + " was not started: "
          + (phase.isEmpty() ? "" : "phase " + phase + ": ")
          + reason;
    }
  }

  /**
   * Why all were stopped: one ended that must not.
   *
   * @param application its name
   * @param reason why it ended
   */
  public record Ended(String application, ExitReason reason) implements ExitReason.UserReason {
    @Override
    public String toString() {
      return "application " + application + " ended with " + reason;
    }
  }

  /** What the controller is asked. */
  sealed interface Request extends SystemMessage {
    record Running(ReplyTo<List<String>> replyTo) implements Request {}

    record Settings(String application, ReplyTo<Environment> replyTo) implements Request {}

    record Load(Application application, ReplyTo<Object> replyTo) implements Request {}

    record Start(String name, boolean withOthers, ReplyTo<Object> replyTo) implements Request {}

    record Stop(String name, ReplyTo<Object> replyTo) implements Request {}

    /** The answer to what can not be done. */
    record Refused(String why) {}

    record StopAll(Duration deadline, ReplyTo<StopReport> replyTo) implements Request {}

    /** Never answered: whoever asks sees the end. */
    record AwaitEnd(ReplyTo<Boolean> replyTo) implements Request {}
  }

  /**
   * The code of a controller, to be given to any {@code start} of the kernel.
   *
   * @param options how they are run
   * @param applications the applications
   * @param <M> nothing: it accepts no messages, and is used through what its start tells
   * @return what to start
   * @throws IllegalArgumentException if names are there twice, dependencies missing, or circular
   */
  public static <M> Init<M, Applications> of(Options options, Application... applications) {
    return ApplicationsLoop.program(options, StartOrder.of(Arrays.asList(applications)));
  }

  /**
   * Starts applications; from a process, linked with it.
   *
   * @param spawner the node, or the process that starts them
   * @param options how they are run
   * @param applications the applications
   * @return the controller; or why they were not started, often a {@link NotStarted}
   * @throws IllegalArgumentException if names are there twice, dependencies missing, or circular
   */
  public static StartResult<Object, Applications> start(
      Spawner spawner, Options options, Application... applications) {
    SpawnOptions<Object> plain = SpawnOptions.defaults();
    return spawner.start(
        of(options, applications),
        Sys.FOREVER,
        spawner instanceof Self<?> ? plain.linked() : plain);
  }

  /**
   * Starts applications, and has them stopped in order when the JVM shuts down. For the main method
   * of a program.
   *
   * @param node the node
   * @param applications the applications
   * @return the controller
   * @throws IllegalArgumentException if names are there twice, dependencies missing, or circular
   * @throws io.selvage.kernel.StartException if one can not be started
   */
  public static Applications run(Node node, Application... applications) {
    return run(node, Options.defaults(), applications);
  }

  /**
   * Starts applications with options, and has them stopped in order when the JVM shuts down; see
   * {@link #run(Node, Application...)}.
   *
   * @param node the node
   * @param options how they are run
   * @param applications the applications
   * @return the controller
   */
  public static Applications run(Node node, Options options, Application... applications) {
    Applications running = start(node, options, applications).orThrow().value();
    Thread hook =
        new Thread(
            () -> {
              try {
                StopReport _ = running.stop(options.deadline());
              } catch (CallException ended) {
                // They were stopped before.
              }
            },
            "selvage-applications-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    return running;
  }

  /**
   * The controller's process.
   *
   * @return its pid
   */
  public Pid<?> pid() {
    return pid;
  }

  /**
   * Which run.
   *
   * @return their names, in the order in which they were started
   * @throws CallException if all were stopped
   */
  public List<String> running() {
    return address.call(Request.Running::new, Sys.FOREVER);
  }

  /**
   * The settings of an application.
   *
   * @param application its name
   * @return its own, and what was given in place of them; those given alone if there is no such
   *     application
   * @throws CallException if all were stopped
   */
  public Environment environment(String application) {
    Objects.requireNonNull(application, "application");
    return address.call(replyTo -> new Request.Settings(application, replyTo), Sys.FOREVER);
  }

  // ---------------------------------------------------------------- one of them

  /**
   * Makes an application known, so that it can be started; in place of one with the same name, if
   * that does not run. Nothing is started.
   *
   * @param application the application
   * @throws IllegalArgumentException if one with its name runs
   * @throws CallException if all were stopped
   */
  public void load(Application application) {
    Objects.requireNonNull(application, "application");
    Boolean _ = this.<Boolean>ask(replyTo -> new Request.Load(application, replyTo));
  }

  /**
   * Starts an application, behind those that run.
   *
   * @param name its name
   * @return what came of it
   * @throws CallException if all were stopped
   */
  public StartApplicationResult start(String name) {
    Objects.requireNonNull(name, "name");
    return this.<StartApplicationResult>ask(replyTo -> new Request.Start(name, false, replyTo));
  }

  /**
   * Starts an application and all that it depends on, unless they run. All or none: if one can not
   * be started, those that were are stopped in reverse.
   *
   * @param name its name
   * @return what came of it; {@link StartApplicationResult.Started} without names if it ran before
   * @throws IllegalArgumentException if some of those depend on each other in a circle
   * @throws CallException if all were stopped
   */
  public StartApplicationResult ensureStarted(String name) {
    Objects.requireNonNull(name, "name");
    return this.<StartApplicationResult>ask(replyTo -> new Request.Start(name, true, replyTo));
  }

  /**
   * Stops an application within its own time, whatever its type, and waits for it. Others go on;
   * one that others depend on which run is not stopped.
   *
   * @param name its name
   * @return what came of it
   * @throws CallException if all were stopped
   */
  public StopApplicationResult stop(String name) {
    Objects.requireNonNull(name, "name");
    return this.<StopApplicationResult>ask(replyTo -> new Request.Stop(name, replyTo));
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the callers above promise
  private <R> R ask(Function<ReplyTo<Object>, SystemMessage> request) {
    Object answer = address.<Object>call(request, Sys.FOREVER);
    if (answer instanceof Request.Refused(var why)) {
      throw new IllegalArgumentException(why);
    }
    return (R) answer;
  }

  // ---------------------------------------------------------------- the end of all

  /**
   * Stops all, in reverse, one after the other. Each has its own time, but none has any when the
   * deadline is over: what runs then is killed.
   *
   * @param deadline how long all together may take; zero or more. Killing comes on top, at most a
   *     second for each
   * @return how it went
   * @throws CallException if all were stopped before
   */
  public StopReport stop(Duration deadline) {
    Duration all = Deadline.in(deadline).timeout();
    StopReport report = address.call(replyTo -> new Request.StopAll(all, replyTo), Sys.FOREVER);
    ExitReason _ = awaitEnd(); // the controller's own, so that its name is free
    return report;
  }

  /**
   * Waits until all were stopped.
   *
   * @return why: {@link ExitReason.Shutdown} if somebody wanted it, {@link Ended} if one ended that
   *     must not; {@link ExitReason.NoProc} if it was before
   */
  public ExitReason awaitEnd() {
    try {
      Boolean _ = address.<Boolean>call(Request.AwaitEnd::new, Sys.FOREVER);
      throw new AssertionError();
    } catch (CallException end) {
      if (end.reason() instanceof ExitReason.Crash(InterruptedException _)) {
        throw end;
      }
      return end.reason();
    }
  }

  @Override
  public String toString() {
    return "applications " + pid;
  }
}
