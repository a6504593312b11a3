package io.selvage.peers.kilim;

import io.selvage.peers.Programs;
import io.selvage.peers.Tally;
import java.util.ArrayList;
import java.util.List;
import kilim.Mailbox;
import kilim.Pausable;
import kilim.Task;

/** Many tasks send to one. */
final class FanIn {
  private static final Integer START = 0;

  private FanIn() {}

  private static final class Receiver extends Task<Void> {
    private final Mailbox<Integer> numbers;
    private final long expected;
    private final Mailbox<Programs.Received> result;

    Receiver(Mailbox<Integer> numbers, long expected, Mailbox<Programs.Received> result) {
      this.numbers = numbers;
      this.expected = expected;
      this.result = result;
    }

    @Override
    public void execute() throws Pausable {
      long count = 0;
      long sum = 0;
      while (count < expected) {
        sum += numbers.get();
        count++;
      }
      result.put(new Programs.Received(count, sum));
    }
  }

  private static final class Sender extends Task<Void> {
    private final Mailbox<Integer> start;
    private final Mailbox<Integer> numbers;
    private final int messages;
    private final Tally waiting;

    Sender(Mailbox<Integer> start, Mailbox<Integer> numbers, int messages, Tally waiting) {
      this.start = start;
      this.numbers = numbers;
      this.messages = messages;
      this.waiting = waiting;
    }

    @Override
    public void execute() throws Pausable {
      waiting.increment();
      start.get();
      for (int i = 0; i < messages; i++) {
        numbers.put(i);
      }
    }
  }

  static Programs.Waiting open(int senders, int messages) {
    Mailbox<Integer> numbers = new Mailbox<>();
    Mailbox<Programs.Received> result = new Mailbox<>();
    Tally waiting = new Tally();
    new Receiver(numbers, (long) senders * messages, result).start();
    List<Mailbox<Integer>> starts = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      Mailbox<Integer> start = new Mailbox<>();
      starts.add(start);
      new Sender(start, numbers, messages, waiting).start();
    }
    waiting.await(senders);
    return () -> {
      starts.forEach(start -> start.putb(START));
      return result.getb();
    };
  }
}
