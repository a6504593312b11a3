package io.selvage.otp;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.CallException;
import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Monitored;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Timer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The process that runs the tasks of one {@link Tasks#stream}. Its tasks are linked with it, so
 * none outlives it, and it ends with its owner. They may be children of a {@link TaskSupervisor}:
 * then each makes the link itself.
 *
 * <p>It does nothing unless the reader waits for an outcome. Then it wants elements until as many
 * tasks run as may; but if there is an outcome to hand out, only until as many are under way, done
 * ones included: else quick tasks would have it take in an endless collection and hand out nothing.
 *
 * @param <T> the element
 * @param <R> the result
 */
final class TaskStream<T, R> implements Behavior<TaskStream.Msg<T, R>> {
  sealed interface Msg<T, R> {
    /** The reader waits for an outcome. */
    record Ask<T, R>(ReplyTo<Answer<T, R>> replyTo) implements Msg<T, R> {}

    /** The reader has an element, and goes on waiting. */
    record Offer<T, R>(T input, ReplyTo<Answer<T, R>> replyTo) implements Msg<T, R> {}

    /** The reader has no more elements, and goes on waiting. */
    record NoMore<T, R>(ReplyTo<Answer<T, R>> replyTo) implements Msg<T, R> {}

    record Close<T, R>(ReplyTo<Boolean> replyTo) implements Msg<T, R> {}

    record Ended<T, R>(Slot<T, R> slot, Down down) implements Msg<T, R> {}

    record Expired<T, R>(Slot<T, R> slot) implements Msg<T, R> {}

    record OwnerEnded<T, R>(Down down) implements Msg<T, R> {}

    /** Of a task that failed, whose {@link Ended} tells the same; or from outside. */
    record GotExit<T, R>(Exit exit) implements Msg<T, R> {}
  }

  /** What the reader is answered. */
  sealed interface Answer<T, R> {
    /** Give an element, if there is one. */
    record Want<T, R>() implements Answer<T, R> {}

    record Got<T, R>(Tasks.Element<T, R> element) implements Answer<T, R> {}

    /** An element took too long, and that ends the stream. */
    record Exit<T, R>(Pid<?> task) implements Answer<T, R> {}

    /** The supervisor started no task, and that ends the stream. */
    record Refused<T, R>(RuntimeException why) implements Answer<T, R> {}

    record End<T, R>() implements Answer<T, R> {}
  }

  /** An element whose outcome has not been handed out. */
  static final class Slot<T, R> {
    final T input;
    final TaskRun<R> run;
    @Nullable Pid<?> task;
    @Nullable Timer timer;
    @Nullable Outcome<R> outcome;
    boolean running = true;

    Slot(T input, TaskRun<R> run) {
      this.input = input;
      this.run = run;
    }
  }

  private final Tasks.Step<T, R> step;
  private final Tasks.StreamOptions options;
  private final List<Pid<?>> callers;

  /** Whose children the tasks are; null if they are this process's own. */
  private final @Nullable TaskSupervisor supervisor;

  /** The owner, if a task that fails harms it; or null. */
  private final @Nullable Pid<?> linked;

  /** In the order of the elements. If that does not matter, only those without an outcome. */
  private final ArrayDeque<Slot<T, R>> slots = new ArrayDeque<>();

  /** If the order does not matter: those with an outcome, as they came. */
  private final ArrayDeque<Slot<T, R>> done = new ArrayDeque<>();

  /** How many tasks have not ended, those that were killed included. */
  private int running;

  private boolean noMore;

  /** What ends the stream before all elements had their turn; null if nothing did yet. */
  private @Nullable Answer<T, R> failure;

  private @Nullable ReplyTo<Answer<T, R>> reader;
  private @Nullable ReplyTo<Boolean> closing;

  private TaskStream(
      Tasks.Step<T, R> step,
      Tasks.StreamOptions options,
      List<Pid<?>> callers,
      @Nullable TaskSupervisor supervisor,
      @Nullable Pid<?> linked) {
    this.step = step;
    this.options = options;
    this.callers = callers;
    this.supervisor = supervisor;
    this.linked = linked;
  }

  static <T, R> Pid<Msg<T, R>> start(
      Task.Owner owner,
      @Nullable TaskSupervisor supervisor,
      Tasks.Step<T, R> step,
      Tasks.StreamOptions options) {
    Self<?> reader = owner.self();
    Pid<?> process = reader == null ? null : reader.pid();
    Pid<?> linked = owner.linkedPid();
    List<Pid<?>> callers = owner.callers();
    return owner
        .spawner()
        .spawn(
            Behavior.<Msg<T, R>>setup(self -> {
              if (process != null) {
                self.monitor(process, Msg.OwnerEnded<T, R>::new);
              }
              return new TaskStream<>(step, options, callers, supervisor, linked);
            }),
            SpawnOptions.<Msg<T, R>>defaults().trappingExits(Msg.GotExit<T, R>::new));
  }

  @Override
  public Behavior<Msg<T, R>> onMessage(Self<Msg<T, R>> self, Msg<T, R> message) {
    switch (message) {
      case Msg.Ask<T, R>(var replyTo) -> reader = replyTo;
      case Msg.Offer<T, R>(T input, var replyTo) -> {
        reader = replyTo;
        begin(self, input);
      }
      case Msg.NoMore<T, R>(var replyTo) -> {
        reader = replyTo;
        noMore = true;
      }
      case Msg.Close<T, R>(var replyTo) -> {
        closing = replyTo;
        killAll();
      }
      case Msg.Ended<T, R>(var slot, Down down) -> ended(slot, down);
      case Msg.Expired<T, R>(var slot) -> expired(slot);
      case Msg.OwnerEnded<T, R>(Down down) -> {
        return Behavior.stop(new ExitReason.Shutdown("its owner " + down.target() + " has ended"));
      }
      case Msg.GotExit<T, R>(Exit exit) -> {
        if (exit.from() == null) { // the node closes, or somebody ends it: its tasks go with it
          return Behavior.stop(exit.reason());
        }
      }
    }
    return answer() ? Behavior.stop(ExitReason.shutdown()) : this;
  }

  private void begin(Self<Msg<T, R>> self, T input) {
    Tasks.Step<T, R> todo = step;
    TaskSupervisor parent = supervisor;
    TaskRun<R> run =
        new TaskRun<>(task -> todo.run(task, input), callers, self.pid(), parent != null);
    Slot<T, R> slot = new Slot<>(input, run);
    try {
      if (parent == null) {
        Monitored<Void> started =
            self.spawnMonitor(
                run, down -> new Msg.Ended<>(slot, down), SpawnOptions.<Void>defaults().linked());
        slot.task = started.pid();
      } else {
        slot.task = parent.spawn(run, Restart.TEMPORARY);
        MonitorRef _ = self.monitor(slot.task, down -> new Msg.Ended<>(slot, down));
      }
    } catch (CallException | IllegalStateException refused) { // or the node closes
      failure = new Answer.Refused<>(refused);
      killAll();
      return;
    }
    slot.timer = self.sendAfter(options.timeout(), new Msg.Expired<>(slot));
    running++;
    slots.addLast(slot);
  }

  private void ended(Slot<T, R> slot, Down down) {
    running--;
    slot.running = false;
    if (slot.timer != null) {
      slot.timer.cancel();
    }
    if (slot.outcome == null) {
      slot.run.ended(Objects.requireNonNull(slot.task), down.reason());
      Outcome<R> outcome = Objects.requireNonNull(slot.run.outcome());
      decided(slot, outcome);
      if (outcome instanceof Outcome.Failed<R>(_, ExitReason reason)
          && linked != null
          && failure == null
          && closing == null) {
        linked.exit(reason instanceof ExitReason.Kill ? ExitReason.killed() : reason);
      }
    }
  }

  private void expired(Slot<T, R> slot) {
    if (slot.outcome != null || slot.run.outcome() != null) {
      return; // it was done just before
    }
    Pid<?> task = Objects.requireNonNull(slot.task);
    switch (options.onTimeout()) {
      case KILL -> {
        task.kill();
        decided(slot, new Outcome.TimedOut<>(task, options.timeout()));
      }
      case EXIT -> {
        failure = new Answer.Exit<>(task);
        killAll();
      }
    }
  }

  private void decided(Slot<T, R> slot, Outcome<R> outcome) {
    slot.outcome = outcome;
    if (!options.ordered() && slots.remove(slot)) {
      done.addLast(slot);
    }
  }

  private void killAll() {
    for (Slot<T, R> slot : slots) {
      if (slot.running) {
        Objects.requireNonNull(slot.task).kill();
      }
    }
  }

  /** Tells the reader what there is to tell; answers whether that was the last. */
  private boolean answer() {
    if (closing != null) {
      if (running == 0) {
        closing.send(true);
      }
      return running == 0;
    }
    ReplyTo<Answer<T, R>> to = reader;
    if (to == null) {
      return false;
    }
    if (failure != null) {
      reader = null;
      to.send(failure);
      return false; // the reader closes
    }
    ArrayDeque<Slot<T, R>> deliverable = options.ordered() ? slots : done;
    Slot<T, R> first = deliverable.peekFirst();
    Outcome<R> ready = first == null ? null : first.outcome;
    int underWay = ready == null ? running : Math.max(running, slots.size() + done.size());
    if (!noMore && underWay < options.concurrency()) {
      reader = null;
      to.send(new Answer.Want<>());
    } else if (first != null && ready != null) {
      reader = null;
      deliverable.removeFirst();
      to.send(new Answer.Got<>(new Tasks.Element<>(first.input, ready)));
    } else if (noMore && slots.isEmpty() && done.isEmpty()) {
      reader = null;
      to.send(new Answer.End<>());
    }
    return false;
  }
}
