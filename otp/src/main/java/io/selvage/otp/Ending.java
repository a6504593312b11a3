package io.selvage.otp;

import io.selvage.kernel.CallException;
import io.selvage.kernel.Down;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Ends processes and waits until they have ended. A process of its own does the waiting, so that an
 * event process, which can not receive in the middle of a handler, needs only a call.
 */
final class Ending {
  /** How long processes that were killed may take to end. */
  private static final Duration KILLED = Duration.ofSeconds(1);

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
    Pid<Msg> waiter =
        node.spawn(self -> {
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
    all.forEach(each -> each.exit(reason)); // by the parent, whom a behaviour obeys
    try {
      return waiter.call(Msg.Begin::new, Sys.FOREVER);
    } catch (CallException nodeCloses) { // which ends them all
      return Result.IN_ORDER;
    }
  }
}
