package io.selvage.otp;

import io.selvage.kernel.CallException;
import io.selvage.kernel.Down;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.spi.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Ends processes and waits until they have ended. A process of its own does the waiting, so that an
 * event process, which can not receive in the middle of a handler, needs only a call.
 */
final class Ending {
  /** How long processes that were killed may take to end. */
  private static final Duration KILLED = Duration.ofSeconds(1);

  /** How often it is looked whether they have, while the node closes. */
  private static final Duration LOOK = Duration.ofMillis(1);

  private sealed interface Msg {
    record Begin(ReplyTo<Result> replyTo) implements Msg {}

    record Ended(Down down) implements Msg {}
  }

  /**
   * How it went.
   *
   * @param killed those that had to be killed
   * @param running those of them that have not ended even so
   */
  record Result(List<Pid<?>> killed, List<Pid<?>> running) {
    static final Result IN_ORDER = new Result(List.of(), List.of());
  }

  private Ending() {}

  /**
   * Ends children of the calling process, all at once: first by a signal, then by {@link
   * ExitReason.Kill}.
   *
   * @param timeout how long they may take before they are killed
   * @return which were killed, and which have not ended a second after that
   */
  static Result of(
      Node node, Collection<? extends Pid<?>> processes, ExitReason reason, Duration timeout) {
    if (processes.isEmpty()) {
      return Result.IN_ORDER;
    }
    List<Pid<?>> all = List.copyOf(processes);
    Deadline begun = Deadline.in(timeout);
    Pid<Msg> waiter;
    try {
      waiter = spawnWaiter(node, all, timeout);
    } catch (IllegalStateException refused) {
      if (!node.isClosing()) {
        throw refused;
      }
      all.forEach(each -> each.exit(reason));
      return whileNodeCloses(all, begun);
    }
    all.forEach(each -> each.exit(reason)); // by the parent, whom a behaviour obeys
    try {
      return waiter.call(Msg.Begin::new, Sys.FOREVER);
    } catch (CallException ended) { // with all others: the node closes
      return whileNodeCloses(all, begun);
    }
  }

  private static Pid<Msg> spawnWaiter(Node node, List<Pid<?>> all, Duration timeout) {
    return node.spawn(self -> {
      Msg.Begin begin = self.receive(Msg.Begin.class);
      Map<MonitorRef, Pid<?>> alive = new LinkedHashMap<>();
      for (Pid<?> each : all) {
        alive.put(self.monitor(each, Msg.Ended::new), each);
      }
      Deadline orderly = Deadline.in(timeout);
      while (!alive.isEmpty()
          && self.receive(Msg.Ended.class, orderly.left()) instanceof Msg.Ended(Down down)) {
        alive.remove(down.monitor());
      }
      List<Pid<?>> killed = List.copyOf(alive.values());
      killed.forEach(Pid::kill);
      Deadline last = Deadline.in(KILLED);
      while (!alive.isEmpty()
          && self.receive(Msg.Ended.class, last.left()) instanceof Msg.Ended(Down down)) {
        alive.remove(down.monitor());
      }
      begin.replyTo().send(new Result(killed, List.copyOf(alive.values())));
    });
  }

  // ---------------------------------------------------------------- while the node closes

  /**
   * Does the same where no process can be spawned to be told of the ends. The node ends them all,
   * too, and whoever waits here with them.
   */
  private static Result whileNodeCloses(List<Pid<?>> all, Deadline orderly) {
    List<Pid<?>> alive = new ArrayList<>(all);
    awaitEnd(alive, orderly.left());
    List<Pid<?>> killed = List.copyOf(alive);
    killed.forEach(Pid::kill);
    awaitEnd(alive, KILLED);
    return new Result(killed, List.copyOf(alive));
  }

  /**
   * Waits, and takes out those that have ended. A thread looks after them meanwhile, since a clock
   * that is moved by hand would not wake the waiter to look for itself.
   */
  private static void awaitEnd(List<Pid<?>> alive, Duration time) {
    BooleanSupplier over =
        () -> {
          alive.removeIf(each -> !each.isAlive());
          return alive.isEmpty();
        };
    if (over.getAsBoolean()) {
      return;
    }
    Waiter waiter = Waiter.current();
    List<Pid<?>> looked = List.copyOf(alive);
    Thread look =
        Thread.startVirtualThread(() -> {
          try {
            while (looked.stream().anyMatch(Pid::isAlive)) {
              Thread.sleep(LOOK);
            }
            waiter.wake();
          } catch (InterruptedException waitIsOver) {
            Thread.currentThread().interrupt();
          }
        });
    try {
      boolean _ = waiter.await(over, time.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      look.interrupt();
    }
  }
}
