package io.selvage.lab.program;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.Init;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Event or direct processes that wait for a message.
 *
 * <p>Plain ones are spawned by the main thread. Those with a handshake are started by a parent, a
 * direct process, and each has said that it is ready before the next is started. Linked and
 * monitored ones have such a parent, too, and have ended when it has heard of each.
 */
public final class SelvageSpawn {
  /** The one message of a process under test. */
  private record Stop() {}

  private static final Stop STOP = new Stop();

  /** Whoever started this program ends it earlier. */
  private static final Duration LONG = Duration.ofHours(1);

  /** The messages of the parent: a linked or monitored child is gone. */
  private sealed interface News {
    record Linked(Exit exit) implements News {}

    record Monitored(Down down) implements News {}
  }

  private final Node node;
  private final @Nullable Pid<Stop>[] pids;
  private final LongAdder ended = new LongAdder();

  @SuppressWarnings("unchecked") // filled by create()
  private SelvageSpawn(Node node, int processes) {
    this.node = node;
    this.pids = (@Nullable Pid<Stop>[]) new Pid<?>[processes];
  }

  /** Spawns one process under test. */
  private interface Child {
    Pid<Stop> plain(Node node);

    Pid<Stop> linked(Self<News> parent);

    Pid<Stop> monitored(Self<News> parent);

    /** Returns when the process has said that it is ready. */
    Pid<Stop> handshake(Self<News> parent);

    /** Returns when as many processes wait for their message. */
    void awaitWaiting(long processes);

    /** Before a round: whoever does not wait for a message spins from now on. */
    default void spin() {}

    /** After a round: whoever spins returns. */
    default void stopSpinning() {}
  }

  /** At rest as soon as it has been spawned: an event process has no code to run before that. */
  private class EventChild implements Child {
    private final Behavior<Stop> behavior = beginning();
    private final Init<Stop, Boolean> init =
        Init.behavior((_, ack) -> {
          ack.ready(true);
          return waiting();
        });

    private Behavior<Stop> waiting() {
      return (_, _) -> {
        ended.increment();
        return Behavior.stop();
      };
    }

    /** What the process begins with. */
    Behavior<Stop> beginning() {
      return waiting();
    }

    @Override
    public Pid<Stop> plain(Node node) {
      return node.spawn(behavior);
    }

    @Override
    public Pid<Stop> linked(Self<News> parent) {
      return parent.spawnLink(behavior);
    }

    @Override
    public Pid<Stop> monitored(Self<News> parent) {
      return parent.spawnMonitor(behavior, News.Monitored::new).pid();
    }

    @Override
    public Pid<Stop> handshake(Self<News> parent) {
      return parent.start(init, LONG).orThrow().pid();
    }

    @Override
    public void awaitWaiting(long processes) {}
  }

  /**
   * Spins in its setup until it is told to end; counts as created as soon as it has been spawned.
   */
  private final class BusyEventChild extends EventChild {
    private volatile boolean spinning;

    @Override
    Behavior<Stop> beginning() {
      return Behavior.setup(_ -> {
        while (spinning) {
          Thread.onSpinWait();
        }
        ended.increment();
        return Behavior.stop();
      });
    }

    @Override
    public void spin() {
      spinning = true;
    }

    @Override
    public void stopSpinning() {
      spinning = false;
    }
  }

  /** Runs up to its receive, and waits there. */
  private class DirectChild implements Child {
    private final LongAdder waiting = new LongAdder();
    private final Body<Stop> body = this::run;
    private final Init<Stop, Boolean> init =
        Init.body((self, ack) -> {
          ack.ready(true);
          run(self);
        });

    void run(DirectSelf<Stop> self) {
      waiting.increment();
      self.receive();
      ended.increment();
    }

    @Override
    public Pid<Stop> plain(Node node) {
      return node.spawn(body);
    }

    @Override
    public Pid<Stop> linked(Self<News> parent) {
      return parent.spawn(body, SpawnOptions.<Stop>defaults().linked());
    }

    @Override
    public Pid<Stop> monitored(Self<News> parent) {
      return parent.spawnMonitor(body, News.Monitored::new).pid();
    }

    @Override
    public Pid<Stop> handshake(Self<News> parent) {
      return parent.start(init, LONG).orThrow().pid();
    }

    @Override
    public void awaitWaiting(long processes) {
      Waiting.until(() -> waiting.sum() == processes);
      waiting.reset();
    }
  }

  /** Spins until it is told to end; counts as created as soon as it has been spawned. */
  private final class BusyChild extends DirectChild {
    private volatile boolean spinning;

    @Override
    void run(DirectSelf<Stop> self) {
      while (spinning) {
        Thread.onSpinWait();
      }
      ended.increment();
    }

    @Override
    public void awaitWaiting(long processes) {}

    @Override
    public void spin() {
      spinning = true;
    }

    @Override
    public void stopSpinning() {
      spinning = false;
    }
  }

  /** Spawned by the main thread. */
  private final class Plain implements SpawnMeasurement.Crowd {
    private final Child child;
    private final boolean handshake;

    Plain(Child child, boolean handshake) {
      this.child = child;
      this.handshake = handshake;
    }

    @Override
    public void create() throws InterruptedException {
      child.spin();
      if (handshake) {
        startAll();
      } else {
        for (int i = 0; i < pids.length; i++) {
          pids[i] = child.plain(node);
        }
      }
      child.awaitWaiting(pids.length);
    }

    /** By a process, as a supervisor does. */
    private void startAll() throws InterruptedException {
      CountDownLatch started = new CountDownLatch(1);
      Body<News> parent =
          self -> {
            for (int i = 0; i < pids.length; i++) {
              pids[i] = child.handshake(self);
            }
            started.countDown();
          };
      node.spawn(parent);
      started.await();
    }

    @Override
    public long end() {
      child.stopSpinning();
      stopAll();
      Waiting.until(() -> node.stats().processes() == 0);
      return ended.sumThenReset();
    }

    @Override
    public void close() {
      node.close();
    }
  }

  /** Spawned by a parent that hears of the end of each. */
  private final class Family implements SpawnMeasurement.Crowd {
    private final Child child;
    private final boolean linked;
    private final LongAdder news = new LongAdder();

    Family(Child child, boolean linked) {
      this.child = child;
      this.linked = linked;
    }

    private void parent(DirectSelf<News> self, CountDownLatch created) {
      if (linked) {
        self.trapExits(News.Linked::new);
      }
      for (int i = 0; i < pids.length; i++) {
        pids[i] = linked ? child.linked(self) : child.monitored(self);
      }
      created.countDown();
      for (int i = 0; i < pids.length; i++) {
        switch (self.receive()) {
          case News.Linked(Exit exit) when exit.reason().isOrderly() -> news.increment();
          case News.Monitored(Down down) when down.reason().isOrderly() -> news.increment();
          case News crashed -> throw new IllegalStateException("a child crashed: " + crashed);
        }
      }
    }

    @Override
    public void create() throws InterruptedException {
      child.spin();
      CountDownLatch created = new CountDownLatch(1);
      Body<News> parent = self -> parent(self, created);
      node.spawn(parent);
      created.await();
      child.awaitWaiting(pids.length);
    }

    @Override
    public long end() {
      child.stopSpinning();
      stopAll();
      Waiting.until(() -> node.stats().processes() == 0);
      return Math.min(ended.sumThenReset(), news.sumThenReset());
    }

    @Override
    public void close() {
      node.close();
    }
  }

  /** Forgets the pids too: what has ended must not count as memory of the next round. */
  private void stopAll() {
    for (int i = 0; i < pids.length; i++) {
      Pid<Stop> pid = pids[i];
      if (pid != null) {
        pid.send(STOP);
        pids[i] = null;
      }
    }
  }

  private SpawnMeasurement.Crowd crowd(Arguments arguments) {
    Child child =
        switch (arguments.text("form")) {
          case "event" -> arguments.flag("busy") ? new BusyEventChild() : new EventChild();
          case "direct" -> arguments.flag("busy") ? new BusyChild() : new DirectChild();
          default -> throw new IllegalArgumentException("form=… is neither event nor direct");
        };
    return switch (arguments.text("kind")) {
      case "plain" -> new Plain(child, false);
      case "handshake" -> new Plain(child, true);
      case "linked" -> new Family(child, true);
      case "monitored" -> new Family(child, false);
      default ->
          throw new IllegalArgumentException("kind=… is not plain, linked, monitored or handshake");
    };
  }

  /**
   * Runs the program.
   *
   * @param args {@code processes=…}, {@code kind=…}, {@code busy=…}, {@code form=event} or {@code
   *     form=direct}, {@code workers=true} to run direct processes on the node's own workers
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          int processes = arguments.count("processes");
          return SpawnMeasurement.measure(
              arguments,
              () -> {
                Node node = Nodes.start(arguments.flag("workers"));
                return new SelvageSpawn(node, processes).crowd(arguments);
              });
        });
  }
}
