package io.selvage.otp;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.Timer;
import io.selvage.kernel.spi.NameHold;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What supervisors of both kinds have in common: how a child is started, the intensity, the end of
 * the tree, and reports.
 *
 * <p>A supervisor never blocks but in the start of a child. To stop children it asks them to end
 * and goes on when it is told that they have; so it answers questions, and obeys its own parent, in
 * the middle of it. The link with a child stays until the child is down: whatever ends the
 * supervisor meanwhile ends the child, too. A monitor stands beside it while a child is being
 * stopped, since the child might have removed the link.
 */
abstract class SupervisorLoop extends Loop<SupervisorMessage> {
  private static final System.Logger LOG = System.getLogger("io.selvage.otp");

  /** How long the supervisors below get, after the deadline, to kill what is below them. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** What came of a start. */
  sealed interface Birth {
    record Alive(Pid<?> pid, @Nullable Object value) implements Birth {}

    record Declined() implements Birth {}

    record Failed(ExitReason reason) implements Birth {}
  }

  /** The end of the supervisor, while it waits for its children. */
  private static final class Ending {
    final ExitReason reason;
    final long since;
    final List<ShutdownReport.Stop> stops = new ArrayList<>();
    final List<ReplyTo<Object>> askers = new ArrayList<>();
    @Nullable Timer timer;
    boolean deadlineOver;

    Ending(ExitReason reason, long since) {
      this.reason = reason;
      this.since = since;
    }
  }

  final SupervisorLimits limits;

  /** Why the supervisor is not ready, and who is told; null once it is ready. */
  private @Nullable Ack<?> starting;

  private final RestartTimes restarts;
  private @Nullable Consumer<? super SupervisorReport> listener;
  private @Nullable Ending ending;

  /** Until when the supervisor above has to stop its tree, by the node's clock. */
  private @Nullable Long told;

  SupervisorLoop(SupervisorLimits limits) {
    this.limits = limits;
    this.restarts = new RestartTimes(limits.period());
    this.listener = limits.listener().orElse(null);
  }

  // ---------------------------------------------------------------- what the two kinds have to say

  /** Handles what is neither the end of the tree nor an exit from above. */
  abstract Behavior<SupervisorMessage> on(Self<SupervisorMessage> self, SupervisorRequest message)
      throws Exception;

  /** Asks all children to stop; {@link #finish} when the last is down. */
  abstract Behavior<SupervisorMessage> stopChildren(Self<SupervisorMessage> self) throws Exception;

  /** Kills what is left; supervisors only if {@code all}, else they are told to hurry. */
  abstract void killChildren(Self<SupervisorMessage> self, boolean all);

  /** All children as others see them. */
  abstract List<ChildInfo> whichChildren();

  abstract ChildCounts countChildren();

  // ---------------------------------------------------------------- the start

  /** Prepares the process, before it starts children. */
  final void prepare(Self<SupervisorMessage> self, Ack<?> ack) {
    starting = ack;
    self.stashCapacity(Integer.MAX_VALUE); // while it is suspended no exit may be lost
    trapExits(self, exit -> new SupervisorRequest.ExitCame(exit, Optional.empty()));
  }

  final void ready() {
    starting = null;
  }

  @Override
  public final @Nullable SystemMessage onOtherExit(Exit exit, @Nullable Object lastMessage) {
    return new SupervisorRequest.ExitCame(exit, Optional.ofNullable(lastMessage));
  }

  /** Starts a child and waits for it. */
  final <M, A> Birth begin(Self<SupervisorMessage> self, ChildSpec<M, A> spec, Past past) {
    StartResult<M, A> result;
    try {
      result =
          switch (spec.code()) {
            case ChildSpec.Code.Own<M, A>(var code, var options) -> {
              SpawnOptions<M> linked = options.linked();
              yield self.start(
                  code.apply(past),
                  spec.traits().startLimit(),
                  past.predecessor().isPresent()
                      ? linked.restartOf(past.predecessor().get())
                      : linked);
            }
            case ChildSpec.Code.Foreign<M, A>(var function) ->
                ensureLinked(self, spec.id(), function.start(self, past));
          };
    } catch (ExitException exit) {
      return new Birth.Failed(exit.reason());
    } catch (Throwable failure) { // code of the user's, run to start the child
      return new Birth.Failed(new ExitReason.Crash(Fault.survivable(failure)));
    }
    return switch (result) {
      case StartResult.Started<M, A>(var pid, var value) -> new Birth.Alive(pid, value);
      case StartResult.Ended<M, A>(_, Ignored _) -> new Birth.Declined();
      case StartResult.Failed<M, A> failed -> new Birth.Failed(failed.reason());
    };
  }

  /** Keeps what is sent to the name of a child from now on, if its specification says so. */
  static @Nullable NameHold hold(
      Self<SupervisorMessage> self, ChildSpec<?, ?> spec, @Nullable NameHold present) {
    return present != null || spec.traits().held() == 0
        ? present
        : NameHold.open(self, spec.name().orElseThrow(), spec.traits().held());
  }

  private static <M, A> StartResult<M, A> ensureLinked(
      Self<SupervisorMessage> self, String id, @Nullable StartResult<M, A> result) {
    if (result == null) {
      throw new IllegalStateException(
          "the function that starts the child \""
              + id
              + "\" answered null: answer what the start of its process answered");
    }
    if (!(result instanceof StartResult.Started<M, A>(var pid, _))) {
      return result;
    }
    Optional<ProcessInfo> info = self.node().info(pid, Integer.MAX_VALUE);
    if (info.isEmpty()) {
      self.link(pid); // it has ended; should it never have been linked, its end is told now
      return result;
    }
    if (!info.get().links().some().contains(self.pid())) {
      pid.kill();
      throw new IllegalStateException(
          "the child \""
              + id
              + "\" was started as "
              + pid
              + " without a link to its supervisor, so it was killed: start it by the spawner that"
              + " is handed to the function, with SpawnOptions.linked(), or use ChildSpec.of(id,"
              + " code)");
    }
    return result;
  }

  // ---------------------------------------------------------------- the intensity

  /**
   * Counts a restart.
   *
   * @return why the supervisor has to give up, or null
   */
  final SupervisorEnd.@Nullable TooManyRestarts count(
      Self<SupervisorMessage> self, String child, ExitReason reason) {
    int times = restarts.count(self.node().nanoTime());
    return times <= limits.intensity()
        ? null
        : new SupervisorEnd.TooManyRestarts(
            child, reason, times, limits.intensity(), limits.period());
  }

  // ---------------------------------------------------------------- messages

  @Override
  final Behavior<SupervisorMessage> onUser(
      Self<SupervisorMessage> self, SupervisorMessage message) {
    throw new IllegalStateException("all messages of a supervisor are its own: " + message);
  }

  @Override
  final Behavior<SupervisorMessage> onOwn(Self<SupervisorMessage> self, SystemMessage message)
      throws Exception {
    tell(self, message);
    return switch ((SupervisorRequest) message) {
      case SupervisorRequest.WhichChildren(var replyTo) -> {
        replyTo.send(whichChildren());
        yield this;
      }
      case SupervisorRequest.CountChildren(var replyTo) -> {
        replyTo.send(countChildren());
        yield this;
      }
      case SupervisorRequest.StopWithin(var deadline, var replyTo) -> {
        treeDeadline(self, deadline, false);
        Behavior<SupervisorMessage> next = this;
        if (ending == null) {
          beginEnding(self, ExitReason.shutdown()).askers.add(replyTo);
          next = stopChildren(self);
        } else {
          ending.askers.add(replyTo);
        }
        yield next;
      }
      case SupervisorRequest.DeadlineOver(var grace) -> {
        onDeadline(self, grace);
        yield this;
      }
      case SupervisorRequest other -> on(self, other);
    };
  }

  // ---------------------------------------------------------------- the end of the tree

  @Override
  final boolean isEnding() {
    return ending != null;
  }

  @Override
  final Behavior<SupervisorMessage> stopRequested(Self<SupervisorMessage> self, ExitReason reason)
      throws Exception {
    return ending != null ? this : end(self, reason);
  }

  /** Begins to end by itself. */
  final Behavior<SupervisorMessage> giveUp(Self<SupervisorMessage> self, SupervisorEnd cause)
      throws Exception {
    report(System.Logger.Level.ERROR, new SupervisorReport.GaveUp(self.pid(), cause));
    return end(self, new ExitReason.Shutdown(cause));
  }

  private Behavior<SupervisorMessage> end(Self<SupervisorMessage> self, ExitReason reason)
      throws Exception {
    Ending _ = beginEnding(self, reason);
    return stopChildren(self);
  }

  private Ending beginEnding(Self<SupervisorMessage> self, ExitReason reason) {
    Ending begun = new Ending(reason, self.node().nanoTime());
    ending = begun;
    Duration own = limits.deadline().orElse(null);
    Duration left = left(self);
    Duration first = own == null || (left != null && left.compareTo(own) < 0) ? left : own;
    if (first != null) {
      begun.timer = self.sendAfter(first, new SupervisorRequest.DeadlineOver(false));
      told = begun.since + RestartTimes.nanos(first);
    }
    return begun;
  }

  @Override
  final void treeDeadline(Self<SupervisorMessage> self, Duration left) {
    treeDeadline(self, left, true);
  }

  private boolean reportsUp;

  private void treeDeadline(Self<SupervisorMessage> self, Duration left, boolean fromAbove) {
    reportsUp |= fromAbove;
    Duration present = left(self);
    if (present != null && present.compareTo(left) <= 0) {
      return;
    }
    told = self.node().nanoTime() + RestartTimes.nanos(left);
    if (ending != null) {
      if (ending.timer != null) {
        ending.timer.cancel();
      }
      ending.timer = self.sendAfter(left, new SupervisorRequest.DeadlineOver(false));
    }
  }

  private @Nullable Duration left(Self<SupervisorMessage> self) {
    return told == null ? null : Duration.ofNanos(Math.max(0, told - self.node().nanoTime()));
  }

  private void onDeadline(Self<SupervisorMessage> self, boolean grace) {
    if (ending != null) {
      ending.deadlineOver = true;
      if (!grace) {
        ending.timer = self.sendAfter(GRACE, new SupervisorRequest.DeadlineOver(true));
      }
      killChildren(self, grace);
    }
  }

  /** Whether the tree has had its time. */
  final boolean isDeadlineOver() {
    return ending != null && ending.deadlineOver;
  }

  /** Asks a child to end, in the way its traits say; answers whether its time is limited. */
  final Optional<Duration> ask(Self<SupervisorMessage> self, Pid<?> pid, ChildTraits traits) {
    if (traits.type() == ChildType.SUPERVISOR) {
      Duration left = ending == null ? null : left(self);
      if (left != null) {
        SystemMessage.addressOf(pid)
            .ifPresent(address -> address.send(new SystemRequest.TreeDeadline(left)));
      }
    } else if (isDeadlineOver()) {
      pid.kill();
      return Optional.empty();
    }
    return switch (traits.shutdown()) {
      case Shutdown.Brutal _ -> {
        pid.kill();
        yield Optional.empty();
      }
      case Shutdown.After(var limit) -> {
        pid.exit(ExitReason.shutdown());
        yield Optional.of(limit);
      }
      case Shutdown.Infinity _ -> {
        pid.exit(ExitReason.shutdown());
        yield Optional.empty();
      }
    };
  }

  /**
   * Whether the end of a child, that this was told by a monitor, has a reason. A child that ended
   * just before it was monitored has none, and its exit signal may not have come yet. Then the link
   * is asked: if it is still there it brings the reason, and if the child had removed it, the new
   * one tells at once that there is none.
   */
  static boolean tellsWhy(Self<SupervisorMessage> self, Pid<?> pid, Down down) {
    if (down.reason() instanceof ExitReason.NoProc) {
      self.link(pid);
      return false;
    }
    return true;
  }

  /** Notes the end of a child for the report on the end of the tree. */
  final void noteStop(
      Self<SupervisorMessage> self, String id, long since, boolean killed, ExitReason reason) {
    Ending now = ending;
    if (now == null || told == null) {
      return;
    }
    now.stops.add(
        new ShutdownReport.Stop(id, Duration.ofNanos(self.node().nanoTime() - since), killed));
    if (reason instanceof ExitReason.Shutdown(ShutdownReport below)) {
      for (ShutdownReport.Stop stop : below.children()) {
        now.stops.add(new ShutdownReport.Stop(id + "/" + stop.path(), stop.took(), stop.killed()));
      }
    }
  }

  /** All children are down. */
  final Behavior<SupervisorMessage> finish(Self<SupervisorMessage> self) throws Exception {
    Ending done = java.util.Objects.requireNonNull(ending);
    ShutdownReport shutdown =
        new ShutdownReport(Duration.ofNanos(self.node().nanoTime() - done.since), done.stops);
    if (done.deadlineOver) {
      report(System.Logger.Level.WARNING, new SupervisorReport.DeadlineOver(self.pid(), shutdown));
    }
    Ack<?> unready = starting;
    if (unready != null) {
      throw unready.fail(done.reason);
    }
    done.askers.forEach(asker -> asker.send(shutdown));
    boolean tells = reportsUp && done.reason.equals(ExitReason.shutdown());
    return stop(self, tells ? new ExitReason.Shutdown(shutdown) : done.reason);
  }

  /** Links end the children, if the supervisor's own code fails; else they are down by now. */
  @Override
  final void terminate(Self<SupervisorMessage> self, ExitReason reason) {}

  // ---------------------------------------------------------------- reports

  /** That a child did not start; but while the node closes nothing can, and nobody is to blame. */
  final void reportStartFailed(Self<SupervisorMessage> self, String id, ExitReason reason) {
    if (!self.node().isClosing()) {
      report(System.Logger.Level.WARNING, new SupervisorReport.StartFailed(self.pid(), id, reason));
    }
  }

  final void report(System.Logger.Level level, SupervisorReport report) {
    LOG.log(level, () -> text(report));
    Consumer<? super SupervisorReport> told = listener;
    if (told != null) {
      try {
        told.accept(report);
      } catch (Throwable thrown) {
        Throwable fault = Fault.survivable(thrown);
        listener = null;
        LOG.log(
            System.Logger.Level.WARNING,
            "the listener of the supervisor " + report.supervisor() + " failed and is told no more",
            fault);
      }
    }
  }

  private static String text(SupervisorReport report) {
    try {
      return report.toString();
    } catch (Throwable textFailed) { // of a reason of the user's own
      Throwable _ = Fault.survivable(textFailed);
      return report.getClass().getSimpleName() + " of " + report.supervisor();
    }
  }

  // ---------------------------------------------------------------- what others see

  @Override
  final Object state() {
    return whichChildren();
  }

  @Override
  final void replaceState(Object state) {
    throw new UnsupportedOperationException(
        "the state of a supervisor are its children: start and stop those instead");
  }

  @Override
  public final Object shownState() {
    return countChildren();
  }
}
