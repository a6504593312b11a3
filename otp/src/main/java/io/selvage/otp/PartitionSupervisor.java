package io.selvage.otp;

import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Several dynamic supervisors instead of one, chosen by key, where one would be what all wait for:
 * a supervisor starts one child at a time.
 *
 * <pre>{@code
 * PartitionSupervisor accounts =
 *     PartitionSupervisor.start(node, 4, DynamicSpec.defaults()).orThrow().value();
 * accounts.of("DE01").startChild(account("DE01"));
 * }</pre>
 *
 * <p>This is a handle of the supervisor above them, for any thread. It remembers the partitions and
 * asks again when one has been restarted. Source: Elixir's {@code PartitionSupervisor}.
 */
public final class PartitionSupervisor {
  private final Supervisor above;

  /** The partitions as last heard of. */
  private final AtomicReferenceArray<Pid<SupervisorMessage>> partitions;

  private PartitionSupervisor(Supervisor above, int count) {
    this.above = above;
    this.partitions = new AtomicReferenceArray<>(count);
  }

  /**
   * The code, to be given to any {@code start} of the kernel, and to {@link ChildSpec#supervisor}.
   *
   * @param partitions how many; 1 or more
   * @param spec what each of them does; its deadline and listener are those of the whole, too
   * @return what to start; any number of times
   * @throws IllegalArgumentException if {@code partitions} is less than 1
   */
  public static Init<SupervisorMessage, PartitionSupervisor> of(int partitions, DynamicSpec spec) {
    if (partitions < 1) {
      throw new IllegalArgumentException(
          "the number of partitions is " + partitions + ", but it must be 1 or more");
    }
    List<ChildSpec<?, ?>> children = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      children.add(ChildSpec.supervisor(Integer.toString(i), DynamicSupervisor.of(spec)));
    }
    SupervisorSpec all =
        new SupervisorSpec(Strategy.ONE_FOR_ONE, spec.limits(), AutoShutdown.NEVER, children);
    return StaticLoop.program(all, pid -> new PartitionSupervisor(Supervisor.at(pid), partitions));
  }

  /**
   * Starts the supervisor and its partitions.
   *
   * @param spawner the node, or the process that starts it
   * @param partitions how many; 1 or more
   * @param spec what each of them does
   * @param options the options of the process above them
   * @return its handle, or why it was not started
   * @throws IllegalArgumentException if {@code partitions} is less than 1
   */
  public static StartResult<SupervisorMessage, PartitionSupervisor> start(
      Spawner spawner, int partitions, DynamicSpec spec, SpawnOptions<SupervisorMessage> options) {
    return spawner.start(of(partitions, spec), Sys.FOREVER, options);
  }

  /**
   * Starts the supervisor and its partitions with default options.
   *
   * @param spawner the node, or the process that starts it
   * @param partitions how many; 1 or more
   * @param spec what each of them does
   * @return its handle, or why it was not started
   * @throws IllegalArgumentException if {@code partitions} is less than 1
   */
  public static StartResult<SupervisorMessage, PartitionSupervisor> start(
      Spawner spawner, int partitions, DynamicSpec spec) {
    return start(spawner, partitions, spec, SpawnOptions.defaults());
  }

  /**
   * The handle of one that runs, which is asked how many partitions it has.
   *
   * @param pid its process
   * @return the handle
   */
  public static PartitionSupervisor at(Pid<SupervisorMessage> pid) {
    Supervisor above = Supervisor.at(pid);
    return new PartitionSupervisor(above, above.countChildren().specs());
  }

  /**
   * The process above the partitions.
   *
   * @return its pid
   */
  public Pid<SupervisorMessage> pid() {
    return above.pid();
  }

  /**
   * How many partitions there are.
   *
   * @return the number
   */
  public int partitions() {
    return partitions.length();
  }

  /**
   * The partition that a key belongs to, always the same for equal keys.
   *
   * <p>Cost: that of the key's hash code; after a restart of the partition, a call.
   *
   * @param key any value with a good hash code
   * @return the partition; it may have ended when it is used
   */
  public DynamicSupervisor of(Object key) {
    int hash = key.hashCode() * 0x9E3779B9;
    return partition(Math.floorMod(hash ^ (hash >>> 16), partitions.length()));
  }

  /**
   * A partition by its number.
   *
   * @param number from 0 to less than {@link #partitions}
   * @return the partition; it may have ended when it is used
   * @throws IllegalStateException if it is being restarted just now
   */
  public DynamicSupervisor partition(int number) {
    Pid<SupervisorMessage> known = partitions.get(number);
    if (known == null || !known.isAlive()) {
      known = found(number);
      partitions.set(number, known);
    }
    return DynamicSupervisor.at(known);
  }

  @SuppressWarnings("unchecked") // all its children are supervisors
  private Pid<SupervisorMessage> found(int number) {
    return (Pid<SupervisorMessage>)
        above
            .whichChildren()
            .get(number)
            .pid()
            .orElseThrow(() ->
                new IllegalStateException(
                    "partition " + number + " of " + pid() + " is being restarted: try again"));
  }

  /**
   * How many children there are in all partitions, asked one after the other.
   *
   * @return the numbers
   */
  public ChildCounts countChildren() {
    ChildCounts sum = new ChildCounts(0, 0, 0, 0);
    for (int i = 0; i < partitions.length(); i++) {
      ChildCounts one = partition(i).countChildren();
      sum =
          new ChildCounts(
              sum.specs() + one.specs(),
              sum.active() + one.active(),
              sum.supervisors() + one.supervisors(),
              sum.workers() + one.workers());
    }
    return sum;
  }

  /**
   * Stops the whole tree within a time, and waits until it has ended: what is left then is killed.
   *
   * @param deadline how long it may take; zero or more
   * @return how it went, and who used the time up
   * @throws IllegalArgumentException if {@code deadline} is negative
   */
  public ShutdownReport stop(Duration deadline) {
    return above.stop(deadline);
  }
}
