package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A task for each element, no more than a number at once. */
class TaskStreamTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;
  private static final Tasks.StreamOptions PATIENT =
      Tasks.StreamOptions.defaults().within(SOON, Tasks.OnTimeout.KILL);

  private final CountDownLatch release = new CountDownLatch(1);

  private static List<Integer> upTo(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  /** Numbers without end. */
  private static Iterable<Integer> numbers(AtomicInteger taken) {
    return () ->
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return true;
          }

          @Override
          public Integer next() {
            return taken.getAndIncrement();
          }
        };
  }

  private void awaitProcesses(int expected) {
    Await.until(
        () -> "processes: " + node.processes(), () -> node.stats().processes() == expected, SOON);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void ordered_comesInTheOrderOfTheElements_andLeavesNothing(Kind kind) {
    Probe owner = Probe.trapping(kind, node);
    List<Integer> squares =
        owner.run(self ->
            Tasks.stream(self, upTo(100), (_, i) -> i * i, PATIENT)
                .map(each -> each.outcome().orThrow())
                .toList());
    assertThat(squares).isEqualTo(upTo(100).stream().map(i -> i * i).toList());
    awaitProcesses(1);
    owner.assertQuiet();
  }

  @Test
  void unordered_comesAsItIsThere() {
    try (Stream<Tasks.Element<Integer, Integer>> all =
        Tasks.stream(
            node,
            upTo(20),
            (_, i) -> {
              if (i == 0) {
                release.await();
              }
              return i;
            },
            PATIENT.atOnce(2).unordered())) {
      List<Integer> order =
          all.map(Tasks.Element::input)
              .peek(i -> {
                if (i == 19) {
                  release.countDown();
                }
              })
              .toList();
      assertThat(order).containsExactlyInAnyOrderElementsOf(upTo(20)).endsWith(0);
    }
    awaitProcesses(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noMoreThanTheLimitRunAtOnce(boolean ordered) {
    AtomicInteger running = new AtomicInteger();
    Set<Integer> seen = java.util.Collections.synchronizedSet(new HashSet<>());
    Tasks.StreamOptions options = PATIENT.atOnce(3);
    List<?> all =
        Tasks.stream(
                node,
                upTo(30),
                (_, i) -> {
                  seen.add(running.incrementAndGet());
                  long from = System.nanoTime(); // time for one too many to show itself
                  while (running.get() <= 3 && System.nanoTime() - from < 5_000_000) {
                    LockSupport.parkNanos(100_000); // not spinning: others need the carrier
                  }
                  seen.add(running.get());
                  return running.getAndDecrement() + i;
                },
                ordered ? options : options.unordered())
            .toList();
    assertThat(all).hasSize(30);
    assertThat(seen).allMatch(n -> n <= 3);
  }

  @Test
  void failures_areValues_andHarmNobody() {
    Probe owner = Probe.start(Kind.EVENT, node);
    List<Tasks.Element<Integer, Integer>> all =
        owner.run(self -> Tasks.stream(self, upTo(3), (_, i) -> 1 / (i - 1), PATIENT).toList());
    assertThat(all.get(0).outcome()).isEqualTo(new Outcome.Replied<>(-1));
    assertThat(all.get(1).input()).isEqualTo(1);
    assertThat(all.get(1).outcome())
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.reason()).isInstanceOf(ExitReason.Crash.class));
    assertThat(all.get(2).outcome()).isEqualTo(new Outcome.Replied<>(1));
    assertThat(owner.answers()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void elementNotInTime_isKilledAndTold(boolean ordered) {
    Tasks.StreamOptions options =
        PATIENT.atOnce(2).within(Duration.ofMillis(50), Tasks.OnTimeout.KILL);
    List<Tasks.Element<Integer, Integer>> all =
        Tasks.stream(
                node,
                upTo(4),
                (_, i) -> {
                  if (i == 1) {
                    release.await();
                  }
                  return i;
                },
                ordered ? options : options.unordered())
            .toList();
    assertThat(all).hasSize(4);
    assertThat(all.stream().filter(e -> e.outcome() instanceof Outcome.TimedOut).toList())
        .singleElement()
        .satisfies(e -> assertThat(e.input()).isEqualTo(1));
    awaitProcesses(0);
  }

  @Test
  void elementNotInTime_endsTheStream_ifThatIsWanted() {
    assertThatThrownBy(() ->
            Tasks.stream(
                    node,
                    upTo(4),
                    (_, i) -> {
                      release.await();
                      return i;
                    },
                    PATIENT.within(Duration.ofMillis(5), Tasks.OnTimeout.EXIT))
                .toList())
        .isInstanceOf(CallTimeoutException.class);
    awaitProcesses(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endlessCollection_isTakenNoFurtherThanNeeded(boolean ordered) {
    AtomicInteger taken = new AtomicInteger();
    Tasks.StreamOptions options = PATIENT.atOnce(4);
    try (Stream<Tasks.Element<Integer, Integer>> all =
        Tasks.stream(node, numbers(taken), (_, i) -> i, ordered ? options : options.unordered())) {
      assertThat(all.limit(100).count()).isEqualTo(100);
    }
    assertThat(taken.get()).isBetween(100, ordered ? 200 : 104);
    awaitProcesses(0);
  }

  @Test
  void unread_startsNothing() {
    Stream<Tasks.Element<Integer, Integer>> all = Tasks.stream(node, upTo(3), (_, i) -> i, PATIENT);
    assertThat(node.stats().spawned()).isZero();
    all.close();
  }

  @Test
  void closed_endsTheTasksThatRun() {
    Stream<Tasks.Element<Integer, Integer>> all =
        Tasks.stream(
            node,
            upTo(10),
            (_, i) -> {
              if (i > 0) {
                release.await();
              }
              return i;
            },
            PATIENT.atOnce(5));
    assertThat(all.iterator().next().input()).isZero();
    all.close();
    awaitProcesses(0);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void ownerThatEnds_takesTheTasksWithIt(Kind kind) {
    AtomicInteger running = new AtomicInteger();
    for (boolean killed : new boolean[] {true, false}) {
      running.set(0);
      Probe owner = Probe.start(kind, node);
      owner.tell(self -> {
        Stream<Tasks.Element<Integer, Integer>> all =
            Tasks.stream(
                self,
                upTo(10),
                (_, i) -> {
                  if (i > 0) {
                    running.incrementAndGet();
                    release.await();
                  }
                  return i;
                },
                PATIENT.atOnce(3));
        Iterator<Tasks.Element<Integer, Integer>> elements = all.iterator();
        elements.next();
        if (killed) {
          elements.next();
        }
        throw new io.selvage.kernel.ExitException(ExitReason.normal());
      });
      if (killed) {
        Await.until("tasks run", () -> running.get() == 3);
        owner.pid().kill();
      }
      owner.awaitEnd();
      awaitProcesses(0);
    }
  }

  @Test
  void collectionThatThrows_endsTheStreamAndItsTasks() {
    Iterable<Integer> broken =
        () ->
            Stream.<Integer>generate(
                    new java.util.function.Supplier<>() {
                      int next;

                      @Override
                      public Integer get() {
                        if (next == 2) {
                          throw new IllegalStateException("no third");
                        }
                        return next++;
                      }
                    })
                .iterator();
    assertThatThrownBy(() ->
            Tasks.stream(
                    node,
                    broken,
                    (_, i) -> {
                      release.await();
                      return i;
                    },
                    PATIENT.atOnce(5))
                .toList())
        .hasMessage("no third");
    awaitProcesses(0);
  }

  @Test
  void othersThanTheOwner_areRefused() {
    Probe owner = Probe.start(Kind.EVENT, node);
    Iterator<Tasks.Element<Integer, Integer>> elements =
        owner.run(self -> {
          var all = Tasks.stream(self, upTo(3), (_, i) -> i, PATIENT).iterator();
          all.next();
          return all;
        });
    assertThatThrownBy(elements::next)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("only its owner");
  }

  @Test
  void impossibleOptions_areRefused() {
    assertThatThrownBy(() -> PATIENT.atOnce(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the concurrency is 0");
    assertThatThrownBy(() -> PATIENT.within(Duration.ofMillis(-1), Tasks.OnTimeout.KILL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-0.001S");
  }
}
