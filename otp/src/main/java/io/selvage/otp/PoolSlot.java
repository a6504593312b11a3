package io.selvage.otp;

import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The place of one worker in a pool; workers in it come and go. The pool's own. */
final class PoolSlot<M> {
  /** Its number, by which keys find it. */
  final int index;

  @Nullable Pid<M> worker;
  private long since;

  /** How many calls the worker has not answered. */
  int calls;

  Pool.@Nullable Ticket lease;
  @Nullable MonitorRef ownerMonitor;

  /** The worker was told to end. */
  boolean ending;

  /** The worker was killed, or is found to have ended; the news of its end is on its way. */
  boolean gone;

  /** How long its start was put off last. */
  Duration pause = Duration.ZERO;

  /** Of a start that is put off, or of the time that a worker has to end. */
  @Nullable Timer timer;

  PoolSlot(int index) {
    this.index = index;
  }

  void started(Pid<M> pid, long now) {
    worker = pid;
    since = now;
  }

  /** The worker has ended; answers whether it had lived for a time. */
  boolean ended(long now, long nanos) {
    cancelTimer();
    worker = null;
    calls = 0;
    lease = null;
    ownerMonitor = null;
    ending = false;
    gone = false;
    return now - since >= nanos;
  }

  void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** Whether others may use the worker. */
  boolean isAvailable() {
    return worker != null && lease == null && !ending && !gone;
  }
}
