package io.selvage.examples;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Node;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.otp.Task;
import io.selvage.otp.TaskSupervisor;
import io.selvage.otp.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The guide's tasks: what shops want for a thing, asked beside other work. */
public final class Prices {
  private Prices() {}

  private static final Duration SECOND = Duration.ofSeconds(1);

  record Best(ReplyTo<String> replyTo) {}

  /** A shop that is slow to answer, or out of order. */
  static int ask(String shop) {
    return switch (shop) {
      case "near" -> 120;
      case "far" -> 90;
      default -> throw new IllegalArgumentException(shop + " is closed");
    };
  }

  static Behavior<Best> answer(Self<Best> self, Best request) {
    Task<Integer> far = Task.async(self, _ -> ask("far"));
    int near = ask("near");
    int best = Math.min(near, far.await(SECOND));
    request.replyTo().send("best: " + best);
    return Behavior.same();
  }

  static String patient(Node node, CountDownLatch opens) {
    Task<Integer> task =
        Task.async(
            node,
            _ -> {
              opens.await();
              return ask("far");
            });
    Optional<Outcome<Integer>> early = task.poll(Duration.ofMillis(10));
    opens.countDown();
    return early.isPresent() + " " + task.await(SECOND);
  }

  static String careful(TaskSupervisor tasks, Node node) {
    Task<Integer> task = tasks.asyncUnlinked(node, _ -> ask("moon"));
    return switch (task.poll(SECOND).orElse(null)) {
      case Outcome.Replied<Integer>(var cents) -> "moon: " + cents;
      case Outcome.Failed<Integer>(_, var reason) -> "no moon: " + reason;
      case null, default -> "no answer";
    };
  }

  static int sum(Node node) {
    Tasks.StreamOptions options =
        Tasks.StreamOptions.defaults().atOnce(2).within(SECOND, Tasks.OnTimeout.KILL);
    try (var prices =
        Tasks.stream(node, List.of("near", "moon", "far"), (_, shop) -> ask(shop), options)) {
      return prices
          .map(price -> price.outcome() instanceof Outcome.Replied<Integer>(var cents) ? cents : 0)
          .reduce(0, Integer::sum);
    }
  }

  /** Prints the prices. */
  public static void main(String[] args) {
    try (Node node = Node.start()) {
      Pid<Best> prices = node.spawn(Prices::answer);
      System.out.println(prices.<String>call(Best::new, SECOND));
      System.out.println(patient(node, new CountDownLatch(1)));
      TaskSupervisor tasks =
          TaskSupervisor.start(node, TaskSupervisor.Limits.defaults()).orThrow().value();
      System.out.println(careful(tasks, node));
      System.out.println(sum(node));
    }
  }
}
