package io.selvage.bench;

import io.selvage.channel.Channel;
import io.selvage.channel.Select;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an item costs on its way through a channel, beside Jox: by topology (one producer or four,
 * one consumer), there and back over two channels, and by a select over two. Those at the ends are
 * virtual threads, or direct processes of Selvage; their start and end count with 100 000 items.
 *
 * <p>{@code ./selvage bench Channel}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ChannelBenchmark {
  private static final int ITEMS = 100_000;
  private static final int PRODUCERS = 4;

  /** Whose channel it is, and who sends and receives. */
  public enum Whose {
    /** A channel of Selvage between virtual threads. */
    SELVAGE,
    /** A channel of Selvage between direct processes. */
    SELVAGE_DIRECT,
    /** A channel of Jox between virtual threads. */
    JOX
  }

  /** How much it holds. */
  public enum Room {
    /** Nothing: the two meet. */
    RENDEZVOUS,
    /** Sixteen items. */
    SIXTEEN,
    /** Whatever comes. */
    UNBOUNDED
  }

  /** A channel of either library. */
  interface Lane {
    void send(Integer item) throws InterruptedException;

    Integer receive() throws InterruptedException;

    /** Receives from this one or the other. */
    Integer receiveOr(Lane other) throws InterruptedException;
  }

  /** A channel of Selvage. */
  private static final class SelvageLane implements Lane {
    private final Channel<Integer> channel;
    private @Nullable Select<Integer> select;

    SelvageLane(Room room) {
      channel =
          switch (room) {
            case RENDEZVOUS -> Channel.rendezvous();
            case SIXTEEN -> Channel.bounded(16);
            case UNBOUNDED -> Channel.unbounded();
          };
    }

    @Override
    public void send(Integer item) throws InterruptedException {
      channel.send(item);
    }

    @Override
    public Integer receive() throws InterruptedException {
      return channel.receive();
    }

    @Override
    public Integer receiveOr(Lane other) throws InterruptedException {
      Select<Integer> both = select;
      if (both == null) { // made once, as its documentation says
        both =
            Select.<Integer>cases()
                .receive(channel, item -> item)
                .receive(((SelvageLane) other).channel, item -> item);
        select = both;
      }
      return both.select();
    }
  }

  /** A channel of Jox. */
  private static final class JoxLane implements Lane {
    private final com.softwaremill.jox.Channel<Integer> channel;

    JoxLane(Room room) {
      channel =
          switch (room) {
            case RENDEZVOUS -> com.softwaremill.jox.Channel.newRendezvousChannel();
            case SIXTEEN -> com.softwaremill.jox.Channel.newBufferedChannel(16);
            case UNBOUNDED -> com.softwaremill.jox.Channel.newUnlimitedChannel();
          };
    }

    @Override
    public void send(Integer item) throws InterruptedException {
      channel.send(item);
    }

    @Override
    public Integer receive() throws InterruptedException {
      return channel.receive();
    }

    @Override
    public Integer receiveOr(Lane other) throws InterruptedException {
      return com.softwaremill.jox.Select.select(
          channel.receiveClause(), ((JoxLane) other).channel.receiveClause());
    }
  }

  /** What one end does. */
  interface End {
    void run() throws InterruptedException;
  }

  /** Whose channels are measured, and where their users run. */
  @State(Scope.Benchmark)
  public static class Side {
    /** Whose channel it is. */
    @Param public Whose whose = Whose.SELVAGE;

    private @Nullable Node node;

    /** Called by JMH. */
    public Side() {}

    /** Starts a node, if need be. */
    @Setup(Level.Trial)
    public void start() {
      if (whose == Whose.SELVAGE_DIRECT) {
        node = Node.start(NodeOptions.defaults());
      }
    }

    /** Ends it. */
    @TearDown(Level.Trial)
    public void stop() {
      if (node != null) {
        node.close();
      }
    }

    Lane lane(Room room) {
      return whose == Whose.JOX ? new JoxLane(room) : new SelvageLane(room);
    }

    void run(End... ends) throws InterruptedException {
      CountDownLatch done = new CountDownLatch(ends.length);
      for (End end : ends) {
        if (node != null) {
          node.spawn(self -> {
            end.run();
            done.countDown();
          });
        } else {
          Thread.startVirtualThread(() -> {
            try {
              end.run();
            } catch (InterruptedException e) {
              throw new IllegalStateException("nobody interrupts an end", e);
            }
            done.countDown();
          });
        }
      }
      done.await();
    }
  }

  /** How much the channel holds, for those that are measured with each. */
  @State(Scope.Benchmark)
  public static class Size {
    /** How much it holds. */
    @Param public Room room = Room.RENDEZVOUS;

    /** Called by JMH. */
    public Size() {}
  }

  /** Called by JMH. */
  public ChannelBenchmark() {}

  private static void sendAll(Lane lane, int items) throws InterruptedException {
    for (int i = 0; i < items; i++) {
      lane.send(i);
    }
  }

  private static void receiveAll(Lane lane, int items) throws InterruptedException {
    long sum = 0;
    for (int i = 0; i < items; i++) {
      sum += lane.receive();
    }
    ensure(sum > 0);
  }

  private static void ensure(boolean right) {
    if (!right) {
      throw new IllegalStateException("an item is not what was sent");
    }
  }

  /**
   * One producer, one consumer.
   *
   * @param side whose
   * @param size how much it holds
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  @OperationsPerInvocation(ITEMS)
  public void spsc(Side side, Size size) throws InterruptedException {
    Lane lane = side.lane(size.room);
    side.run(() -> sendAll(lane, ITEMS), () -> receiveAll(lane, ITEMS));
  }

  /**
   * Four producers, one consumer.
   *
   * @param side whose
   * @param size how much it holds
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  @OperationsPerInvocation(ITEMS)
  public void mpsc(Side side, Size size) throws InterruptedException {
    Lane lane = side.lane(size.room);
    End producer = () -> sendAll(lane, ITEMS / PRODUCERS);
    side.run(producer, producer, producer, producer, () -> receiveAll(lane, ITEMS));
  }

  /**
   * There over one rendezvous channel, and back over another: the time of both ways.
   *
   * @param side whose
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  @OperationsPerInvocation(ITEMS)
  public void pingPong(Side side) throws InterruptedException {
    Lane there = side.lane(Room.RENDEZVOUS);
    Lane back = side.lane(Room.RENDEZVOUS);
    side.run(
        () -> {
          for (int i = 0; i < ITEMS; i++) {
            there.send(i);
            ensure(back.receive() == i);
          }
        },
        () -> {
          for (int i = 0; i < ITEMS; i++) {
            back.send(there.receive());
          }
        });
  }

  /**
   * Two producers, each with a channel of its own, and a consumer that selects from both.
   *
   * @param side whose
   * @param size how much each holds
   * @throws InterruptedException if JMH gives up
   */
  @Benchmark
  @OperationsPerInvocation(ITEMS)
  public void select(Side side, Size size) throws InterruptedException {
    Lane one = side.lane(size.room);
    Lane other = side.lane(size.room);
    side.run(
        () -> sendAll(one, ITEMS / 2),
        () -> sendAll(other, ITEMS / 2),
        () -> {
          long sum = 0;
          for (int i = 0; i < ITEMS; i++) {
            sum += one.receiveOr(other);
          }
          ensure(sum > 0);
        });
  }
}
