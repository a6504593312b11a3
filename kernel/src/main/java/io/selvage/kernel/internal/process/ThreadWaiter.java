package io.selvage.kernel.internal.process;

import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.internal.schedule.Spin;
import io.selvage.kernel.internal.time.TimerNode;
import io.selvage.kernel.internal.time.TimerWheel;
import io.selvage.kernel.spi.Scheduler;
import io.selvage.kernel.spi.Waiter;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for something outside the kernel.
 *
 * <p>A process waits by untimed parks and an alarm of its node's wheel, never by timed parks: JDK
 * 25.0.0 to 25.0.2 may lose the unpark of a virtual thread that mixes the two. A thread that runs
 * no process has no wheel, and so is parked with the time.
 */
public final class ThreadWaiter implements Waiter {
  private final Thread thread;
  private final @Nullable Runner runner;

  /** The process that the thread runs, or null. */
  private final @Nullable LocalProcess<?> process;

  private ThreadWaiter(@Nullable Runner runner) {
    this.thread = Thread.currentThread();
    this.runner = runner;
    this.process = runner == null ? null : runner.process;
  }

  /** See {@link Waiter#current}. */
  public static ThreadWaiter current() {
    return new ThreadWaiter(Runner.current());
  }

  /** See {@link Waiter#checkpoint}. */
  public static void checkpoint() {
    Runner runner = Runner.current();
    if (runner == null) {
      StackReserve.ensure();
      return;
    }
    StackReserve.ensure(runner);
    LocalProcess<?> process = runner.process;
    if (process != null) {
      process.checkSignals();
    }
  }

  @Override
  public void wake() {
    if (process == null) {
      LockSupport.unpark(thread);
    } else {
      process.node.threads().unpark(thread);
    }
  }

  @Override
  public long nanoTime() {
    return process == null ? System.nanoTime() : process.node.nanoTime();
  }

  @Override
  public boolean await(BooleanSupplier over, long nanos) throws InterruptedException {
    return await(over, nanos, false);
  }

  @Override
  public boolean awaitRoom(BooleanSupplier over, long nanos) throws InterruptedException {
    return await(over, nanos, true);
  }

  private boolean await(BooleanSupplier over, long nanos, boolean forRoom)
      throws InterruptedException {
    if (nanos != 0 && soon(over)) {
      return true;
    }
    if (process == null || runner == null) {
      return awaitOutside(over, nanos);
    }
    if (nanos == 0) {
      return over.getAsBoolean();
    }
    Alarm alarm =
        nanos == FOR_EVER ? null : process.node.wheel().schedule(nanos, new Alarm(this, process));
    try {
      return awaitInProcess(process, runner, over, alarm, forRoom);
    } finally {
      if (alarm != null) {
        alarm.cancel();
      }
    }
  }

  /** Whether it holds within a moment, so that the thread need not park. */
  private static boolean soon(BooleanSupplier over) {
    long start = Spin.start();
    do {
      if (over.getAsBoolean()) {
        return true;
      }
    } while (Spin.goesOn(start));
    return false;
  }

  private boolean awaitInProcess(
      LocalProcess<?> self, Runner by, BooleanSupplier over, @Nullable Alarm alarm, boolean forRoom)
      throws InterruptedException {
    Scheduler blocked = by.holdsWorker() ? self.node.scheduler() : null;
    // A direct process is woken by an interrupt; a handler is, only if it says that it waits.
    Extras told = self instanceof EventProcess ? self.extras() : null;
    if (told != null) {
      told.waiter = thread;
    }
    if (!forRoom) {
      self.beginWaitElsewhere();
    }
    try {
      if (blocked != null) {
        blocked.beforeBlock();
      }
      try {
        while (!over.getAsBoolean()) {
          if (alarm != null && alarm.rang) {
            return false;
          }
          self.checkSignals();
          self.node.threads().park(this);
          if (self.foreignInterrupt()) {
            throw new InterruptedException();
          }
        }
        return true;
      } finally {
        if (blocked != null) {
          blocked.afterBlock();
        }
      }
    } finally {
      if (!forRoom) {
        self.endWaitElsewhere();
      }
      if (told != null) {
        told.waiter = null;
      }
    }
  }

  @Override
  public End awaitOrMessage(DirectSelf<?> self, BooleanSupplier over, long nanos)
      throws InterruptedException {
    DirectProcess<?> mine = (DirectProcess<?>) self;
    mine.ensureRunning();
    Alarm alarm = nanos > 0 ? mine.node.wheel().schedule(nanos, new Alarm(this, mine)) : null;
    long start = Spin.start();
    boolean looks = true;
    try {
      while (!over.getAsBoolean()) {
        mine.fetch();
        mine.checkFate();
        if (mine.unread != null) {
          return End.MESSAGE;
        }
        if (nanos == 0 || (alarm != null && alarm.rang)) {
          return End.TIME;
        }
        if (looks && Spin.goesOn(start)) {
          continue;
        }
        looks = false;
        if (mine.beginWait()) {
          parkUntilMessage(mine, over, alarm);
        }
      }
      return End.CONDITION;
    } finally {
      if (alarm != null) {
        alarm.cancel();
      }
    }
  }

  /** After {@link LocalProcess#beginWait}, which this undoes. */
  private void parkUntilMessage(DirectProcess<?> mine, BooleanSupplier over, @Nullable Alarm alarm)
      throws InterruptedException {
    boolean interrupted = false;
    while (!interrupted
        && mine.stillWaits()
        && !over.getAsBoolean()
        && (alarm == null || !alarm.rang)) {
      mine.node.threads().park(mine); // observers see that it waits for its mailbox
      interrupted = Thread.interrupted();
    }
    if (mine.stillWaits()) {
      boolean _ = mine.endWait(); // if something has come just now, the next fetch finds it
    }
    if (interrupted) {
      Thread.currentThread().interrupt(); // an exit signal that has brought it takes it back
      if (mine.foreignInterrupt()) {
        throw new InterruptedException();
      }
    }
  }

  private boolean awaitOutside(BooleanSupplier over, long nanos) throws InterruptedException {
    long start = System.nanoTime();
    while (!over.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (nanos == FOR_EVER) {
        LockSupport.park(this);
      } else {
        long left = nanos - (System.nanoTime() - start);
        if (left <= 0) {
          return false;
        }
        LockSupport.parkNanos(this, left);
      }
    }
    return true;
  }

  /** Ends a wait after a time. */
  private static final class Alarm extends TimerNode {
    private final ThreadWaiter waiter;
    private final LocalProcess<?> process;
    private volatile boolean rang;

    Alarm(ThreadWaiter waiter, LocalProcess<?> process) {
      this.waiter = waiter;
      this.process = process;
    }

    @Override
    protected TimerWheel wheel() {
      return process.node.wheel();
    }

    @Override
    protected void fire() {
      rang = true;
      waiter.wake();
    }

    @Override
    protected void closed() {
      fire();
    }
  }
}
