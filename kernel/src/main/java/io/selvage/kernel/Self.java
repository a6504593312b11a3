package io.selvage.kernel;

import io.selvage.kernel.internal.process.LocalProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * What running code sees of its own process. Good only on the thread that runs the process, while
 * it runs it: every method but {@link #pid()} and {@link #node()} throws {@link
 * IllegalStateException} elsewhere. Hand out {@link #pid()}, never {@code self}.
 *
 * <p>To end with a chosen reason, throw an {@link ExitException}.
 *
 * <p>Every method but those two is a kernel call: if an exit signal has ended the process, it
 * throws {@link ProcessEndedError}.
 *
 * @param <M> the messages the process accepts
 */
public sealed interface Self<M> extends Spawner permits DirectSelf, LocalProcess {
  /**
   * The address of this process.
   *
   * @return its pid
   */
  Pid<M> pid();

  /**
   * The node this process runs at.
   *
   * @return the node
   */
  Node node();

  /**
   * Links this process with another: when either ends, the other gets an exit signal with the same
   * reason. Both directions, at most one link between two processes; linking twice, or with
   * oneself, has no further effect.
   *
   * <p>If the other has ended already: a process that traps exits gets an {@link Exit} with {@link
   * ExitReason.NoProc}; one that does not gets the exception.
   *
   * <p>Cost: a table entry and a signal. Source: {@code erlang:link/1}.
   *
   * @param other the other process
   * @throws ExitException with {@link ExitReason.NoProc} if it has ended and this process does not
   *     trap exits
   */
  void link(Pid<?> other);

  /**
   * Takes a link back. After this the link cannot affect this process any more, whatever the other
   * does; if exits are trapped, an {@link Exit} from before may already be in the mailbox. Unknown
   * links are ignored.
   *
   * @param other the other process
   */
  void unlink(Pid<?> other);

  /**
   * Watches a process. When it ends, or if it is not there, this process gets exactly one message
   * made by {@code toMessage}. Every call makes a new monitor.
   *
   * <p>{@code toMessage} runs in this process when the message is taken; what it throws is thrown
   * there.
   *
   * <p>Cost: an object on each side and a signal. Source: {@code erlang:monitor/2}.
   *
   * @param target a pid, or a name: then whoever holds it now
   * @param toMessage turns the news into a message of this process; often a record's constructor
   * @return the monitor
   */
  MonitorRef monitor(Address<?> target, Function<? super Down, ? extends M> toMessage);

  /**
   * Takes a monitor back: its message will not come, unless it is in the mailbox already. Unknown
   * monitors, and those of other processes, are ignored.
   *
   * @param monitor the monitor
   */
  void demonitor(MonitorRef monitor);

  /**
   * Takes a monitor back, and its message out of the mailbox if it has come already. Messages of
   * other monitors stay.
   *
   * @param monitor the monitor
   */
  void demonitorFlush(MonitorRef monitor);

  /**
   * From now on turns exit signals into messages at the end of the mailbox, instead of being ended
   * by them. {@link ExitReason.Kill} sent as a signal still ends the process.
   *
   * @param toMessage turns the signal into a message of this process
   */
  void trapExits(Function<? super Exit, ? extends M> toMessage);

  /** From now on is ended by exit signals again. */
  void untrapExits();

  /**
   * Sends a message to this process after a time. The timer ends with the process.
   *
   * <p>Cost: one object of about 48 bytes until it fires or is cancelled; constant time. Source:
   * {@code erlang:send_after/3}.
   *
   * @param delay how long; zero or more, of any length
   * @param message the message
   * @return the timer
   * @throws IllegalArgumentException if {@code delay} is negative
   */
  Timer sendAfter(Duration delay, M message);

  /**
   * Starts a direct process linked to this one, atomically; see {@link SpawnOptions#linked()}.
   *
   * @param body its code
   * @param <C> the messages it accepts
   * @return its pid
   */
  default <C> Pid<C> spawnLink(Body<C> body) {
    return spawn(body, SpawnOptions.<C>defaults().linked());
  }

  /**
   * Starts an event process linked to this one, atomically; see {@link SpawnOptions#linked()}.
   *
   * @param behavior its code
   * @param <C> the messages it accepts
   * @return its pid
   */
  default <C> Pid<C> spawnLink(Behavior<C> behavior) {
    return spawn(behavior, SpawnOptions.<C>defaults().linked());
  }

  /**
   * Starts a direct process with a monitor on it, atomically: a child that ends at once still sends
   * its reason.
   *
   * @param body its code
   * @param toMessage turns the child's end into a message of this process
   * @param options its options
   * @param <C> the messages it accepts
   * @return its pid and the monitor
   */
  <C> Monitored<C> spawnMonitor(
      Body<C> body, Function<? super Down, ? extends M> toMessage, SpawnOptions<C> options);

  /**
   * Starts an event process with a monitor on it, atomically.
   *
   * @param behavior its code
   * @param toMessage turns the child's end into a message of this process
   * @param options its options
   * @param <C> the messages it accepts
   * @return its pid and the monitor
   */
  <C> Monitored<C> spawnMonitor(
      Behavior<C> behavior, Function<? super Down, ? extends M> toMessage, SpawnOptions<C> options);

  /**
   * Starts a direct process with a monitor on it, with default options.
   *
   * @param body its code
   * @param toMessage turns the child's end into a message of this process
   * @param <C> the messages it accepts
   * @return its pid and the monitor
   */
  default <C> Monitored<C> spawnMonitor(
      Body<C> body, Function<? super Down, ? extends M> toMessage) {
    return spawnMonitor(body, toMessage, SpawnOptions.defaults());
  }

  /**
   * Starts an event process with a monitor on it, with default options.
   *
   * @param behavior its code
   * @param toMessage turns the child's end into a message of this process
   * @param <C> the messages it accepts
   * @return its pid and the monitor
   */
  default <C> Monitored<C> spawnMonitor(
      Behavior<C> behavior, Function<? super Down, ? extends M> toMessage) {
    return spawnMonitor(behavior, toMessage, SpawnOptions.defaults());
  }

  // ---------------------------------------------------------------- starting with a handshake

  /**
   * Starts a process linked to this one and waits until it says that it is ready; see {@link
   * #start(Init, Duration, SpawnOptions)}. The link stands from the beginning: if this process ends
   * while it waits, so does the new one. But an end of the new one before it is ready is told by
   * the result alone: no exit signal comes of it, whether this process traps exits or not.
   *
   * @param init its code
   * @param timeout how long it may take to be ready
   * @param <C> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return its pid and what it told, or why it was not started
   */
  default <C, A> StartResult<C, A> startLink(Init<C, A> init, Duration timeout) {
    return start(init, timeout, SpawnOptions.<C>defaults().linked());
  }

  /**
   * Starts a process linked to this one and waits until its setup has answered a behavior; see
   * {@link #startLink(Init, Duration)}.
   *
   * @param behavior its code
   * @param timeout how long it may take to be ready
   * @param <C> the messages it accepts
   * @return its pid, or why it was not started
   */
  default <C> StartResult<C, Pid<C>> startLink(Behavior<C> behavior, Duration timeout) {
    return start(behavior, timeout, SpawnOptions.<C>defaults().linked());
  }

  /**
   * Starts a process with a monitor on it and waits until it says that it is ready. If the start
   * fails, the message of the monitor is in the mailbox when this returns. See {@link #start(Init,
   * Duration, SpawnOptions)}.
   *
   * <p>Source: {@code proc_lib:start_monitor}.
   *
   * @param init its code
   * @param toMessage turns the end of the new process into a message of this one
   * @param timeout how long it may take to be ready
   * @param options its options; with {@link SpawnOptions#linked()} it is linked, too
   * @param <C> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return what came of it, and the monitor
   */
  <C, A> MonitoredStart<C, A> startMonitor(
      Init<C, A> init,
      Function<? super Down, ? extends M> toMessage,
      Duration timeout,
      SpawnOptions<C> options);

  /**
   * Starts a process with a monitor on it and waits until its setup has answered a behavior; see
   * {@link #startMonitor(Init, Function, Duration, SpawnOptions)}.
   *
   * @param behavior its code
   * @param toMessage turns the end of the new process into a message of this one
   * @param timeout how long it may take to be ready
   * @param options its options
   * @param <C> the messages it accepts
   * @return what came of it, and the monitor
   */
  <C> MonitoredStart<C, Pid<C>> startMonitor(
      Behavior<C> behavior,
      Function<? super Down, ? extends M> toMessage,
      Duration timeout,
      SpawnOptions<C> options);

  // ---------------------------------------------------------------- for reports

  /**
   * Names this process in reports and listings from now on; see {@link SpawnOptions#labelled}.
   *
   * <p>Source: {@code proc_lib:set_label}.
   *
   * @param label the text
   */
  void label(String label);

  /**
   * Where this process comes from: the process that spawned it, the one that spawned that, and so
   * on, at most 16 of them, as the text of their pids; with their labels if they are alive.
   *
   * <p>Source: {@code $ancestors} of {@code proc_lib}.
   *
   * @return parent first; empty if no process spawned this one
   */
  List<String> ancestors();

  /**
   * What this process was started with: the class of its body or behavior, or of the setup; of a
   * lambda, the class it stands in. Of an event process that no process spawned and that has no
   * setup, the class of its present behavior.
   *
   * <p>Source: {@code proc_lib:initial_call}.
   *
   * @return the name of the class
   */
  String initialCall();
}
