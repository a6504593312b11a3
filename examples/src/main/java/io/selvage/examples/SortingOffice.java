package io.selvage.examples;

import io.selvage.channel.Channel;
import io.selvage.channel.Intake;
import io.selvage.channel.Overflow;
import io.selvage.channel.stage.Dispatch;
import io.selvage.channel.stage.Pipeline;
import io.selvage.channel.stage.Stage;
import io.selvage.channel.stage.StageMessage;
import io.selvage.channel.stage.StageStats;
import io.selvage.channel.stage.StageSubscription;
import io.selvage.channel.stage.SubscribeOptions;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.SpawnOptions;
import io.selvage.otp.ChildSpec;
import io.selvage.otp.Restart;
import io.selvage.otp.Supervisor;
import io.selvage.otp.SupervisorSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The guide's stages: letters are stamped, sorted and delivered, no faster than somebody wants. */
public final class SortingOffice {
  private SortingOffice() {}

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(10);
  static final Name<StageMessage<Void, Letter>> LETTERS = Name.of("letters");

  record Letter(String town, String text) {
    Letter stamped() {
      return new Letter(town, text + ", stamped");
    }
  }

  private static List<Letter> written(int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> new Letter(i % 2 == 0 ? "Ulm" : "Bonn", "letter " + i))
        .toList();
  }

  /** What is sent to a channel, until that is closed. */
  private static <T> List<T> all(Channel<T> channel) throws InterruptedException {
    List<T> all = new ArrayList<>();
    channel.receiveEach(Intake.untilClosed(), all::add);
    return all;
  }

  static List<Letter> deliver(Node node, List<Letter> written) throws InterruptedException {
    Channel<Letter> door = Channel.bounded(1);
    Stage<Void, Letter> letters = Stage.from(written);
    Stage<Letter, Letter> stamping = Stage.through(Letter::stamped);
    Stage<Letter, Void> delivery = Stage.toChannel(door);

    var source = letters.start(node);
    var desk = stamping.start(node);
    var postman = delivery.start(node);
    Stage.subscribe(postman, desk, SubscribeOptions.demand(5, 10));
    Stage.subscribe(desk, source, SubscribeOptions.demand(50, 100));
    return all(door);
  }

  static List<List<Letter>> inSacks(Node node, List<Letter> written) throws InterruptedException {
    Channel<List<Letter>> sacks = Channel.unbounded();
    Pipeline.from(Stage.from(written))
        .via(Stage.through(Letter::stamped), 4)
        .viaKeyed(Stage.batches(10, Duration.ofMillis(20)), 2, Letter::town)
        .to(Stage.toChannel(sacks))
        .start(node);
    return all(sacks);
  }

  static List<List<Letter>> byTown(Node node, List<Letter> written) throws InterruptedException {
    Stage<Void, Letter> letters = Stage.from(written);
    Stage<Void, Letter> sorted = letters.dispatching(Dispatch.byKey(2, Letter::town));
    Stage<Void, Letter> copied = letters.dispatching(Dispatch.broadcast(2));
    List<List<Letter>> shelves = new ArrayList<>();
    for (Stage<Void, Letter> each : List.of(sorted, copied)) {
      var source = each.start(node);
      Channel<Letter> one = Channel.unbounded();
      Channel<Letter> two = Channel.unbounded();
      SubscribeOptions options = SubscribeOptions.defaults();
      boolean parts = each == sorted;
      Stage.subscribe(
          Stage.<Letter>toChannel(one).start(node),
          source,
          parts ? options.inPartition(0) : options);
      Stage.subscribe(
          Stage.<Letter>toChannel(two).start(node),
          source,
          parts ? options.inPartition(1) : options);
      shelves.add(all(one));
      shelves.add(all(two));
    }
    return shelves;
  }

  static List<Letter> byHand(Node node, List<Letter> written) throws InterruptedException {
    Channel<Letter> counterTop = Channel.unbounded();
    var source = Stage.from(written).start(node);
    var clerk = Stage.<Letter>toChannel(counterTop).start(node);
    StageSubscription counter = Stage.subscribe(clerk, source, SubscribeOptions.manual());
    counter.ask(2);
    return List.of(counterTop.receive(), counterTop.receive());
  }

  static long dropped(Node node) {
    var box = Stage.<Letter>inbox().buffering(2, Overflow.dropOldest()).start(node);
    box.send(StageMessage.item(new Letter("Ulm", "hello")));
    box.send(StageMessage.item(new Letter("Ulm", "are you there?")));
    box.send(StageMessage.item(new Letter("Ulm", "farewell")));
    return box.<StageStats>call(StageMessage::stats, SECOND).dropped();
  }

  static SupervisorSpec office(Iterator<Letter> written, Stage<Letter, Void> delivery) {
    Stage<Void, Letter> letters = Stage.from(written);
    Stage<Letter, Void> postman =
        delivery.subscribedTo(LETTERS, SubscribeOptions.demand(5, 10).retrying(PAUSE));
    return SupervisorSpec.oneForOne(
            ChildSpec.of(
                    "letters",
                    letters.code(),
                    SpawnOptions.<StageMessage<Void, Letter>>defaults().named(LETTERS))
                .restarting(Restart.TRANSIENT),
            ChildSpec.of("postman", postman.code()).restarting(Restart.TRANSIENT))
        .withIntensity(100, SECOND);
  }

  /** Prints what is delivered. */
  public static void main(String[] args) throws InterruptedException {
    try (Node node = Node.start()) {
      List<Letter> written = written(100);
      System.out.println(deliver(node, written).getLast());
      List<List<Letter>> sacks = inSacks(node, written);
      System.out.println(sacks.stream().mapToInt(List::size).sum() + " letters in sacks");
      List<String> towns = new ArrayList<>();
      for (List<Letter> shelf : byTown(node, written)) {
        towns.add(shelf.size() + " to " + new TreeSet<>(shelf.stream().map(Letter::town).toList()));
      }
      System.out.println(towns);
      System.out.println(byHand(node, written).size() + " by hand");
      System.out.println(dropped(node) + " dropped");

      Channel<Letter> door = Channel.bounded(1);
      Supervisor.start(node, office(written.iterator(), Stage.toChannel(door))).orThrow();
      door.receive();
      node.whereis(LETTERS).ifPresent(pid -> pid.kill());
      System.out.println("and, with a restart, up to " + all(door).getLast().text());
    }
  }
}
