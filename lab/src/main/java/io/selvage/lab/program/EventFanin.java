package io.selvage.lab.program;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Fan-in of event processes. */
public final class EventFanin {
  private record Go() {}

  private static final Go GO = new Go();

  /** A handler is short, so that others get their turn: then the sender tells itself to go on. */
  private static final int AT_ONCE = 1000;

  private EventFanin() {}

  private static final class Receiver implements Behavior<Long> {
    private final CompletableFuture<Long> total;
    private long missing;
    private long sum;

    Receiver(long messages, CompletableFuture<Long> total) {
      this.missing = messages;
      this.total = total;
    }

    @Override
    public Behavior<Long> onMessage(Self<Long> self, Long number) {
      sum += number;
      missing--;
      if (missing > 0) {
        return this;
      }
      total.complete(sum);
      return Behavior.stop();
    }
  }

  private static final class Sender implements Behavior<Go> {
    private final Pid<Long> receiver;
    private final long messages;
    private long sent;

    Sender(Pid<Long> receiver, long messages) {
      this.receiver = receiver;
      this.messages = messages;
    }

    @Override
    public Behavior<Go> onMessage(Self<Go> self, Go go) {
      for (long end = Math.min(messages, sent + AT_ONCE); sent < end; sent++) {
        receiver.send(sent);
      }
      if (sent == messages) {
        return Behavior.stop();
      }
      self.pid().send(go);
      return this;
    }
  }

  private static FaninMeasurement.Received run(Node node, int senders, int messages) {
    CompletableFuture<Long> total = new CompletableFuture<>();
    Pid<Long> receiver = node.spawn(new Receiver((long) senders * messages, total));
    List<Pid<Go>> all = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      all.add(node.spawn(new Sender(receiver, messages)));
    }

    long start = System.nanoTime();
    all.forEach(sender -> sender.send(GO));
    long sum = total.join();
    return new FaninMeasurement.Received(System.nanoTime() - start, sum);
  }

  /**
   * Runs the program.
   *
   * @param args {@code senders=…}, {@code messages=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          try (Node node = Nodes.start(false)) {
            return FaninMeasurement.measure(
                arguments, (senders, messages) -> run(node, senders, messages));
          }
        });
  }
}
