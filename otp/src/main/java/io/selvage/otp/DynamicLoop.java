package io.selvage.otp;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.Timer;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A {@link DynamicSupervisor} that runs. Children are found by their pid, a restarting one by the
 * pid that it had. Nothing here waits for anything else: each child is restarted and stopped for
 * itself.
 */
final class DynamicLoop extends SupervisorLoop {
  /**
   * A child. One that is temporary and not being stopped has nothing but its traits, so all with
   * the same traits share one object.
   */
  private static final class Child {
    final ChildTraits traits;

    /** Null if it is temporary: it is not started again. */
    final @Nullable ChildSpec<?, ?> spec;

    Past past = Past.NONE;
    long startedAt;
    int attempts;

    /** The attempt to restart that it waits for; null if it does not. */
    @Nullable Object retry;

    @Nullable Timer retryTimer;
    @Nullable Stopping stopping;

    Child(ChildTraits traits, @Nullable ChildSpec<?, ?> spec) {
      this.traits = traits;
      this.spec = spec;
    }
  }

  /** A child that is being stopped, alone or with all. */
  private static final class Stopping {
    final Pid<?> pid;
    final long since;
    final List<ReplyTo<Object>> askers = new ArrayList<>(1);
    final MonitorRef monitor;
    @Nullable Timer limit;
    boolean killed;

    Stopping(Pid<?> pid, long since, MonitorRef monitor) {
      this.pid = pid;
      this.since = since;
      this.monitor = monitor;
    }
  }

  private final DynamicSpec spec;
  private final Map<Pid<?>, Child> children = new HashMap<>();

  /** What temporary children with the traits of the last one share. */
  private @Nullable Child shared;

  /** How many children wait for a restart. */
  private int restarting;

  private DynamicLoop(DynamicSpec spec) {
    super(spec.limits());
    this.spec = spec;
  }

  private record Program(DynamicSpec spec)
      implements Init.Setup<SupervisorMessage, DynamicSupervisor>, SystemMessage.Program {
    @Override
    public Class<?> code() {
      return DynamicSupervisor.class;
    }

    @Override
    public Behavior<SupervisorMessage> start(
        Self<SupervisorMessage> self, Ack<DynamicSupervisor> ack) {
      DynamicLoop loop = new DynamicLoop(spec);
      loop.prepare(self, ack);
      loop.ready();
      ack.ready(DynamicSupervisor.at(self.pid()));
      return loop;
    }
  }

  static Init<SupervisorMessage, DynamicSupervisor> program(DynamicSpec spec) {
    return Init.behavior(new Program(Objects.requireNonNull(spec, "spec")));
  }

  // ---------------------------------------------------------------- messages

  @Override
  Behavior<SupervisorMessage> on(Self<SupervisorMessage> self, SupervisorRequest message)
      throws Exception {
    switch (message) {
      case SupervisorRequest.StartChild<?, ?>(var childSpec, var replyTo) -> {
        if (!isEnding()) { // else it fails with the end of this process
          replyTo.send(startChild(self, childSpec));
        }
      }
      case SupervisorRequest.StopByPid(var pid, var replyTo) -> stopChild(self, pid, replyTo);
      case SupervisorRequest.ExitCame(Exit(var from, var reason), var last) -> {
        return gone(self, Objects.requireNonNull(from), reason, last);
      }
      case SupervisorRequest.ChildDown(Down down) -> {
        Pid<?> pid = (Pid<?>) down.target();
        if (children.containsKey(pid) && tellsWhy(self, pid, down)) {
          return gone(self, pid, down.reason(), Optional.empty()); // it had removed the link
        }
      }
      case SupervisorRequest.LimitOver(Stopping stopping) -> {
        Child child = children.get(stopping.pid);
        if (child != null && child.stopping == stopping) {
          kill(self, child, stopping);
        }
      }
      case SupervisorRequest.LimitOver(Object limit) -> {
        for (Child child : List.copyOf(children.values())) {
          if (child.stopping != null
              && child.stopping.limit == null
              && child.traits.shutdown().equals(limit)) {
            kill(self, child, child.stopping);
          }
        }
      }
      case SupervisorRequest.Retry(Object whose, Object attempt, boolean counts) -> {
        Child child = (Child) whose;
        if (child.retry == attempt && !isEnding()) {
          Pid<?> before = child.past.predecessor().orElseThrow();
          restarting--;
          child.retry = null;
          return counts ? restart(self, before, child) : attempt(self, before, child);
        }
      }
      case SupervisorRequest.Asked asked ->
          asked
              .replyTo()
              .send(
                  new SupervisorRequest.Refused(
                      self.pid()
                          + " is a dynamic supervisor: its children are known by their pids, not"
                          + " by ids; use DynamicSupervisor.at(pid)"));
      default -> throw new IllegalStateException("a supervisor was sent " + message);
    }
    return this;
  }

  // ---------------------------------------------------------------- starting

  private <M, A> Object startChild(Self<SupervisorMessage> self, ChildSpec<M, A> childSpec) {
    ChildTraits traits = childSpec.traits();
    if (traits.significant()) {
      return new SupervisorRequest.Refused(
          "the child \""
              + traits.id()
              + "\" is significant, but a dynamic supervisor never shuts down because of a child:"
              + " leave significant() out, or use a Supervisor");
    }
    if (traits.held() > 0) {
      return new SupervisorRequest.Refused(
          "the child \""
              + traits.id()
              + "\" holds messages sent to its name, which the children of a dynamic supervisor"
              + " cannot: leave holding() out, or use a Supervisor");
    }
    if (children.size() >= spec.maxChildren()) {
      return new StartChildResult.TooMany<M, A>(spec.maxChildren());
    }
    return switch (begin(self, childSpec, Past.NONE)) {
      case Birth.Alive(var pid, var value) -> {
        Child child =
            traits.restart() == Restart.TEMPORARY ? shared(traits) : new Child(traits, childSpec);
        if (child.spec != null) {
          child.startedAt = self.node().nanoTime();
        }
        children.put(pid, child);
        yield StaticLoop.started(pid, value);
      }
      case Birth.Declined _ -> new StartChildResult.Ignored<M, A>(traits.id());
      case Birth.Failed(var reason) -> {
        reportStartFailed(self, traits.id(), reason);
        yield new StartChildResult.Failed<M, A>(traits.id(), reason);
      }
    };
  }

  private Child shared(ChildTraits traits) {
    Child last = shared;
    if (last == null || last.traits != traits) {
      last = new Child(traits, null);
      shared = last;
    }
    return last;
  }

  // ---------------------------------------------------------------- ends and restarts

  /** A process has ended: a child, or a stranger. */
  private Behavior<SupervisorMessage> gone(
      Self<SupervisorMessage> self, Pid<?> pid, ExitReason reason, Optional<Object> last)
      throws Exception {
    Child child = children.get(pid);
    if (child == null || child.retry != null) {
      report(System.Logger.Level.DEBUG, new SupervisorReport.ExitIgnored(self.pid(), pid, reason));
      return this;
    }
    Stopping stop = child.stopping;
    boolean killed = stop != null && stop.killed && reason instanceof ExitReason.Killed;
    boolean closing = self.node().isClosing(); // which ends this one, too: nothing is restarted
    if (!killed
        && (!reason.isOrderly()
            || (stop == null && child.traits.restart() == Restart.PERMANENT && !closing))) {
      report(
          System.Logger.Level.WARNING,
          new SupervisorReport.ChildEnded(self.pid(), child.traits.id(), pid, reason, last));
    }
    if (stop != null) {
      children.remove(pid);
      self.demonitor(stop.monitor);
      if (stop.limit != null) {
        stop.limit.cancel();
      }
      noteStop(self, child.traits.id(), stop.since, killed, reason);
      stop.askers.forEach(asker -> asker.send(new StopChildResult.Stopped()));
      return isEnding() && children.isEmpty() ? finish(self) : this;
    }
    if (closing || child.spec == null || !child.traits.restart().restartsAfter(reason)) {
      children.remove(pid);
      return this;
    }
    child.past = child.past.ended(pid, reason, last);
    child
        .traits
        .backoff()
        .ifPresent(backoff -> {
          if (backoff.isAnewAfter(self.node().nanoTime() - child.startedAt)) {
            child.attempts = 0;
          }
        });
    return restart(self, pid, child);
  }

  private Behavior<SupervisorMessage> restart(
      Self<SupervisorMessage> self, Pid<?> before, Child child) throws Exception {
    SupervisorEnd.TooManyRestarts tooMany =
        count(self, child.traits.id(), child.past.reason().orElse(ExitReason.normal()));
    if (tooMany != null) {
      children.remove(before);
      return giveUp(self, tooMany);
    }
    Optional<Backoff> backoff = child.traits.backoff();
    if (backoff.isEmpty()) {
      return attempt(self, before, child);
    }
    SupervisorRequest.Retry retry = retry(child, false);
    child.retryTimer =
        self.sendAfter(backoff.get().wait(child.attempts++, ThreadLocalRandom.current()), retry);
    return this;
  }

  private SupervisorRequest.Retry retry(Child child, boolean counts) {
    restarting++;
    Object attempt = new Object();
    child.retry = attempt;
    return new SupervisorRequest.Retry(child, attempt, counts);
  }

  private Behavior<SupervisorMessage> attempt(
      Self<SupervisorMessage> self, Pid<?> before, Child child) {
    Past past = child.past.again();
    switch (begin(self, Objects.requireNonNull(child.spec), past)) {
      case Birth.Alive(var pid, _) -> {
        child.past = past;
        child.startedAt = self.node().nanoTime();
        children.remove(before);
        children.put(pid, child);
        report(
            System.Logger.Level.DEBUG,
            new SupervisorReport.Restarted(self.pid(), child.traits.id(), pid, past));
      }
      case Birth.Declined _ -> children.remove(before);
      case Birth.Failed(var reason) -> {
        reportStartFailed(self, child.traits.id(), reason);
        child.past = child.past.failed(reason);
        SupervisorRequest.Retry retry = retry(child, true);
        if (!self.node().isClosing()) { // else it fails for ever: it waits for the end of this one
          self.pid().send(retry);
        }
      }
    }
    return this;
  }

  // ---------------------------------------------------------------- stopping

  private void stopChild(Self<SupervisorMessage> self, Pid<?> pid, ReplyTo<Object> replyTo) {
    Child child = children.get(pid);
    if (child == null) {
      replyTo.send(
          !pid.isAlive()
              ? new StopChildResult.Stopped()
              : new StopChildResult.NotFound(pid.toString()));
      return;
    }
    if (child.retry != null) {
      children.remove(pid);
      forgetRetry(child);
      replyTo.send(new StopChildResult.Stopped());
      return;
    }
    Stopping stop = child.stopping;
    if (stop == null) {
      Child own = ownOf(pid, child);
      stop = beginStop(self, pid, own);
      Stopping begun = stop;
      ask(self, pid, child.traits)
          .ifPresent(
              limit -> begun.limit = self.sendAfter(limit, new SupervisorRequest.LimitOver(begun)));
    }
    stop.askers.add(replyTo);
  }

  /** The child as an object of its own. */
  private Child ownOf(Pid<?> pid, Child child) {
    if (child.spec != null) {
      return child;
    }
    Child own = new Child(child.traits, null);
    children.put(pid, own);
    return own;
  }

  private static Stopping beginStop(Self<SupervisorMessage> self, Pid<?> pid, Child child) {
    Stopping stop =
        new Stopping(
            pid, self.node().nanoTime(), self.monitor(pid, SupervisorRequest.ChildDown::new));
    stop.killed = child.traits.shutdown() instanceof Shutdown.Brutal;
    child.stopping = stop;
    return stop;
  }

  private void forgetRetry(Child child) {
    restarting--;
    child.retry = null;
    if (child.retryTimer != null) {
      child.retryTimer.cancel();
    }
  }

  private void kill(Self<SupervisorMessage> self, Child child, Stopping stop) {
    if (!stop.killed) {
      stop.killed = true;
      stop.pid.kill();
      report(
          System.Logger.Level.WARNING,
          new SupervisorReport.Killed(self.pid(), child.traits.id(), stop.pid));
    }
  }

  @Override
  Behavior<SupervisorMessage> stopChildren(Self<SupervisorMessage> self) throws Exception {
    children
        .values()
        .removeIf(child -> {
          boolean waits = child.retry != null;
          if (waits) {
            forgetRetry(child);
          }
          return waits;
        });
    Set<Shutdown> limits = new HashSet<>();
    children.replaceAll((pid, child) -> {
      if (child.stopping != null) {
        return child;
      }
      Child own = child.spec != null ? child : new Child(child.traits, null);
      Stopping _ = beginStop(self, pid, own);
      Optional<Duration> limit = ask(self, pid, own.traits);
      if (limit.isPresent()) {
        limits.add(own.traits.shutdown());
      }
      return own;
    });
    for (Shutdown each : limits) {
      if (each instanceof Shutdown.After(var limit)) {
        self.sendAfter(limit, new SupervisorRequest.LimitOver(each));
      }
    }
    return children.isEmpty() ? finish(self) : this;
  }

  @Override
  void killChildren(Self<SupervisorMessage> self, boolean all) {
    for (Child child : List.copyOf(children.values())) {
      if (child.stopping != null && (all || child.traits.type() == ChildType.WORKER)) {
        kill(self, child, child.stopping);
      }
    }
  }

  // ---------------------------------------------------------------- what others see

  @Override
  List<ChildInfo> whichChildren() {
    List<ChildInfo> infos = new ArrayList<>(children.size());
    children.forEach((pid, child) ->
        infos.add(
            new ChildInfo(
                child.traits.id(),
                child.retry != null ? ChildState.RESTARTING : ChildState.RUNNING,
                child.retry != null ? Optional.empty() : Optional.of(pid),
                child.traits.type(),
                child.traits.restart(),
                child.past)));
    return List.copyOf(infos);
  }

  @Override
  ChildCounts countChildren() {
    int supervisors = 0;
    for (Child child : children.values()) {
      if (child.traits.type() == ChildType.SUPERVISOR) {
        supervisors++;
      }
    }
    int all = children.size();
    return new ChildCounts(all, all - restarting, supervisors, all - supervisors);
  }

  @Override
  String behaviour() {
    return "dynamic supervisor";
  }

  @Override
  Class<?> code() {
    return DynamicSupervisor.class;
  }
}
