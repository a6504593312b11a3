package io.selvage.kernel;

import io.selvage.kernel.internal.node.CounterBaseline;
import java.time.Duration;
import java.util.List;

/**
 * What a counter of every process was at one moment, to find out later who has grown most since.
 * Holds 16 bytes for each process and none of the processes; there is nothing to close.
 *
 * <pre>{@code
 * Baseline before = node.baseline(Counter.HANDLED);
 * Thread.sleep(Duration.ofSeconds(1));
 * List<Ranked> busiest = before.top(10);      // messages in this second
 * }</pre>
 *
 * <p>Any thread, any number of times. Source: Erlang's {@code etop}, {@code recon:proc_window/3}.
 */
public sealed interface Baseline permits CounterBaseline {
  /**
   * The processes whose counter has grown most since this was taken, greatest first. One that was
   * started since has grown from zero. Those that have not grown are left out.
   *
   * @param most how many at most; 1 to {@link Node#MOST_RANKED}
   * @return the processes and by how much their counters have grown
   * @throws IllegalArgumentException if {@code most} is out of its range
   */
  List<Ranked> top(int most);

  /**
   * How long ago this was taken, by the machine's monotonic clock: what a rate is divided by.
   *
   * @return the time
   */
  Duration age();
}
