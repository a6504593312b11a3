package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.StashOverflowException;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages put aside and taken up again. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class StashTest extends KernelTest {
  private sealed interface In {}

  private record Item(int number) implements In {}

  private record Ask(ReplyTo<String> replyTo) implements In {}

  /** Something to be done by the process. */
  private record Do(Step<In> what) implements In {}

  @Parameter Kind kind;

  private final List<Integer> handled = new ArrayList<>();
  private boolean open;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  /** Stashes items until it is open. */
  private void step(Self<In> self, In message) throws Exception {
    switch (message) {
      case Item item when !open -> self.stash(item);
      case Item(int number) -> handled.add(number);
      case Ask ask when !open -> self.stash(ask);
      case Ask(var replyTo) -> replyTo.send("answered");
      case Do(Step<In> what) -> what.on(self, message);
    }
  }

  /** Asks the process, behind all that it was sent, what it has handled. */
  private List<Integer> handledBy(Pid<In> pid) {
    CompletableFuture<List<Integer>> all = new CompletableFuture<>();
    pid.send(new Do((_, _) -> all.complete(List.copyOf(handled))));
    return Await.result("what was handled", all);
  }

  private static void items(Pid<In> pid, int from, int to) {
    IntStream.range(from, to).forEach(i -> pid.send(new Item(i)));
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  @Test
  void unstashAll_putsTheStashedBeforeTheUnread_inOrderOfArrival() {
    Pid<In> pid = kind.spawn(node, this::step);
    CountDownLatch release = new CountDownLatch(1);
    items(pid, 0, 100);
    pid.send(
        new Do((self, _) -> {
          release.await();
          assertThat(self.stashed()).isEqualTo(100);
          open = true;
          assertThat(self.unstashAll()).isEqualTo(100);
          assertThat(self.stashed()).isZero();
          assertThat(self.unstashAll()).isZero();
        }));
    items(pid, 100, 200); // unread when the others are put back
    release.countDown();
    assertThat(handledBy(pid)).isEqualTo(range(0, 200));
  }

  @Test
  void unstash_someAtATime_keepsTheOrder() {
    Pid<In> pid = kind.spawn(node, this::step);
    CountDownLatch release = new CountDownLatch(1);
    items(pid, 0, 6);
    pid.send(
        new Do((self, _) -> {
          release.await();
          open = true;
          assertThat(self.unstash(0)).isZero();
          assertThat(self.unstash(1)).isEqualTo(1);
          assertThat(self.unstash(2)).isEqualTo(2);
          assertThat(self.stashed()).isEqualTo(3);
        }));
    pid.send(new Do((self, _) -> assertThat(self.unstash(5)).isEqualTo(3)));
    items(pid, 6, 8);
    release.countDown();
    assertThat(handledBy(pid)).isEqualTo(range(0, 8));
  }

  @Test
  void unstash_ofEmptyMailbox_isHandledInTheSameOrder() {
    Pid<In> pid = kind.spawn(node, this::step);
    items(pid, 0, 3);
    assertThat(handledBy(pid)).isEmpty();
    pid.send(
        new Do((self, _) -> {
          open = true;
          self.unstash(1);
          self.unstash(1);
          self.unstashAll();
          self.pid().send(new Item(3));
        }));
    Await.until("all to be handled", () -> handledBy(pid).size() == 4);
    assertThat(handledBy(pid)).isEqualTo(range(0, 4));
  }

  @Test
  void stashedAgain_keepsItsOrder() {
    Pid<In> pid = kind.spawn(node, this::step);
    items(pid, 0, 10);
    for (int i = 0; i < 5; i++) {
      pid.send(new Do((self, _) -> self.unstashAll())); // still closed: all are stashed again
      assertThat(handledBy(pid)).isEmpty();
    }
    pid.send(
        new Do((self, _) -> {
          open = true;
          self.unstashAll();
        }));
    Await.until("all to be handled", () -> handledBy(pid).size() == 10);
    assertThat(handledBy(pid)).isEqualTo(range(0, 10));
  }

  /** As a selective receive: what it skips twice stays before what it skipped once. */
  @Test
  void stashedAgain_whileYoungerOnesAreUnread_goesBeforeThem() {
    List<Integer> wanted = new ArrayList<>(List.of(5, 1, 3, 0, 2, 4));
    List<Integer> skipped = new ArrayList<>();
    Step<In> selective =
        (self, message) -> {
          switch (message) {
            case Item(int number) when number == wanted.getFirst() -> {
              handled.add(number);
              wanted.removeFirst();
              self.unstashAll();
            }
            case Item(int number) -> {
              skipped.add(number);
              self.stash(message);
            }
            case Do(Step<In> what) -> what.on(self, message);
            case Ask _ -> {}
          }
        };
    Pid<In> pid = kind.spawn(node, selective);
    items(pid, 0, 6);
    Await.until("all to be handled", () -> handledBy(pid).size() == 6);
    assertThat(handled).containsExactly(5, 1, 3, 0, 2, 4);
    assertThat(skipped)
        .as("those that are older than the wanted one, in their order")
        .containsExactly(0, 1, 2, 3, 4, 0, 0, 2);
  }

  @Test
  void stashedAgain_afterSomeWerePutBack_goesBeforeTheOthers() {
    Pid<In> pid = kind.spawn(node, this::step);
    items(pid, 0, 6);
    assertThat(handledBy(pid)).isEmpty();
    pid.send(new Do((self, _) -> self.unstash(2))); // still closed: both are stashed again
    assertThat(handledBy(pid)).isEmpty();
    pid.send(
        new Do((self, _) -> {
          open = true;
          self.unstash(1);
          self.unstash(4);
        }));
    Await.until("five to be handled", () -> handledBy(pid).size() == 5);
    pid.send(new Do((self, _) -> self.unstashAll()));
    Await.until("all to be handled", () -> handledBy(pid).size() == 6);
    assertThat(handledBy(pid)).isEqualTo(range(0, 6));
  }

  @Test
  void stash_thatIsFull_isRefused_andKeepsWhatItHas() {
    Pid<In> pid = kind.spawn(node, (self, message) -> ((Do) message).what().on(self, message));
    LinkedBlockingQueue<String> errors = new LinkedBlockingQueue<>();
    pid.send(
        new Do((self, _) -> {
          for (int i = 0; i < 1000; i++) {
            self.stash(new Item(i));
          }
          assertThatExceptionOfType(StashOverflowException.class)
              .isThrownBy(() -> self.stash(new Item(1000)))
              .withMessageContaining("1000")
              .withMessageContaining("stashCapacity")
              .satisfies(e -> errors.add(e.getMessage()));
          self.stashCapacity(1001);
          self.stash(new Item(1000));
          self.stashCapacity(1); // less than there is
          assertThatExceptionOfType(StashOverflowException.class)
              .isThrownBy(() -> self.stash(new Item(1001)));
          assertThat(self.stashed()).isEqualTo(1001);
          assertThatIllegalArgumentException().isThrownBy(() -> self.stashCapacity(0));
          assertThatIllegalArgumentException().isThrownBy(() -> self.unstash(-1));
          assertThatNullPointerException().isThrownBy(() -> self.stash(null));
          errors.add("done");
        }));
    Await.until("the process to be done", () -> errors.contains("done"));
    pid.kill();
    Await.until("what was stashed to be counted", () -> node.stats().undelivered() == 1001);
  }

  @Test
  void stashedMessages_countAsUnreadAtTheEnd() {
    Pid<In> pid = kind.spawn(node, this::step);
    items(pid, 0, 7);
    assertThat(handledBy(pid)).isEmpty();
    pid.exit(Reasons.DIE);
    Await.until("seven to be counted", () -> node.stats().undelivered() == 7);
  }

  @Test
  void stashedCall_isAnsweredLater_orFailsWithTheProcess() {
    Pid<In> pid = kind.spawn(node, this::step);
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(
            () -> pid.<String>call(Ask::new, Duration.ofSeconds(10)), Thread::startVirtualThread);
    CompletableFuture<Integer> stashed = new CompletableFuture<>();
    Await.until(
        "the call to be stashed",
        () -> {
          pid.send(
              new Do((self, _) -> {
                if (self.stashed() == 1) {
                  stashed.complete(1);
                }
              }));
          return stashed.isDone();
        });
    pid.send(
        new Do((self, _) -> {
          open = true;
          self.unstashAll();
        }));
    assertThat(Await.result("the answer", answer)).isEqualTo("answered");
    pid.send(new Do((_, _) -> open = false));
    CompletableFuture<Object> failure =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return pid.<String>call(Ask::new, Duration.ofSeconds(10));
              } catch (CallException e) {
                return e.reason();
              }
            },
            Thread::startVirtualThread);
    CompletableFuture<Integer> again = new CompletableFuture<>();
    Await.until(
        "the second call to be stashed",
        () -> {
          pid.send(
              new Do((self, _) -> {
                if (self.stashed() == 1) {
                  again.complete(1);
                }
              }));
          return again.isDone();
        });
    pid.kill();
    assertThat(Await.result("the failure", failure)).isEqualTo(ExitReason.killed());
  }
}
