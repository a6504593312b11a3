package io.selvage.otp;

import io.selvage.kernel.Alias;
import io.selvage.kernel.AliasOptions;
import io.selvage.kernel.Init;
import io.selvage.kernel.MonitorAlias;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A process that hands each event to all of its handlers, which come and go while it runs: for
 * logs, alarms, statistics, and all else that some part of a program tells and others want to know.
 *
 * <pre>{@code
 * EventManager<Alarm> alarms = EventManager.<Alarm>start(node, SpawnOptions.defaults()).orThrow().value();
 * alarms.add(LOG, new AlarmLog());
 * alarms.notify(new Alarm("disk full"));
 * }</pre>
 *
 * <p>Its process accepts the events, so whoever knows the pid or the name alone can send some; this
 * class adds what its handlers need. Handlers are called in the order in which they were added.
 *
 * <p>All methods may be called from any thread and process, but none but {@link #notify} by the
 * manager's own handlers. Each, but {@link #notify} and {@link #pid}, is a call that waits its turn
 * behind the events before it, and throws {@link io.selvage.kernel.CallException} if the manager
 * has ended.
 *
 * <p>Cost: an event costs a message, however many handlers there are. Source: {@code gen_event}.
 *
 * @param <E> the events
 */
public final class EventManager<E> {
  private final Pid<E> pid;
  private final Pid<SystemMessage> address;

  private EventManager(Pid<E> pid, Pid<SystemMessage> address) {
    this.pid = pid;
    this.address = address;
  }

  /** What a manager is asked. */
  sealed interface Request<E> extends SystemMessage {
    /** Adds a handler, or puts it into the place of another. */
    record Put<E>(
        @Nullable HandlerKey<?> instead,
        Handled.Swap<E, ?> handler,
        @Nullable Supervision supervision,
        ReplyTo<Answer> replyTo)
        implements Request<E> {}

    record Remove<E>(HandlerKey<?> key, ReplyTo<Answer> replyTo) implements Request<E> {}

    /** The handler replies itself, or the manager in its stead with an {@link Answer}. */
    record Call<E>(
        HandlerKey<?> key, Function<ReplyTo<Object>, Object> request, ReplyTo<Object> replyTo)
        implements Request<E> {}

    record Sync<E>(E event, ReplyTo<Boolean> replyTo) implements Request<E> {}

    record Which<E>(ReplyTo<List<HandlerKey<?>>> replyTo) implements Request<E> {}
  }

  /** Whose end a handler shares, and where to tell that it is gone. */
  record Supervision(Pid<?> process, Alias<HandlerGone> tell) {}

  /** How a request went. */
  sealed interface Answer {
    record Done(Optional<Object> value) implements Answer {}

    record Taken() implements Answer {}

    record Unknown() implements Answer {}

    record Threw(Throwable cause) implements Answer {}
  }

  // ---------------------------------------------------------------- starting

  /**
   * The code of an event manager, to be given to any {@code start} of the kernel.
   *
   * @param <E> the events
   * @return what to start; it tells the manager
   */
  public static <E> Init<E, EventManager<E>> of() {
    return EventManagerLoop.program();
  }

  /**
   * Starts a manager without handlers.
   *
   * @param spawner the node, or the process that starts it
   * @param options the options of its process: its name, whether it is linked, or runs {@linkplain
   *     SpawnOptions#onVirtualThread on a virtual thread} because its handlers block for long
   * @param <E> the events
   * @return the manager, or why it was not started
   */
  public static <E> StartResult<E, EventManager<E>> start(
      Spawner spawner, SpawnOptions<E> options) {
    return spawner.start(of(), Sys.FOREVER, options);
  }

  /**
   * The manager that a process is.
   *
   * @param pid the process
   * @param <E> the events
   * @return the manager
   * @throws IllegalArgumentException if it is no behaviour
   */
  public static <E> EventManager<E> at(Pid<E> pid) {
    Objects.requireNonNull(pid, "pid");
    return new EventManager<>(
        pid,
        SystemMessage.addressOf(pid)
            .orElseThrow(() ->
                new IllegalArgumentException(pid + " is no event manager: give the pid of one")));
  }

  /**
   * Its process.
   *
   * @return its pid
   */
  public Pid<E> pid() {
    return pid;
  }

  // ---------------------------------------------------------------- events

  /**
   * Tells all handlers, and does not wait. Same as sending the event to the {@link #pid}.
   *
   * @param event the event
   */
  public void notify(E event) {
    pid.send(event);
  }

  /**
   * Tells all handlers, and waits until each has handled it.
   *
   * @param event the event
   * @param timeout how long to wait; zero or more, of any length
   * @throws io.selvage.kernel.CallTimeoutException if they are not done in time
   */
  public void syncNotify(E event, Duration timeout) {
    Objects.requireNonNull(event, "event");
    Boolean _ = address.<Boolean>call(replyTo -> new Request.Sync<>(event, replyTo), timeout);
  }

  /**
   * Asks one handler.
   *
   * @param key the handler
   * @param request makes the request from the reply address; often a record's constructor
   * @param timeout how long to wait; zero or more, of any length
   * @param <Q> what the handler can be asked
   * @param <R> the reply
   * @return the reply
   * @throws IllegalArgumentException if there is no such handler
   * @throws IllegalStateException if the handler threw; it has been removed
   * @throws io.selvage.kernel.CallTimeoutException if it did not reply in time
   */
  @SuppressWarnings("unchecked") // the request was made for a ReplyTo<R>; answers are told apart
  public <Q, R> R call(
      HandlerKey<Q> key, Function<? super ReplyTo<R>, ? extends Q> request, Duration timeout) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(request, "request");
    Function<ReplyTo<Object>, Object> untyped =
        replyTo -> request.apply((ReplyTo<R>) (ReplyTo<?>) replyTo);
    Object reply =
        address.<Object>call(replyTo -> new Request.Call<E>(key, untyped, replyTo), timeout);
    if (reply instanceof Answer answer) {
      Optional<Object> _ = check(key, answer);
    }
    return (R) reply;
  }

  // ---------------------------------------------------------------- handlers

  /**
   * Adds a handler, behind those that are there.
   *
   * @param key its key
   * @param handler the handler
   * @param <Q> what it can be asked
   * @throws IllegalArgumentException if there is one with this key
   * @throws IllegalStateException if its {@code init} threw
   */
  public <Q> void add(HandlerKey<Q> key, EventHandler<?, E, Q> handler) {
    Objects.requireNonNull(handler, "handler");
    put(key, null, new Handled.Swap<>(key, _ -> handler), null);
  }

  /**
   * Adds a handler that belongs to a process: when that ends the handler is removed, and when the
   * handler is gone, for whatever reason, or the manager ends, the process is told, once.
   *
   * @param self the process, which calls this
   * @param key its key
   * @param handler the handler
   * @param toMessage turns the news into a message of the process
   * @param <M> what the process accepts
   * @param <Q> what the handler can be asked
   * @throws IllegalArgumentException if there is one with this key
   * @throws IllegalStateException if its {@code init} threw
   */
  public <M, Q> void addSupervised(
      Self<M> self,
      HandlerKey<Q> key,
      EventHandler<?, E, Q> handler,
      Function<? super HandlerGone, ? extends M> toMessage) {
    Objects.requireNonNull(handler, "handler");
    Objects.requireNonNull(toMessage, "toMessage");
    MonitorAlias<HandlerGone> link =
        self.monitorWithAlias(
            pid,
            down -> toMessage.apply(new HandlerGone(key, new Removal.ManagerEnded(down.reason()))),
            AliasOptions.defaults().withMode(AliasOptions.Mode.REPLY_DEMONITOR),
            toMessage);
    boolean added = false;
    try {
      put(
          key,
          null,
          new Handled.Swap<>(key, _ -> handler),
          new Supervision(self.pid(), link.alias()));
      added = true;
    } finally {
      if (!added) {
        boolean _ = self.unalias(link.alias());
        self.demonitorFlush(link.monitor());
      }
    }
  }

  /**
   * Removes a handler.
   *
   * @param key the handler
   * @return what its {@link EventHandler#terminate} answered; empty if that threw
   * @throws IllegalArgumentException if there is no such handler
   */
  public Optional<Object> remove(HandlerKey<?> key) {
    Objects.requireNonNull(key, "key");
    return check(
        key, address.<Answer>call(replyTo -> new Request.Remove<E>(key, replyTo), Sys.FOREVER));
  }

  /**
   * Puts a handler into the place of another, without missing an event in between: the other's
   * {@link EventHandler#terminate} answers what is handed over. If there is no such other, the
   * handler is added and handed over nothing. If the new one's {@code init} throws, both are gone.
   * Whoever supervised the other supervises the new one.
   *
   * @param key the handler that goes
   * @param newKey the key of the one that comes; may be the same
   * @param successor makes the one that comes from what is handed over; runs in the manager
   * @param <Q> what it can be asked
   * @throws IllegalArgumentException if there is one with the new key, beside the one that goes
   * @throws IllegalStateException if the new one's {@code init}, or {@code successor}, threw
   */
  public <Q> void swap(
      HandlerKey<?> key,
      HandlerKey<Q> newKey,
      Function<Optional<Object>, ? extends EventHandler<?, E, Q>> successor) {
    Objects.requireNonNull(key, "key");
    put(
        newKey,
        key,
        new Handled.Swap<>(newKey, Objects.requireNonNull(successor, "successor")),
        null);
  }

  /**
   * Which handlers there are.
   *
   * @return their keys, in the order in which they are told
   */
  public List<HandlerKey<?>> handlers() {
    return address.<List<HandlerKey<?>>>call(Request.Which<E>::new, Sys.FOREVER);
  }

  private void put(
      HandlerKey<?> key,
      @Nullable HandlerKey<?> instead,
      Handled.Swap<E, ?> handler,
      @Nullable Supervision supervision) {
    Objects.requireNonNull(key, "key");
    Optional<Object> _ =
        check(
            key,
            address.<Answer>call(
                replyTo -> new Request.Put<>(instead, handler, supervision, replyTo), Sys.FOREVER));
  }

  private Optional<Object> check(HandlerKey<?> key, Answer answer) {
    return switch (answer) {
      case Answer.Done(var value) -> value;
      case Answer.Taken() ->
          throw new IllegalArgumentException(
              pid + " has a handler " + key + " already: remove or swap it, or use another key");
      case Answer.Unknown() ->
          throw new IllegalArgumentException(
              pid + " has no handler " + key + ": it was never added, or it is gone");
      case Answer.Threw(var cause) ->
          throw new IllegalStateException(
              "the handler " + key + " of " + pid + " threw " + cause + " and is not there now",
              cause);
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EventManager<?> manager && manager.pid.equals(pid);
  }

  @Override
  public int hashCode() {
    return pid.hashCode();
  }

  @Override
  public String toString() {
    return "event manager " + pid;
  }
}
