package io.selvage.lab.program.savina;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.lab.program.Report;
import java.util.List;
import java.util.stream.IntStream;

/** Event processes that send each other pings. */
public final class EventBig {
  private sealed interface Msg {
    /** Begin: these are all, yourself among them. */
    record Start(List<Pid<Msg>> all) implements Msg {}

    record Ping(Pid<Msg> from) implements Msg {}

    record Pong() implements Msg {}

    record Stop() implements Msg {}
  }

  private sealed interface News {
    record Start(ReplyTo<Long> replyTo) implements News {}

    /** A player has got all its pongs. */
    record Done(long pongs) implements News {}
  }

  private static final Msg PONG = new Msg.Pong();
  private static final Msg STOP = new Msg.Stop();

  private EventBig() {}

  private static final class Player implements Behavior<Msg> {
    private final int number;
    private final int messages;
    private final Pid<News> sink;
    private final Generator random;
    private List<Pid<Msg>> all = List.of();
    private int pongs;

    Player(int number, int messages, Pid<News> sink) {
      this.number = number;
      this.messages = messages;
      this.sink = sink;
      this.random = new Generator(number + 1);
    }

    @Override
    public Behavior<Msg> onMessage(Self<Msg> self, Msg message) {
      switch (message) {
        case Msg.Start start -> {
          all = start.all;
          ping(self);
        }
        case Msg.Ping(var from) -> from.send(PONG);
        case Msg.Pong _ -> {
          pongs++;
          if (pongs < messages) {
            ping(self);
          } else {
            sink.send(new News.Done(pongs));
          }
        }
        case Msg.Stop _ -> {
          return Behavior.stop();
        }
      }
      return this;
    }

    private void ping(Self<Msg> self) {
      int other = random.below(all.size() - 1);
      all.get(other < number ? other : other + 1).send(new Msg.Ping(self.pid()));
    }
  }

  /** Waits for the beginning. */
  private record Sink(int messages, int actors) implements Behavior<News> {
    @Override
    public Behavior<News> onMessage(Self<News> self, News news) {
      if (!(news instanceof News.Start(var replyTo))) {
        throw new IllegalStateException("nobody has been told to begin, but there is " + news);
      }
      List<Pid<Msg>> all =
          IntStream.range(0, actors)
              .mapToObj(number -> self.spawn(new Player(number, messages, self.pid())))
              .toList();
      Msg start = new Msg.Start(all);
      all.forEach(player -> player.send(start));
      return new Waiting(all, replyTo);
    }
  }

  /** Waits until all are done. */
  private static final class Waiting implements Behavior<News> {
    private final List<Pid<Msg>> all;
    private final ReplyTo<Long> replyTo;
    private int done;
    private long pongs;

    Waiting(List<Pid<Msg>> all, ReplyTo<Long> replyTo) {
      this.all = all;
      this.replyTo = replyTo;
    }

    @Override
    public Behavior<News> onMessage(Self<News> self, News news) {
      if (news instanceof News.Done(var its)) {
        done++;
        pongs += its;
      }
      if (done < all.size()) {
        return this;
      }
      all.forEach(player -> player.send(STOP));
      replyTo.send(pongs);
      return Behavior.stop();
    }
  }

  /**
   * Runs the program.
   *
   * @param args {@code messages=…}, {@code actors=…}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int messages = arguments.count("messages");
          int actors = arguments.count("actors");
          return Measurement.onNode(
              arguments, "messages", (long) messages * actors, node -> run(node, messages, actors));
        });
  }

  private static long run(Node node, int messages, int actors) {
    Pid<News> sink = node.spawn(new Sink(messages, actors));
    return sink.call(News.Start::new, Measurement.LONG);
  }
}
