package io.selvage.kernel.internal.process;

import io.selvage.kernel.internal.time.TimerNode;
import io.selvage.kernel.internal.time.TimerWheel;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import org.jspecify.annotations.Nullable;

/**
 * A message that a process sends to itself again and again.
 *
 * <pre>
 *   in the wheel ── due: push a tick ──► resting ── the process takes the tick ──► in the wheel
 * </pre>
 *
 * <p>It goes back into the wheel only when its tick has been taken. So at most one tick waits in
 * the mailbox, however slow the process is and however long the machine was asleep, and a process
 * that does not read costs the timer thread nothing.
 *
 * <p>Each tick is a signal of its own: the timer itself cannot be pushed twice, since it may still
 * lie at the bottom of the inbox when it is due again (a fetched signal stays there until the
 * process waits). The next tick is made by the process, so that the timer thread never needs
 * memory.
 *
 * <p>Rejected: pushing from the wheel at each period and counting the missed ones in the message.
 * It is what makes mailboxes grow when a process is slow, or asks every user to compare numbers.
 */
final class Periodic extends TimerNode {
  private final LocalProcess<?> process;
  private final Object message;
  private final long period;

  /** At a fixed rate, when the next tick should be; else -1. Process's thread only. */
  private long grid;

  /** What the next firing pushes. Written by the process before the timer is set. */
  private Tick upcoming;

  /**
   * A timer that has not been set.
   *
   * @param process whose it is
   * @param message what it sends
   * @param period nanoseconds from one to the next
   * @param fixedRate whether the ticks keep to a grid; otherwise the period begins when a tick is
   *     taken
   */
  Periodic(LocalProcess<?> process, Object message, long period, boolean fixedRate) {
    this.process = process;
    this.message = message;
    this.period = period;
    this.grid = fixedRate ? process.node.wheel().now() : -1;
    this.upcoming = new Tick(this);
  }

  /** Sets it for the first time. */
  Periodic start() {
    if (grid >= 0) {
      grid = TimerWheel.later(grid, period);
      return wheel().scheduleAt(grid, this);
    }
    return wheel().schedule(period, this);
  }

  @Override
  protected LocalProcess<?> owner() {
    return process;
  }

  @Override
  protected TimerWheel wheel() {
    return process.node.wheel();
  }

  @Override
  protected boolean repeats() {
    return true;
  }

  @Override
  protected void fire() {
    if (!process.push(upcoming, null)) {
      process.node.deadLetter(process, Way.TIMER, process, message, Cause.ENDED, false);
    }
  }

  private void taken() {
    upcoming = new Tick(this);
    long now = wheel().now();
    if (grid < 0) {
      wheel().again(TimerWheel.later(now, period), this);
      return;
    }
    long missed = Math.max(0, now - grid) / period;
    grid = TimerWheel.later(grid + missed * period, period);
    wheel().again(grid, this);
  }

  /** One sending. */
  static final class Tick extends Signal {
    private @Nullable Periodic timer;
    private final LocalProcess<?> process;
    private final Object message;

    Tick(Periodic timer) {
      this.timer = timer;
      this.process = timer.process;
      this.message = timer.message;
    }

    @Override
    protected LocalProcess<?> sender() {
      return process;
    }

    @Override
    protected Way way() {
      return Way.TIMER;
    }

    @Override
    protected void act(LocalProcess<?> self) {
      self.unread(this);
    }

    @Override
    protected boolean isMessage() {
      return true;
    }

    @Override
    protected Object look(LocalProcess<?> self) {
      return message;
    }

    @Override
    protected Object shown() {
      return message;
    }

    @Override
    protected Object payload(LocalProcess<?> self) {
      Periodic each = timer;
      if (each != null) {
        timer = null;
        each.taken();
      }
      return message;
    }
  }
}
