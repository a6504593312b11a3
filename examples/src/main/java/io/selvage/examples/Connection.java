package io.selvage.examples;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Of the guide: an event process that puts aside what comes too early. */
public final class Connection {
  private Connection() {}

  sealed interface Msg {
    record Query(String text) implements Msg {}

    record Connected() implements Msg {}
  }

  static Behavior<Msg> connecting(BlockingQueue<String> sent) {
    return (self, message) ->
        switch (message) {
          case Msg.Query query -> {
            self.stash(query);
            yield Behavior.same();
          }
          case Msg.Connected _ -> {
            self.unstashAll();
            yield connected(sent);
          }
        };
  }

  static Behavior<Msg> connected(BlockingQueue<String> sent) {
    return (_, message) -> {
      if (message instanceof Msg.Query(String text)) {
        sent.add(text);
      }
      return Behavior.same();
    };
  }

  /**
   * Prints three queries in order.
   *
   * @param args none
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    try (Node node = Node.start()) {
      Pid<Msg> connection = node.spawn(connecting(sent));
      connection.send(new Msg.Query("first"));
      connection.send(new Msg.Query("second"));
      connection.send(new Msg.Connected());
      connection.send(new Msg.Query("third"));
      for (int i = 0; i < 3; i++) {
        System.out.println(sent.take());
      }
    }
  }
}
