package io.selvage.otp;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Down;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.Spawner;
import org.jspecify.annotations.Nullable;

/**
 * Watches a task for its owner: learns why it ended, tells the owner when it waits, and ends a
 * linked task whose owner has ended, also with {@code normal}, which a link does not pass on.
 *
 * <p>It is a process of its own so that nothing of a task ever comes to the owner's mailbox, and
 * waiting is an ordinary call, which an event process may make, too. It ends with the task.
 */
final class TaskGuard implements Behavior<TaskGuard.Msg> {
  sealed interface Msg {
    record TaskEnded(Down down) implements Msg {}

    record OwnerEnded(Down down) implements Msg {}

    /** The owner waits for the end. A later wait stands in for an earlier one. */
    record Wait(ReplyTo<Boolean> replyTo) implements Msg {}

    /** End the task. By the guard, since its monitor arrives before: so the reason is known. */
    record End(ExitReason reason) implements Msg {}

    /** Nobody wants the outcome, and the owner's end is not the task's any more. */
    record Release() implements Msg {}
  }

  private final TaskRun<?> run;
  private final Pid<?> task;
  private @Nullable ReplyTo<Boolean> waiting;

  private TaskGuard(TaskRun<?> run, Pid<?> task) {
    this.run = run;
    this.task = task;
  }

  /**
   * Starts one.
   *
   * @param owner the process whose end is that of the task, or null
   */
  static Pid<Msg> start(Spawner spawner, TaskRun<?> run, Pid<?> task, @Nullable Pid<?> owner) {
    return spawner.spawn(
        Behavior.<Msg>setup(self -> {
          self.monitor(task, Msg.TaskEnded::new);
          if (owner != null) {
            self.monitor(owner, Msg.OwnerEnded::new);
          }
          return new TaskGuard(run, task);
        }));
  }

  @Override
  public Behavior<Msg> onMessage(Self<Msg> self, Msg message) {
    switch (message) {
      case Msg.TaskEnded(Down down) -> {
        run.ended(task, down.reason());
        if (waiting != null) {
          waiting.send(true);
        }
        return Behavior.stop();
      }
      case Msg.OwnerEnded(Down down) ->
          task.exit(new ExitReason.Shutdown("its owner " + down.target() + " has ended"));
      case Msg.Wait(var replyTo) -> waiting = replyTo;
      case Msg.End(ExitReason reason) -> task.exit(reason);
      case Msg.Release() -> {
        return Behavior.stop();
      }
    }
    return this;
  }
}
