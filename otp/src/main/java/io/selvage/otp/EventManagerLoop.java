package io.selvage.otp;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Down;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.spi.SystemMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An {@link EventManager} that runs. */
final class EventManagerLoop<E> extends Loop<E> {
  private static final System.Logger LOG = System.getLogger("io.selvage.otp");

  /** The supervisor of a handler has ended. */
  private record SupervisorDown(Down down) implements SystemMessage {}

  /** A handler and its state, which only its own methods know the types of. */
  private static final class Installed<S, E, Q> {
    final EventHandler<S, E, Q> handler;
    HandlerKey<?> key;
    S state;
    EventManager.@Nullable Supervision supervision;
    @Nullable MonitorRef monitor;

    Installed(HandlerKey<?> key, EventHandler<S, E, Q> handler, S state) {
      this.key = key;
      this.handler = handler;
      this.state = state;
    }

    static <S, E, Q> Installed<S, E, Q> init(
        Self<E> self, HandlerKey<?> key, EventHandler<S, E, Q> handler) throws Exception {
      return new Installed<>(
          key,
          handler,
          Objects.requireNonNull(handler.init(self), "init answered null instead of a state"));
    }

    Handled<S, E> onEvent(Self<E> self, E event) throws Exception {
      return keep(handler.onEvent(self, state, event), "onEvent");
    }

    @SuppressWarnings("unchecked") // the key with which it was asked is that of a handler of Q
    Handled<S, E> onCall(Self<E> self, Object request) throws Exception {
      return keep(handler.onCall(self, state, (Q) request), "onCall");
    }

    private Handled<S, E> keep(@Nullable Handled<S, E> answer, String callback) {
      if (answer == null) {
        throw new NullPointerException(
            callback + " answered null instead of how it goes on, such as Handled.same()");
      }
      if (answer.state != null) {
        state = answer.state;
      }
      return answer;
    }

    Optional<Object> terminate(Self<E> self, Removal why) throws Exception {
      return Objects.requireNonNull(
          handler.terminate(self, state, why), "terminate answered null, not Optional.empty()");
    }

    Object shown() {
      return handler.shown(state);
    }

    @SuppressWarnings("unchecked") // whoever replaces it knows what it is
    void replaceState(Object next) {
      state = (S) next;
    }
  }

  /** In the order in which they are told. */
  private final List<Installed<?, E, ?>> handlers = new ArrayList<>(2);

  private EventManagerLoop() {}

  private record Program<E>() implements Init.Setup<E, EventManager<E>>, SystemMessage.Program {
    @Override
    public Class<?> code() {
      return EventManager.class;
    }

    @Override
    public Behavior<E> start(Self<E> self, Ack<EventManager<E>> ack) {
      ack.ready(EventManager.at(self.pid()));
      return new EventManagerLoop<>();
    }
  }

  static <E> Init<E, EventManager<E>> program() {
    return Init.behavior(new Program<>());
  }

  // ---------------------------------------------------------------- events and requests

  @Override
  Behavior<E> onUser(Self<E> self, E event) {
    for (Installed<?, E, ?> each : List.copyOf(handlers)) {
      if (handlers.contains(each)) { // one before it may have been swapped into its place
        handle(self, each, () -> each.onEvent(self, event));
      }
    }
    return this;
  }

  @Override
  @SuppressWarnings("unchecked") // requests are made by the manager of these events
  Behavior<E> onOwn(Self<E> self, SystemMessage message) throws Exception {
    switch (message) {
      case EventManager.Request<?> request -> answer(self, (EventManager.Request<E>) request);
      case SupervisorDown(Down down) -> {
        for (Installed<?, E, ?> each : List.copyOf(handlers)) {
          if (down.monitor().equals(each.monitor)) {
            each.supervision = null; // there is nobody to tell
            each.monitor = null;
            Optional<Object> _ = remove(self, each, new Removal.SupervisorEnded(down.reason()));
          }
        }
      }
      default -> {
        return super.onOwn(self, message);
      }
    }
    return this;
  }

  private void answer(Self<E> self, EventManager.Request<E> request) {
    switch (request) {
      case EventManager.Request.Put<E>(var instead, var swap, var supervision, var replyTo) ->
          replyTo.send(put(self, instead, swap, supervision));
      case EventManager.Request.Remove<E>(var key, var replyTo) -> {
        Installed<?, E, ?> found = find(key);
        replyTo.send(
            found == null
                ? new EventManager.Answer.Unknown()
                : new EventManager.Answer.Done(remove(self, found, new Removal.Asked())));
      }
      case EventManager.Request.Call<E>(var key, var toRequest, var replyTo) -> {
        Installed<?, E, ?> found = find(key);
        if (found == null) {
          replyTo.send(new EventManager.Answer.Unknown());
        } else {
          call(self, found, toRequest.apply(replyTo), replyTo);
        }
      }
      case EventManager.Request.Sync<E>(var event, var replyTo) -> {
        tell(self, event);
        Behavior<E> _ = onUser(self, event);
        replyTo.send(true);
      }
      case EventManager.Request.Which<E>(var replyTo) ->
          replyTo.send(handlers.stream().<HandlerKey<?>>map(each -> each.key).toList());
    }
  }

  private void call(Self<E> self, Installed<?, E, ?> to, Object request, ReplyTo<Object> replyTo) {
    Throwable threw = handle(self, to, () -> to.onCall(self, request));
    if (threw != null) {
      replyTo.send(new EventManager.Answer.Threw(threw)); // has no effect if it has replied
    }
  }

  private @Nullable Installed<?, E, ?> find(HandlerKey<?> key) {
    for (Installed<?, E, ?> each : handlers) {
      if (each.key.equals(key)) {
        return each;
      }
    }
    return null;
  }

  // ---------------------------------------------------------------- running one handler

  /** A callback of one handler. */
  private interface Callback<T> {
    T run() throws Exception;
  }

  /** Runs a callback and does what it answers; answers what it threw, or null. */
  private @Nullable Throwable handle(
      Self<E> self, Installed<?, E, ?> handler, Callback<Handled<?, E>> callback) {
    Handled<?, E> answer;
    try {
      answer = callback.run();
    } catch (Throwable failure) {
      Throwable cause = Fault.survivable(failure);
      report(self, handler.key, "failed and is removed", cause);
      Optional<Object> _ = remove(self, handler, new Removal.Failed(cause));
      return cause;
    }
    switch (answer.how) {
      case STAY -> {}
      case HIBERNATE -> self.hibernate();
      case REMOVE -> {
        Optional<Object> _ = remove(self, handler, new Removal.ByItself());
      }
      case SWAP -> {
        Handled.Swap<E, ?> swap = Objects.requireNonNull(answer.swap);
        EventManager.Answer outcome = put(self, handler.key, swap, null);
        if (outcome instanceof EventManager.Answer.Taken) {
          IllegalArgumentException taken =
              new IllegalArgumentException("there is a handler " + swap.key() + " already");
          report(self, handler.key, "is not swapped but removed", taken);
          Optional<Object> _ = remove(self, handler, new Removal.Failed(taken));
        }
      }
    }
    return null;
  }

  private static void report(Self<?> self, HandlerKey<?> key, String what, Throwable cause) {
    LOG.log(
        System.Logger.Level.WARNING,
        "the handler " + key + " of the event manager " + self.pid() + " " + what,
        cause);
  }

  // ---------------------------------------------------------------- coming and going

  private EventManager.Answer put(
      Self<E> self,
      @Nullable HandlerKey<?> instead,
      Handled.Swap<E, ?> swap,
      EventManager.@Nullable Supervision supervision) {
    HandlerKey<?> key = swap.key();
    Installed<?, E, ?> present = find(key);
    if (present != null && !present.key.equals(instead)) {
      return new EventManager.Answer.Taken();
    }
    Installed<?, E, ?> old = instead == null ? null : find(instead);
    int place = old == null ? handlers.size() : handlers.indexOf(old);
    Optional<Object> handedOver =
        old == null ? Optional.empty() : end(self, old, new Removal.Swapped(key));
    try {
      EventHandler<?, E, ?> handler =
          Objects.requireNonNull(
              swap.successor().apply(handedOver), "the function answered null, not a handler");
      Installed<?, E, ?> added = Installed.init(self, key, handler);
      if (old != null) {
        added.supervision = old.supervision;
        added.monitor = old.monitor;
        handlers.set(place, added);
      } else {
        handlers.add(added);
      }
      if (supervision != null) {
        added.supervision = supervision;
        added.monitor = monitor(self, supervision);
      }
      return new EventManager.Answer.Done(Optional.empty());
    } catch (Throwable failure) {
      Throwable cause = Fault.survivable(failure);
      if (old != null) {
        report(self, key, "failed when it should stand in for " + instead, cause);
        old.key = key;
        forget(self, old, new Removal.Failed(cause));
      }
      return new EventManager.Answer.Threw(cause);
    }
  }

  @SuppressWarnings("unchecked") // the loop takes system messages beside those of the user
  private MonitorRef monitor(Self<E> self, EventManager.Supervision supervision) {
    return self.monitor(supervision.process(), down -> (E) (Object) new SupervisorDown(down));
  }

  /** Ends a handler and takes it away; answers what it hands over. */
  private Optional<Object> remove(Self<E> self, Installed<?, E, ?> handler, Removal why) {
    Optional<Object> handedOver = end(self, handler, why);
    forget(self, handler, why);
    return handedOver;
  }

  private void forget(Self<E> self, Installed<?, E, ?> handler, Removal why) {
    boolean _ = handlers.remove(handler);
    if (handler.monitor != null) {
      self.demonitorFlush(handler.monitor);
    }
    if (handler.supervision != null) {
      handler.supervision.tell().send(new HandlerGone(handler.key, why));
    }
  }

  /** Runs {@code terminate}. What that throws is reported, and hands over nothing. */
  private Optional<Object> end(Self<E> self, Installed<?, E, ?> handler, Removal why) {
    try {
      return handler.terminate(self, why);
    } catch (Throwable failure) {
      report(self, handler.key, "failed in terminate", Fault.survivable(failure));
      return Optional.empty();
    }
  }

  // ---------------------------------------------------------------- what others see

  @Override
  void terminate(Self<E> self, ExitReason reason) {
    for (Installed<?, E, ?> each : List.copyOf(handlers)) {
      Optional<Object> _ = remove(self, each, new Removal.ManagerEnded(reason));
    }
  }

  @Override
  String behaviour() {
    return "event manager";
  }

  @Override
  Class<?> code() {
    return EventManager.class;
  }

  /** The states of the handlers, by their keys. */
  @Override
  Object state() {
    Map<HandlerKey<?>, Object> states = new LinkedHashMap<>();
    handlers.forEach(each -> states.put(each.key, each.state));
    return states;
  }

  @Override
  void replaceState(Object next) {
    if (!(next instanceof Map<?, ?> states)) {
      throw new IllegalArgumentException(
          "the state of an event manager is a map from the keys of its handlers to their states,"
              + " not "
              + next);
    }
    for (Installed<?, E, ?> each : handlers) {
      Object state = states.get(each.key);
      if (state != null) {
        each.replaceState(state);
      }
    }
  }

  @Override
  public Object shownState() {
    Map<HandlerKey<?>, Object> states = new LinkedHashMap<>();
    handlers.forEach(each -> states.put(each.key, each.shown()));
    return states;
  }
}
