package io.selvage.otp;

import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessEndedError;
import io.selvage.kernel.ProcessKey;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the process of a task does, and the place where its outcome is found.
 *
 * <p>A result is published by the task itself, once its link is gone; any other end by its {@link
 * TaskGuard}, which learns the reason. So the outcome is there before the guard ends, and whoever
 * finds the guard gone looks here.
 *
 * @param <R> the result
 */
final class TaskRun<R> implements Body<Void> {
  /** Where a task keeps its callers. */
  static final ProcessKey<List<Pid<?>>> CALLERS = ProcessKey.named("callers");

  private final Task.Code<R> code;
  private final List<Pid<?>> callers;

  /** Whom the task is linked with, or null; a spawn by the owner has made the link already. */
  private final @Nullable Pid<?> linked;

  /** Whether the task makes the link itself, because its owner has not spawned it. */
  private final boolean makesLink;

  /** What the code threw; for a guard that came too late to be told. Written by the task. */
  private volatile @Nullable ExitReason failure;

  /** Written by the task or its guard; read by the owner. */
  private volatile @Nullable Outcome<R> outcome;

  TaskRun(Task.Code<R> code, List<Pid<?>> callers, @Nullable Pid<?> linked, boolean makesLink) {
    this.code = Objects.requireNonNull(code, "code");
    this.callers = callers;
    this.linked = linked;
    this.makesLink = makesLink;
  }

  @Nullable Outcome<R> outcome() {
    return outcome;
  }

  @Override
  public void run(DirectSelf<Void> self) throws Exception {
    if (linked != null && makesLink) {
      linkOrEnd(self, linked);
    }
    if (!callers.isEmpty()) {
      List<Pid<?>> _ = self.put(CALLERS, callers);
    }
    try {
      R result = code.run(self);
      if (result == null) {
        throw new NullPointerException(
            "the code of a task answered null instead of a result: answer a value, or use"
                + " Task.start for code that has none");
      }
      if (linked != null) {
        self.unlink(linked); // else an owner that traps exits is told of the end
      }
      outcome = new Outcome.Replied<>(result);
    } catch (ProcessEndedError ended) {
      throw ended;
    } catch (Throwable thrown) { // noted and passed on
      failure = thrown instanceof ExitException exit ? exit.reason() : new ExitReason.Crash(thrown);
      throw thrown;
    }
  }

  private static void linkOrEnd(DirectSelf<Void> self, Pid<?> owner) {
    try {
      self.link(owner);
    } catch (ExitException gone) {
      throw new ExitException(new ExitReason.Shutdown("its owner " + owner + " has ended"));
    }
  }

  /** The task has ended; called by its guard. */
  void ended(Pid<?> task, ExitReason reason) {
    if (outcome == null) {
      ExitReason noted = failure;
      outcome =
          new Outcome.Failed<>(
              task, reason instanceof ExitReason.NoProc && noted != null ? noted : reason);
    }
  }
}
