package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a long mailbox must not cost. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class FullMailboxTest extends KernelTest {
  private static final int CALLS = 10_000;
  private static final int UNREAD = 500_000;
  private static final Duration LIMIT = Duration.ofSeconds(100);

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  /**
   * The message of a monitor is made when a receive looks at it. So if it is not made, nothing has
   * looked at the mailbox.
   */
  // D43
  @Test
  void calls_neverLookAtTheMailboxOfTheCaller() {
    Probe ended = Probe.start(kind, node);
    ended.pid().kill();
    ended.awaitEnd();
    Pid<Msg> echo =
        kind.spawn(
            node,
            (_, message) -> {
              if (message instanceof Msg.Ask(Object what, var replyTo)) {
                replyTo.send(what);
              }
            });
    AtomicInteger looks = new AtomicInteger();
    AtomicInteger handled = new AtomicInteger();
    CompletableFuture<Integer> seen = new CompletableFuture<>();
    Pid<Msg> caller =
        kind.spawn(
            node,
            (self, message) -> {
              handled.incrementAndGet();
              if (message instanceof Msg.Do(var job)) {
                Object _ = job.run(self);
              }
            });
    caller.send(
        new Msg.Do(self -> {
          try {
            seen.complete(callUnderLoad(self, echo, ended.pid(), looks));
          } catch (Throwable t) { // the test is told
            seen.completeExceptionally(t);
          }
          return null;
        }));
    assertThat(Await.result("the calls", seen, LIMIT)).isZero();
    Await.until(() -> "all to be handled: " + handled, () -> handled.get() == UNREAD + 2, LIMIT);
    assertThat(looks).hasValue(1);
  }

  /** Answers how often the mailbox was looked at. */
  private static int callUnderLoad(
      Self<Msg> self, Pid<Msg> echo, Pid<Msg> ended, AtomicInteger looks) {
    self.monitor(
        ended,
        down -> {
          assertThat(down.reason()).isEqualTo(ExitReason.noProc());
          looks.incrementAndGet();
          return new Msg.GotDown(down);
        });
    Msg unrelated = new Msg.Say("unrelated");
    for (int i = 0; i < UNREAD; i++) {
      self.pid().send(unrelated);
    }
    for (int i = 0; i < CALLS; i++) {
      int number = i;
      Object reply = echo.<Object>call(replyTo -> new Msg.Ask(number, replyTo), LIMIT);
      assertThat(reply).isEqualTo(number);
    }
    return looks.get();
  }
}
