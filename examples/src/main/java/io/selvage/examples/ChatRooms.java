package io.selvage.examples;

import io.selvage.kernel.AlreadyRegisteredException;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Group;
import io.selvage.kernel.Groups;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Registry;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The guide's rooms: one process a room in a registry, its visitors in a group, and a named log.
 */
public final class ChatRooms {
  private ChatRooms() {}

  static final Name<String> LOG = Name.of("log");
  static final Group<String> VISITORS = Group.of("visitors");

  sealed interface Room {
    record Say(String text) implements Room {}

    record Count(ReplyTo<Integer> replyTo) implements Room {}

    record VisitorsChanged(Groups.Change<String> change) implements Room {}
  }

  record OpenRoom(int visitors) implements Behavior<Room> {
    static Behavior<Room> start(Self<Room> self) {
      Groups groups = self.node().groups();
      var now = groups.monitor(self, VISITORS, Room.VisitorsChanged::new);
      return new OpenRoom(now.members().size());
    }

    @Override
    public Behavior<Room> onMessage(Self<Room> self, Room message) {
      return switch (message) {
        case Room.Say(String text) -> {
          self.node().groups().send(VISITORS, text);
          yield this;
        }
        case Room.Count(var replyTo) -> {
          replyTo.send(visitors);
          yield this;
        }
        case Room.VisitorsChanged(Groups.Joined<String> _) -> new OpenRoom(visitors + 1);
        case Room.VisitorsChanged(Groups.Left<String> _) -> new OpenRoom(visitors - 1);
      };
    }
  }

  static void open(Node node, Registry<String, Room, String> rooms, String room) {
    try {
      var place = rooms.at(room, "open to all");
      node.spawn(Behavior.setup(OpenRoom::start), SpawnOptions.<Room>defaults().registered(place));
    } catch (AlreadyRegisteredException e) {
      node.send(LOG, room + " is open already");
    }
  }

  /**
   * Prints what the log and the visitors of a room get.
   *
   * @param args none
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    try (Node node = Node.start()) {
      Pid<String> printer =
          node.spawn((_, line) -> {
            lines.add(line);
            return Behavior.same();
          });
      node.register(LOG, printer);
      Registry<String, Room, String> rooms = Registry.unique(node);
      open(node, rooms, "lobby");
      open(node, rooms, "lobby");
      node.groups().join(VISITORS, printer);
      rooms.send("lobby", new Room.Say("hello"));
      int visitors = rooms.call("lobby", Room.Count::new, Duration.ofSeconds(1));
      node.send(LOG, visitors + " visitor");
      for (int i = 0; i < 3; i++) {
        System.out.println(lines.take());
      }
    }
  }
}
