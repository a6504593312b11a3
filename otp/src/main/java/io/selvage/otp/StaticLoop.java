package io.selvage.otp;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.Timer;
import io.selvage.kernel.spi.NameHold;
import io.selvage.kernel.spi.SystemMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Supervisor} that runs: its children stand in a row.
 *
 * <p><b>One work at a time.</b> What takes more than one message is a {@link Work}: a row of
 * children to stop, one after the other, and what to do then.
 *
 * <pre>
 *   no work ── stop a child, restart several, the end ──► work: current child asked to stop ◄─┐
 *                                                           │ it is down                      │ there is another
 *                                                           └─────────────────────────────────┤
 *   no work ◄── then: reply, start them again, or end ◄───────────────────────────────────────┘ there is none
 * </pre>
 *
 * <p>What comes meanwhile and concerns other children waits in {@link #deferred}, in its order. The
 * end of the supervisor is a work that takes the place of any other.
 */
final class StaticLoop extends SupervisorLoop {
  /** A child. All fields but the first change. */
  private static final class Child {
    final ChildSpec<?, ?> spec;
    @Nullable Pid<?> pid;
    Past past = Past.NONE;
    long startedAt;

    /** How many restarts with back-off there were in a row. */
    int attempts;

    /** The attempt to restart that it waits for; null if it does not. */
    @Nullable Object retry;

    @Nullable Timer retryTimer;

    /** Keeps what is sent to its name while it restarts; null if nothing does now. */
    @Nullable NameHold hold;

    /** It is to be stopped by the present work. */
    boolean doomed;

    /** It has been asked to stop; the rest is of that. */
    boolean stopping;

    boolean killed;
    long stopSince;
    @Nullable MonitorRef monitor;
    @Nullable Timer limit;

    Child(ChildSpec<?, ?> spec) {
      this.spec = spec;
    }

    String id() {
      return spec.id();
    }

    ChildTraits traits() {
      return spec.traits();
    }

    boolean isTemporary() {
      return traits().restart() == Restart.TEMPORARY;
    }

    ChildState state() {
      return pid != null
          ? ChildState.RUNNING
          : retry != null ? ChildState.RESTARTING : ChildState.STOPPED;
    }
  }

  /** The time to stop of a child, in the stop that this monitor belongs to. */
  private record Limit(Child child, MonitorRef stop) {}

  /** What to do when a work has stopped its children. */
  @FunctionalInterface
  private interface Then {
    Behavior<SupervisorMessage> run() throws Exception;
  }

  /** See above. */
  private static final class Work {
    final Deque<Child> left;
    final Then then;

    /** The child whose restart it is for, which shows as restarting meanwhile; or null. */
    final @Nullable Child cause;

    @Nullable Child current;

    Work(Deque<Child> left, @Nullable Child cause, Then then) {
      this.left = left;
      this.cause = cause;
      this.then = then;
    }
  }

  private final SupervisorSpec spec;

  /** In the order of their start. */
  private final Map<String, Child> children = new LinkedHashMap<>();

  private final Map<Pid<?>, Child> running = new HashMap<>();
  private final Deque<SupervisorRequest> deferred = new ArrayDeque<>();
  private @Nullable Work work;

  private StaticLoop(SupervisorSpec spec) {
    super(spec.limits());
    this.spec = spec;
  }

  // ---------------------------------------------------------------- the start

  private record Program<H>(SupervisorSpec spec, Function<Pid<SupervisorMessage>, H> handle)
      implements Init.Setup<SupervisorMessage, H>, SystemMessage.Program {
    @Override
    public Class<?> code() {
      return Supervisor.class;
    }

    @Override
    public Behavior<SupervisorMessage> start(Self<SupervisorMessage> self, Ack<H> ack)
        throws Exception {
      StaticLoop loop = new StaticLoop(spec);
      loop.prepare(self, ack);
      for (ChildSpec<?, ?> child : spec.children()) {
        ExitReason failure = loop.startFirst(self, child);
        if (failure != null) {
          return loop.stopRequested(
              self, new ExitReason.Shutdown(new SupervisorEnd.StartFailed(child.id(), failure)));
        }
      }
      loop.ready();
      ack.ready(handle.apply(self.pid()));
      return loop;
    }
  }

  static <H> Init<SupervisorMessage, H> program(
      SupervisorSpec spec, Function<Pid<SupervisorMessage>, H> handle) {
    return Init.behavior(new Program<>(Objects.requireNonNull(spec, "spec"), handle));
  }

  /** Starts a child when the supervisor itself is started; answers why it failed, or null. */
  private @Nullable ExitReason startFirst(Self<SupervisorMessage> self, ChildSpec<?, ?> childSpec) {
    Child child = new Child(childSpec);
    return switch (birth(self, child, Past.NONE)) {
      case Birth.Alive(var pid, _) -> {
        children.put(child.id(), child);
        up(self, child, pid);
        yield null;
      }
      case Birth.Declined _ -> {
        if (!child.isTemporary()) {
          children.put(child.id(), child);
        }
        yield null;
      }
      case Birth.Failed(var reason) -> {
        letGo(child);
        reportStartFailed(self, child.id(), reason);
        yield reason;
      }
    };
  }

  /** Starts a child, whose name keeps messages from now on if its specification says so. */
  private Birth birth(Self<SupervisorMessage> self, Child child, Past past) {
    try {
      child.hold = hold(self, child.spec, child.hold);
    } catch (IllegalStateException kept) { // by another supervisor
      return new Birth.Failed(new ExitReason.Crash(kept));
    }
    Birth birth = begin(self, child.spec, past);
    if (birth instanceof Birth.Declined) {
      letGo(child);
    }
    return birth;
  }

  /** The name of a child that is not restarted keeps nothing. */
  private static void letGo(Child child) {
    if (child.hold != null) {
      child.hold.close();
      child.hold = null;
    }
  }

  private void up(Self<SupervisorMessage> self, Child child, Pid<?> pid) {
    child.pid = pid;
    child.startedAt = self.node().nanoTime();
    child.killed = false;
    running.put(pid, child);
  }

  // ---------------------------------------------------------------- messages

  @Override
  Behavior<SupervisorMessage> on(Self<SupervisorMessage> self, SupervisorRequest message)
      throws Exception {
    Behavior<SupervisorMessage> next = handle(self, message);
    return next == this ? advance(self) : next;
  }

  private Behavior<SupervisorMessage> handle(
      Self<SupervisorMessage> self, SupervisorRequest message) throws Exception {
    return switch (message) {
      case SupervisorRequest.SpecOf(var id, var replyTo) -> {
        Child child = children.get(id);
        replyTo.send(child == null ? Optional.empty() : Optional.of(child.spec));
        yield this;
      }
      case SupervisorRequest.StopByPid(_, var replyTo) -> {
        replyTo.send(
            new SupervisorRequest.Refused(
                self.pid() + " is no dynamic supervisor: its children are stopped by their ids"));
        yield this;
      }
      case SupervisorRequest.ChildDown(Down down) -> {
        Pid<?> pid = (Pid<?>) down.target();
        Child child = running.get(pid);
        if (child != null && tellsWhy(self, pid, down)) {
          down(self, child, down.reason(), Optional.empty()); // it had removed the link
        }
        yield this;
      }
      case SupervisorRequest.ExitCame(Exit(var from, var reason), var last) -> {
        Child child = running.get(from);
        if (child == null) {
          report(
              System.Logger.Level.DEBUG,
              new SupervisorReport.ExitIgnored(self.pid(), Objects.requireNonNull(from), reason));
        } else if (child.doomed) {
          down(self, child, reason, last);
        } else if (work != null) {
          deferred.add(message);
        } else {
          yield ended(self, child, reason, last);
        }
        yield this;
      }
      case SupervisorRequest.LimitOver(Object whose) -> {
        if (whose instanceof Limit(Child child, MonitorRef stop) && child.monitor == stop) {
          kill(self, child);
        }
        yield this;
      }
      default -> {
        if (work != null) {
          deferred.add(message);
          yield this;
        }
        yield whenIdle(self, message);
      }
    };
  }

  /** What is done only while there is no other work. */
  private Behavior<SupervisorMessage> whenIdle(
      Self<SupervisorMessage> self, SupervisorRequest message) throws Exception {
    switch (message) {
      case SupervisorRequest.StartChild<?, ?>(var childSpec, var replyTo) ->
          replyTo.send(startChild(self, childSpec));
      case SupervisorRequest.RestartChild(var id, var replyTo) ->
          replyTo.send(restartChild(self, id));
      case SupervisorRequest.DeleteChild(var id, var replyTo) -> replyTo.send(deleteChild(id));
      case SupervisorRequest.StopById(var id, var replyTo) -> {
        Child child = children.get(id);
        if (child == null) {
          replyTo.send(new StopChildResult.NotFound(id));
        } else {
          letGo(child);
          stop(
              List.of(child),
              null,
              () -> {
                replyTo.send(new StopChildResult.Stopped());
                return this;
              });
        }
      }
      case SupervisorRequest.Retry(Object whose, Object attempt, boolean counts) -> {
        Child child = (Child) whose;
        if (child.retry == attempt) {
          return counts ? restart(self, child) : attempt(self, child);
        }
      }
      default -> throw new IllegalStateException("a supervisor was sent " + message);
    }
    return this;
  }

  /** Goes on with the work, and with what has waited for its end. No recursion. */
  private Behavior<SupervisorMessage> advance(Self<SupervisorMessage> self) throws Exception {
    while (true) {
      Work now = work;
      Behavior<SupervisorMessage> next = this;
      if (now == null) {
        SupervisorRequest waited = deferred.poll();
        if (waited == null) {
          return this;
        }
        next = handle(self, waited);
      } else if (now.current != null) {
        return this;
      } else {
        Child child = now.left.poll();
        if (child == null) {
          work = null;
          next = now.then.run();
        } else if (child.pid == null) {
          stopped(now, child);
        } else {
          now.current = child;
          ask(self, child, child.pid);
        }
      }
      if (next != this) {
        return next;
      }
    }
  }

  // ---------------------------------------------------------------- stopping

  /** Begins a work. */
  private void stop(List<Child> inOrder, @Nullable Child cause, Then then) {
    for (Child child : inOrder) {
      child.doomed = true;
    }
    work = new Work(new ArrayDeque<>(inOrder), cause, then);
  }

  private List<Child> reversed(boolean all, @Nullable Child after) {
    List<Child> some = new ArrayList<>();
    boolean in = all;
    for (Child child : children.values()) {
      in |= child == after;
      if (in) {
        some.add(child);
      }
    }
    return some.reversed();
  }

  private void ask(Self<SupervisorMessage> self, Child child, Pid<?> pid) {
    if (child.stopping) {
      return; // by the work that the end has replaced
    }
    child.stopping = true;
    child.killed = child.traits().shutdown() instanceof Shutdown.Brutal;
    child.stopSince = self.node().nanoTime();
    MonitorRef monitor = self.monitor(pid, SupervisorRequest.ChildDown::new);
    child.monitor = monitor;
    ask(self, pid, child.traits())
        .ifPresent(limit ->
            child.limit =
                self.sendAfter(limit, new SupervisorRequest.LimitOver(new Limit(child, monitor))));
  }

  private void kill(Self<SupervisorMessage> self, Child child) {
    Pid<?> pid = child.pid;
    if (pid != null && child.stopping && !child.killed) {
      child.killed = true;
      pid.kill();
      report(System.Logger.Level.WARNING, new SupervisorReport.Killed(self.pid(), child.id(), pid));
    }
  }

  /** A child that was to be stopped is down, by that or by itself. */
  private void down(
      Self<SupervisorMessage> self, Child child, ExitReason reason, Optional<Object> last) {
    Pid<?> pid = Objects.requireNonNull(child.pid);
    running.remove(pid);
    child.pid = null;
    child.past = child.past.ended(pid, reason, last);
    if (!reason.isOrderly() && !(child.killed && reason instanceof ExitReason.Killed)) {
      reportEnded(self, child, pid, reason, last);
    }
    if (child.stopping) {
      noteStop(
          self,
          child.id(),
          child.stopSince,
          child.killed && reason instanceof ExitReason.Killed,
          reason);
      self.demonitor(Objects.requireNonNull(child.monitor));
      if (child.limit != null) {
        child.limit.cancel();
      }
      child.limit = null;
      child.monitor = null;
      child.stopping = false;
    }
    Work now = work;
    if (now != null && now.current == child) {
      now.current = null;
      stopped(now, child);
    }
  }

  private void stopped(Work by, Child child) {
    child.doomed = false;
    if (child != by.cause) {
      forgetRetry(child);
    }
    if (child.isTemporary()) {
      children.remove(child.id());
    }
  }

  private void forgetRetry(Child child) {
    child.retry = null;
    if (child.retryTimer != null) {
      child.retryTimer.cancel();
      child.retryTimer = null;
    }
  }

  // ---------------------------------------------------------------- restarting

  /** A child has ended by itself. */
  private Behavior<SupervisorMessage> ended(
      Self<SupervisorMessage> self, Child child, ExitReason reason, Optional<Object> last)
      throws Exception {
    Pid<?> pid = Objects.requireNonNull(child.pid);
    running.remove(pid);
    child.pid = null;
    child.past = child.past.ended(pid, reason, last);
    ChildTraits traits = child.traits();
    boolean closing = self.node().isClosing(); // which ends this one, too: nothing is restarted
    if (!reason.isOrderly() || (traits.restart() == Restart.PERMANENT && !closing)) {
      reportEnded(self, child, pid, reason, last);
    }
    if (closing) {
      return this;
    }
    if (traits.restart().restartsAfter(reason)) {
      traits
          .backoff()
          .ifPresent(backoff -> {
            if (backoff.isAnewAfter(self.node().nanoTime() - child.startedAt)) {
              child.attempts = 0;
            }
          });
      return restart(self, child);
    }
    letGo(child);
    if (child.isTemporary()) {
      children.remove(child.id());
    }
    return traits.significant() && endsWithSignificant()
        ? giveUp(self, new SupervisorEnd.SignificantChild(child.id(), reason))
        : this;
  }

  private boolean endsWithSignificant() {
    return switch (spec.autoShutdown()) {
      case NEVER -> false;
      case ANY_SIGNIFICANT -> true;
      case ALL_SIGNIFICANT ->
          children.values().stream()
              .noneMatch(c -> c.traits().significant() && c.state() != ChildState.STOPPED);
    };
  }

  private void reportEnded(
      Self<SupervisorMessage> self,
      Child child,
      Pid<?> pid,
      ExitReason reason,
      Optional<Object> last) {
    report(
        System.Logger.Level.WARNING,
        new SupervisorReport.ChildEnded(self.pid(), child.id(), pid, reason, last));
  }

  /** Counts a restart, and makes it: at once, or after the back-off. */
  private Behavior<SupervisorMessage> restart(Self<SupervisorMessage> self, Child child)
      throws Exception {
    forgetRetry(child);
    SupervisorEnd.TooManyRestarts tooMany =
        count(self, child.id(), child.past.reason().orElse(ExitReason.normal()));
    if (tooMany != null) {
      return giveUp(self, tooMany);
    }
    Optional<Backoff> backoff = child.traits().backoff();
    if (backoff.isEmpty()) {
      return attempt(self, child);
    }
    SupervisorRequest.Retry retry = new SupervisorRequest.Retry(child, new Object(), false);
    child.retry = retry.attempt();
    Then wait =
        () -> {
          child.retryTimer =
              self.sendAfter(
                  backoff.get().wait(child.attempts++, ThreadLocalRandom.current()), retry);
          return this;
        };
    if (spec.strategy() == Strategy.ONE_FOR_ONE) {
      return wait.run();
    }
    stop(reversed(spec.strategy() == Strategy.ONE_FOR_ALL, child), child, wait);
    return this;
  }

  private Behavior<SupervisorMessage> attempt(Self<SupervisorMessage> self, Child child) {
    forgetRetry(child);
    if (spec.strategy() == Strategy.ONE_FOR_ONE) {
      startAgain(self, child);
      return this;
    }
    List<Child> row = reversed(spec.strategy() == Strategy.ONE_FOR_ALL, child);
    child.retry = new Object(); // it shows as restarting, but no message is on its way
    stop(
        row,
        child,
        () -> {
          forgetRetry(child);
          for (Child next : row.reversed()) {
            if (children.get(next.id()) == next && !startAgain(self, next)) {
              break;
            }
          }
          return this;
        });
    return this;
  }

  /** Starts a child again; if it fails, there will be another attempt, and this answers false. */
  private boolean startAgain(Self<SupervisorMessage> self, Child child) {
    Past past = child.past.again();
    switch (birth(self, child, past)) {
      case Birth.Alive(var pid, _) -> {
        child.past = past;
        up(self, child, pid);
        report(
            System.Logger.Level.DEBUG,
            new SupervisorReport.Restarted(self.pid(), child.id(), pid, past));
      }
      case Birth.Declined _ -> {}
      case Birth.Failed(var reason) -> {
        reportStartFailed(self, child.id(), reason);
        child.past = child.past.failed(reason);
        child.retry = new Object();
        if (!self.node().isClosing()) { // else it fails for ever: it waits for the end of this one
          self.pid().send(new SupervisorRequest.Retry(child, child.retry, true));
        }
        return false;
      }
    }
    return true;
  }

  // ---------------------------------------------------------------- what others ask for

  private <M, A> Object startChild(Self<SupervisorMessage> self, ChildSpec<M, A> childSpec) {
    String id = childSpec.id();
    try {
      SupervisorSpec.checkSignificant(spec.autoShutdown(), childSpec.traits());
    } catch (IllegalArgumentException refused) {
      return new SupervisorRequest.Refused(Objects.requireNonNull(refused.getMessage()));
    }
    Child present = children.get(id);
    if (present != null) {
      return present.pid != null
          ? new StartChildResult.AlreadyStarted<M, A>(id, present.pid)
          : new StartChildResult.AlreadyPresent<M, A>(id);
    }
    Child child = new Child(childSpec);
    return switch (birth(self, child, Past.NONE)) {
      case Birth.Alive(var pid, var value) -> {
        children.put(id, child);
        up(self, child, pid);
        yield started(pid, value);
      }
      case Birth.Declined _ -> {
        if (!child.isTemporary()) {
          children.put(id, child);
        }
        yield new StartChildResult.Ignored<M, A>(id);
      }
      case Birth.Failed(var reason) -> {
        letGo(child);
        reportStartFailed(self, child.id(), reason);
        yield new StartChildResult.Failed<M, A>(id, reason);
      }
    };
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // came of a start of this very specification
  static <M, A> StartChildResult<M, A> started(Pid<?> pid, @Nullable Object value) {
    return new StartChildResult.Started<>((Pid<M>) pid, (A) value);
  }

  private RestartChildResult restartChild(Self<SupervisorMessage> self, String id) {
    Child child = children.get(id);
    if (child == null) {
      return new RestartChildResult.NotFound(id);
    }
    if (child.pid != null) {
      return new RestartChildResult.Running(id, child.pid);
    }
    if (child.retry != null) {
      return new RestartChildResult.Restarting(id);
    }
    Past past = child.past.again();
    return switch (birth(self, child, past)) {
      case Birth.Alive(var pid, _) -> {
        child.past = past;
        up(self, child, pid);
        yield new RestartChildResult.Restarted(pid);
      }
      case Birth.Declined _ -> new RestartChildResult.Ignored(id);
      case Birth.Failed(var reason) -> {
        letGo(child);
        reportStartFailed(self, child.id(), reason);
        yield new RestartChildResult.Failed(id, reason);
      }
    };
  }

  private DeleteChildResult deleteChild(String id) {
    Child child = children.get(id);
    if (child == null) {
      return new DeleteChildResult.NotFound(id);
    }
    if (child.pid != null) {
      return new DeleteChildResult.Running(id, child.pid);
    }
    if (child.retry != null) {
      return new DeleteChildResult.Restarting(id);
    }
    children.remove(id);
    return new DeleteChildResult.Deleted();
  }

  // ---------------------------------------------------------------- the end

  @Override
  Behavior<SupervisorMessage> stopChildren(Self<SupervisorMessage> self) throws Exception {
    List<Child> all = reversed(true, null);
    for (Child child : all) {
      forgetRetry(child);
      letGo(child);
    }
    stop(all, null, () -> finish(self));
    List<SupervisorRequest> waited = List.copyOf(deferred);
    deferred.clear(); // requests among them fail with the end of this process
    for (SupervisorRequest message : waited) {
      if (message instanceof SupervisorRequest.ExitCame) {
        Behavior<SupervisorMessage> _ = handle(self, message);
      }
    }
    return advance(self);
  }

  @Override
  void killChildren(Self<SupervisorMessage> self, boolean all) {
    for (Child child : List.copyOf(running.values())) {
      Pid<?> pid = Objects.requireNonNull(child.pid);
      ask(self, child, pid); // if not asked yet: a supervisor below is told that there is no time
      if (all || child.traits().type() == ChildType.WORKER) {
        kill(self, child);
      }
    }
  }

  // ---------------------------------------------------------------- what others see

  @Override
  List<ChildInfo> whichChildren() {
    List<ChildInfo> infos = new ArrayList<>();
    for (Child child : children.values()) {
      infos.add(
          new ChildInfo(
              child.id(),
              child.state(),
              Optional.ofNullable(child.pid),
              child.traits().type(),
              child.traits().restart(),
              child.past));
    }
    return List.copyOf(infos);
  }

  @Override
  ChildCounts countChildren() {
    int supervisors =
        (int)
            children.values().stream()
                .filter(c -> c.traits().type() == ChildType.SUPERVISOR)
                .count();
    return new ChildCounts(
        children.size(), running.size(), supervisors, children.size() - supervisors);
  }

  @Override
  String behaviour() {
    return "supervisor";
  }

  @Override
  Class<?> code() {
    return Supervisor.class;
  }
}
