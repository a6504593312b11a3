package io.selvage.lab.program.savina;

import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.lab.program.Report;
import java.util.stream.IntStream;

/** A mall and creatures that are direct processes. */
public final class DirectChameneos {
  private sealed interface Mall {
    /** Begin. */
    record Open(ReplyTo<Long> replyTo) implements Mall {}

    /** A creature wants to meet another. */
    record Enter(Pid<Creature> creature, Color color) implements Mall {}

    /** A creature has been told to stop. */
    record Left(int meetings) implements Mall {}
  }

  private sealed interface Creature {
    /** You were there first: this other one has come. */
    record Meet(Pid<Creature> other, Color color) implements Creature {}

    /** The one you met tells what you both become. */
    record Change(Color color) implements Creature {}

    record Stop() implements Creature {}
  }

  private static final Creature STOP = new Creature.Stop();

  private DirectChameneos() {}

  private static Body<Creature> creature(Pid<Mall> mall, Color first) {
    return self -> {
      Color color = first;
      int meetings = 0;
      while (true) {
        mall.send(new Mall.Enter(self.pid(), color));
        switch (self.receive()) {
          case Creature.Meet(var other, var otherColor) -> {
            color = color.complement(otherColor);
            other.send(new Creature.Change(color));
          }
          case Creature.Change(var newColor) -> color = newColor;
          case Creature.Stop _ -> {
            mall.send(new Mall.Left(meetings));
            return;
          }
        }
        meetings++;
      }
    };
  }

  private static void mall(DirectSelf<Mall> self, int meetings, int creatures) {
    Mall.Open open = self.receive(Mall.Open.class);
    IntStream.range(0, creatures).forEach(i -> self.spawn(creature(self.pid(), Color.of(i))));
    for (int i = 0; i < meetings; i++) {
      Mall.Enter first = self.receive(Mall.Enter.class);
      Mall.Enter second = self.receive(Mall.Enter.class);
      first.creature().send(new Creature.Meet(second.creature(), second.color()));
    }
    for (int i = 0; i < creatures; i++) {
      self.receive(Mall.Enter.class).creature().send(STOP);
    }
    long counted = 0;
    for (int i = 0; i < creatures; i++) {
      counted += self.receive(Mall.Left.class).meetings();
    }
    open.replyTo().send(counted);
  }

  private static long run(Node node, int meetings, int creatures) {
    Pid<Mall> mall = node.spawn(self -> mall(self, meetings, creatures));
    return mall.call(Mall.Open::new, Measurement.LONG);
  }

  /**
   * Runs the program.
   *
   * @param args {@code meetings=…}, {@code creatures=…}, {@code workers=true} to run on the node's
   *     own workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int meetings = arguments.count("meetings");
          int creatures = arguments.count("creatures");
          return Measurement.onNode(
              arguments, "meetings", 2L * meetings, node -> run(node, meetings, creatures));
        });
  }
}
