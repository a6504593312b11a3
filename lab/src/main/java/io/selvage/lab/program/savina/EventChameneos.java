package io.selvage.lab.program.savina;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.lab.program.Report;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A mall and creatures that are event processes. */
public final class EventChameneos {
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

  private EventChameneos() {}

  private static final class CreatureBehavior implements Behavior<Creature> {
    private final Pid<Mall> mall;
    private Color color;
    private int meetings;

    private CreatureBehavior(Pid<Mall> mall, Color color) {
      this.mall = mall;
      this.color = color;
    }

    static Behavior<Creature> of(Pid<Mall> mall, Color color) {
      return Behavior.setup(self -> {
        mall.send(new Mall.Enter(self.pid(), color));
        return new CreatureBehavior(mall, color);
      });
    }

    @Override
    public Behavior<Creature> onMessage(Self<Creature> self, Creature message) {
      switch (message) {
        case Creature.Meet(var other, var otherColor) -> {
          become(self, color.complement(otherColor));
          other.send(new Creature.Change(color));
        }
        case Creature.Change(var newColor) -> become(self, newColor);
        case Creature.Stop _ -> {
          mall.send(new Mall.Left(meetings));
          return Behavior.stop();
        }
      }
      return this;
    }

    private void become(Self<Creature> self, Color newColor) {
      color = newColor;
      meetings++;
      mall.send(new Mall.Enter(self.pid(), color));
    }
  }

  private static final class MallBehavior implements Behavior<Mall> {
    private final int creatures;
    private int meetingsLeft;
    private @Nullable Pid<Creature> waiting;
    private @Nullable ReplyTo<Long> replyTo;
    private int gone;
    private long meetings;

    MallBehavior(int meetings, int creatures) {
      this.meetingsLeft = meetings;
      this.creatures = creatures;
    }

    @Override
    public Behavior<Mall> onMessage(Self<Mall> self, Mall message) {
      switch (message) {
        case Mall.Open open -> {
          replyTo = open.replyTo;
          IntStream.range(0, creatures)
              .forEach(i -> self.spawn(CreatureBehavior.of(self.pid(), Color.of(i))));
        }
        case Mall.Enter(var creature, var _) when meetingsLeft == 0 -> creature.send(STOP);
        case Mall.Enter(var creature, var color) -> {
          if (waiting == null) {
            waiting = creature;
          } else {
            waiting.send(new Creature.Meet(creature, color));
            waiting = null;
            meetingsLeft--;
          }
        }
        case Mall.Left(var its) -> {
          gone++;
          meetings += its;
          if (gone == creatures && replyTo != null) {
            replyTo.send(meetings);
            return Behavior.stop();
          }
        }
      }
      return this;
    }
  }

  private static long run(Node node, int meetings, int creatures) {
    Pid<Mall> mall = node.spawn(new MallBehavior(meetings, creatures));
    return mall.call(Mall.Open::new, Measurement.LONG);
  }

  /**
   * Runs the program.
   *
   * @param args {@code meetings=…}, {@code creatures=…}
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
