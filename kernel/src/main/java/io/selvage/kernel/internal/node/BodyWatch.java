package io.selvage.kernel.internal.node;

import io.selvage.kernel.internal.process.DirectProcess;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.schedule.Milestone;
import io.selvage.kernel.spi.KernelEvent;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that finds direct processes which compute for long on the JDK's scheduler, while others
 * wait for a carrier thread.
 *
 * <p>It starts a virtual thread from time to time. If that gets to run in time, nobody waits and
 * nothing is looked at. If not, all carriers are taken: then the processes on them are looked at
 * twice, and those are told of that have entered the kernel in between not once. So on a machine
 * that is merely busy nobody is blamed. Nothing can be done for those that wait, since the JDK's
 * scheduler takes no thread off its carrier.
 *
 * <p>Costs a direct process one volatile read when it is launched. While none are launched for ten
 * seconds and nobody waits, the watch sleeps: one that begins to compute later is found when the
 * next process is launched.
 */
final class BodyWatch implements Runnable {
  private static final long ASLEEP = Duration.ofHours(1).toNanos();

  /** For how long it looks after the last launch. */
  private static final long ATTENTION = Duration.ofSeconds(10).toNanos();

  private static final int FRAMES = 32;

  private final LocalNode node;
  private final String name;
  private final long period;

  /** How many long bodies there were, by code. Own thread. */
  private final Map<String, Long> counts = new HashMap<>();

  /** Who has been told of since a virtual thread got to run. Own thread. */
  private final Set<Long> told = new HashSet<>();

  /** How often those that held a carrier at the last look had entered the kernel. Own thread. */
  private Map<Long, Integer> entries = new HashMap<>();

  private volatile boolean asleep;
  private volatile boolean closed;
  private volatile boolean answered;

  private final Thread thread;

  /**
   * A watch that has no thread yet.
   *
   * @param node its node
   * @param name the name of the node
   * @param period how long a virtual thread may wait before somebody is to blame; nanoseconds
   */
  BodyWatch(LocalNode node, String name, long period) {
    this.node = node;
    this.name = name;
    this.period = period;
    this.thread = Thread.ofPlatform().daemon().name("selvage-" + name + "-bodies").unstarted(this);
  }

  /** Called when a direct process has been launched. */
  void launched() {
    if (asleep) {
      asleep = false;
      LockSupport.unpark(thread);
    }
  }

  void start() {
    thread.start();
  }

  void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    long seen = 0;
    long quiet = ATTENTION;
    while (!closed) {
      asleep = true;
      VarHandle.fullFence(); // a launcher adds to the table, then reads asleep
      long added = node.table().added();
      if (added == seen && quiet >= ATTENTION) {
        LockSupport.parkNanos(this, ASLEEP);
      }
      asleep = false;
      quiet = added == seen ? quiet + period : 0;
      seen = added;
      LockSupport.parkNanos(this, period);
      try {
        probe();
      } catch (Throwable failure) {
        node.fault("watching direct processes", failure);
      }
    }
  }

  private void probe() {
    answered = false;
    told.clear();
    entries = new HashMap<>();
    Thread.ofVirtual()
        .name("selvage-" + name + "-probe")
        .start(() -> {
          answered = true;
          LockSupport.unpark(thread);
        });
    long begun = System.nanoTime();
    long waited = 0;
    while (!answered && !closed) {
      if (waited >= period) {
        long elapsed = waited;
        Map<Long, Integer> before = entries;
        entries = new HashMap<>();
        node.table().walk(process -> look(process, before, elapsed));
      }
      LockSupport.parkNanos(this, period);
      waited = System.nanoTime() - begun;
    }
  }

  private void look(LocalProcess<?> process, Map<Long, Integer> before, long elapsed) {
    if (process instanceof DirectProcess<?> direct && direct.holdsCarrier()) {
      int now = direct.kernelEntries();
      entries.put(direct.id(), now);
      Integer then = before.get(direct.id());
      if (then != null && then == now && told.add(direct.id())) {
        tell(direct, elapsed);
      }
    }
  }

  private void tell(DirectProcess<?> direct, long elapsed) {
    StackTraceElement[] stack = direct.stack();
    String body = node.origins().initialCall(direct);
    long count = counts.merge(body, 1L, Long::sum);
    if (Milestone.isReached(count)) {
      node.emit(
          new KernelEvent.LongBody(
              direct,
              body,
              Duration.ofNanos(elapsed),
              List.of(stack).subList(0, Math.min(stack.length, FRAMES)),
              count));
    }
  }
}
