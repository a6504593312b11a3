package io.selvage.kernel.support;

import static io.selvage.kernel.support.Kind.DIRECT;
import static io.selvage.kernel.support.Kind.DIRECT_ON_WORKERS;
import static io.selvage.kernel.support.Kind.EVENT;

import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The kinds of two processes of one case: the one that watches, links or sends, and the one it does
 * that to.
 *
 * @param one the watcher, parent or sender
 * @param other the watched, child or receiver
 */
public record Pair(Kind one, Kind other) {
  /** Every pair that can live at one node and is not another one in disguise. */
  public static List<Pair> all() {
    return Stream.of(Kind.values())
        .flatMap(a -> Stream.of(Kind.values()).map(b -> new Pair(a, b)))
        .filter(p -> !p.isDisguise())
        .toList();
  }

  /** The pairs for cases that take long. */
  public static List<Pair> core() {
    return List.of(
        new Pair(DIRECT, DIRECT),
        new Pair(EVENT, EVENT),
        new Pair(DIRECT, EVENT),
        new Pair(EVENT, DIRECT),
        new Pair(DIRECT_ON_WORKERS, EVENT));
  }

  /** At a node that runs bodies on its workers, a DIRECT process is a DIRECT_ON_WORKERS one. */
  private boolean isDisguise() {
    return (one == DIRECT && other == DIRECT_ON_WORKERS)
        || (one == DIRECT_ON_WORKERS && other == DIRECT);
  }

  /** What a node needs to have both. */
  public NodeOptions configure(NodeOptions options) {
    return other.configure(one.configure(options));
  }

  /**
   * Starts a process of the first kind that sends the numbers from 1 on, each in a handler of its
   * own.
   *
   * @param node where it lives
   * @param receiver whom it sends them to
   * @param numbers how many
   */
  public Pid<Integer> counter(Node node, Pid<Msg> receiver, int numbers) {
    AtomicInteger next = new AtomicInteger();
    Pid<Integer> counter =
        one.spawn(
            node,
            (self, _) -> {
              int number = next.incrementAndGet();
              receiver.send(new Msg.Say(number));
              if (number < numbers) {
                self.pid().send(number);
              }
            });
    counter.send(0);
    return counter;
  }

  @Override
  public String toString() {
    return one + " and " + other;
  }
}
