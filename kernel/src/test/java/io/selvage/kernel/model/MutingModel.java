package io.selvage.kernel.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The protocol of back-pressure, searched through all its interleavings: see {@code
 * docs/design/overload.md}.
 *
 * <p>A state is the shared variables and the program counters of two to four processes. A step is
 * one read or one write of a shared variable; what the kernel does under the lock of a list is one
 * step. The search visits every state that can be reached and looks, in each, whether a mailbox is
 * longer than it may be, whether the bit HOLDING tells the truth, whether a process was scheduled
 * twice, and whether an exit signal reached whom it was for. Then it looks at the whole graph:
 * nobody may be off in a state from which no steps lead to one where he is not, and where nothing
 * can step any more every message has been taken, or lies in the mailbox of a process that has
 * ended. The bound on the time of a mute is no step, unless a test asks for it: nothing may depend
 * on it.
 *
 * <p>Left out: turns (a process may be overtaken between any two steps, so their length does not
 * matter), the first press that only ends a turn (it adds one handler to what a sender may put in),
 * signals other than exits, weaker memory than sequential consistency, and how many threads there
 * are.
 */
@SuppressWarnings({
  "ArrayRecordComponent",
  "OperatorPrecedence"
}) // states are compared by their text
final class MutingModel {
  /** How the protocol departs from the one in the design: faults, and rules that it once had. */
  enum Departure {
    /** The sender does not look at itself. */
    NO_LOOK_AT_SELF,
    /** The sender looks at itself before it enters the list. */
    SELF_BEFORE_ENTRY,
    /** The sender looks at the receiver before it enters the list. */
    RECEIVER_BEFORE_ENTRY,
    /** The sender looks for exit signals before it can be found by who sends one. */
    EXIT_BEFORE_PUBLISHED,
    /** A receiver that waits releases nobody. */
    NO_RELEASE_AT_WAIT,
    /** A receiver releases, and then announces that it waits. */
    RELEASE_BEFORE_WAIT,
    /** A receiver that ends releases nobody. */
    NO_RELEASE_AT_END,
    /** An exit signal does not release whom it is for. */
    NO_RELEASE_BY_EXIT,
    /** A release is a plain write, and schedules in any case. */
    RELEASE_SCHEDULES_ALWAYS,
    /** The bit HOLDING is set before the entry, and not under the lock. */
    HOLDING_WITHOUT_LOCK,
    /** The receiver decides whom to release first, and takes them out of the list later. */
    STALE_RELEASE,
    /** Whoever holds others back is not muted at all. */
    HOLDERS_ARE_EXEMPT,
    /** Whoever is muted releases all whom he holds back, however long his mailbox is. */
    HOLDERS_ALWAYS_MUTED,
    /** Of several receivers that pressed a sender in one handler, only the last one mutes it. */
    LAST_RECEIVER_ONLY,
  }

  /** What a process is; see {@link Role}. */
  private enum Kind {
    EVENT,
    DIRECT,
    OUTSIDE
  }

  /**
   * What one process does.
   *
   * @param kind where it is muted
   * @param ticks how many handlers it runs without a message; {@link #FOREVER} for no end
   * @param life after how many messages it ends; {@link #FOREVER} for never
   * @param wanted from whom it takes messages; -1 for all
   * @param first what lies in its mailbox at the start
   * @param handler what each handler does: {@code p} sends to p, {@code CALL + p} calls p
   */
  record Role(Kind kind, int ticks, int life, int wanted, int first, int... handler) {
    static Role source(int... handler) {
      return new Role(Kind.EVENT, FOREVER, FOREVER, -1, 0, handler);
    }

    static Role server(int... handler) {
      return new Role(Kind.EVENT, 0, FOREVER, -1, 0, handler);
    }

    Role direct() {
      return new Role(Kind.DIRECT, ticks, life, wanted, first, handler);
    }

    Role outside() {
      return new Role(Kind.OUTSIDE, ticks, life, wanted, first, handler);
    }

    Role ticks(int n) {
      return new Role(kind, n, life, wanted, first, handler);
    }

    Role endsAfter(int n) {
      return new Role(kind, ticks, n, wanted, first, handler);
    }

    Role wants(int sender) {
      return new Role(kind, ticks, life, sender, first, handler);
    }

    Role holdsAtStart(int n) {
      return new Role(kind, ticks, life, wanted, n, handler);
    }
  }

  /**
   * What the search found.
   *
   * @param fault the first rule that was broken, with the way there; empty if none was
   * @param states how many states there are, or were seen until the fault
   * @param longest the greatest length of each mailbox
   */
  record Result(String fault, int states, int[] longest) {}

  static final int FOREVER = 255;

  /** Added to the number of a process: calls it. */
  static final int CALL = 16;

  /** So many states fit into the memory of a test. */
  private static final int MOST = 4_000_000;

  // A process's variables in the state.
  private static final int PC = 0;
  private static final int AT = 1; // the next operation of the handler
  private static final int MESSAGE = 2; // what is handled: 0 a tick, 1 + sender, REQUEST + sender
  private static final int PRESSED = 3; // by whom, a bit for each
  private static final int FLAGS = 4;
  private static final int MUTE = 5; // NONE, NEW, MUTED, RELEASED
  private static final int RECEIVER = 6; // by whom one is being muted
  private static final int RETURN = 7; // where to go on after that
  private static final int LIST = 8; // whom one holds back, oldest first; two bytes: size, entries
  private static final int OUT = 10; // taken out, to be released; two bytes
  private static final int OUT_RETURN = 12; // where to go on after that
  private static final int TAIL = 13; // what the old thread of an idle event process still does
  private static final int TAIL_OUT = 14; // two bytes
  private static final int TICKS = 16;
  private static final int LIFE = 17;
  private static final int SEEN = 18; // the length at the last look
  private static final int LENGTH = 19;
  private static final int BOX = 20; // two messages in a byte
  private static final int CAPACITY = 30;
  private static final int WIDTH = BOX + CAPACITY / 2;

  private static final int IDLE = 1;
  private static final int DEAD = 2;
  private static final int WAITS = 4; // inside a call
  private static final int HOLDING = 8;
  private static final int SIGNALLED = 16;
  private static final int PUBLISHED = 32; // an exit signal's sender finds the mute
  private static final int REPLIED = 64;

  private static final int NONE = 0;
  private static final int NEW = 1;
  private static final int MUTED = 2;
  private static final int RELEASED = 3;
  private static final int REQUEST = 8;

  // Where a process is.
  private static final int TAKE = 0;
  private static final int ANNOUNCE = 1;
  private static final int PARKED = 2;
  private static final int WAIT_LOOK = 3;
  private static final int WAIT_OUT = 4;
  private static final int RELEASE = 5;
  private static final int TAKEN_LOOK = 6;
  private static final int TAKEN_OUT = 7;
  private static final int HANDLE = 8;
  private static final int MEASURE = 9;
  private static final int HANDLED = 10;
  private static final int OFF = 11;
  private static final int LEAVE = 12;
  private static final int END = 13;
  private static final int END_LOOK = 14;
  private static final int END_OUT = 15;
  private static final int ENDED = 16;
  private static final int CALL_MARK = 17;
  private static final int CALL_LOOK = 18;
  private static final int CALL_OUT = 19;
  private static final int CALL_WAIT = 20;
  private static final int TAKEN_STALE_OUT = 21;
  private static final int BEFORE_LOOK = 22; // RELEASE_BEFORE_WAIT only
  private static final int BEFORE_OUT = 23;
  private static final int MUTING = 32; // and the step's place in the order below

  /** The steps of a sender that is about to be muted. */
  private enum Step {
    PUBLISH,
    SET_HOLDING, // HOLDING_WITHOUT_LOCK only
    ENTER,
    LOOK_INBOX,
    LOOK_WAITS,
    LOOK_LENGTH,
    LOOK_SELF,
    LOOK_EXIT,
    SET_MUTED
  }

  private final Set<Departure> departures;
  private final Role[] roles;
  private final int low;
  private final int high;
  private final int hard;
  private int[] bounds;
  private int victim = -1;
  private boolean timer;
  private Step[] steps;

  // The search.
  private byte[][] seen = new byte[1 << 16][];
  private int[] parents = new int[1 << 16];
  private int[] table = new int[1 << 18];
  private int count;
  private int[] edges = new int[1 << 18];
  private int[] firstEdge = new int[1 << 16];
  private int edgeCount;
  private int present;
  private String broken = "";
  private final int[] longest;

  private byte[] s = {};

  private MutingModel(Set<Departure> departures, int low, int high, int hard, Role... roles) {
    this.departures = departures;
    this.low = low;
    this.high = high;
    this.hard = hard;
    this.roles = roles;
    this.bounds = new int[roles.length];
    Arrays.fill(bounds, CAPACITY);
    this.longest = new int[roles.length];
    this.steps = order();
  }

  static MutingModel of(int low, int high, int hard, Role... roles) {
    return new MutingModel(EnumSet.noneOf(Departure.class), low, high, hard, roles);
  }

  /** The same system under another protocol. */
  MutingModel with(Departure... others) {
    MutingModel m = new MutingModel(EnumSet.noneOf(Departure.class), low, high, hard, roles);
    m.departures.addAll(List.of(others));
    m.bounds = bounds;
    m.victim = victim;
    m.timer = timer;
    m.steps = m.order();
    return m;
  }

  /** No mailbox may be longer than this. */
  MutingModel bounds(int... longestAllowed) {
    bounds = longestAllowed;
    return this;
  }

  /** An exit signal is sent to this process, at any time. */
  MutingModel killing(int process) {
    victim = process;
    return this;
  }

  /** A mute may last too long, at any time. */
  MutingModel withTimer() {
    timer = true;
    return this;
  }

  private boolean is(Departure d) {
    return departures.contains(d);
  }

  private Step[] order() {
    List<Step> all = new ArrayList<>(List.of(Step.values()));
    if (!is(Departure.HOLDING_WITHOUT_LOCK)) {
      all.remove(Step.SET_HOLDING);
    }
    if (is(Departure.NO_LOOK_AT_SELF)) {
      all.remove(Step.LOOK_SELF);
    }
    if (is(Departure.SELF_BEFORE_ENTRY)) {
      all.remove(Step.LOOK_SELF);
      all.add(0, Step.LOOK_SELF);
    }
    if (is(Departure.RECEIVER_BEFORE_ENTRY)) {
      all.remove(Step.ENTER);
      all.add(all.indexOf(Step.LOOK_LENGTH) + 1, Step.ENTER);
    }
    if (is(Departure.EXIT_BEFORE_PUBLISHED)) {
      all.remove(Step.LOOK_EXIT);
      all.add(0, Step.LOOK_EXIT);
    }
    return all.toArray(new Step[0]);
  }

  // ---------------------------------------------------------------- the search

  /** Visits all states. */
  Result search() {
    byte[] start = new byte[roles.length * WIDTH + 1];
    s = start;
    for (int p = 0; p < roles.length; p++) {
      set(p, TICKS, roles[p].ticks);
      set(p, LIFE, roles[p].life);
      for (int i = 0; i < roles[p].first; i++) {
        append(p, 1 + p);
      }
    }
    enter(start, -1);
    for (present = 0; present < count && broken.isEmpty(); present++) {
      if (count > MOST) {
        throw new IllegalStateException(
            "more than " + MOST + " states: make the system smaller, or its marks");
      }
      if (present >= firstEdge.length) {
        firstEdge = Arrays.copyOf(firstEdge, 2 * firstEdge.length);
      }
      firstEdge[present] = edgeCount;
      successors();
      if (broken.isEmpty() && edgeCount == firstEdge[present]) {
        checkEnd(seen[present]);
      }
    }
    if (broken.isEmpty()) {
      checkNobodyStaysOff();
    }
    return new Result(broken, count, longest);
  }

  private void successors() {
    for (int p = 0; p < roles.length && broken.isEmpty(); p++) {
      s = seen[present].clone();
      if (step(p)) {
        done();
      }
      if (of(seen[present], p, TAIL) != 0) {
        s = seen[present].clone();
        tailStep(p);
        done();
      }
      if (timer && of(seen[present], p, MUTE) == MUTED) {
        s = seen[present].clone();
        release(p);
        done();
      }
    }
    if (victim >= 0 && broken.isEmpty()) {
      s = seen[present].clone();
      if (kill()) {
        done();
      }
    }
  }

  private void done() {
    check();
    int next = enter(s, present);
    if (edgeCount == edges.length) {
      edges = Arrays.copyOf(edges, 2 * edges.length);
    }
    edges[edgeCount++] = next;
  }

  private int enter(byte[] state, int from) {
    if (4 * count > table.length) {
      table = new int[4 * table.length];
      for (int i = 0; i < count; i++) {
        table[slot(seen[i])] = i + 1;
      }
    }
    int slot = slot(state);
    if (table[slot] != 0) {
      return table[slot] - 1;
    }
    if (count == seen.length) {
      seen = Arrays.copyOf(seen, 2 * count);
      parents = Arrays.copyOf(parents, 2 * count);
    }
    seen[count] = state;
    parents[count] = from;
    table[slot] = ++count;
    return count - 1;
  }

  private int slot(byte[] state) {
    int h = 0;
    for (byte b : state) {
      h = (h ^ b) * 0x01000193;
      h ^= h >>> 15;
    }
    h *= 0x9E3779B9;
    h ^= h >>> 16;
    int mask = table.length - 1;
    int slot = h & mask;
    while (table[slot] != 0 && !Arrays.equals(seen[table[slot] - 1], state)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  // ---------------------------------------------------------------- what must hold

  private void check() {
    for (int p = 0; p < roles.length; p++) {
      longest[p] = Math.max(longest[p], get(p, LENGTH));
      if (get(p, LENGTH) > bounds[p] && !has(p, DEAD)) {
        fail("the mailbox of " + p + " is longer than " + bounds[p]);
      }
      if (!is(Departure.HOLDING_WITHOUT_LOCK) && has(p, HOLDING) != (get(p, LIST) > 0)) {
        fail("HOLDING of " + p + " does not tell the truth");
      }
    }
    if (victim >= 0
        && s[s.length - 1] == 2
        && get(victim, PC) == OFF
        && get(victim, MUTE) == MUTED) {
      fail("an exit signal has come, and " + victim + " stays muted");
    }
  }

  private void checkEnd(byte[] state) {
    s = state;
    for (int p = 0; p < roles.length; p++) {
      if (get(p, PC) == OFF) {
        fail("nobody can step, and " + p + " is muted");
      }
      if (get(p, LENGTH) > 0 && get(p, PC) != ENDED && roles[p].wanted < 0) {
        fail("nobody can step, and a message to " + p + " has not been taken");
      }
    }
  }

  /** From each state where somebody is off, steps lead to one where he is not. */
  private void checkNobodyStaysOff() {
    if (firstEdge.length <= count) {
      firstEdge = Arrays.copyOf(firstEdge, count + 1);
    }
    firstEdge[count] = edgeCount;
    for (int p = 0; p < roles.length; p++) {
      boolean[] good = new boolean[count];
      for (int i = 0; i < count; i++) {
        good[i] = of(seen[i], p, PC) != OFF;
      }
      boolean changed = true;
      while (changed) {
        changed = false;
        for (int i = count - 1; i >= 0; i--) {
          for (int e = firstEdge[i]; !good[i] && e < firstEdge[i + 1]; e++) {
            if (good[edges[e]]) {
              good[i] = true;
              changed = true;
            }
          }
        }
      }
      for (int i = 0; i < count; i++) {
        if (!good[i]) {
          present = i;
          s = seen[i];
          broken = p + " is muted, and nobody will release it" + way(i);
          return;
        }
      }
    }
  }

  private void fail(String what) {
    if (broken.isEmpty()) {
      broken = what + way(present) + "\n" + text(s);
    }
  }

  private String way(int state) {
    List<String> lines = new ArrayList<>();
    for (int i = state; i >= 0; i = parents[i]) {
      lines.add(text(seen[i]));
    }
    StringBuilder all = new StringBuilder();
    for (String line : lines.reversed()) {
      all.append('\n').append(line);
    }
    return all.toString();
  }

  private static final String[] PLACES = {
    "take",
    "announce wait",
    "parked",
    "wait: HOLDING?",
    "wait: take out all",
    "release",
    "taken: HOLDING?",
    "taken: at low?",
    "handler",
    "measure",
    "handled",
    "OFF",
    "leave list",
    "end",
    "end: HOLDING?",
    "end: take out all",
    "ended",
    "mark call",
    "call: HOLDING?",
    "call: take out all",
    "await reply",
    "taken: take out",
    "before: HOLDING?",
    "before: take out"
  };

  private String text(byte[] state) {
    StringBuilder line = new StringBuilder();
    for (int p = 0; p < roles.length; p++) {
      int pc = of(state, p, PC);
      line.append(p)
          .append(": length ")
          .append(of(state, p, LENGTH))
          .append((of(state, p, FLAGS) & IDLE) != 0 ? " idle" : "")
          .append((of(state, p, FLAGS) & HOLDING) != 0 ? " HOLDING, next: " : ", next: ")
          .append(pc >= MUTING ? "mute: " + steps[pc - MUTING] : PLACES[pc])
          .append(of(state, p, TAIL) != 0 ? " (old thread still releases)" : "")
          .append(pc == OFF || pc >= MUTING ? " by " + of(state, p, RECEIVER) : "")
          .append(p + 1 < roles.length ? " | " : "");
    }
    return line.toString();
  }

  // ---------------------------------------------------------------- the steps of a process

  /** One step of a process. Answers false if it cannot take one. */
  private boolean step(int p) {
    int pc = get(p, PC);
    if (pc >= MUTING) {
      mutingStep(p, steps[pc - MUTING]);
      return true;
    }
    switch (pc) {
      case TAKE -> take(p);
      case ANNOUNCE -> {
        return announce(p);
      }
      case PARKED -> {
        if (has(p, IDLE)) {
          return false;
        }
        go(p, TAKE);
      }
      case WAIT_LOOK -> go(p, has(p, HOLDING) ? WAIT_OUT : PARKED);
      case WAIT_OUT -> {
        if (is(Departure.STALE_RELEASE) || has(p, IDLE)) {
          takeOut(p, OUT, CAPACITY);
        }
        afterOut(p, PARKED);
      }
      case RELEASE -> releaseOne(p);
      case TAKEN_LOOK -> go(p, has(p, HOLDING) ? TAKEN_OUT : HANDLE);
      case TAKEN_OUT -> {
        boolean atLow = get(p, LENGTH) <= low;
        if (atLow && is(Departure.STALE_RELEASE)) {
          set(p, SEEN, Math.max(1, high - get(p, LENGTH)));
          go(p, TAKEN_STALE_OUT);
        } else {
          if (atLow) {
            takeOut(p, OUT, Math.max(1, high - get(p, LENGTH)));
          }
          afterOut(p, HANDLE);
        }
      }
      case TAKEN_STALE_OUT -> {
        takeOut(p, OUT, get(p, SEEN));
        set(p, SEEN, 0);
        afterOut(p, HANDLE);
      }
      case HANDLE -> handle(p);
      case MEASURE -> measure(p);
      case HANDLED -> handled(p);
      case OFF, ENDED -> {
        return false;
      }
      case LEAVE -> leave(p);
      case END -> {
        set(p, FLAGS, (get(p, FLAGS) | DEAD) & ~IDLE);
        for (int i = 0; i < get(p, LENGTH); i++) {
          if (message(p, i) >= REQUEST) {
            reply(message(p, i) - REQUEST);
          }
        }
        go(p, is(Departure.NO_RELEASE_AT_END) ? ENDED : END_LOOK);
      }
      case END_LOOK -> go(p, has(p, HOLDING) ? END_OUT : ENDED);
      case END_OUT -> {
        takeOut(p, OUT, CAPACITY);
        afterOut(p, ENDED);
      }
      case CALL_MARK -> {
        flag(p, WAITS);
        go(p, is(Departure.NO_RELEASE_AT_WAIT) ? CALL_WAIT : CALL_LOOK);
      }
      case CALL_LOOK -> go(p, has(p, HOLDING) ? CALL_OUT : CALL_WAIT);
      case CALL_OUT -> {
        takeOut(p, OUT, CAPACITY);
        afterOut(p, CALL_WAIT);
      }
      case CALL_WAIT -> {
        if (!has(p, REPLIED) && !has(p, SIGNALLED)) {
          return false;
        }
        clear(p, WAITS | REPLIED);
        set(p, AT, get(p, AT) + 1);
        go(p, HANDLE);
      }
      case BEFORE_LOOK -> go(p, has(p, HOLDING) ? BEFORE_OUT : ANNOUNCE);
      case BEFORE_OUT -> {
        takeOut(p, OUT, CAPACITY);
        afterOut(p, ANNOUNCE);
      }
      default -> throw new AssertionError("no such place: " + pc);
    }
    return true;
  }

  private void take(int p) {
    if (has(p, SIGNALLED) || get(p, LIFE) == 0) {
      go(p, END);
      return;
    }
    int length = get(p, LENGTH);
    for (int i = 0; i < length; i++) {
      int m = message(p, i);
      if (roles[p].wanted < 0 || m == 1 + roles[p].wanted) {
        for (int j = i; j + 1 < length; j++) {
          setMessage(p, j, message(p, j + 1));
        }
        setMessage(p, length - 1, 0);
        set(p, LENGTH, length - 1);
        if (get(p, LIFE) != FOREVER) {
          set(p, LIFE, get(p, LIFE) - 1);
        }
        set(p, MESSAGE, m);
        go(p, TAKEN_LOOK);
        return;
      }
    }
    int ticks = get(p, TICKS);
    if (ticks > 0) {
      set(p, TICKS, ticks == FOREVER ? FOREVER : ticks - 1);
      go(p, TAKEN_LOOK);
      return;
    }
    set(p, SEEN, length);
    go(p, is(Departure.RELEASE_BEFORE_WAIT) ? BEFORE_LOOK : ANNOUNCE);
  }

  /** The compare-and-set of the inbox to IDLE. */
  private boolean announce(int p) {
    boolean event = roles[p].kind == Kind.EVENT;
    if (event && get(p, TAIL) != 0) {
      return false; // of the threads that have just left a process, only one is in the model
    }
    boolean changed = get(p, LENGTH) != get(p, SEEN) || has(p, SIGNALLED);
    set(p, SEEN, 0);
    if (changed) {
      go(p, TAKE);
      return true;
    }
    flag(p, IDLE);
    if (is(Departure.NO_RELEASE_AT_WAIT) || is(Departure.RELEASE_BEFORE_WAIT)) {
      go(p, PARKED);
    } else if (event) {
      set(p, TAIL, WAIT_LOOK);
      go(p, PARKED);
    } else {
      go(p, WAIT_LOOK);
    }
    return true;
  }

  /** A step of the thread that has run an event process, which may run elsewhere already. */
  private void tailStep(int p) {
    switch (get(p, TAIL)) {
      case WAIT_LOOK -> set(p, TAIL, has(p, HOLDING) ? WAIT_OUT : 0);
      case WAIT_OUT -> {
        if (is(Departure.STALE_RELEASE) || has(p, IDLE)) {
          takeOut(p, TAIL_OUT, CAPACITY);
        }
        set(p, TAIL, get(p, TAIL_OUT) > 0 ? RELEASE : 0);
      }
      default -> {
        release(first(p, TAIL_OUT));
        if (get(p, TAIL_OUT) == 0) {
          set(p, TAIL, 0);
        }
      }
    }
  }

  private void handle(int p) {
    int at = get(p, AT);
    int[] handler = roles[p].handler;
    if (at == handler.length) {
      set(p, AT, 0);
      go(p, HANDLED);
      return;
    }
    int target = handler[at] & 15;
    boolean call = handler[at] >= CALL;
    if (has(target, DEAD)) {
      set(p, AT, at + 1);
      return;
    }
    append(target, (call ? REQUEST : 1) + p);
    clear(target, IDLE);
    go(p, call ? CALL_MARK : MEASURE);
  }

  private void measure(int p) {
    int at = get(p, AT);
    int receiver = roles[p].handler[at];
    int length = get(receiver, LENGTH);
    set(p, AT, at + 1);
    go(p, HANDLE);
    if (length > high) {
      if (roles[p].kind != Kind.EVENT || length > hard) {
        mute(p, receiver, HANDLE);
      } else if (is(Departure.LAST_RECEIVER_ONLY)) {
        set(p, PRESSED, 1 << receiver);
      } else {
        set(p, PRESSED, get(p, PRESSED) | 1 << receiver);
      }
    }
  }

  private void handled(int p) {
    int m = get(p, MESSAGE);
    if (m >= REQUEST) {
      reply(m - REQUEST);
      set(p, MESSAGE, 0);
      return;
    }
    set(p, MESSAGE, 0);
    int pressed = get(p, PRESSED);
    if (pressed == 0) {
      go(p, TAKE);
      return;
    }
    set(p, PRESSED, pressed & (pressed - 1));
    mute(p, Integer.numberOfTrailingZeros(pressed), HANDLED);
  }

  private void reply(int caller) {
    if (has(caller, WAITS) || get(caller, PC) == CALL_MARK) {
      flag(caller, REPLIED);
    }
  }

  // ---------------------------------------------------------------- muting

  private void mute(int p, int receiver, int then) {
    set(p, MUTE, NEW);
    set(p, RECEIVER, receiver);
    set(p, RETURN, then);
    go(p, MUTING);
  }

  private void mutingStep(int p, Step step) {
    int r = get(p, RECEIVER);
    go(p, get(p, PC) + 1);
    switch (step) {
      case PUBLISH -> flag(p, PUBLISHED);
      case SET_HOLDING -> flag(r, HOLDING);
      case ENTER -> {
        add(r, LIST, p);
        if (!is(Departure.HOLDING_WITHOUT_LOCK)) {
          flag(r, HOLDING);
        }
      }
      case LOOK_INBOX -> leaveIf(p, has(r, IDLE) || has(r, DEAD));
      case LOOK_WAITS -> leaveIf(p, has(r, WAITS));
      case LOOK_LENGTH -> leaveIf(p, get(r, LENGTH) <= low);
      case LOOK_SELF -> {
        boolean holding = has(p, HOLDING);
        if (is(Departure.HOLDERS_ARE_EXEMPT)
            || is(Departure.SELF_BEFORE_ENTRY)
            || (!is(Departure.HOLDERS_ALWAYS_MUTED) && get(p, LENGTH) > high)) {
          leaveIf(p, holding);
        } else if (holding) {
          takeOut(p, OUT, CAPACITY);
          afterOut(p, get(p, PC));
        }
      }
      case LOOK_EXIT -> leaveIf(p, has(p, SIGNALLED));
      case SET_MUTED -> {
        if (get(p, MUTE) == NEW) {
          set(p, MUTE, MUTED);
          go(p, OFF);
        } else {
          go(p, LEAVE);
        }
      }
    }
  }

  private void leaveIf(int p, boolean condition) {
    if (condition) {
      go(p, LEAVE);
    }
  }

  private void leave(int p) {
    int r = get(p, RECEIVER);
    remove(r, LIST, p);
    if (get(r, LIST) == 0) {
      clear(r, HOLDING);
    }
    for (int q = 0; q < roles.length; q++) { // who took it out before releases what is over
      remove(q, OUT, p);
      remove(q, TAIL_OUT, p);
      if (get(q, TAIL) == RELEASE && get(q, TAIL_OUT) == 0) {
        set(q, TAIL, 0);
      }
    }
    clear(p, PUBLISHED);
    set(p, MUTE, NONE);
    set(p, RECEIVER, 0);
    go(p, get(p, RETURN));
    set(p, RETURN, 0);
  }

  /** Takes the oldest out of the list: one step, under its lock. */
  private void takeOut(int p, int to, int most) {
    for (int i = 0; i < most && get(p, LIST) > 0; i++) {
      add(p, to, first(p, LIST));
    }
    if (get(p, LIST) == 0) {
      clear(p, HOLDING);
    }
  }

  private void afterOut(int p, int then) {
    if (get(p, OUT) > 0) {
      set(p, OUT_RETURN, then);
      go(p, RELEASE);
    } else {
      go(p, then);
    }
  }

  private void releaseOne(int p) {
    if (get(p, OUT) > 0) {
      release(first(p, OUT));
    }
    if (get(p, OUT) == 0) {
      go(p, get(p, OUT_RETURN));
      set(p, OUT_RETURN, 0);
    }
  }

  /** The swap of the mute to RELEASED and, if it was MUTED, scheduling its process. */
  private void release(int p) {
    boolean schedules = get(p, MUTE) == MUTED || is(Departure.RELEASE_SCHEDULES_ALWAYS);
    set(p, MUTE, RELEASED);
    if (schedules) {
      if (get(p, PC) != OFF) {
        fail(p + " was scheduled while it ran");
      }
      go(p, LEAVE);
    }
  }

  /** A step of who sends the exit signal; the last byte of the state is his place. */
  private boolean kill() {
    int at = s[s.length - 1];
    if (at == 0) {
      if (has(victim, DEAD)) {
        return false;
      }
      flag(victim, SIGNALLED);
      clear(victim, IDLE);
    } else if (at == 1) {
      if (has(victim, PUBLISHED) && !is(Departure.NO_RELEASE_BY_EXIT)) {
        release(victim);
      }
    } else {
      return false;
    }
    s[s.length - 1]++;
    return true;
  }

  // ---------------------------------------------------------------- the state

  private int of(byte[] state, int p, int field) {
    return state[p * WIDTH + field] & 255;
  }

  private int get(int p, int field) {
    return s[p * WIDTH + field] & 255;
  }

  private void set(int p, int field, int value) {
    s[p * WIDTH + field] = (byte) value;
  }

  private void go(int p, int pc) {
    set(p, PC, pc);
  }

  private boolean has(int p, int flag) {
    return (get(p, FLAGS) & flag) != 0;
  }

  private void flag(int p, int flag) {
    set(p, FLAGS, get(p, FLAGS) | flag);
  }

  private void clear(int p, int flag) {
    set(p, FLAGS, get(p, FLAGS) & ~flag);
  }

  private int message(int p, int i) {
    return get(p, BOX + i / 2) >> 4 * (i % 2) & 15;
  }

  private void setMessage(int p, int i, int m) {
    int shift = 4 * (i % 2);
    set(p, BOX + i / 2, get(p, BOX + i / 2) & ~(15 << shift) | m << shift);
  }

  private void append(int p, int m) {
    int length = get(p, LENGTH);
    if (length == CAPACITY) {
      fail("the mailbox of " + p + " is longer than " + CAPACITY);
      return;
    }
    setMessage(p, length, m);
    set(p, LENGTH, length + 1);
  }

  private void add(int p, int list, int q) {
    int size = get(p, list);
    set(p, list + 1, get(p, list + 1) | q << 2 * size);
    set(p, list, size + 1);
  }

  private int first(int p, int list) {
    int q = get(p, list + 1) & 3;
    set(p, list + 1, get(p, list + 1) >> 2);
    set(p, list, get(p, list) - 1);
    return q;
  }

  private void remove(int p, int list, int q) {
    int size = get(p, list);
    int kept = 0;
    int entries = 0;
    for (int i = 0; i < size; i++) {
      int other = get(p, list + 1) >> 2 * i & 3;
      if (other != q) {
        entries |= other << 2 * kept++;
      }
    }
    set(p, list, kept);
    set(p, list + 1, entries);
  }
}
