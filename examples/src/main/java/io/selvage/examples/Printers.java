package io.selvage.examples;

import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.otp.FirstStep;
import io.selvage.otp.Next;
import io.selvage.otp.Pool;
import io.selvage.otp.PoolOptions;
import io.selvage.otp.Server;
import java.time.Duration;

/** The guide's pool: printers that anybody's pages go to, or that one has for oneself. */
public final class Printers {
  private Printers() {}

  private static final Duration SECOND = Duration.ofSeconds(1);

  record Page(String user, ReplyTo<Pid<?>> replyTo) {}

  record Printer() implements Server<Integer, Page> {
    @Override
    public FirstStep<Integer, Page> init(Self<Page> self) {
      return Next.with(0);
    }

    @Override
    public Next<Integer, Page> onMessage(Self<Page> self, Integer printed, Page page) {
      page.replyTo().send(self.pid());
      return Next.with(printed + 1);
    }
  }

  static Pid<?> print(Pool<Page> pool, String user) {
    return pool.<Pid<?>>call(replyTo -> new Page(user, replyTo), SECOND);
  }

  static Pid<?> printAlone(Pool<Page> pool, Node node) {
    try (Pool.Lease<Page> lease = pool.checkout(node, SECOND).orElseThrow()) {
      return lease.worker().<Pid<?>>call(replyTo -> new Page("me", replyTo), SECOND);
    }
  }

  /** Prints which printers printed. */
  public static void main(String[] args) {
    try (Node node = Node.start()) {
      Pool<Page> printers =
          Pool.start(node, spawner -> Server.start(spawner, new Printer()), PoolOptions.of(2))
              .orThrow()
              .value();
      System.out.println("in turn: " + !print(printers, "a").equals(print(printers, "a")));
      System.out.println("alone: " + printAlone(printers, node).isAlive());
      Pool<Page> sticky =
          Pool.start(
                  node,
                  spawner -> Server.start(spawner, new Printer()),
                  PoolOptions.<Page>of(3)
                      .routed(new PoolOptions.Routing.Hashed<>(Page::user))
                      .withQueue(100, PoolOptions.WhenFull.DROP_OLDEST)
                      .withStuckAfter(Duration.ofSeconds(30)))
              .orThrow()
              .value();
      System.out.println("the same: " + print(sticky, "a").equals(print(sticky, "a")));
      sticky.resize(5);
      System.out.println("now " + sticky.status().size());
    }
  }
}
