package io.selvage.otp;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A {@link StateMachine} that runs; to its callbacks also the {@link Moment} and the {@link
 * Transition}, so that a decision costs no object.
 *
 * <pre>
 *   message, timeout ──► handle ──► callback ──► decision with actions ──► settle ──┐
 *                           ▲                                                       │
 *                           └── next of the queue, else a timeout of zero ◄─────────┤
 *                                                                                   └──► none: wait
 * </pre>
 *
 * <p>{@code settle} does the steps that {@link Transition} lists, but the entry call after those of
 * the queue: an entry cannot see or change the queue, and so an entry that fails leaves all of it
 * to be counted.
 */
final class StateMachineLoop<S, D, M> extends Loop<M>
    implements Moment<S, D, M>, Transition<S, D, M> {
  /** What a callback has decided. */
  private enum Decision {
    GO,
    STAY,
    REPEAT,
    STOP,
    IGNORE,
    FAIL
  }

  /** The callbacks, and those that a pop brings back. */
  private record Code<S, D, M>(StateMachine<S, D, M> machine, @Nullable Code<S, D, M> below) {}

  private final Self<M> self;
  private Code<S, D, M> code;

  /** These two are null in {@code init} alone. */
  private @Nullable S state;

  private @Nullable D data;

  // What waits.

  /** What is handled before the next message. */
  private @Nullable Event<M> queue;

  /** What waits for another state. */
  private @Nullable Event<M> postponed;

  /** Those that run, in the order in which they were set. */
  private @Nullable Timeout<M> timeouts;

  // The present callback; all null outside of one.

  private @Nullable EventKind kind;
  private @Nullable Object name;
  private @Nullable M message;

  /** The present event, if it comes from the queue: to be postponed as it is. */
  private @Nullable Event<M> event;

  // The decision of the present callback.

  private @Nullable Decision decision;
  private @Nullable S nextState;
  private @Nullable D nextData;
  private @Nullable Code<S, D, M> nextCode;
  private @Nullable ExitReason reason;
  private @Nullable Event<M> inserted;
  private @Nullable Timeout<M> wanted;
  private boolean postpone;
  private boolean hibernate;

  private StateMachineLoop(Self<M> self, Code<S, D, M> code) {
    this.self = self;
    this.code = code;
  }

  // ---------------------------------------------------------------- the start

  private record Program<S, D, M>(Code<S, D, M> first)
      implements Init.Setup<M, Pid<M>>, SystemMessage.Program {
    @Override
    public Class<?> code() {
      return first.machine().getClass();
    }

    @Override
    public Behavior<M> start(Self<M> self, Ack<Pid<M>> ack) throws Exception {
      return new StateMachineLoop<>(self, first).begin(ack);
    }
  }

  static <S, D, M> Init<M, Pid<M>> program(StateMachine<S, D, M> machine) {
    return Init.behavior(
        new Program<>(new Code<>(Objects.requireNonNull(machine, "machine"), null)));
  }

  private Behavior<M> begin(Ack<Pid<M>> ack) throws Exception {
    kind = EventKind.INIT;
    Decision made = decided(code.machine().init(this), "init");
    switch (made) {
      case IGNORE, FAIL -> throw ack.fail(Objects.requireNonNull(reason), ExitReason.normal());
      case STOP -> throw ack.fail(Objects.requireNonNull(reason));
      case STAY, REPEAT ->
          throw new IllegalStateException(
              "init answered to stay, but there is no state yet: answer now.to(state, data)");
      case GO -> {}
    }
    ack.ready(self.pid());
    return guarded(self, () -> settled(true));
  }

  // ---------------------------------------------------------------- events

  @Override
  Behavior<M> onUser(Self<M> self, M message) throws Exception {
    return handle(EventKind.MESSAGE, null, message, null);
  }

  @Override
  @SuppressWarnings("unchecked") // only its own timeouts come, or one that is not found
  Behavior<M> onOwn(Self<M> self, SystemMessage message) throws Exception {
    for (Timeout<M> each = timeouts; each != null; each = each.next) {
      if (each == message) {
        M content = Objects.requireNonNull(each.message);
        tell(self, content);
        timeouts = Timeout.without(timeouts, each);
        return handle(each.kind, each.name, content, null);
      }
    }
    return this; // cancelled while it was on its way
  }

  /** Handles an event, and then all that is to be handled before the next message. */
  private Behavior<M> handle(
      EventKind kind, @Nullable Object name, M message, @Nullable Event<M> event) throws Exception {
    call(kind, name, message, event);
    return settled(false);
  }

  private void call(EventKind kind, @Nullable Object name, M message, @Nullable Event<M> event)
      throws Exception {
    if (timeouts != null) {
      cancel(EventKind.EVENT_TIMEOUT, null);
    }
    this.kind = kind;
    this.name = name;
    this.message = message;
    this.event = event;
    decided(code.machine().onEvent(this, present(), data(), message), "onEvent");
  }

  private Behavior<M> settled(boolean first) throws Exception {
    boolean entered = first;
    while (true) {
      Behavior<M> end = settle(entered);
      if (end != null) {
        return end;
      }
      entered = false;
      boolean sleep = hibernate;
      if (!callNext()) {
        if (sleep) {
          self.hibernate();
        }
        return this;
      }
    }
  }

  /** Handles the next event that does not come from the mailbox; false if there is none. */
  private boolean callNext() throws Exception {
    Event<M> waiting = queue;
    if (waiting != null) {
      self.stashed(); // any kernel call: an exit signal ends the process between two events
      Event<M> next = Event.oldest(waiting);
      queue = Event.withoutOldest(waiting);
      tell(self, next.message);
      call(next.kind, next.name, next.message, next);
      return true;
    }
    for (Timeout<M> each = timeouts; each != null; each = each.next) {
      if (each.timer == null) {
        self.stashed();
        M content = Objects.requireNonNull(each.message);
        tell(self, content);
        timeouts = Timeout.without(timeouts, each);
        call(each.kind, each.name, content, null);
        return true;
      }
    }
    return false;
  }

  // ---------------------------------------------------------------- transitions

  /**
   * Does what was decided.
   *
   * @param first whether this is the decision of {@code init}
   * @return the end of the process, or null
   */
  private @Nullable Behavior<M> settle(boolean first) throws Exception {
    Decision made = Objects.requireNonNull(decision);
    if (nextData != null) {
      data = nextData;
    }
    if (made == Decision.STOP) {
      return end();
    }
    S before = state;
    S target = nextState == null ? Objects.requireNonNull(before) : nextState;
    boolean changed = !target.equals(before);
    state = target; // also if equal: it is what the callback answered
    code = Objects.requireNonNull(nextCode);
    if (postpone) {
      postponed = Event.append(postponed, presentEvent());
    }
    if (changed) {
      queue = Event.join(postponed, queue);
      postponed = null;
      cancel(EventKind.STATE_TIMEOUT, null);
    }
    queue = Event.join(inserted, queue);
    Timeout<M> all = wanted;
    boolean sleep = hibernate;
    forget();
    if (changed || made == Decision.REPEAT) {
      S from = first || before == null || !changed ? target : before;
      while (true) {
        kind = EventKind.ENTRY;
        Decision entry = decided(code.machine().onEntry(this, from, present(), data()), "onEntry");
        if (nextData != null) {
          data = nextData;
        }
        if (entry == Decision.STOP) {
          return end();
        }
        all = wanted == null ? all : Timeout.append(all, wanted);
        sleep |= hibernate;
        forget();
        if (entry != Decision.REPEAT) {
          break;
        }
        from = present();
        self.stashed(); // see callNext
      }
    }
    hibernate = sleep;
    set(all);
    return null;
  }

  private Behavior<M> end() throws Exception {
    ExitReason why = Objects.requireNonNull(reason);
    forget();
    return stop(self, why);
  }

  private Event<M> presentEvent() {
    return event != null
        ? event
        : new Event<>(Objects.requireNonNull(kind), name, Objects.requireNonNull(message));
  }

  /** The callback is over: keeps nothing of it. */
  private void forget() {
    kind = null;
    name = null;
    message = null;
    event = null;
    clearDecision();
  }

  private void clearDecision() {
    decision = null;
    nextState = null;
    nextData = null;
    nextCode = null;
    reason = null;
    inserted = null;
    wanted = null;
    postpone = false;
    hibernate = false;
  }

  private void set(@Nullable Timeout<M> actions) {
    Timeout<M> each = actions;
    while (each != null) {
      Timeout<M> following = each.next;
      each.next = null;
      perform(each);
      each = following;
    }
  }

  private void perform(Timeout<M> action) {
    switch (action.how) {
      case CANCEL -> cancel(action.kind, action.name);
      case SET -> {
        cancel(action.kind, action.name);
        run(action);
      }
      case UPDATE -> {
        Timeout<M> running = running(action.kind, action.name);
        if (running == null) {
          run(action);
        } else {
          running.message = action.message;
        }
      }
    }
  }

  @SuppressWarnings("unchecked") // the loop takes system messages beside those of the user
  private void run(Timeout<M> timeout) {
    if (!timeout.time.isZero()) {
      timeout.timer = self.sendAfter(timeout.time, (M) (Object) timeout);
    }
    timeouts = Timeout.append(timeouts, timeout);
  }

  private @Nullable Timeout<M> running(EventKind kind, @Nullable Object name) {
    for (Timeout<M> each = timeouts; each != null; each = each.next) {
      if (each.is(kind, name)) {
        return each;
      }
    }
    return null;
  }

  private void cancel(EventKind kind, @Nullable Object name) {
    Timeout<M> running = running(kind, name);
    if (running != null) {
      running.cancelTimer();
      timeouts = Timeout.without(timeouts, running);
    }
  }

  // ---------------------------------------------------------------- what a callback is told

  private S present() {
    return Objects.requireNonNull(state);
  }

  private D data() {
    return Objects.requireNonNull(data);
  }

  @Override
  public Self<M> self() {
    return self;
  }

  @Override
  public EventKind kind() {
    return inCallback();
  }

  @Override
  public Optional<Object> timeoutName() {
    inCallback();
    return Optional.ofNullable(name);
  }

  private EventKind inCallback() {
    if (kind == null) {
      throw new IllegalStateException(
          "a moment of "
              + self.pid()
              + " was used outside of the callback that was given it: send the process a message"
              + " and decide there");
    }
    return kind;
  }

  // ---------------------------------------------------------------- decisions

  private Transition<S, D, M> decide(Decision made) {
    inCallback();
    clearDecision();
    decision = made;
    nextCode = code;
    return this;
  }

  private Transition<S, D, M> decide(Decision made, D newData) {
    Objects.requireNonNull(newData, "data");
    decide(made);
    nextData = newData;
    return this;
  }

  /** What the callback has answered. */
  private Decision decided(@Nullable Transition<S, D, M> answer, String callback) {
    if (answer == null) {
      throw new NullPointerException(
          callback + " answered null instead of a decision, such as now.stay()");
    }
    if (answer != this || decision == null) {
      throw new IllegalStateException(
          callback + " answered a decision of another call: make one from the moment it is given");
    }
    return decision;
  }

  private void ensureStateMayChangeTo(S target) {
    Objects.requireNonNull(target, "state");
    if (inCallback() == EventKind.ENTRY && !target.equals(state)) {
      throw new IllegalStateException(
          "onEntry of "
              + state
              + " went to "
              + target
              + ", but an entry cannot change the state: set a state timeout of zero");
    }
  }

  private void ensureBegun(String what) {
    if (inCallback() == EventKind.INIT) {
      throw new IllegalStateException(
          what + " is nothing init can answer: there is no state yet; answer now.to(state, data)");
    }
  }

  private void ensureInit(String what) {
    if (inCallback() != EventKind.INIT) {
      throw new IllegalStateException(
          what + " is for init alone, and the machine runs already: answer now.stop(reason)");
    }
  }

  private void ensureNotEntry(String what) {
    ensureDecided();
    if (kind == EventKind.ENTRY) {
      throw new IllegalStateException(
          "onEntry cannot " + what + ": do it in the transition that enters the state");
    }
  }

  private void ensureDecided() {
    inCallback();
    if (decision == null) {
      throw new IllegalStateException(
          "an action was added before a decision: begin with now.to(…), now.stay() or another");
    }
  }

  @Override
  public Transition<S, D, M> to(S target) {
    ensureBegun("now.to(state)");
    ensureStateMayChangeTo(target);
    decide(Decision.GO);
    nextState = target;
    return this;
  }

  @Override
  public Transition<S, D, M> to(S target, D newData) {
    ensureStateMayChangeTo(target);
    decide(Decision.GO, newData);
    nextState = target;
    return this;
  }

  @Override
  public Transition<S, D, M> stay() {
    ensureBegun("now.stay()");
    return decide(Decision.STAY);
  }

  @Override
  public Transition<S, D, M> stay(D newData) {
    ensureBegun("now.stay(data)");
    return decide(Decision.STAY, newData);
  }

  @Override
  public Transition<S, D, M> repeat() {
    ensureBegun("now.repeat()");
    return decide(Decision.REPEAT);
  }

  @Override
  public Transition<S, D, M> repeat(D newData) {
    ensureBegun("now.repeat(data)");
    return decide(Decision.REPEAT, newData);
  }

  @Override
  public Transition<S, D, M> stop(ExitReason why) {
    Objects.requireNonNull(why, "reason");
    decide(Decision.STOP);
    reason = why;
    return this;
  }

  @Override
  public Transition<S, D, M> stop(ExitReason why, D newData) {
    Objects.requireNonNull(why, "reason");
    ensureBegun("now.stop(reason, data)");
    decide(Decision.STOP, newData);
    reason = why;
    return this;
  }

  @Override
  public Transition<S, D, M> ignore() {
    ensureInit("now.ignore()");
    decide(Decision.IGNORE);
    reason = Ignored.INSTANCE;
    return this;
  }

  @Override
  public Transition<S, D, M> fail(ExitReason why) {
    Objects.requireNonNull(why, "reason");
    ensureInit("now.fail(reason)");
    decide(Decision.FAIL);
    reason = why;
    return this;
  }

  // ---------------------------------------------------------------- actions

  @Override
  public <R> Transition<S, D, M> reply(ReplyTo<? super R> replyTo, R reply) {
    ensureDecided();
    replyTo.send(reply);
    return this;
  }

  @Override
  public Transition<S, D, M> postpone() {
    ensureNotEntry("postpone");
    ensureBegun("postpone()");
    postpone = true;
    return this;
  }

  @Override
  public Transition<S, D, M> insert(M next) {
    return insert(EventKind.INSERTED, null, next);
  }

  @Override
  public Transition<S, D, M> insert(EventKind as, M next) {
    switch (as) {
      case MESSAGE, INSERTED, EVENT_TIMEOUT, STATE_TIMEOUT -> {}
      case NAMED_TIMEOUT, ENTRY, INIT ->
          throw new IllegalArgumentException(
              "a message cannot be inserted as "
                  + as
                  + ": for a named timeout use insertTimeout(name, message), and for an entry"
                  + " now.repeat()");
    }
    return insert(as, null, next);
  }

  @Override
  public Transition<S, D, M> insertTimeout(Object timeout, M next) {
    return insert(EventKind.NAMED_TIMEOUT, Objects.requireNonNull(timeout, "name"), next);
  }

  private Transition<S, D, M> insert(EventKind as, @Nullable Object timeout, M next) {
    Objects.requireNonNull(next, "message");
    ensureNotEntry("insert");
    inserted = Event.append(inserted, new Event<>(as, timeout, next));
    return this;
  }

  @Override
  public Transition<S, D, M> eventTimeout(Duration time, M late) {
    return wantSet(EventKind.EVENT_TIMEOUT, null, time, late);
  }

  @Override
  public Transition<S, D, M> stateTimeout(Duration time, M late) {
    return wantSet(EventKind.STATE_TIMEOUT, null, time, late);
  }

  @Override
  public Transition<S, D, M> timeout(Object which, Duration time, M late) {
    return wantSet(EventKind.NAMED_TIMEOUT, Objects.requireNonNull(which, "name"), time, late);
  }

  @Override
  public Transition<S, D, M> cancelEventTimeout() {
    return want(Timeout.How.CANCEL, EventKind.EVENT_TIMEOUT, null, null, Duration.ZERO);
  }

  @Override
  public Transition<S, D, M> cancelStateTimeout() {
    return want(Timeout.How.CANCEL, EventKind.STATE_TIMEOUT, null, null, Duration.ZERO);
  }

  @Override
  public Transition<S, D, M> cancelTimeout(Object which) {
    Objects.requireNonNull(which, "name");
    return want(Timeout.How.CANCEL, EventKind.NAMED_TIMEOUT, which, null, Duration.ZERO);
  }

  @Override
  public Transition<S, D, M> updateEventTimeout(M late) {
    return wantUpdate(EventKind.EVENT_TIMEOUT, null, late);
  }

  @Override
  public Transition<S, D, M> updateStateTimeout(M late) {
    return wantUpdate(EventKind.STATE_TIMEOUT, null, late);
  }

  @Override
  public Transition<S, D, M> updateTimeout(Object which, M late) {
    return wantUpdate(EventKind.NAMED_TIMEOUT, Objects.requireNonNull(which, "name"), late);
  }

  private Transition<S, D, M> wantSet(EventKind as, @Nullable Object which, Duration time, M late) {
    Objects.requireNonNull(late, "message");
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "the timeout is " + time + ", but it is a time to wait: give zero or more");
    }
    return want(Timeout.How.SET, as, which, late, time);
  }

  private Transition<S, D, M> wantUpdate(EventKind as, @Nullable Object which, M late) {
    Objects.requireNonNull(late, "message");
    return want(Timeout.How.UPDATE, as, which, late, Duration.ZERO);
  }

  private Transition<S, D, M> want(
      Timeout.How how, EventKind as, @Nullable Object which, @Nullable M late, Duration time) {
    ensureDecided();
    wanted = Timeout.append(wanted, new Timeout<>(how, as, which, late, time));
    return this;
  }

  @Override
  public Transition<S, D, M> hibernate() {
    ensureDecided();
    hibernate = true;
    return this;
  }

  @Override
  public Transition<S, D, M> change(StateMachine<S, D, M> machine) {
    ensureNotEntry("change the code");
    Code<S, D, M> top = Objects.requireNonNull(nextCode);
    nextCode = new Code<>(Objects.requireNonNull(machine, "machine"), top.below());
    return this;
  }

  @Override
  public Transition<S, D, M> push(StateMachine<S, D, M> machine) {
    ensureNotEntry("change the code");
    nextCode = new Code<>(Objects.requireNonNull(machine, "machine"), nextCode);
    return this;
  }

  @Override
  public Transition<S, D, M> pop() {
    ensureNotEntry("change the code");
    Code<S, D, M> below = Objects.requireNonNull(nextCode).below();
    if (below == null) {
      throw new IllegalStateException(
          "there is no code to go back to: pop() takes back a push(machine), and none is left");
    }
    nextCode = below;
    return this;
  }

  // ---------------------------------------------------------------- what others see

  @Override
  void terminate(Self<M> self, ExitReason reason) throws Exception {
    forget();
    try {
      code.machine().terminate(self, present(), data(), reason);
    } finally {
      leaveUnread(postponed);
      leaveUnread(queue);
    }
  }

  /** What was not handled is left where the kernel counts it. */
  private void leaveUnread(@Nullable Event<M> list) {
    if (list != null) {
      self.stashCapacity(Integer.MAX_VALUE);
    }
    for (Event<M> rest = list; rest != null; rest = Event.withoutOldest(rest)) {
      self.stash(Event.oldest(rest).message);
    }
  }

  @Override
  int postponed() {
    return Event.size(postponed) + Event.size(queue);
  }

  @Override
  String behaviour() {
    return "state machine";
  }

  @Override
  Class<?> code() {
    return code.machine().getClass();
  }

  @Override
  Object state() {
    return new StateAndData<>(present(), data());
  }

  @Override
  @SuppressWarnings("unchecked") // whoever replaces it knows what it is
  void replaceState(Object next) {
    if (!(next instanceof StateAndData<?, ?>(var newState, var newData))) {
      throw new IllegalArgumentException(
          "the new state is " + next + ", but that of a state machine is a StateAndData");
    }
    state = (S) newState;
    data = (D) newData;
  }

  @Override
  public Object shownState() {
    return code.machine().shown(present(), data());
  }
}
