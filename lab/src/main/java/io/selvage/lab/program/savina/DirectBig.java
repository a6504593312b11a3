package io.selvage.lab.program.savina;

import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.lab.program.Report;
import java.util.List;
import java.util.stream.IntStream;

/** Direct processes that send each other pings. */
public final class DirectBig {
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

  private DirectBig() {}

  private static Body<Msg> player(int number, int messages, Pid<News> sink) {
    return self -> {
      List<Pid<Msg>> all = List.of();
      Generator random = new Generator(number + 1);
      int pongs = 0;
      while (true) {
        switch (self.receive()) {
          case Msg.Start start -> {
            all = start.all();
            other(all, number, random).send(new Msg.Ping(self.pid()));
          }
          case Msg.Ping(var from) -> from.send(PONG);
          case Msg.Pong _ -> {
            pongs++;
            if (pongs < messages) {
              other(all, number, random).send(new Msg.Ping(self.pid()));
            } else {
              sink.send(new News.Done(pongs));
            }
          }
          case Msg.Stop _ -> {
            return;
          }
        }
      }
    };
  }

  private static Pid<Msg> other(List<Pid<Msg>> all, int me, Generator random) {
    int other = random.below(all.size() - 1);
    return all.get(other < me ? other : other + 1);
  }

  private static void sink(DirectSelf<News> self, int messages, int actors) {
    News.Start start = self.receive(News.Start.class);
    List<Pid<Msg>> all =
        IntStream.range(0, actors)
            .mapToObj(number -> self.spawn(player(number, messages, self.pid())))
            .toList();
    Msg begin = new Msg.Start(all);
    all.forEach(player -> player.send(begin));
    long pongs = 0;
    for (int i = 0; i < actors; i++) {
      pongs += self.receive(News.Done.class).pongs();
    }
    all.forEach(player -> player.send(STOP));
    start.replyTo().send(pongs);
  }

  private static long run(Node node, int messages, int actors) {
    Pid<News> sink = node.spawn(self -> sink(self, messages, actors));
    return sink.call(News.Start::new, Measurement.LONG);
  }

  /**
   * Runs the program.
   *
   * @param args {@code messages=…}, {@code actors=…}, {@code workers=true} to run on the node's own
   *     workers
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
}
