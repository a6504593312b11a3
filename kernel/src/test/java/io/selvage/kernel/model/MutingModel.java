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
 * matter), signals other than messages, requests, replies and exits, replies by another than who
 * was called, weaker memory than sequential consistency, and how many threads there are. That the
 * first press only ends a turn is in it where a test asks for it. Steps that no other process can
 * see are taken together with the one before.
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
    /** A caller lets go all whom it holds back, as one does that waits for a message. */
    CALLERS_LET_ALL_GO,
    /** A caller does not follow the arrows. */
    CALLER_DOES_NOT_FOLLOW,
    /** A caller follows the arrows, and then publishes its own. */
    CALLER_FOLLOWS_FIRST,
    /** A sender does not follow the arrows. */
    SENDER_DOES_NOT_FOLLOW,
    /** A sender follows the arrows, and then publishes its own. */
    SENDER_FOLLOWS_FIRST,
    /** A sender lets those go whom it holds back, and then follows the arrows. */
    SELF_BEFORE_FOLLOWING,
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
   * @param drops messages of these make it do nothing, a bit for each
   * @param first what lies in its mailbox at the start
   * @param handler what each handler does: {@code p} sends to p, {@code CALL + p} calls p, {@code
   *     PUT + p} puts an item into the channel of p, {@code GET} takes one out of its own
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  record Role(Kind kind, int ticks, int life, int wanted, int drops, int first, int... handler) {
    static Role source(int... handler) {
      return new Role(Kind.EVENT, FOREVER, FOREVER, -1, 0, 0, handler);
    }

    static Role server(int... handler) {
      return new Role(Kind.EVENT, 0, FOREVER, -1, 0, 0, handler);
    }

    Role direct() {
      return new Role(Kind.DIRECT, ticks, life, wanted, drops, first, handler);
    }

    Role outside() {
      return new Role(Kind.OUTSIDE, ticks, life, wanted, drops, first, handler);
    }

    Role ticks(int n) {
      return new Role(kind, n, life, wanted, drops, first, handler);
    }

    Role endsAfter(int n) {
      return new Role(kind, ticks, n, wanted, drops, first, handler);
    }

    Role wants(int sender) {
      return new Role(kind, ticks, life, sender, drops, first, handler);
    }

    Role drops(int sender) {
      return new Role(kind, ticks, life, wanted, drops | 1 << sender, first, handler);
    }

    Role holdsAtStart(int n) {
      return new Role(kind, ticks, life, wanted, drops, n, handler);
    }
  }

  /**
   * What the search found.
   *
   * @param fault the first rule that was broken, with the way there; empty if none was
   * @param states how many states there are, or were seen until the fault
   * @param longest the greatest length of each mailbox
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Result(String fault, int states, int[] longest) {}

  static final int FOREVER = 255;

  /** Added to the number of a process: calls it. */
  static final int CALL = 16;

  /** Added to the number of a process: puts an item into its channel. */
  static final int PUT = 32;

  /** Takes an item out of its own channel. */
  static final int GET = 48;

  /** So many states fit into the memory of a test. */
  private static final int MOST = 4_000_000;

  // A process's variables in the state.
  private static final int PC = 0;
  private static final int AT = 1; // the next operation of the handler
  private static final int MESSAGE = 2; // what is handled: 0 a tick, 1 + sender, REQUEST + sender
  private static final int FLAGS = 3;
  private static final int MORE_FLAGS = 4;
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
  private static final int PRESSERS = 20; // who has pressed an event process; two bytes
  private static final int SENDS = 22; // how many of its sends were pressed
  private static final int CALLEE = 23;
  private static final int WALK = 24; // where one is who follows the arrows: process + 1, hops
  private static final int FOUND = 25; // a mute met on the way: process + 1, or STALE
  private static final int BOX = 26; // two messages in a byte

  private static final int IDLE = 1;
  private static final int DEAD = 2;
  private static final int WAITS = 4; // for a reply: the arrow of a caller
  private static final int HOLDING = 8;
  private static final int SIGNALLED = 16;
  private static final int PUBLISHED = 32; // an exit signal's sender finds the mute
  private static final int REPLIED = 64;
  private static final int ARROW = 128; // the arrow of a mute

  // In MORE_FLAGS.
  private static final int ELSEWHERE = 1; // waits for an item
  private static final int FULL = 2; // its channel, which has room for one item
  private static final int SLOWED = 4;

  private static final int NONE = 0;
  private static final int NEW = 1;
  private static final int MUTED = 2;
  private static final int RELEASED = 3;
  private static final int REQUEST = 8;
  private static final int STALE = 7;
  private static final int MOST_HOPS = 5;

  // Where a process is.
  private static final int TAKE = 0;
  private static final int ANNOUNCE = 1;
  private static final int PARKED = 2;
  private static final int WAIT_LOOK = 3;
  private static final int WAIT_OUT = 4;
  private static final int RELEASE = 5;
  private static final int LOOK = 6;
  private static final int LOOK_OUT = 7;
  private static final int LOOK_STALE_OUT = 8; // STALE_RELEASE only
  private static final int HANDLE = 9;
  private static final int MEASURE = 10;
  private static final int PRESS = 11;
  private static final int HANDLED = 12;
  private static final int GIVE_WAY = 13;
  private static final int GIVE_WAY_LOOK = 14;
  private static final int OFF = 15;
  private static final int UNPUBLISH = 16;
  private static final int LEAVE = 17;
  private static final int END = 18;
  private static final int END_LOOK = 19;
  private static final int END_OUT = 20;
  private static final int ENDED = 21;
  private static final int CALL_MARK = 22;
  private static final int CALL_MUTE = 23; // the caller follows the arrows: three reads for each
  private static final int CALL_MUTE_AGAIN = 24;
  private static final int CALL_CALLEE = 25;
  private static final int CALL_FREE = 26;
  private static final int CALL_LOOK = 27; // CALLERS_LET_ALL_GO only
  private static final int CALL_OUT = 28;
  private static final int CALL_WAIT = 29;
  private static final int ITEM_MARK = 30;
  private static final int ITEM_LOOK = 31;
  private static final int ITEM_OUT = 32;
  private static final int ITEM_WAIT = 33;
  private static final int BEFORE_LOOK = 34; // RELEASE_BEFORE_WAIT only
  private static final int BEFORE_OUT = 35;
  private static final int MUTING = 64; // and the step's place in the order below

  /** The steps of a sender that is about to be muted. */
  private enum Step {
    SET_HOLDING, // HOLDING_WITHOUT_LOCK only
    ENTER,
    PUBLISH,
    PUBLISH_BIT,
    LOOK_INBOX,
    LOOK_ELSEWHERE,
    LOOK_LENGTH,
    FOLLOW_MUTE, // two reads for each arrow
    FOLLOW_CALL,
    LOOK_EXIT,
    LOOK_SELF,
    SET_MUTED
  }

  private final Set<Departure> departures;
  private final Role[] roles;
  private final int low;
  private final int high;
  private final int most;
  private int[] bounds;
  private int victim = -1;
  private boolean timer;
  private boolean slows;
  private Step[] steps;
  private int capacity = 30;
  private int width;

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

  private MutingModel(int low, int high, int most, Role... roles) {
    this.departures = EnumSet.noneOf(Departure.class);
    this.low = low;
    this.high = high;
    this.most = most;
    this.roles = roles;
    this.bounds = new int[roles.length];
    Arrays.fill(bounds, capacity);
    this.longest = new int[roles.length];
    this.steps = order();
  }

  /**
   * A system.
   *
   * @param low the low mark of all
   * @param high the high mark of all
   * @param most how many pressed sends of one handler do not wait
   * @param roles the processes, at most four
   */
  static MutingModel of(int low, int high, int most, Role... roles) {
    return new MutingModel(low, high, most, roles);
  }

  /** The same system under another protocol. */
  MutingModel with(Departure... others) {
    MutingModel m = new MutingModel(low, high, most, roles);
    m.departures.addAll(List.of(others));
    m.bounds = bounds;
    m.capacity = capacity;
    m.victim = victim;
    m.timer = timer;
    m.slows = slows;
    m.steps = m.order();
    return m;
  }

  /** No mailbox may be longer than this. */
  MutingModel bounds(int... longestAllowed) {
    bounds = longestAllowed;
    capacity = Arrays.stream(bounds).max().orElse(0) + 2 & ~1;
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

  /** The first press of an event process only ends its turn. */
  MutingModel slowing() {
    slows = true;
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
      all.addFirst(Step.LOOK_SELF);
    }
    if (is(Departure.SELF_BEFORE_FOLLOWING)) {
      all.remove(Step.LOOK_SELF);
      all.add(all.indexOf(Step.FOLLOW_MUTE), Step.LOOK_SELF);
    }
    if (is(Departure.RECEIVER_BEFORE_ENTRY)) {
      all.remove(Step.ENTER);
      all.add(all.indexOf(Step.LOOK_LENGTH) + 1, Step.ENTER);
    }
    if (is(Departure.EXIT_BEFORE_PUBLISHED)) {
      all.remove(Step.LOOK_EXIT);
      all.addFirst(Step.LOOK_EXIT);
    }
    if (is(Departure.SENDER_DOES_NOT_FOLLOW)) {
      all.remove(Step.FOLLOW_MUTE);
      all.remove(Step.FOLLOW_CALL);
    }
    if (is(Departure.SENDER_FOLLOWS_FIRST)) {
      all.remove(Step.FOLLOW_MUTE);
      all.remove(Step.FOLLOW_CALL);
      all.addAll(all.indexOf(Step.PUBLISH), List.of(Step.FOLLOW_MUTE, Step.FOLLOW_CALL));
    }
    return all.toArray(new Step[0]);
  }

  // ---------------------------------------------------------------- the search

  /** Visits all states. */
  Result search() {
    width = BOX + capacity / 2;
    byte[] start = new byte[roles.length * width + 1];
    s = start;
    for (int p = 0; p < roles.length; p++) {
      set(p, TICKS, roles[p].ticks);
      set(p, LIFE, roles[p].life);
      for (int i = 0; i < roles[p].first; i++) {
        append(p, 1 + p);
      }
      settle(p);
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
        settle(p);
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
    }
    for (int p = 0; p < roles.length; p++) {
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
    byte[] good = new byte[count]; // a bit for each process
    for (int i = 0; i < count; i++) {
      for (int p = 0; p < roles.length; p++) {
        good[i] |= (byte) (of(seen[i], p, PC) == OFF ? 0 : 1 << p);
      }
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = count - 1; i >= 0; i--) {
        byte all = good[i];
        for (int e = firstEdge[i]; e < firstEdge[i + 1]; e++) {
          all |= good[edges[e]];
        }
        changed |= all != good[i];
        good[i] = all;
      }
    }
    for (int i = 0; i < count; i++) {
      int bad = ~good[i] & (1 << roles.length) - 1;
      if (bad != 0) {
        broken =
            Integer.numberOfTrailingZeros(bad) + " is muted, and nobody will release it" + way(i);
        return;
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
    "HOLDING?",
    "at low?",
    "take out",
    "handler",
    "measure",
    "press",
    "handled",
    "give way",
    "give way: too long?",
    "OFF",
    "put mute away",
    "leave list",
    "end",
    "end: HOLDING?",
    "end: take out all",
    "ended",
    "mark call",
    "call: follow, mute?",
    "call: follow, mute? again",
    "call: follow, callee?",
    "call: release one",
    "call: HOLDING?",
    "call: take out all",
    "await reply",
    "mark wait for item",
    "item: HOLDING?",
    "item: take out all",
    "await item",
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
          .append((of(state, p, FLAGS) & WAITS) != 0 ? " of " + of(state, p, CALLEE) : "")
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
        go(p, next(p));
      }
      case WAIT_LOOK -> go(p, has(p, HOLDING) ? WAIT_OUT : PARKED);
      case WAIT_OUT -> {
        if (is(Departure.STALE_RELEASE) || has(p, IDLE)) {
          takeOut(p, OUT, capacity);
        }
        afterOut(p, PARKED);
      }
      case RELEASE -> releaseOne(p);
      case LOOK -> go(p, has(p, HOLDING) ? LOOK_OUT : afterLook(p));
      case LOOK_OUT -> {
        boolean atLow = get(p, LENGTH) <= low;
        if (atLow && is(Departure.STALE_RELEASE)) {
          set(p, SEEN, high - get(p, LENGTH));
          go(p, LOOK_STALE_OUT);
        } else {
          if (atLow) {
            takeOut(p, OUT, high - get(p, LENGTH));
          }
          afterOut(p, afterLook(p));
        }
      }
      case LOOK_STALE_OUT -> {
        takeOut(p, OUT, get(p, SEEN));
        set(p, SEEN, 0);
        afterOut(p, afterLook(p));
      }
      case HANDLE -> {
        return handle(p);
      }
      case MEASURE -> {
        if (get(target(p), LENGTH) > high) {
          go(p, PRESS);
        } else {
          nextOperation(p);
        }
      }
      case PRESS -> press(p);
      case HANDLED -> {
        reply(get(p, MESSAGE) - REQUEST);
        set(p, MESSAGE, 0);
      }
      case GIVE_WAY_LOOK -> {
        int receiver = last(p, PRESSERS);
        if (get(p, PRESSERS) == 0) {
          set(p, SENDS, 0);
          set(p, MORE_FLAGS, get(p, MORE_FLAGS) & ~SLOWED);
        }
        if (get(receiver, LENGTH) > high) {
          mute(p, receiver, LOOK);
        } else {
          go(p, GIVE_WAY);
        }
      }
      case OFF, ENDED -> {
        return false;
      }
      case UNPUBLISH -> {
        clear(p, PUBLISHED | ARROW);
        go(p, LEAVE);
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
        takeOut(p, OUT, capacity);
        afterOut(p, ENDED);
      }
      case CALL_MARK, CALL_MUTE, CALL_MUTE_AGAIN, CALL_CALLEE, CALL_FREE -> callStep(p, pc);
      case CALL_LOOK -> go(p, has(p, HOLDING) ? CALL_OUT : CALL_WAIT);
      case CALL_OUT -> {
        takeOut(p, OUT, capacity);
        afterOut(p, CALL_WAIT);
      }
      case CALL_WAIT -> {
        if (!has(p, REPLIED) && !has(p, SIGNALLED)) {
          return false;
        }
        clear(p, WAITS | REPLIED);
        set(p, CALLEE, 0);
        nextOperation(p);
      }
      case ITEM_MARK -> {
        set(p, MORE_FLAGS, get(p, MORE_FLAGS) | ELSEWHERE);
        go(p, is(Departure.NO_RELEASE_AT_WAIT) ? ITEM_WAIT : ITEM_LOOK);
      }
      case ITEM_LOOK -> go(p, has(p, HOLDING) ? ITEM_OUT : ITEM_WAIT);
      case ITEM_OUT -> {
        takeOut(p, OUT, capacity);
        afterOut(p, ITEM_WAIT);
      }
      case ITEM_WAIT -> {
        if ((get(p, MORE_FLAGS) & FULL) == 0 && !has(p, SIGNALLED)) {
          return false;
        }
        set(p, MORE_FLAGS, get(p, MORE_FLAGS) & ~(FULL | ELSEWHERE));
        nextOperation(p);
      }
      case BEFORE_LOOK -> go(p, has(p, HOLDING) ? BEFORE_OUT : ANNOUNCE);
      case BEFORE_OUT -> {
        takeOut(p, OUT, capacity);
        afterOut(p, ANNOUNCE);
      }
      default -> throw new AssertionError("no such place: " + pc);
    }
    return true;
  }

  /** Goes on over all that no other process can see. */
  private void settle(int p) {
    while (true) {
      int pc = get(p, PC);
      if (pc == HANDLE
          && (get(p, AT) == roles[p].handler.length || isDropped(p, get(p, MESSAGE)))) {
        set(p, AT, 0);
        go(p, HANDLED);
      } else if (pc == HANDLED && get(p, MESSAGE) < REQUEST) {
        set(p, MESSAGE, 0);
        go(p, next(p));
      } else if (pc == GIVE_WAY && get(p, PRESSERS) == 0) {
        go(p, TAKE);
      } else if (pc == GIVE_WAY && slows && (get(p, MORE_FLAGS) & SLOWED) == 0) {
        set(p, MORE_FLAGS, get(p, MORE_FLAGS) | SLOWED);
        set(p, SENDS, 0);
        set(p, PRESSERS, 0);
        set(p, PRESSERS + 1, 0);
        go(p, LOOK); // its turn is over, and another begins
      } else if (pc == GIVE_WAY) {
        go(p, GIVE_WAY_LOOK);
      } else {
        return;
      }
    }
  }

  private boolean isDropped(int p, int message) {
    int sender = message < REQUEST ? message - 1 : message - REQUEST;
    return message != 0 && ((roles[p].drops >> sender) & 1) != 0;
  }

  /** An event process looks whom it holds back before it takes a message, a direct one after. */
  private int next(int p) {
    return roles[p].kind == Kind.EVENT ? LOOK : TAKE;
  }

  private int afterLook(int p) {
    return roles[p].kind == Kind.EVENT ? GIVE_WAY : HANDLE;
  }

  private int afterTake(int p) {
    return roles[p].kind == Kind.EVENT ? HANDLE : LOOK;
  }

  private int target(int p) {
    return roles[p].handler[get(p, AT)] & 15;
  }

  private void nextOperation(int p) {
    set(p, AT, get(p, AT) + 1);
    go(p, HANDLE);
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
        go(p, afterTake(p));
        return;
      }
    }
    int ticks = get(p, TICKS);
    if (ticks > 0) {
      set(p, TICKS, ticks == FOREVER ? FOREVER : ticks - 1);
      go(p, afterTake(p));
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
      go(p, next(p));
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
          takeOut(p, TAIL_OUT, capacity);
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

  /** An operation. Answers false if it has to wait. */
  private boolean handle(int p) {
    int operation = roles[p].handler[get(p, AT)];
    int target = operation & 15;
    if (operation == GET) {
      if ((get(p, MORE_FLAGS) & FULL) == 0) {
        go(p, ITEM_MARK);
      } else {
        set(p, MORE_FLAGS, get(p, MORE_FLAGS) & ~FULL);
        nextOperation(p);
      }
      return true;
    }
    if (operation >= PUT) {
      boolean full = (get(target, MORE_FLAGS) & FULL) != 0;
      if (full && !has(p, SIGNALLED)) {
        return false;
      }
      set(target, MORE_FLAGS, get(target, MORE_FLAGS) | FULL);
      nextOperation(p);
      return true;
    }
    if (has(target, DEAD)) {
      nextOperation(p);
      return true;
    }
    boolean call = operation >= CALL;
    append(target, (call ? REQUEST : 1) + p);
    clear(target, IDLE);
    if (!call) {
      go(p, MEASURE);
    } else if (is(Departure.CALLER_FOLLOWS_FIRST)) {
      set(p, WALK, 1 + target);
      go(p, CALL_MUTE);
    } else {
      go(p, CALL_MARK);
    }
    return true;
  }

  private void press(int p) {
    int receiver = target(p);
    nextOperation(p);
    if (has(receiver, IDLE | DEAD) || (get(receiver, MORE_FLAGS) & ELSEWHERE) != 0) {
      return;
    }
    if (roles[p].kind != Kind.EVENT) {
      mute(p, receiver, HANDLE);
      return;
    }
    int sends = get(p, SENDS) + 1;
    set(p, SENDS, Math.min(sends, most + 1));
    if (sends > most) {
      mute(p, receiver, HANDLE);
      return;
    }
    if (is(Departure.LAST_RECEIVER_ONLY)) {
      set(p, PRESSERS, 0);
      set(p, PRESSERS + 1, 0);
    }
    remove(p, PRESSERS, receiver);
    add(p, PRESSERS, receiver);
  }

  // ---------------------------------------------------------------- who waits for whom

  private void callStep(int p, int pc) {
    int at = (get(p, WALK) & 7) - 1;
    switch (pc) {
      case CALL_MARK -> {
        flag(p, WAITS);
        set(p, CALLEE, target(p));
        if (is(Departure.CALLERS_LET_ALL_GO)) {
          go(p, CALL_LOOK);
        } else if (is(Departure.CALLER_DOES_NOT_FOLLOW) || is(Departure.CALLER_FOLLOWS_FIRST)) {
          go(p, CALL_WAIT);
        } else {
          set(p, WALK, 1 + target(p));
          go(p, CALL_MUTE);
        }
      }
      case CALL_MUTE -> {
        if (isArrow(at)) {
          if (get(p, FOUND) == 0) {
            set(p, FOUND, 1 + at);
          }
          followed(p, get(at, RECEIVER));
        } else {
          go(p, CALL_MUTE_AGAIN);
        }
      }
      case CALL_MUTE_AGAIN -> {
        if (isArrow(at)) {
          followed(p, get(at, RECEIVER));
        } else {
          go(p, CALL_CALLEE);
        }
      }
      case CALL_CALLEE -> followed(p, has(at, WAITS) ? get(at, CALLEE) : -1);
      default -> {
        if (get(p, FOUND) != STALE) {
          release(get(p, FOUND) - 1);
        }
        set(p, FOUND, 0);
        go(p, afterFollowing());
      }
    }
  }

  /** The caller has read where an arrow leads; -1 if there is none. */
  private void followed(int p, int to) {
    int hops = (get(p, WALK) >> 3) + 1;
    if (to < 0 || to == p || hops > MOST_HOPS) {
      set(p, WALK, 0);
      if (to == p && get(p, FOUND) != 0) {
        go(p, CALL_FREE);
      } else {
        set(p, FOUND, 0);
        go(p, afterFollowing());
      }
    } else {
      set(p, WALK, 1 + to | hops << 3);
      go(p, CALL_MUTE);
    }
  }

  private int afterFollowing() {
    return is(Departure.CALLER_FOLLOWS_FIRST) ? CALL_MARK : CALL_WAIT;
  }

  private boolean isArrow(int p) {
    return has(p, ARROW);
  }

  /** The sender has read where an arrow leads; -1 if there is none. */
  private void senderFollowed(int p, int to, int firstStep) {
    int hops = (get(p, WALK) >> 3) + 1;
    if (to == p) {
      set(p, WALK, 0);
      go(p, UNPUBLISH);
    } else if (to < 0 || hops > MOST_HOPS) {
      set(p, WALK, 0);
      go(p, firstStep + 2);
    } else {
      set(p, WALK, 1 + to | hops << 3);
      go(p, firstStep);
    }
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
    int here = get(p, PC);
    go(p, here + 1);
    switch (step) {
      case SET_HOLDING -> flag(r, HOLDING);
      case ENTER -> {
        add(r, LIST, p);
        if (!is(Departure.HOLDING_WITHOUT_LOCK)) {
          flag(r, HOLDING);
        }
      }
      case PUBLISH -> flag(p, ARROW);
      case PUBLISH_BIT -> flag(p, PUBLISHED);
      case LOOK_INBOX -> leaveIf(p, has(r, IDLE | DEAD));
      case LOOK_ELSEWHERE -> leaveIf(p, (get(r, MORE_FLAGS) & ELSEWHERE) != 0);
      case LOOK_LENGTH -> leaveIf(p, get(r, LENGTH) <= low);
      case FOLLOW_MUTE -> {
        if (get(p, WALK) == 0) {
          set(p, WALK, 1 + r);
        }
        int at = (get(p, WALK) & 7) - 1;
        if (isArrow(at)) {
          senderFollowed(p, get(at, RECEIVER), here);
        }
      }
      case FOLLOW_CALL -> {
        int at = (get(p, WALK) & 7) - 1;
        senderFollowed(p, has(at, WAITS) ? get(at, CALLEE) : -1, here - 1);
      }
      case LOOK_EXIT -> leaveIf(p, has(p, SIGNALLED));
      case LOOK_SELF -> {
        boolean holding = has(p, HOLDING);
        if (is(Departure.HOLDERS_ARE_EXEMPT)
            || is(Departure.SELF_BEFORE_ENTRY)
            || (!is(Departure.HOLDERS_ALWAYS_MUTED) && get(p, LENGTH) > high)) {
          leaveIf(p, holding);
        } else if (holding) {
          takeOut(p, OUT, capacity);
          afterOut(p, get(p, PC));
        }
      }
      case SET_MUTED -> {
        if (get(p, MUTE) == NEW) {
          set(p, MUTE, MUTED);
          go(p, OFF);
        } else {
          go(p, UNPUBLISH);
        }
      }
    }
    if (roles[p].kind == Kind.OUTSIDE) { // which nobody sends to, calls, or kills
      while (get(p, PC) >= MUTING && isForProcesses(steps[get(p, PC) - MUTING])) {
        go(p, get(p, PC) + 1);
      }
    }
  }

  private static boolean isForProcesses(Step step) {
    return switch (step) {
      case PUBLISH, PUBLISH_BIT, FOLLOW_MUTE, FOLLOW_CALL, LOOK_EXIT, LOOK_SELF -> true;
      default -> false;
    };
  }

  private void leaveIf(int p, boolean condition) {
    if (condition) {
      go(p, UNPUBLISH);
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
      if (get(q, FOUND) == 1 + p) {
        set(q, FOUND, STALE);
      }
    }
    set(p, MUTE, NONE);
    set(p, RECEIVER, 0);
    go(p, get(p, RETURN));
    set(p, RETURN, 0);
  }

  /** Takes the oldest out of the list: one step, under its lock. */
  private void takeOut(int p, int to, int number) {
    for (int i = 0; i < number && get(p, LIST) > 0; i++) {
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
      go(p, UNPUBLISH);
    }
  }

  /** A step of who sends the exit signal; the last byte of the state is his place. */
  private boolean kill() {
    int at = s[s.length - 1];
    if (at == 0) {
      if (has(victim, DEAD)) {
        return false;
      }
      s[s.length - 1] = (byte) (has(victim, PUBLISHED) ? 1 : 2);
      flag(victim, SIGNALLED);
      clear(victim, IDLE);
      return true;
    }
    if (at == 1) {
      s[s.length - 1] = 2;
      if (has(victim, PUBLISHED) && !is(Departure.NO_RELEASE_BY_EXIT)) {
        release(victim);
      }
      return true;
    }
    return false;
  }

  // ---------------------------------------------------------------- the state

  private int of(byte[] state, int p, int field) {
    return state[p * width + field] & 255;
  }

  private int get(int p, int field) {
    return s[p * width + field] & 255;
  }

  private void set(int p, int field, int value) {
    s[p * width + field] = (byte) value;
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
    return (get(p, BOX + i / 2) >> (4 * (i % 2))) & 15;
  }

  private void setMessage(int p, int i, int m) {
    int shift = 4 * (i % 2);
    set(p, BOX + i / 2, (get(p, BOX + i / 2) & ~(15 << shift)) | (m << shift));
  }

  private void append(int p, int m) {
    int length = get(p, LENGTH);
    if (length == capacity) {
      fail("the mailbox of " + p + " is longer than " + (capacity - 1));
      return;
    }
    setMessage(p, length, m);
    set(p, LENGTH, length + 1);
  }

  private void add(int p, int list, int q) {
    int size = get(p, list);
    set(p, list + 1, get(p, list + 1) | (q << (2 * size)));
    set(p, list, size + 1);
  }

  private int first(int p, int list) {
    int q = get(p, list + 1) & 3;
    set(p, list + 1, get(p, list + 1) >> 2);
    set(p, list, get(p, list) - 1);
    return q;
  }

  private int last(int p, int list) {
    int size = get(p, list) - 1;
    int q = (get(p, list + 1) >> (2 * size)) & 3;
    set(p, list, size);
    set(p, list + 1, get(p, list + 1) & ((1 << (2 * size)) - 1));
    return q;
  }

  private void remove(int p, int list, int q) {
    int size = get(p, list);
    int kept = 0;
    int entries = 0;
    for (int i = 0; i < size; i++) {
      int other = (get(p, list + 1) >> (2 * i)) & 3;
      if (other != q) {
        entries |= other << (2 * kept++);
      }
    }
    set(p, list, kept);
    set(p, list + 1, entries);
  }
}
