package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.RequestRef;
import io.selvage.kernel.Self;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Deadlines: requests for which nobody waits any more, and calls made for requests. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class DeadlineTest extends KernelTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration LIMIT = Duration.ofMillis(100);
  private static final Duration BEYOND = Duration.ofMillis(102);

  private sealed interface In {}

  /** Code that handles a request. */
  private interface Answering {
    void on(Self<In> self, ReplyTo<Object> replyTo) throws Exception;
  }

  private record Ask(Answering what, ReplyTo<Object> replyTo) implements In {}

  private record Got(Outcome<Object> outcome, Answering then, ReplyTo<Object> replyTo)
      implements In {}

  /** Code that handles a message which is no request. */
  private interface Doing {
    void on(Self<In> self) throws Exception;
  }

  private record Do(Doing what) implements In {}

  private static final Answering NEVER = (_, _) -> {};

  @Parameter Kind kind;

  private final ManualClock clock = new ManualClock();

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults).withClock(clock);
  }

  private Pid<In> server() {
    return kind.spawn(
        node,
        (self, in) -> {
          switch (in) {
            case Ask(Answering what, ReplyTo<Object> replyTo) -> what.on(self, replyTo);
            case Got(_, Answering then, ReplyTo<Object> replyTo) -> then.on(self, replyTo);
            case Do(Doing what) -> what.on(self);
          }
        });
  }

  private static CompletableFuture<Object> ask(Pid<In> server, Duration timeout, Answering what) {
    return server
        .<Object>callAsync(replyTo -> new Ask(what, replyTo), timeout)
        .toCompletableFuture();
  }

  private static Object call(Pid<In> server, Duration timeout, Answering what) {
    return server.<Object>call(replyTo -> new Ask(what, replyTo), timeout);
  }

  /** How a call has failed. */
  private static Throwable failure(CompletableFuture<Object> call) {
    Await.until("the call to fail", call::isCompletedExceptionally);
    return call.exceptionNow();
  }

  /** Runs code in a process as a plain message, and waits for it. */
  private static void act(Pid<In> pid, Doing what) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    pid.send(
        new Do(self -> {
          try {
            what.on(self);
            done.complete(true);
          } catch (Throwable t) { // the test is told
            done.completeExceptionally(t);
          }
        }));
    Boolean _ = Await.result("what the process does", done);
  }

  /** Keeps a process busy until the latch is open. */
  private static CountDownLatch busy(Pid<In> pid) {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    pid.send(
        new Do(_ -> {
          begun.countDown();
          gate.await();
        }));
    Await.until("the process to be busy", () -> begun.getCount() == 0);
    return gate;
  }

  private void awaitTimers(int number) {
    Await.until(number + " timers to be set", () -> node.stats().timers() == number);
  }

  private void assertExpired(long number) {
    assertThat(node.stats().expired()).isEqualTo(number);
    assertThat(node.stats().undelivered()).isEqualTo(number);
    assertThat(node.deadLetters(1).byCause()).containsEntry(Cause.EXPIRED, number);
  }

  // ---------------------------------------------------------------- requests that have expired

  @Test
  void request_whoseCallHasTimedOut_isNotHandledAndCounted() {
    Pid<In> server = server();
    CountDownLatch gate = busy(server);
    AtomicInteger handled = new AtomicInteger();
    CompletableFuture<Object> late = ask(server, LIMIT, (_, _) -> handled.incrementAndGet());
    CompletableFuture<Object> patient =
        ask(server, LONG, (_, replyTo) -> replyTo.send(handled.get()));
    clock.advance(BEYOND);
    assertThat(failure(late)).isInstanceOf(CallTimeoutException.class);
    gate.countDown();
    assertThat(Await.result("the other call", patient)).isEqualTo(0);
    assertExpired(1);
    assertThat(node.deadLetters(1).kinds())
        .singleElement()
        .satisfies(kindOf -> {
          assertThat(kindOf.way()).isEqualTo(Way.CALL);
          assertThat(kindOf.receiver()).isEqualTo(server.toString());
        });
  }

  @Test
  void request_thatWasFetchedBeforeItExpired_isNotHandled() {
    Pid<In> server = server();
    CountDownLatch gate = busy(server);
    CountDownLatch second = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger handled = new AtomicInteger();
    server.send(
        new Do(_ -> { // when this runs, what stands behind it has been fetched
          begun.countDown();
          second.await();
        }));
    CompletableFuture<Object> late = ask(server, LIMIT, (_, _) -> handled.incrementAndGet());
    gate.countDown();
    Await.until("the second handler", () -> begun.getCount() == 0);
    clock.advance(BEYOND);
    assertThat(failure(late)).isInstanceOf(CallTimeoutException.class);
    second.countDown();
    act(server, _ -> assertThat(handled).hasValue(0));
    assertExpired(1);
  }

  @Test
  void requests_hundredsThatHaveExpired_areSkippedAndTheNextIsHandled() {
    Pid<In> server = server();
    CountDownLatch gate = busy(server);
    AtomicInteger handled = new AtomicInteger();
    for (int i = 0; i < 900; i++) {
      CompletableFuture<Object> _ = ask(server, LIMIT, (_, _) -> handled.incrementAndGet());
    }
    clock.advance(BEYOND);
    awaitTimers(0);
    gate.countDown();
    act(server, _ -> assertThat(handled).hasValue(0));
    assertExpired(900);
  }

  @Test
  void request_whoseCallerHasEndedOrAbandonedIt_isNotHandled() {
    Pid<In> server = server();
    CountDownLatch gate = busy(server);
    AtomicInteger handled = new AtomicInteger();
    Pid<In> killed = server();
    Pid<In> abandoning = server();
    act(
        killed,
        self -> {
          RequestRef _ = request(self, server, LONG, (_, _) -> handled.incrementAndGet());
        });
    act(
        abandoning,
        self -> {
          RequestRef ref = request(self, server, LONG, (_, _) -> handled.incrementAndGet());
          assertThat(ref.abandon()).isTrue();
        });
    CompletableFuture<Boolean> told = new CompletableFuture<>();
    act(
        abandoning,
        self -> {
          MonitorRef _ = self.monitor(killed, _ -> new Do(_ -> told.complete(true)));
        });
    killed.kill();
    assertThat(Await.result("the caller's end", told)).isTrue(); // its requests are given up before
    awaitTimers(0);
    gate.countDown();
    act(server, _ -> assertThat(handled).hasValue(0));
    assertExpired(2);
  }

  private static RequestRef request(
      Self<In> self, Pid<In> target, Duration timeout, Answering what) {
    return self.<In, Object>request(
        target, replyTo -> new Ask(what, replyTo), timeout, _ -> new Do(_ -> {}));
  }

  @Test
  void request_withTimeoutOfZero_isHandled() {
    Pid<In> server = server();
    CountDownLatch gate = busy(server);
    CompletableFuture<Optional<Duration>> left = new CompletableFuture<>();
    CompletableFuture<Object> over =
        ask(server, Duration.ZERO, (self, _) -> left.complete(self.timeLeft()));
    assertThat(failure(over)).isInstanceOf(CallTimeoutException.class);
    gate.countDown();
    assertThat(Await.result("the handler", left)).isEmpty();
    assertExpired(0);
  }

  @Test
  void replyTo_tellsWhetherAndHowLongItsCallerWaits() {
    Pid<In> server = server();
    CompletableFuture<ReplyTo<Object>> kept = new CompletableFuture<>();
    CompletableFuture<Object> call = ask(server, LIMIT, (_, replyTo) -> kept.complete(replyTo));
    ReplyTo<Object> replyTo = Await.result("the reply address", kept);
    assertThat(replyTo.isOpen()).isTrue();
    clock.advance(Duration.ofMillis(30));
    assertThat(replyTo.timeLeft()).contains(Duration.ofMillis(70));
    clock.advance(Duration.ofMillis(72));
    assertThat(failure(call)).isInstanceOf(CallTimeoutException.class);
    assertThat(replyTo.isOpen()).isFalse();
    assertThat(replyTo.timeLeft()).contains(Duration.ZERO);
  }

  // ---------------------------------------------------------------- deadlines that are inherited

  @Test
  void callsForARequest_takeNoLongerThanItsCallerWaits() {
    Pid<In> front = server();
    Pid<In> middle = server();
    Pid<In> back = server();
    CompletableFuture<Optional<Duration>> left = new CompletableFuture<>();
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    CompletableFuture<Object> call =
        ask(
            front,
            LIMIT,
            (_, _) ->
                assertThatExceptionOfType(CallTimeoutException.class)
                    .isThrownBy(() ->
                        call(
                            middle,
                            LONG,
                            (_, _) -> {
                              try {
                                call(back, FOREVER, (self, _) -> left.complete(self.timeLeft()));
                              } catch (CallTimeoutException e) {
                                failure.complete(e);
                              }
                            })));
    assertThat(Await.result("the last handler", left)).contains(LIMIT);
    clock.advance(BEYOND);
    assertThat(Await.result("the innermost call", failure)).hasMessageContaining("100 ms");
    assertThat(failure(call)).isInstanceOf(CallTimeoutException.class);
    awaitTimers(0);
  }

  @Test
  void callForARequest_withLessTimeOfItsOwn_keepsThat() {
    Pid<In> front = server();
    Pid<In> back = server();
    CompletableFuture<Optional<Duration>> left = new CompletableFuture<>();
    CompletableFuture<Object> _ =
        ask(
            front,
            LONG,
            (self, _) ->
                request(self, back, LIMIT, (behind, _) -> left.complete(behind.timeLeft())));
    assertThat(Await.result("the last handler", left)).contains(LIMIT);
    clock.advance(BEYOND);
    awaitTimers(1);
  }

  @Test
  void callsForARequest_whoseCallerHasGivenUp_areNotSent() {
    Pid<In> front = server();
    Pid<In> back = server();
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    CompletableFuture<Object> late =
        ask(
            front,
            LIMIT,
            (self, _) -> {
              begun.countDown();
              gate.await();
              assertThat(self.timeLeft()).contains(Duration.ZERO);
              Answering counting = (_, replyTo) -> replyTo.send(asked.incrementAndGet());
              assertThatExceptionOfType(CallTimeoutException.class)
                  .isThrownBy(() -> call(back, LONG, counting));
              assertThat(ask(back, LONG, counting)).failsWithin(Await.LIMIT);
              RequestRef _ = request(self, back, FOREVER, counting);
              if (self instanceof DirectSelf<In> direct) {
                var requests = direct.<Integer, Object>requests();
                requests.add(1, back, replyTo -> new Ask(counting, replyTo), LONG);
                assertThat(requests.next().outcome()).isInstanceOf(Outcome.TimedOut.class);
              }
              assertThat(asked).hasValue(0);
              assertThat(self.<Object>withoutDeadline(() -> call(back, LONG, counting)))
                  .isEqualTo(1);
              done.complete(true);
            });
    Await.until("the handler", () -> begun.getCount() == 0);
    clock.advance(BEYOND);
    assertThat(failure(late)).isInstanceOf(CallTimeoutException.class);
    gate.countDown();
    assertThat(Await.result("the handler", done)).isTrue();
    act(back, _ -> assertThat(asked).hasValue(1));
    act(front, _ -> {});
    awaitTimers(0);
  }

  @Test
  void deadline_holdsUntilTheRequestIsAnsweredOrTheNextMessageTaken() {
    Pid<In> server = server();
    CompletableFuture<List<Optional<Duration>>> seen = new CompletableFuture<>();
    CompletableFuture<Object> answered =
        ask(
            server,
            LIMIT,
            (self, replyTo) -> {
              Optional<Duration> before = self.timeLeft();
              Optional<Duration> without = self.withoutDeadline(self::timeLeft);
              Optional<Duration> again = self.timeLeft();
              replyTo.send("reply");
              seen.complete(List.of(before, without, again, self.timeLeft()));
            });
    assertThat(Await.result("the reply", answered)).isEqualTo("reply");
    assertThat(Await.result("the handler", seen))
        .containsExactly(
            Optional.of(LIMIT), Optional.empty(), Optional.of(LIMIT), Optional.empty());
    CompletableFuture<Object> _ = ask(server, LONG, NEVER);
    act(server, self -> assertThat(self.timeLeft()).isEmpty());
    CompletableFuture<Object> unlimited =
        ask(server, FOREVER, (self, replyTo) -> replyTo.send(self.timeLeft()));
    assertThat(Await.result("a call without limit", unlimited)).isEqualTo(Optional.empty());
  }

  @Test
  void outcomeOfARequest_isHandledForTheRequestForWhichItWasMade() {
    Pid<In> front = server();
    Pid<In> back = server();
    CompletableFuture<Object> call =
        ask(
            front,
            LIMIT,
            (self, replyTo) -> {
              RequestRef _ =
                  self.<In, Object>request(
                      back,
                      inner -> new Ask((_, to) -> to.send("inner"), inner),
                      LONG,
                      outcome ->
                          new Got(outcome, (later, to) -> to.send(later.timeLeft()), replyTo));
            });
    assertThat(Await.result("the reply", call)).isEqualTo(Optional.of(LIMIT));
    act(front, self -> assertThat(self.timeLeft()).isEmpty());
  }

  // ---------------------------------------------------------------- stash, selective receive

  @Test
  void stashedRequests_keepTheirDeadlinesAndAreSkippedWhenExpired() {
    AtomicInteger handled = new AtomicInteger();
    boolean[] open = {false};
    Pid<In> server =
        kind.spawn(
            node,
            (self, in) -> {
              switch (in) {
                case Ask _ when !open[0] -> self.stash(in);
                case Ask(Answering what, ReplyTo<Object> replyTo) -> what.on(self, replyTo);
                case Do(Doing what) -> what.on(self);
                case Got _ -> throw new AssertionError("nothing was asked");
              }
            });
    CompletableFuture<Object> late = ask(server, LIMIT, (_, _) -> handled.incrementAndGet());
    CompletableFuture<Object> patient =
        ask(server, LONG, (self, replyTo) -> replyTo.send(self.timeLeft()));
    act(server, self -> assertThat(self.stashed()).isEqualTo(2));
    clock.advance(BEYOND);
    assertThat(failure(late)).isInstanceOf(CallTimeoutException.class);
    act(
        server,
        self -> {
          open[0] = true;
          assertThat(self.unstashAll()).isEqualTo(2);
        });
    assertThat(Await.result("the reply", patient)).isEqualTo(Optional.of(LONG.minus(BEYOND)));
    assertThat(handled).hasValue(0);
    assertExpired(1);
  }

  @Test
  void selectiveReceive_skipsExpiredRequestsAndServesTheOneItTakes() {
    Assumptions.assumeTrue(kind.isDirect());
    Pid<In> server = server();
    CountDownLatch gate = new CountDownLatch(1);
    CompletableFuture<Integer> looks = new CompletableFuture<>();
    server.send(
        new Do(self -> {
          gate.await();
          AtomicInteger count = new AtomicInteger();
          Ask ask =
              (Ask)
                  ((DirectSelf<In>) self)
                      .receive((In in) -> {
                        count.incrementAndGet();
                        return in instanceof Ask;
                      });
          looks.complete(count.get());
          ask.what().on(self, ask.replyTo());
        }));
    CompletableFuture<Object> late = ask(server, LIMIT, (_, replyTo) -> replyTo.send("late"));
    server.send(new Do(_ -> {}));
    CompletableFuture<Object> patient =
        ask(server, LONG, (self, replyTo) -> replyTo.send(self.timeLeft()));
    clock.advance(BEYOND);
    assertThat(failure(late)).isInstanceOf(CallTimeoutException.class);
    gate.countDown();
    assertThat(Await.result("the reply", patient)).isEqualTo(Optional.of(LONG.minus(BEYOND)));
    assertThat(Await.result("the looks", looks)).isEqualTo(2);
    assertExpired(1);
  }
}
