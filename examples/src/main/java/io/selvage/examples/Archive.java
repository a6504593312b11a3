package io.selvage.examples;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.HeapGuard;
import io.selvage.kernel.Marks;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.SpawnOptions;
import java.time.Duration;

/** The guide's slow process: an archive that many meters send more than it can store. */
public final class Archive {
  private Archive() {}

  private static final Duration MINUTE = Duration.ofMinutes(1);

  sealed interface Msg {
    record Store(int reading) implements Msg {}

    record Stored(ReplyTo<Integer> replyTo) implements Msg {}
  }

  static Behavior<Msg> archive() {
    int[] stored = {0};
    return (self, message) -> {
      switch (message) {
        case Msg.Store _ -> {
          write();
          stored[0]++;
        }
        case Msg.Stored(var replyTo) -> replyTo.send(stored[0]);
      }
      return Behavior.same();
    };
  }

  /** Twenty microseconds on a slow disk. */
  private static void write() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < 20_000) {
      Thread.onSpinWait();
    }
  }

  static Behavior<Integer> meter(Pid<Msg> archive, int readings) {
    return (self, reading) -> {
      archive.send(new Msg.Store(reading));
      if (reading < readings) {
        self.pid().send(reading + 1);
      }
      return Behavior.same();
    };
  }

  static String offer(Pid<Msg> archive, int reading) {
    return switch (archive.trySend(new Msg.Store(reading))) {
      case SENT -> "sent";
      case REFUSED -> "it has too much to do: show the last reading instead";
      case ENDED -> "there is no archive";
    };
  }

  static Node smallNode() {
    return Node.start(NodeOptions.defaults().withMarks(Marks.at(200)));
  }

  static Node guardedNode() {
    return Node.start(
        NodeOptions.defaults().withHeapGuard(HeapGuard.defaults().withShares(0.7, 0.5)));
  }

  static Pid<Msg> patientArchive(Node node) {
    return node.spawn(
        archive(),
        SpawnOptions.<Msg>defaults().withMarks(Marks.at(50_000).withBound(Duration.ofSeconds(5))));
  }

  /** Prints what was stored, and that somebody had to wait. */
  public static void main(String[] args) {
    int meters = 8;
    int readings = 2_500;
    try (Node node = smallNode()) {
      Pid<Msg> archive = node.spawn(archive());
      for (int i = 0; i < meters; i++) {
        node.spawn(meter(archive, readings)).send(1);
      }
      int stored = 0;
      while (stored < meters * readings) {
        stored = archive.call(Msg.Stored::new, MINUTE);
      }
      System.out.println("stored: " + stored);
      System.out.println("meters were held back: " + (node.stats().mutes() > 0));
      System.out.println("one more: " + offer(archive, 0));
      Pid<Msg> patient = patientArchive(node);
      System.out.println(
          "marks of the other: " + node.info(patient, 0).orElseThrow().marks().high());
    }
    try (Node node = guardedNode()) {
      System.out.println("heap mark: " + node.stats().heapMark());
    }
  }
}
