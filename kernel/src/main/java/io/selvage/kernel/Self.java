package io.selvage.kernel;

import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.spi.KernelEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

  // ---------------------------------------------------------------- watching

  /**
   * Subscribes this process to events of its node. Each comes as a message at the end of the
   * mailbox; those that come while {@link EventFilter#capacity} others wait there are lost and
   * counted, and a {@link KernelEvent.EventsLost} tells how many. Ends with the process. Source:
   * {@code erlang:system_monitor/2}.
   *
   * @param filter which events
   * @param toMessage turns an event into a message of this process; runs in it when the message is
   *     taken
   * @return the subscription
   * @throws IllegalStateException if the node is closing
   */
  Subscription subscribe(EventFilter filter, Function<? super KernelEvent, ? extends M> toMessage);

  /**
   * Opens a trace session that tells this process and ends with it. Nothing is traced until {@link
   * TraceSession#trace} chooses a process. Source: {@code trace:session_create/3}.
   *
   * @param options its limits
   * @param toMessage turns an entry into a message of this process; runs in it when the message is
   *     taken
   * @return the session
   * @throws IllegalStateException if the node is closing
   */
  TraceSession trace(TraceOptions options, Function<? super TraceEvent, ? extends M> toMessage);

  // ---------------------------------------------------------------- asynchronous calls

  /**
   * Calls a process without waiting: sends it a request that carries a reply address, and lets the
   * outcome come as a message, made by {@code toMessage}. Exactly one comes, unless the call is
   * {@linkplain RequestRef#abandon abandoned}: the reply, or the end of the called process (at
   * once, if it is not there), or the timeout. A reply that comes later is dropped and counted.
   *
   * <p>Both functions run in this process: {@code request} now, {@code toMessage} when the message
   * is taken; what it throws is thrown there.
   *
   * <p>A process that calls itself is told that the call failed, by a message as well.
   *
   * <pre>{@code
   * self.request(account, Account.Balance::new, Duration.ofSeconds(1), Msg.GotBalance::new);
   * }</pre>
   *
   * <p>Cost: an object of about 80 bytes until the outcome comes; with its reply one and a half
   * times as much as two messages between the processes, and as much again for a timeout. Source:
   * {@code gen_server:send_request/2}, with the timeout of {@code call}.
   *
   * @param target the process to call
   * @param request makes the request from the reply address; often a record's constructor
   * @param timeout how long the reply may take; zero or more, of any length; more than about 292
   *     years is for ever, and sets no timer
   * @param toMessage turns the outcome into a message of this process; often a record's constructor
   * @param <T> what the called process accepts
   * @param <R> the reply
   * @return the call
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  <T, R> RequestRef request(
      Pid<T> target,
      Function<? super ReplyTo<R>, ? extends T> request,
      Duration timeout,
      Function<? super Outcome<R>, ? extends M> toMessage);

  // ---------------------------------------------------------------- deadlines

  /**
   * How long the caller still waits whose request this process handles now, by the clock of its
   * node. Calls that are made meanwhile ({@link Pid#call}, {@link #request}, {@link Pid#callAsync},
   * {@link DirectSelf#requests}) take no longer than that, whatever their own timeouts; when
   * nothing is left they are not sent, and time out at once.
   *
   * <p>A behavior handles a request until its handler returns, a direct process until its next
   * receive. The outcome of a {@link #request} is handled on behalf of the request for which it was
   * made. Once a request was answered, its deadline does not count any more.
   *
   * <p>Source: the deadlines of gRPC and Go's {@code context.Context}, which have to be handed on
   * by hand.
   *
   * @return the time, zero if the caller has given up or has ended; empty if it waits without limit
   *     or has been answered, if no request is being handled, and inside {@link #withoutDeadline}
   */
  Optional<Duration> timeLeft();

  /**
   * Runs code whose calls must be made, and may take their own timeouts, whatever the caller waits
   * for whose request this process handles now: calls that put right what was begun, say.
   *
   * @param action the code; runs here and now
   * @param <R> what it answers
   * @return what {@code action} has answered
   */
  <R extends @Nullable Object> R withoutDeadline(Supplier<? extends R> action);

  // ---------------------------------------------------------------- aliases

  /**
   * Makes an alias of this process: a second address that it can revoke. What is sent to it arrives
   * as {@code toMessage} makes it, which runs in this process when the message is taken; what it
   * throws is thrown there.
   *
   * <p>Cost: an object of about 32 bytes; nothing is entered anywhere. Source: {@code
   * erlang:alias/1}.
   *
   * @param options when it ends: {@code EXPLICIT_UNALIAS} or {@code REPLY}; and whether it takes
   *     priority messages
   * @param toMessage turns what is sent to it into a message of this process
   * @param <T> what may be sent to it
   * @return the alias
   * @throws IllegalArgumentException if the mode is one for monitors
   */
  <T> Alias<T> alias(AliasOptions options, Function<? super T, ? extends M> toMessage);

  /**
   * Makes an alias of this process that accepts what the process accepts, until {@link #unalias}.
   *
   * @return the alias
   */
  Alias<M> alias();

  /**
   * Revokes an alias. After this nothing more arrives through it; what is in the mailbox already
   * stays there. A monitor that was made with it stays. Source: {@code erlang:unalias/1}.
   *
   * @param alias the alias
   * @return false if it was not active, or is another process's; then nothing has changed
   */
  boolean unalias(Alias<?> alias);

  /**
   * Watches a process like {@link #monitor}, and makes an alias that can end with the monitor. For
   * requests to processes that know nothing of calls: with {@code REPLY_DEMONITOR} either an answer
   * or a {@link Down} comes, and nothing is left to clear away.
   *
   * <p>Source: {@code erlang:monitor/3} with {@code alias}.
   *
   * @param target a pid, or a name: then whoever holds it now
   * @param toMessage turns the news of the end into a message of this process
   * @param options when the alias ends: any mode but {@code REPLY}; and whether it takes priority
   *     messages
   * @param fromAlias turns what is sent to the alias into a message of this process
   * @param <T> what may be sent to the alias
   * @return the monitor and the alias
   * @throws IllegalArgumentException if the mode is {@code REPLY}
   */
  <T> MonitorAlias<T> monitorWithAlias(
      Address<?> target,
      Function<? super Down, ? extends M> toMessage,
      AliasOptions options,
      Function<? super T, ? extends M> fromAlias);

  // ---------------------------------------------------------------- time

  /**
   * Sends a message to another process, or to whoever holds a name, after a time.
   *
   * <p>A timer to a pid belongs to that process: it ends with it, and the message is counted
   * ({@link NodeStats#undelivered()}); so it is at once if the process has ended already. A timer
   * to a name belongs to this process. The name is looked up when the timer fires; if nobody holds
   * it then, the message is dropped and counted.
   *
   * @param delay how long; zero or more, of any length
   * @param target where to
   * @param message the message
   * @param <T> the messages the target accepts
   * @return the timer
   * @throws IllegalArgumentException if {@code delay} is negative
   */
  <T> Timer sendAfter(Duration delay, Address<T> target, T message);

  /**
   * Sends this process a message that carries its timer after a time: so one that was set before
   * can be told from its successor.
   *
   * <p>Source: {@code erlang:start_timer/3}.
   *
   * @param delay how long; zero or more, of any length
   * @param toMessage makes the message from the timer, now; often a record's constructor
   * @return the timer
   * @throws IllegalArgumentException if {@code delay} is negative
   */
  Timer startTimer(Duration delay, Function<? super Timer, ? extends M> toMessage);

  /**
   * Sends a message that carries its timer to another process, or to whoever holds a name, after a
   * time; see {@link #startTimer(Duration, Function)} and {@link #sendAfter(Duration, Address,
   * Object)}.
   *
   * @param delay how long; zero or more, of any length
   * @param target where to
   * @param toMessage makes the message from the timer, now
   * @param <T> the messages the target accepts
   * @return the timer
   * @throws IllegalArgumentException if {@code delay} is negative
   */
  <T> Timer startTimer(
      Duration delay, Address<T> target, Function<? super Timer, ? extends T> toMessage);

  /**
   * Sends this process a message again and again, with a pause of a fixed length: from taking one
   * to sending the next. The first comes after one pause. No more than one of them ever waits in
   * the mailbox, however slow this process is.
   *
   * <p>Cost: one small object a message. Source: {@code timer:apply_repeatedly/4}.
   *
   * @param pause how long; more than zero, of any length
   * @param message the message
   * @return the timer
   * @throws IllegalArgumentException if {@code pause} is zero or negative
   */
  Timer sendEvery(Duration pause, M message);

  /**
   * Sends this process a message at a fixed rate: one period after this call, two periods after it,
   * and so on. If the message before has not been taken by then, that one is left out: no more than
   * one ever waits in the mailbox, and after a long pause there is no burst.
   *
   * <p>Cost: one small object a message.
   *
   * @param period the time between two; more than zero, of any length
   * @param message the message
   * @return the timer
   * @throws IllegalArgumentException if {@code period} is zero or negative
   */
  Timer sendAtFixedRate(Duration period, M message);

  // ---------------------------------------------------------------- stash

  /**
   * Puts a message aside, to be handled later: most often the one that is being handled, for which
   * it is too early. Stashed messages are not part of the mailbox's length; those that are left
   * when the process ends count as unread.
   *
   * <p>Source: postponed events of {@code gen_statem}; Pekko's {@code StashBuffer}.
   *
   * @param message the message
   * @throws StashOverflowException if as many are stashed already as the stash holds, 1000 unless
   *     {@link #stashCapacity} was called
   */
  void stash(M message);

  /**
   * Puts all stashed messages back into the mailbox, before everything unread, in the order in
   * which they were stashed first: one that was put back and stashed again goes before younger ones
   * that were put back with it and are still unread.
   *
   * <p>Takes constant time; where older ones meet younger ones that are unread, a walk over these.
   *
   * @return how many they were
   */
  int unstashAll();

  /**
   * Puts the oldest stashed messages back into the mailbox, before everything unread but behind
   * older ones that were put back before and have not been handled yet.
   *
   * @param most how many; zero or more
   * @return how many they were: less than {@code most} if there were no more
   * @throws IllegalArgumentException if {@code most} is negative
   */
  int unstash(int most);

  /**
   * How many messages are stashed.
   *
   * @return the number
   */
  int stashed();

  /**
   * Sets how many messages the stash holds at most. If more are in it already they stay, and no
   * other can be added.
   *
   * @param messages the number; 1 or more
   * @throws IllegalArgumentException if {@code messages} is less than 1
   */
  void stashCapacity(int messages);

  // ---------------------------------------------------------------- process dictionary

  /**
   * What the process keeps under a key.
   *
   * <p>Source: {@code erlang:get/1}.
   *
   * @param key the key
   * @param <V> the value
   * @return the value, or null if there is none
   */
  <V> @Nullable V get(ProcessKey<V> key);

  /**
   * Keeps a value under a key, for code of this process that cannot pass it as a parameter: the id
   * of a request for its logs, say. It is gone with the process, and reports about the process show
   * it.
   *
   * <p>Source: {@code erlang:put/2}.
   *
   * @param key the key
   * @param value the value
   * @param <V> the value
   * @return the value before, or null if there was none
   */
  <V> @Nullable V put(ProcessKey<V> key, V value);

  /**
   * Keeps nothing under a key any more.
   *
   * <p>Source: {@code erlang:erase/1}.
   *
   * @param key the key
   * @param <V> the value
   * @return the value before, or null if there was none
   */
  <V> @Nullable V erase(ProcessKey<V> key);

  // ---------------------------------------------------------------- memory

  /**
   * Gives back memory of the kernel's that this process does not need at present: tables of links
   * and calls that were large once. For a process that will now wait for long. Returns at once;
   * what the process's own code holds stays.
   *
   * <p>Cost: as long as the tables are large. Source: {@code erlang:hibernate/3}, which can give
   * back the stack, too: nothing in Java can, so a direct process keeps its own.
   */
  void hibernate();

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
