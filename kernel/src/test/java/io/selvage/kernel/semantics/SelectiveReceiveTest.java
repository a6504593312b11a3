package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.Body;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.Marks;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Receive;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Receiving out of turn. */
@ParameterizedClass(name = "{0}")
@EnumSource(names = {"DIRECT", "DIRECT_ON_PLATFORM_THREAD", "DIRECT_ON_WORKERS"})
class SelectiveReceiveTest extends KernelTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  private sealed interface Letter {}

  private record Numbered(int value) implements Letter {}

  private record Text(String value) implements Letter {}

  private record GotDown(Down down) implements Letter {}

  private record GotExit(Exit exit) implements Letter {}

  private record End() implements Letter {}

  private final ManualClock clock = new ManualClock();

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults).withClock(clock);
  }

  private Pid<Letter> spawn(Body<Letter> body) {
    SpawnOptions<Letter> options = SpawnOptions.defaults();
    return node.spawn(
        body, kind == Kind.DIRECT_ON_PLATFORM_THREAD ? options.onPlatformThread() : options);
  }

  /** What a body does that is given some letters first. */
  private interface Job<T> {
    T run(DirectSelf<Letter> self) throws Exception;
  }

  private <T> CompletableFuture<T> start(Job<T> job, AtomicReference<Pid<Letter>> pid) {
    CompletableFuture<T> result = new CompletableFuture<>();
    pid.set(
        spawn(self -> {
          try {
            result.complete(job.run(self));
          } catch (Throwable t) { // the test is told
            result.completeExceptionally(t);
          }
        }));
    return result;
  }

  private <T> T with(List<Letter> letters, Job<T> job) {
    return Await.result(
        "the job",
        start(
            self -> {
              letters.forEach(self.pid()::send);
              return job.run(self);
            },
            new AtomicReference<>()));
  }

  private static List<Letter> drain(DirectSelf<Letter> self) {
    List<Letter> rest = new ArrayList<>();
    for (Letter l = self.receive(Duration.ZERO); l != null; l = self.receive(Duration.ZERO)) {
      rest.add(l);
    }
    return rest;
  }

  private static List<Letter> numbers(int... values) {
    List<Letter> all = new ArrayList<>();
    for (int value : values) {
      all.add(new Numbered(value));
    }
    return all;
  }

  private static Predicate<Letter> number(int value) {
    return new Numbered(value)::equals;
  }

  // D37
  @Test
  void receive_byType_takesTheOldestOfIt_andTheOthersKeepTheirPlace() {
    List<Letter> order =
        with(
            List.of(new Numbered(1), new Text("a"), new Numbered(2), new Text("b"), new End()),
            self -> {
              List<Letter> got = new ArrayList<>();
              got.add(self.receive(Text.class));
              got.add(self.receive(End.class));
              got.addAll(drain(self));
              return got;
            });
    assertThat(order)
        .containsExactly(new Text("a"), new End(), new Numbered(1), new Numbered(2), new Text("b"));
  }

  // D37
  @Test
  void receive_ofAnyPlace_keepsTheOrderOfTheRest() {
    for (int size = 1; size <= 4; size++) {
      for (int wanted = 0; wanted < size; wanted++) {
        int[] values = new int[size];
        for (int i = 0; i < size; i++) {
          values[i] = i;
        }
        List<Letter> expected = new ArrayList<>(numbers(values));
        expected.remove(wanted);
        expected.add(new Numbered(9));
        int each = wanted;
        List<Letter> rest =
            with(
                numbers(values),
                self -> {
                  assertThat(self.receive(number(each))).isEqualTo(new Numbered(each));
                  self.pid().send(new Numbered(9));
                  return drain(self);
                });
        assertThat(rest).as("%d of %d", wanted, size).isEqualTo(expected);
      }
    }
  }

  // D37
  @Test
  void receive_byCases_triesThemInOrderOnEachMessage() {
    List<String> got =
        with(
            List.of(new Text("skipped"), new Numbered(1), new Numbered(-1), new End()),
            self -> {
              Receive<Letter, String> cases =
                  Receive.<Letter, String>cases()
                      .on(End.class, _ -> "end")
                      .on(Numbered.class, n -> n.value() < 0, n -> "negative " + n.value())
                      .on(Numbered.class, n -> "number " + n.value());
              List<String> all = new ArrayList<>();
              for (int i = 0; i < 3; i++) {
                all.add(self.receive(cases));
              }
              all.add(String.valueOf(self.receive(cases, Duration.ZERO)));
              all.add(drain(self).toString());
              return all;
            });
    assertThat(got)
        .containsExactly("number 1", "negative -1", "end", "null", "[Text[value=skipped]]");
  }

  @Test
  void cases_areValues_thatDoNotChange() {
    Receive<Letter, String> none = Receive.cases();
    Receive<Letter, String> one = none.on(Text.class, _ -> "text");
    Receive<Letter, String> two = one.on(Numbered.class, _ -> "number");
    String got =
        with(
            List.of(new Numbered(1), new Text("a")),
            self ->
                self.receive(none, Duration.ZERO)
                    + " "
                    + self.receive(one, Duration.ZERO)
                    + " "
                    + self.receive(two));
    assertThat(got).isEqualTo("null text number");
  }

  // D38
  @Test
  void receive_withZero_looksAtAllThatIsThereOnce() {
    AtomicInteger looks = new AtomicInteger();
    Letter got =
        with(
            numbers(1, 2, 3),
            self ->
                self.receive(
                    _ -> {
                      looks.incrementAndGet();
                      return false;
                    },
                    Duration.ZERO));
    assertThat(got).isNull();
    assertThat(looks).hasValue(3);
    assertThat(node.stats().timers()).isZero();
  }

  // D39: no cases and a timeout are a sleep
  @Test
  void receive_withoutCases_sleeps() {
    AtomicReference<Pid<Letter>> pid = new AtomicReference<>();
    Receive<Letter, String> none = Receive.cases();
    CompletableFuture<String> slept =
        start(self -> self.receive(none, Duration.ofSeconds(10)) + " " + drain(self).size(), pid);
    Await.until("the timer to be set", () -> node.stats().timers() == 1);
    pid.get().send(new Numbered(1));
    clock.advance(Duration.ofSeconds(11));
    assertThat(Await.result("the sleep", slept)).isEqualTo("null 1");
  }

  // D40
  @Test
  void receive_otherMessagesArrive_neitherMoveTheDeadlineNorAreLookedAtAgain() {
    AtomicInteger looks = new AtomicInteger();
    AtomicReference<Pid<Letter>> pid = new AtomicReference<>();
    CompletableFuture<Integer> left =
        start(
            self -> {
              Letter none =
                  self.receive(
                      _ -> {
                        looks.incrementAndGet();
                        return false;
                      },
                      Duration.ofSeconds(10));
              assertThat(none).isNull();
              return drain(self).size();
            },
            pid);
    Await.until("the timer to be set", () -> node.stats().timers() == 1);
    for (int i = 1; i <= 9; i++) {
      clock.advance(Duration.ofSeconds(1));
      pid.get().send(new Numbered(i));
      int count = i;
      Await.until("the look", () -> looks.get() == count);
    }
    assertThat(left).isNotDone();
    clock.advance(Duration.ofMillis(1_100));
    assertThat(Await.result("the timeout", left)).isEqualTo(9);
    assertThat(looks).hasValue(9);
    Await.until("the timer to be released", () -> node.stats().timers() == 0);
  }

  @Test
  void receive_waits_forWhatItWants() {
    AtomicReference<Pid<Letter>> pid = new AtomicReference<>();
    CountDownLatch skipped = new CountDownLatch(2);
    CompletableFuture<List<Letter>> got =
        start(
            self -> {
              List<Letter> all = new ArrayList<>();
              all.add(
                  self.receive((Letter l) -> {
                    skipped.countDown();
                    return l instanceof End;
                  }));
              all.add(self.receive(Text.class, FOREVER));
              all.add(
                  self.receive(
                      Receive.<Letter, Letter>cases().on(Numbered.class, n -> n), FOREVER));
              all.addAll(drain(self));
              return all;
            },
            pid);
    pid.get().send(new Numbered(1));
    pid.get().send(new Numbered(2));
    Await.until("both to be skipped", () -> skipped.getCount() == 0);
    pid.get().send(new End());
    Await.until("the timer to be set", () -> node.stats().timers() == 1);
    pid.get().send(new Text("late"));
    assertThat(Await.result("all", got))
        .containsExactly(new End(), new Text("late"), new Numbered(1), new Numbered(2));
  }

  // D37
  @Test
  void receive_insideAnAction_worksOnTheSameMailbox() {
    List<Object> got =
        with(
            List.of(new Numbered(1), new Text("open"), new Numbered(2), new Text("x"), new End()),
            self -> {
              Receive<Letter, List<Object>> cases =
                  Receive.<Letter, List<Object>>cases()
                      .on(
                          Text.class,
                          text ->
                              List.of(
                                  text.value(),
                                  self.receive(End.class),
                                  self.receive(number(2)),
                                  self.receive(
                                      Receive.<Letter, Integer>cases()
                                          .on(Numbered.class, n -> n.value()))));
              List<Object> all = new ArrayList<>(self.receive(cases));
              all.addAll(drain(self));
              return all;
            });
    assertThat(got).containsExactly("open", new End(), new Numbered(2), 1, new Text("x"));
  }

  @Test
  void predicate_thatReceivesItself_isAskedAgainAboutWhatIsLeft() {
    List<Object> got =
        with(
            numbers(1, 2, 3, 4, 5),
            self -> {
              AtomicInteger asked = new AtomicInteger();
              List<Object> all = new ArrayList<>();
              all.add(
                  self.receive((Letter letter) -> {
                    if (asked.incrementAndGet() == 3) {
                      all.add(self.receive()); // the first, skipped before
                      all.add(self.receive(number(3))); // the one asked about
                      self.pid().send(new Numbered(6));
                    }
                    return new Numbered(5).equals(letter);
                  }));
              all.add(asked.get());
              all.addAll(drain(self));
              return all;
            });
    assertThat(got)
        .containsExactly(
            new Numbered(1),
            new Numbered(3),
            new Numbered(5),
            6,
            new Numbered(2),
            new Numbered(4),
            new Numbered(6));
  }

  @Test
  void predicate_thatTakesTheOnlyMessage_findsNothing() {
    Letter got =
        with(
            numbers(1),
            self ->
                self.receive(
                    _ -> {
                      self.receive();
                      return true;
                    },
                    Duration.ZERO));
    assertThat(got).isNull();
  }

  @Test
  void predicate_thatUnstashes_isAskedAboutThose() {
    List<Letter> got =
        with(
            numbers(1, 2, 3),
            self -> {
              self.stash(self.receive());
              List<Letter> all = new ArrayList<>();
              all.add(
                  self.receive((Letter letter) -> {
                    self.unstashAll();
                    return letter.equals(new Numbered(1));
                  }));
              all.addAll(drain(self));
              return all;
            });
    assertThat(got).containsExactly(new Numbered(1), new Numbered(2), new Numbered(3));
  }

  @Test
  void predicate_thatThrows_leavesTheMailboxAsItWas() {
    List<Letter> rest =
        with(
            numbers(1, 2, 3),
            self -> {
              Predicate<Letter> failing =
                  letter -> {
                    if (letter.equals(new Numbered(2))) {
                      throw new IllegalStateException("planned");
                    }
                    return false;
                  };
              assertThatThrownBy(() -> self.receive(failing)).hasMessage("planned");
              assertThatThrownBy(() -> self.receive(failing, Duration.ZERO)).hasMessage("planned");
              assertThatThrownBy(() ->
                      self.receive(
                          Receive.<Letter, Letter>cases().on(Letter.class, failing, l -> l)))
                  .hasMessage("planned");
              return drain(self);
            });
    assertThat(rest).isEqualTo(numbers(1, 2, 3));
  }

  @Test
  void action_thatThrows_hasTakenItsMessage() {
    List<Letter> rest =
        with(
            numbers(1, 2),
            self -> {
              Receive<Letter, String> cases =
                  Receive.<Letter, String>cases()
                      .on(
                          Numbered.class,
                          _ -> {
                            throw new IllegalStateException("planned");
                          });
              assertThatThrownBy(() -> self.receive(cases)).hasMessage("planned");
              return drain(self);
            });
    assertThat(rest).isEqualTo(numbers(2));
  }

  @Test
  void down_isMadeOnceWhenItIsLookedAt() {
    AtomicInteger made = new AtomicInteger();
    AtomicReference<Letter> seen = new AtomicReference<>();
    List<Letter> got =
        with(
            numbers(1),
            self -> {
              Pid<Letter> child = self.spawn((Body<Letter>) _ -> {});
              self.monitor(
                  child,
                  down -> {
                    made.incrementAndGet();
                    return new GotDown(down);
                  });
              Letter none =
                  self.receive(
                      letter -> {
                        if (letter instanceof GotDown) {
                          seen.set(letter);
                          self.pid().send(new End());
                        }
                        return letter instanceof End;
                      },
                      FOREVER);
              assertThat(none).isEqualTo(new End());
              Letter again =
                  self.receive((Predicate<Letter>) l -> l instanceof Text, Duration.ZERO);
              assertThat(again).isNull();
              return drain(self);
            });
    assertThat(made).hasValue(1);
    assertThat(got).hasSize(2);
    assertThat(got.getLast()).isSameAs(seen.get());
  }

  // C26
  @Test
  void demonitorFlush_ofDownThatWasLookedAt_removesThatAlone() {
    List<Letter> got =
        with(
            numbers(1),
            self -> {
              Pid<Letter> child = self.spawn((Body<Letter>) s -> s.receive());
              MonitorRef first = self.monitor(child, GotDown::new);
              MonitorRef second = self.monitor(child, GotDown::new);
              child.send(new End());
              AtomicInteger downs = new AtomicInteger();
              self.receive(
                  letter -> {
                    if (letter instanceof GotDown && downs.incrementAndGet() == 2) {
                      self.pid().send(new End());
                    }
                    return letter instanceof End;
                  },
                  FOREVER);
              self.demonitorFlush(first);
              List<Letter> rest = drain(self);
              assertThat(((GotDown) rest.getLast()).down().monitor()).isEqualTo(second);
              return rest;
            });
    assertThat(got).hasSize(2);
  }

  @Test
  void downWhoseFunctionThrows_staysInItsPlace() {
    List<Letter> got =
        with(
            List.of(),
            self -> {
              AtomicInteger calls = new AtomicInteger();
              Pid<Letter> child = self.spawn((Body<Letter>) _ -> {});
              self.monitor(
                  child,
                  down -> {
                    if (calls.incrementAndGet() == 1) {
                      throw new IllegalStateException("planned");
                    }
                    return new GotDown(down);
                  });
              assertThatThrownBy(() -> self.receive(GotDown.class)).hasMessage("planned");
              List<Letter> all = new ArrayList<>();
              all.add(self.receive(GotDown.class));
              all.addAll(drain(self));
              return all;
            });
    assertThat(got).hasSize(1);
  }

  @Test
  void exit_isMadeOnceWhenItIsLookedAt() {
    AtomicInteger made = new AtomicInteger();
    List<Letter> got =
        with(
            numbers(1),
            self -> {
              self.trapExits(exit -> {
                made.incrementAndGet();
                return new GotExit(exit);
              });
              self.pid().exit(Reasons.DIE);
              assertThat(self.receive(Text.class, Duration.ZERO)).isNull();
              assertThat(self.receive(Text.class, Duration.ZERO)).isNull();
              self.untrapExits(); // what has come stays
              return List.of(self.receive(GotExit.class), self.receive());
            });
    assertThat(made).hasValue(1);
    assertThat(got)
        .containsExactly(
            new GotExit(new Exit(((GotExit) got.getFirst()).exit().from(), Reasons.DIE)),
            new Numbered(1));
  }

  @Test
  void exitSignal_endsWaitAndLongSearch() throws InterruptedException {
    Pid<Letter> waiting = spawn(self -> self.receive(Text.class));
    Pid<Letter> waitingLong = spawn(self -> self.receive(Text.class, FOREVER));
    CountDownLatch looking = new CountDownLatch(1);
    CompletableFuture<Boolean> sent = new CompletableFuture<>();
    AtomicInteger looks = new AtomicInteger();
    Pid<Letter> searching =
        spawn(self -> {
          numbers(1, 2, 3).forEach(self.pid()::send);
          self.receive((Letter _) -> {
            looks.incrementAndGet();
            looking.countDown();
            return !sent.join();
          });
        });
    Fate one = Fate.of(node, waiting);
    Fate two = Fate.of(node, waitingLong);
    Fate three = Fate.of(node, searching);
    looking.await();
    waiting.send(new Numbered(1));
    for (Pid<Letter> each : List.of(waiting, waitingLong, searching)) {
      each.exit(Reasons.DIE);
    }
    sent.complete(true);
    assertThat(one.reason()).isEqualTo(Reasons.DIE);
    assertThat(two.reason()).isEqualTo(Reasons.DIE);
    assertThat(three.reason()).isEqualTo(Reasons.DIE);
    assertThat(looks).hasValue(1);
    Await.until("what was unread to be counted", () -> node.stats().undelivered() == 4);
  }

  @Test
  void skippedMessages_ofProcessThatEndsNormally_areCounted() {
    Integer none =
        with(
            numbers(1, 2, 3),
            self -> {
              self.receive(number(2));
              return 0;
            });
    assertThat(none).isZero();
    Await.until("two to be counted", () -> node.stats().undelivered() == 2);
  }

  @Test
  void badArguments_areRefusedAndChangeNothing() {
    Duration negative = Duration.ofNanos(-1);
    Receive<Letter, String> cases = Receive.cases();
    List<Letter> rest =
        with(
            numbers(1),
            self -> {
              assertThatNullPointerException().isThrownBy(() -> self.receive((Class<Letter>) null));
              assertThatNullPointerException()
                  .isThrownBy(() -> self.receive((Predicate<Letter>) null));
              assertThatNullPointerException()
                  .isThrownBy(() -> self.receive((Receive<Letter, String>) null));
              assertThatNullPointerException().isThrownBy(() -> self.receive(Text.class, null));
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> self.receive(Numbered.class, negative));
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> self.receive((Predicate<Letter>) _ -> true, negative));
              assertThatIllegalArgumentException().isThrownBy(() -> self.receive(cases, negative));
              assertThatNullPointerException().isThrownBy(() -> cases.on(null, _ -> ""));
              assertThatNullPointerException().isThrownBy(() -> cases.on(Text.class, null));
              assertThatNullPointerException()
                  .isThrownBy(() -> cases.on(Text.class, null, _ -> ""));
              return drain(self);
            });
    assertThat(rest).isEqualTo(numbers(1));
  }

  @Test
  void receive_byOtherThread_isRefused() {
    AtomicReference<Pid<Letter>> pid = new AtomicReference<>();
    CompletableFuture<DirectSelf<Letter>> stolen = new CompletableFuture<>();
    CompletableFuture<Letter> end =
        start(
            self -> {
              stolen.complete(self);
              return self.receive();
            },
            pid);
    DirectSelf<Letter> self = Await.result("self", stolen);
    assertThatThrownBy(() -> self.receive(Text.class)).isInstanceOf(IllegalStateException.class);
    pid.get().send(new End());
    assertThat(Await.result("the end", end)).isEqualTo(new End());
  }

  // D40
  @Test
  void receive_manyTimeoutsAgainstMessages_neitherIsLost() {
    int rounds = 2_000;
    CompletableFuture<Integer> received = new CompletableFuture<>();
    Pid<Letter> receiver =
        spawn(self -> {
          int messages = 0;
          while (messages < rounds) {
            if (self.receive(Numbered.class, Duration.ofMillis(1)) != null) {
              messages++;
            }
          }
          received.complete(drain(self).size());
        });
    for (int i = 0; i < rounds; i++) {
      clock.advance(Duration.ofMillis(1));
      receiver.send(new Text("other"));
      receiver.send(new Numbered(i));
    }
    Await.until(
        "all messages",
        () -> {
          clock.advance(Duration.ofMillis(1));
          return received.isDone();
        });
    assertThat(received.join()).isEqualTo(rounds);
  }

  // M: each message is looked at once, though it arrives while the receive waits
  @Test
  void halfAMillionSkipped_whileWaiting_areLookedAtOnce() {
    node.marks(Marks.off()); // the mailbox shall grow long
    int messages = 500_000;
    AtomicInteger looks = new AtomicInteger();
    AtomicReference<Pid<Letter>> pid = new AtomicReference<>();
    CompletableFuture<Integer> left =
        start(
            self -> {
              self.receive((Letter letter) -> {
                looks.incrementAndGet();
                return letter instanceof End;
              });
              return drain(self).size();
            },
            pid);
    for (int i = 0; i < messages; i++) {
      pid.get().send(new Numbered(i));
    }
    pid.get().send(new End());
    assertThat(Await.result("all to be skipped", left, Duration.ofSeconds(60))).isEqualTo(messages);
    assertThat(looks).hasValue(messages + 1);
  }
}
