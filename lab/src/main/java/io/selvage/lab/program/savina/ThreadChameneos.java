package io.selvage.lab.program.savina;

import io.selvage.lab.program.Arguments;
import io.selvage.lab.program.Mailbox;
import io.selvage.lab.program.Report;
import io.selvage.lab.program.Threads;
import java.util.function.Supplier;

/** A mall and creatures that are threads. */
public final class ThreadChameneos {
  private sealed interface Mall {
    /** A creature wants to meet another. */
    record Enter(Mailbox<Creature> creature, Color color) implements Mall {}

    /** A creature has been told to stop. */
    record Left(int meetings) implements Mall {}
  }

  private sealed interface Creature {
    /** You were there first: this other one has come. */
    record Meet(Mailbox<Creature> other, Color color) implements Creature {}

    /** The one you met tells what you both become. */
    record Change(Color color) implements Creature {}

    record Stop() implements Creature {}
  }

  private static final Creature STOP = new Creature.Stop();

  private ThreadChameneos() {}

  private static void creature(Mailbox<Creature> mailbox, Mailbox<Mall> mall, Color first) {
    Color color = first;
    int meetings = 0;
    while (true) {
      mall.send(new Mall.Enter(mailbox, color));
      switch (mailbox.receive()) {
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
  }

  private static void mall(
      Arguments arguments,
      Thread.Builder threads,
      int meetings,
      int creatures,
      Mailbox<Long> result) {
    Mailbox<Mall> mailbox = Mailbox.<Mall>kind(arguments).get();
    Supplier<Mailbox<Creature>> mailboxes = Mailbox.kind(arguments);
    for (int i = 0; i < creatures; i++) {
      Color color = Color.of(i);
      threads.start(() -> creature(mailboxes.get(), mailbox, color));
    }
    for (int i = 0; i < meetings; i++) {
      Mall.Enter first = enter(mailbox);
      Mall.Enter second = enter(mailbox);
      first.creature.send(new Creature.Meet(second.creature, second.color));
    }
    long counted = 0;
    int left = 0;
    while (left < creatures) {
      switch (mailbox.receive()) {
        case Mall.Enter(var creature, var _) -> creature.send(STOP);
        case Mall.Left(var its) -> {
          counted += its;
          left++;
        }
      }
    }
    result.send(counted);
  }

  private static Mall.Enter enter(Mailbox<Mall> mailbox) {
    if (mailbox.receive() instanceof Mall.Enter enter) {
      return enter;
    }
    throw new IllegalStateException("a creature left before it was told to");
  }

  private static long run(
      Arguments arguments, Thread.Builder threads, int meetings, int creatures) {
    Mailbox<Long> result = Mailbox.<Long>kind(arguments).get();
    threads.start(() -> mall(arguments, threads, meetings, creatures, result));
    return result.receive();
  }

  /**
   * Runs the program.
   *
   * @param args {@code meetings=…}, {@code creatures=…}, {@code threads=…}, {@code mailbox=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int meetings = arguments.count("meetings");
          int creatures = arguments.count("creatures");
          Thread.Builder threads = Threads.builder(arguments);
          return Measurement.measure(
              "meetings", 2L * meetings, () -> run(arguments, threads, meetings, creatures));
        });
  }
}
