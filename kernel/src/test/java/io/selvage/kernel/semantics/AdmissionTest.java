package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.selvage.kernel.Admission;
import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.Limit;
import io.selvage.kernel.Limits;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import io.selvage.kernel.spi.SystemMessage;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Admission by waiting time. The clock stands still, but for what the handlers make pass. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class AdmissionTest extends KernelTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration TARGET = Duration.ofMillis(5);
  private static final Duration INTERVAL = Duration.ofMillis(100);
  private static final Admission ADMISSION = new Admission(TARGET, INTERVAL);

  private sealed interface In {}

  /** Takes some time, by the clock. */
  private record Ask(int number, Duration takes, ReplyTo<Integer> replyTo) implements In {}

  /** A request to the kernel's own code, which handles it as any. */
  private record Ping(ReplyTo<Integer> replyTo) implements In, SystemMessage {}

  private record Put(int number, ReplyTo<Integer> replyTo) implements In {}

  private record PutBack(ReplyTo<Integer> replyTo) implements In {}

  /** Keeps the process busy. */
  private record Hold(CountDownLatch begun, CountDownLatch gate) implements In {}

  @Parameter Kind kind;

  private final ManualClock clock = new ManualClock();
  private final List<Integer> served = new ArrayList<>();

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults).withClock(clock);
  }

  private Pid<In> server(Limits<In> limits) {
    return kind.spawn(
        node,
        (self, in) -> {
          switch (in) {
            case Ask(int number, Duration takes, ReplyTo<Integer> replyTo) -> {
              served.add(number);
              clock.advance(takes);
              replyTo.send(number);
            }
            case Ping(ReplyTo<Integer> replyTo) -> replyTo.send(-1);
            case Put put -> {
              if (served.isEmpty()) {
                self.stash(put);
              } else {
                put.replyTo().send(put.number());
              }
            }
            case PutBack(ReplyTo<Integer> replyTo) -> {
              served.add(-1);
              replyTo.send(self.unstashAll());
            }
            case Hold(CountDownLatch begun, CountDownLatch gate) -> {
              begun.countDown();
              gate.await();
            }
          }
        },
        SpawnOptions.<In>defaults().withLimits(limits));
  }

  private Pid<In> server() {
    return server(Limits.<In>none().withAdmission(ADMISSION));
  }

  private static CompletableFuture<Integer> ask(Pid<In> server, int number, Duration takes) {
    return ask(server, number, takes, LONG);
  }

  private static CompletableFuture<Integer> ask(
      Pid<In> server, int number, Duration takes, Duration timeout) {
    return server
        .<Integer>callAsync(replyTo -> new Ask(number, takes, replyTo), timeout)
        .toCompletableFuture();
  }

  private static CountDownLatch busy(Pid<In> server) {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    server.send(new Hold(begun, gate));
    Await.until("the process to be busy", () -> begun.getCount() == 0);
    return gate;
  }

  private static Duration ms(int number) {
    return Duration.ofMillis(number);
  }

  /** Makes a process late: for an interval it takes no request that has waited less than 6 ms. */
  private CountDownLatch late(Pid<In> server) {
    CountDownLatch gate = busy(server);
    for (int i = 0; i < 12; i++) {
      CompletableFuture<Integer> _ = ask(server, i, ms(10));
    }
    clock.advance(ms(6));
    CountDownLatch next = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    server.send(new Hold(begun, next)); // behind them, so that the last one is not alone
    gate.countDown();
    Await.until("the process to have served some", () -> begun.getCount() == 0);
    return next;
  }

  private static Admission.Refused refusal(CompletableFuture<Integer> call) {
    Await.until("the call to fail", call::isCompletedExceptionally);
    assertThat(call.exceptionNow())
        .isExactlyInstanceOf(CallException.class)
        .hasMessageContaining("refused(after");
    return (Admission.Refused) ((CallException) call.exceptionNow()).reason();
  }

  // ---------------------------------------------------------------- the rule

  @Test
  void process_thatHasNotKeptUpForAnInterval_refusesWhatHasWaitedTwiceTheTarget() {
    Pid<In> server = server();
    CountDownLatch gate = late(server); // those that came after an interval are refused already
    assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(node.stats().overloaded()).isEqualTo(2);
    CompletableFuture<Integer> tooLate = ask(server, 20, ms(0));
    clock.advance(Duration.ofNanos(1));
    CompletableFuture<Integer> justInTime = ask(server, 21, ms(0));
    CompletableFuture<Integer> last = ask(server, 22, ms(0));
    clock.advance(ms(10));
    gate.countDown();
    assertThat(refusal(tooLate))
        .isEqualTo(new Admission.Refused(ms(10).plusNanos(1), ADMISSION))
        .hasToString("refused(after 10 ms: target 5 ms, interval 100 ms)");
    assertThat(Await.result("one that waited less", justInTime)).isEqualTo(21);
    assertThat(Await.result("the last", last)).isEqualTo(22);
    assertThat(node.stats().overloaded()).isEqualTo(3);
    assertThat(node.stats().undelivered()).isEqualTo(3);
    assertThat(node.deadLetters(1).kinds())
        .singleElement()
        .satisfies(kindOf -> {
          assertThat(kindOf.cause()).isEqualTo(Cause.OVERLOADED);
          assertThat(kindOf.way()).isEqualTo(Way.CALL);
          assertThat(kindOf.type()).isEqualTo(Ask.class.getName());
        });
  }

  @Test
  void burst_thatIsWorkedOffWithinAnInterval_isServedWhole() {
    Pid<In> server = server();
    CountDownLatch gate = busy(server);
    List<CompletableFuture<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 99; i++) {
      calls.add(ask(server, i, ms(1)));
    }
    gate.countDown();
    calls.forEach(call -> Await.result("the reply", call));
    assertThat(served).hasSize(99);
  }

  @Test
  void request_behindWhichNothingWaits_isServedHoweverLate() {
    Pid<In> server = server();
    CountDownLatch gate = late(server);
    CompletableFuture<Integer> only = ask(server, 20, ms(0));
    clock.advance(Duration.ofSeconds(1));
    gate.countDown();
    assertThat(Await.result("the only one", only)).isEqualTo(20);
  }

  @Test
  void process_thatKeepsUpAgain_refusesNoMore() {
    Pid<In> server = server();
    CountDownLatch gate = late(server);
    gate.countDown();
    for (int i = 0; i < 2; i++) { // one in each of two intervals that has not waited
      assertThat(Await.result("a reply", ask(server, 20, INTERVAL))).isEqualTo(20);
    }
    gate = busy(server);
    CompletableFuture<Integer> old = ask(server, 30, ms(0));
    CompletableFuture<Integer> last = ask(server, 31, ms(0));
    clock.advance(Duration.ofSeconds(1));
    gate.countDown();
    assertThat(Await.result("an old one", old)).isEqualTo(30);
    assertThat(Await.result("the last", last)).isEqualTo(31);
  }

  /** The rule once more, as plainly as it can be put, and random loads. */
  @Test
  void randomLoads_areServedAsTheRuleSays() {
    long seed = Long.getLong("selvage.test.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < Rounds.part(50); round++) {
      served.clear();
      Pid<In> server = server();
      CountDownLatch gate = busy(server);
      int count = 2 + random.nextInt(200);
      int gap = 1 + random.nextInt(8_000);
      int takes = 1 + random.nextInt(12_000);
      int unit = random.nextBoolean() ? 1 : 1_000; // of a thousand, waits meet the marks exactly
      List<Long> made = new ArrayList<>();
      List<Long> costs = new ArrayList<>();
      List<CompletableFuture<Integer>> calls = new ArrayList<>();
      long now = 0;
      for (int i = 0; i < count; i++) {
        long cost = unit * (1L + random.nextInt(takes) / unit);
        made.add(now);
        costs.add(cost);
        Duration timeout = random.nextBoolean() ? LONG : FOREVER;
        calls.add(ask(server, i, Duration.ofNanos(cost * 1_000), timeout));
        long pause = (long) unit * (random.nextInt(gap) / unit);
        clock.advance(Duration.ofNanos(pause * 1_000));
        now += pause;
      }
      gate.countDown();
      List<Integer> expected = model(made, costs, now);
      Await.until("all to be over", () -> calls.stream().allMatch(CompletableFuture::isDone));
      assertThat(served).as("-Dselvage.test.seed=" + seed + ", " + round).isEqualTo(expected);
      server.kill();
    }
  }

  /** Which are served; in microseconds. */
  private static List<Integer> model(List<Long> made, List<Long> costs, long begin) {
    List<Integer> answer = new ArrayList<>();
    long now = begin;
    long intervalEnd = Long.MIN_VALUE;
    boolean keepsUp = true;
    List<Long> waits = new ArrayList<>(); // of this interval
    for (int i = 0; i < made.size(); i++) {
      if (now >= intervalEnd) {
        keepsUp = waits.stream().anyMatch(wait -> wait <= 5_000) || waits.isEmpty();
        waits.clear();
        intervalEnd = now + 100_000;
      }
      long wait = now - made.get(i);
      boolean last = i == made.size() - 1;
      waits.add(last ? 0 : wait);
      if (keepsUp || last || wait <= 10_000) {
        answer.add(i);
        now += costs.get(i);
      }
    }
    return answer;
  }

  // ---------------------------------------------------------------- what is exempt

  @Test
  void systemMessages_andCallsThatHaveNotWaited_areNeverRefused() {
    Pid<In> server = server();
    CountDownLatch gate = late(server);
    CompletableFuture<Integer> ping =
        server.<Integer>callAsync(Ping::new, LONG).toCompletableFuture();
    CompletableFuture<Integer> none = ask(server, 20, ms(0), Duration.ZERO);
    CompletableFuture<Integer> refused = ask(server, 21, ms(0));
    CompletableFuture<Integer> _ = ask(server, 22, ms(0));
    clock.advance(Duration.ofSeconds(1));
    gate.countDown();
    assertThat(Await.result("the answer", ping)).isEqualTo(-1);
    assertThat(refusal(refused).waited()).isEqualTo(Duration.ofSeconds(1));
    assertThat(none.exceptionNow()).isInstanceOf(CallTimeoutException.class);
    assertThat(served).contains(20).doesNotContain(21);
  }

  @Test
  void stashedRequests_areServedHoweverLate() {
    Pid<In> server = server();
    List<CompletableFuture<Integer>> stashed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int number = i;
      stashed.add(
          server
              .<Integer>callAsync(replyTo -> new Put(number, replyTo), LONG)
              .toCompletableFuture());
    }
    CompletableFuture<Integer> wait =
        ask(server, 9, ms(0)); // so that they are stashed, and served is not empty
    assertThat(Await.result("the wait", wait)).isEqualTo(9);
    served.clear();
    CountDownLatch gate = late(server);
    clock.advance(Duration.ofSeconds(1));
    CompletableFuture<Integer> back =
        server.<Integer>callAsync(PutBack::new, LONG).toCompletableFuture();
    CompletableFuture<Integer> _ = ask(server, 20, ms(0));
    gate.countDown();
    assertThat(Await.result("how many", back)).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      assertThat(Await.result("a stashed one", stashed.get(i))).isEqualTo(i);
    }
  }

  @Test
  void request_thatWasMadeBeforeThereWasAnAdmission_isRefusedOnlyIfItsTimeIsKnown() {
    Pid<In> server = server(Limits.none());
    CountDownLatch gate = busy(server);
    for (int i = 0; i < 11; i++) { // one of them does not count as one that has not waited
      CompletableFuture<Integer> _ = ask(server, i, ms(10), i == 3 ? FOREVER : LONG);
    }
    CompletableFuture<Integer> endless = ask(server, 20, ms(0), FOREVER);
    CompletableFuture<Integer> timed = ask(server, 21, ms(0));
    CompletableFuture<Integer> last = ask(server, 22, ms(0));
    clock.advance(ms(6));
    node.limits(server, Limits.<In>none().withAdmission(ADMISSION));
    gate.countDown();
    assertThat(Await.result("one without a time", endless)).isEqualTo(20);
    assertThat(refusal(timed).waited()).isEqualTo(ms(106));
    assertThat(Await.result("the last", last)).isEqualTo(22);
  }

  @Test
  void endlessCalls_areRefused_andNothingIsOnceTheAdmissionIsTakenAway() {
    Pid<In> server = server();
    CountDownLatch gate = late(server);
    CompletableFuture<Integer> refused = ask(server, 20, ms(0), FOREVER);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch next = new CountDownLatch(1);
    clock.advance(ms(11));
    server.send(new Hold(begun, next));
    gate.countDown();
    assertThat(refusal(refused).waited()).isEqualTo(ms(11));
    CompletableFuture<Integer> second = ask(server, 21, ms(0));
    CompletableFuture<Integer> last = ask(server, 22, ms(0));
    clock.advance(ms(11));
    node.limits(server, Limits.none());
    assertThat(node.limits(server).admission()).isNull();
    next.countDown();
    assertThat(Await.result("an old one", second)).isEqualTo(21);
    assertThat(Await.result("the last", last)).isEqualTo(22);
  }

  // ---------------------------------------------------------------- conservation

  @Test
  void manyCallers_eachGetAReplyOrARefusalOrATimeout() {
    Pid<In> server =
        server(
            Limits.<In>none()
                .withAdmission(new Admission(ms(1), ms(2)))
                .on(Ask.class, Limit.messages(50).thenRefuse()));
    AtomicInteger replied = new AtomicInteger();
    AtomicInteger late = new AtomicInteger();
    AtomicInteger full = new AtomicInteger();
    AtomicInteger timedOut = new AtomicInteger();
    int threads = 8;
    int each = Rounds.part(500);
    List<CompletableFuture<Void>> callers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      callers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < each; i++) {
                  List<CompletableFuture<Integer>> calls = new ArrayList<>();
                  for (int j = 0; j < 8; j++) {
                    calls.add(ask(server, j, Duration.ofNanos(300_000), j == 0 ? ms(3) : LONG));
                  }
                  for (CompletableFuture<Integer> call : calls) {
                    Await.until("the outcome", call::isDone);
                    if (!call.isCompletedExceptionally()) {
                      replied.incrementAndGet();
                    } else if (call.exceptionNow() instanceof CallTimeoutException) {
                      timedOut.incrementAndGet();
                    } else if (((CallException) call.exceptionNow()).reason()
                        instanceof Admission.Refused) {
                      late.incrementAndGet();
                    } else {
                      full.incrementAndGet();
                    }
                  }
                }
              },
              Thread::startVirtualThread));
    }
    callers.forEach(caller -> Await.result("a caller", caller));
    assertThat(replied.get() + late.get() + full.get() + timedOut.get())
        .isEqualTo(threads * each * 8);
    assertThat(node.deadLetters(1).byCause().getOrDefault(Cause.OVERLOADED, 0L))
        .isEqualTo(late.get());
    assertThat(node.deadLetters(1).byCause().getOrDefault(Cause.REFUSED, 0L))
        .as("some of them had timed out just before")
        .isBetween((long) full.get(), (long) full.get() + timedOut.get());
    assertThat(late.get()).isPositive();
  }

  // ---------------------------------------------------------------- values

  @Test
  void limits_showTheirAdmission() {
    Limits<In> limits = Limits.<In>none().withAdmission(Admission.standard());
    assertThat(limits).hasToString("limits{} and for waits target 5 ms, interval 100 ms");
    assertThat(limits.isEmpty()).isFalse();
    assertThat(limits).isEqualTo(Limits.<In>none().withAdmission(ADMISSION));
    assertThat(limits).isNotEqualTo(Limits.none());
    assertThat(limits.on(Ask.class, Limit.messages(1).thenDrop()).admission()).isEqualTo(ADMISSION);
    assertThat(limits.others(Limit.messages(1).thenDrop()).admission()).isEqualTo(ADMISSION);
    Pid<In> server = server(limits);
    assertThat(node.limits(server)).isEqualTo(limits);
  }

  @Test
  void wrongValues_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Admission(Duration.ZERO, INTERVAL))
        .withMessageContaining("PT0S")
        .withMessageContaining("give more than zero");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Admission(ms(-1), INTERVAL))
        .withMessageContaining("PT-0.001S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Admission(TARGET, TARGET))
        .withMessageContaining("PT0.005S")
        .withMessageContaining("give a longer interval");
    Admission endless = new Admission(LONG, FOREVER);
    Pid<In> server = server(Limits.<In>none().withAdmission(endless));
    assertThat(Await.result("a reply", ask(server, 1, ms(0)))).isEqualTo(1);
  }
}
