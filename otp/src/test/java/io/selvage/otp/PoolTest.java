package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pools: who gets a worker, who waits, and what happens with workers that end or are stuck. */
class PoolTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;
  private static final Duration SHORT = Duration.ofMillis(20);

  sealed interface Work {
    /** Answers the worker's pid. */
    record Who(int key, ReplyTo<Pid<?>> replyTo) implements Work {}

    /** Is not answered until released, by another process. */
    record Hold(ReplyTo<Pid<?>> replyTo) implements Work {}

    record Note(String text) implements Work {}

    record Fail(ReplyTo<Pid<?>> replyTo) implements Work {}
  }

  private final List<ReplyTo<Pid<?>>> held = new CopyOnWriteArrayList<>();
  private final List<String> noted = new CopyOnWriteArrayList<>();
  private final List<Pid<Work>> started = new CopyOnWriteArrayList<>();
  private final AtomicBoolean unable = new AtomicBoolean();

  private final class Worker implements Server<Integer, Work> {
    @Override
    public FirstStep<Integer, Work> init(Self<Work> self) {
      return unable.get() ? FirstStep.fail(new ExitReason.Shutdown("unable")) : Next.with(0);
    }

    @Override
    public Next<Integer, Work> onMessage(Self<Work> self, Integer state, Work message) {
      switch (message) {
        case Work.Who(_, var replyTo) -> replyTo.send(self.pid());
        case Work.Hold(var replyTo) -> held.add(replyTo);
        case Work.Note(var text) -> noted.add(text);
        case Work.Fail _ -> throw new ExitException(new ExitReason.Shutdown("failed"));
      }
      return Next.same();
    }
  }

  private Pool<Work> start(Form form, PoolOptions<Work> options) {
    return node.start(Pool.of(spawner -> startWorker(spawner, form), options), SOON, form.options())
        .orThrow()
        .value();
  }

  private StartResult<Work, Pid<Work>> startWorker(io.selvage.kernel.Spawner spawner, Form form) {
    StartResult<Work, Pid<Work>> result = Server.start(spawner, new Worker(), form.<Work>options());
    if (result instanceof StartResult.Started<Work, Pid<Work>>(var pid, _)) {
      started.add(pid);
    }
    return result;
  }

  private static PoolOptions<Work> of(int size) {
    return PoolOptions.of(size);
  }

  private static Pid<?> who(Pool<Work> pool, int key) {
    return pool.<Pid<?>>call(replyTo -> new Work.Who(key, replyTo), SOON);
  }

  /** A call that is not answered until {@link #release}. */
  private CompletableFuture<Pid<?>> hold(Pool<Work> pool) {
    return CompletableFuture.supplyAsync(
        () -> pool.<Pid<?>>call(Work.Hold::new, SOON), Thread::startVirtualThread);
  }

  private void awaitHeld(int calls) {
    Await.until("calls are held", () -> held.size() == calls);
  }

  private void awaitWaiting(Pool<Work> pool, int waiting) {
    Await.until("some wait", () -> pool.status().waiting() == waiting);
  }

  private void release(Pool<Work> pool) {
    held.removeFirst().send(pool.pid());
  }

  private static void awaitIdle(Pool<Work> pool, int idle) {
    Await.until(() -> "idle workers: " + pool.status(), () -> pool.status().idle() == idle, SOON);
  }

  // ---------------------------------------------------------------- routing

  @ParameterizedTest
  @EnumSource
  void roundRobin_givesEachItsTurn(Form form) {
    Pool<Work> pool = start(form, of(3));
    List<Pid<?>> order = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      order.add(who(pool, 0));
    }
    assertThat(order.subList(0, 3)).doesNotHaveDuplicates().isEqualTo(order.subList(3, 6));
    assertThat(new HashSet<>(order)).isEqualTo(new HashSet<>(started));
    pool.send(new Work.Note("sent"));
    pool.pid().send(new Work.Note("to the pid"));
    Await.until("both arrive", () -> noted.size() == 2);
  }

  @ParameterizedTest
  @EnumSource
  void leastLoaded_avoidsTheBusy(Form form) {
    Pool<Work> pool =
        start(form, of(3).withLoad(100).routed(new PoolOptions.Routing.LeastLoaded<>()));
    CompletableFuture<Pid<?>> one = hold(pool);
    CompletableFuture<Pid<?>> two = hold(pool);
    awaitHeld(2);
    Set<Pid<?>> free = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      free.add(who(pool, 0));
    }
    assertThat(free).hasSize(1);
    release(pool);
    release(pool);
    Await.result("one", one);
    Await.result("two", two);
  }

  @ParameterizedTest
  @EnumSource
  void hashed_keepsTheWorkerOfAKey_andMovesFewWhenTheSizeChanges(Form form) {
    Pool<Work> pool = start(form, of(4).routed(new PoolOptions.Routing.Hashed<>(PoolTest::key)));
    Map<Integer, Pid<?>> before = new HashMap<>();
    for (int key = 0; key < 200; key++) {
      before.put(key, who(pool, key));
      assertThat(who(pool, key)).isEqualTo(before.get(key));
    }
    assertThat(new HashSet<>(before.values())).hasSize(4);
    pool.resize(5);
    int moved = 0;
    for (int key = 0; key < 200; key++) {
      Pid<?> now = who(pool, key);
      if (!now.equals(before.get(key))) {
        moved++;
        assertThat(now).as("only to the new one").isEqualTo(started.get(4));
      }
    }
    assertThat(moved).isBetween(1, 100);
  }

  private static Object key(Work work) {
    return work instanceof Work.Who(int key, _) ? key : 0;
  }

  @ParameterizedTest
  @EnumSource
  void sticky_goesWhereItWentBefore(Form form) {
    Pool<Work> pool = start(form, of(3).routed(new PoolOptions.Routing.Sticky<>(PoolTest::key)));
    Pid<?> one = who(pool, 1);
    Pid<?> two = who(pool, 2);
    assertThat(two).isNotEqualTo(one);
    for (int i = 0; i < 5; i++) {
      assertThat(who(pool, 1)).isEqualTo(one);
      assertThat(who(pool, 2)).isEqualTo(two);
    }
  }

  @ParameterizedTest
  @EnumSource
  void keyThatCanNotBeTold_isTheCallersFault(Form form) {
    Pool<Work> pool =
        start(
            form,
            of(1)
                .routed(
                    new PoolOptions.Routing.Hashed<>(_ -> {
                      throw new IllegalStateException("no key");
                    })));
    assertThatThrownBy(() -> who(pool, 1))
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.reason().toString()).contains("no key"));
    pool.send(new Work.Note("lost"));
    assertThat(pool.status().refused()).isEqualTo(1);
  }

  // ---------------------------------------------------------------- checkout

  @ParameterizedTest
  @EnumSource
  void checkedOut_isNobodyElses_untilGivenBack(Form form) {
    Pool<Work> pool = start(form, of(2));
    Pool.Lease<Work> lease = pool.checkout(node, SOON).orElseThrow();
    for (int i = 0; i < 4; i++) {
      assertThat(who(pool, 0)).isNotEqualTo(lease.worker());
    }
    assertThat(pool.status().leased()).isEqualTo(1);
    Pool.Lease<Work> other = pool.checkout(node, SOON).orElseThrow();
    assertThat(pool.checkout(node, SHORT)).isEmpty();
    assertThat(pool.status().waiting()).as("it waits no more").isZero();
    lease.close();
    lease.close();
    assertThat(pool.checkout(node, SOON).orElseThrow().worker()).isEqualTo(lease.worker());
    other.discard();
    awaitIdle(pool, 1);
    assertThat(other.worker().isAlive()).isFalse();
    assertThat(started).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void ownerThatEnds_givesItsWorkerBack_orHasItReplaced(Form form) {
    for (PoolOptions.OwnerEnds rule : PoolOptions.OwnerEnds.values()) {
      Pool<Work> pool = start(form, of(1).whenOwnerEnds(rule));
      Probe owner = Probe.start(Kind.EVENT, node);
      Pid<Work> worker = owner.run(self -> pool.checkout(self, SOON).orElseThrow().worker());
      assertThat(pool.status().leased()).isEqualTo(1);
      owner.pid().kill();
      awaitIdle(pool, 1);
      assertThat(who(pool, 0).equals(worker)).isEqualTo(rule == PoolOptions.OwnerEnds.RETURN);
      assertThat(node.info(pool.pid()).orElseThrow().monitors().count())
          .as("the worker's alone")
          .isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void ownerKilledWhileItWaits_holdsNoWorker(Form form) {
    Pool<Work> pool = start(form, of(1).whenOwnerEnds(PoolOptions.OwnerEnds.RETURN));
    Pool.Lease<Work> lease = pool.checkout(node, SOON).orElseThrow();
    Probe owner = Probe.start(Kind.EVENT, node);
    owner.tell(self -> pool.checkout(self, SOON));
    awaitWaiting(pool, 1);
    owner.pid().kill();
    owner.awaitEnd();
    lease.close();
    awaitIdle(pool, 1);
    assertThat(pool.checkout(node, SOON)).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void timeoutAgainstGrant_losesNoWorker(Form form) {
    Pool<Work> pool = start(form, of(1));
    for (int i = 0; i < Rounds.part(100); i++) {
      Pool.Lease<Work> lease = pool.checkout(node, SOON).orElseThrow();
      long nanos = i % 50 * 2_000L;
      CompletableFuture<Optional<Pool.Lease<Work>>> other =
          CompletableFuture.supplyAsync(
              () -> pool.checkout(node, Duration.ofNanos(nanos)), Thread::startVirtualThread);
      lease.close();
      Await.result("the other", other).ifPresent(Pool.Lease::close);
    }
    awaitIdle(pool, 1);
  }

  // ---------------------------------------------------------------- full

  @ParameterizedTest
  @EnumSource
  void waiting_areServedInOrder(Form form) {
    Pool<Work> pool = start(form, of(1).withQueue(10, PoolOptions.WhenFull.REFUSE));
    CompletableFuture<Pid<?>> first = hold(pool);
    awaitHeld(1);
    CompletableFuture<Pid<?>> second = hold(pool);
    awaitWaiting(pool, 1);
    CompletableFuture<Optional<Pool.Lease<Work>>> third =
        CompletableFuture.supplyAsync(() -> pool.checkout(node, SOON), Thread::startVirtualThread);
    awaitWaiting(pool, 2);
    release(pool);
    Await.result("first", first);
    awaitHeld(1);
    assertThat(third).isNotDone();
    release(pool);
    Await.result("second", second);
    Await.result("third", third).orElseThrow().close();
    awaitIdle(pool, 1);
  }

  @ParameterizedTest
  @EnumSource
  void full_refusesTheNewest_andTellsIt(Form form) {
    Pool<Work> pool = start(form, of(1).withQueue(0, PoolOptions.WhenFull.REFUSE));
    CompletableFuture<Pid<?>> first = hold(pool);
    awaitHeld(1);
    assertThatThrownBy(() -> who(pool, 0))
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.reason()).isEqualTo(new Pool.Full(pool.pid())))
        .hasMessageContaining("was refused");
    assertThat(pool.checkout(node, SOON)).isEmpty();
    assertThat(pool.status().refused()).isEqualTo(2);
    release(pool);
    Await.result("first", first);
  }

  @ParameterizedTest
  @EnumSource
  void full_dropsTheOldest_orTheNewest(Form form) {
    Pool<Work> oldest = start(form, of(1).withQueue(1, PoolOptions.WhenFull.DROP_OLDEST));
    CompletableFuture<Pid<?>> first = hold(oldest);
    awaitHeld(1);
    CompletableFuture<Pid<?>> second = hold(oldest);
    awaitWaiting(oldest, 1);
    CompletableFuture<Pid<?>> third = hold(oldest);
    assertThatThrownBy(() -> Await.result("second", second)).isInstanceOf(CallException.class);
    release(oldest);
    Await.result("first", first);
    awaitHeld(1);
    release(oldest);
    Await.result("third", third);
    Pool<Work> newest = start(form, of(1).withQueue(0, PoolOptions.WhenFull.DROP_NEWEST));
    CompletableFuture<Pid<?>> kept = hold(newest);
    awaitHeld(1);
    assertThatThrownBy(() -> newest.<Pid<?>>call(r -> new Work.Who(0, r), SHORT))
        .isInstanceOf(CallTimeoutException.class);
    release(newest);
    Await.result("kept", kept);
  }

  @ParameterizedTest
  @EnumSource
  void full_dropsTheOldestCheckout_andTellsItAtOnce(Form form) {
    Pool<Work> pool = start(form, of(1).withQueue(1, PoolOptions.WhenFull.DROP_OLDEST));
    Pool.Lease<Work> lease = pool.checkout(node, SOON).orElseThrow();
    CompletableFuture<Optional<Pool.Lease<Work>>> oldest =
        CompletableFuture.supplyAsync(
            () -> pool.checkout(node, Sys.FOREVER), Thread::startVirtualThread);
    awaitWaiting(pool, 1);
    CompletableFuture<Optional<Pool.Lease<Work>>> next =
        CompletableFuture.supplyAsync(
            () -> pool.checkout(node, Sys.FOREVER), Thread::startVirtualThread);
    assertThat(Await.result("the oldest", oldest)).isEmpty();
    assertThat(next).isNotDone();
    CompletableFuture<Pid<?>> call = hold(pool);
    assertThat(Await.result("the next, for a call", next)).isEmpty();
    assertThat(pool.status().refused()).isEqualTo(2);
    lease.close();
    awaitHeld(1);
    release(pool);
    Await.result("the call", call);
    awaitIdle(pool, 1);
  }

  // ---------------------------------------------------------------- ended and stuck workers

  @ParameterizedTest
  @EnumSource
  void workerThatEnds_isReplaced_andItsCallersAreTold(Form form) {
    Pool<Work> pool = start(form, of(1));
    Pid<?> before = who(pool, 0);
    assertThatThrownBy(() -> pool.<Pid<?>>call(Work.Fail::new, SOON))
        .isInstanceOfSatisfying(
            CallException.class,
            e -> assertThat(e.reason()).isEqualTo(new ExitReason.Shutdown("failed")));
    assertThat(who(pool, 0)).as("waits for the new one").isNotEqualTo(before);
    started.getLast().kill();
    Await.until("it is replaced again", () -> pool.status().replaced() == 2);
    assertThat(who(pool, 0)).isEqualTo(started.getLast());
  }

  @ParameterizedTest
  @EnumSource
  void workerThatIsStuck_isKilledAndReplaced(Form form) {
    Pool<Work> pool = start(form, of(1).withLoad(2).withStuckAfter(SHORT));
    Pid<?> before = who(pool, 0);
    assertThatThrownBy(() -> pool.<Pid<?>>call(Work.Hold::new, SOON))
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.reason()).isEqualTo(ExitReason.killed()));
    assertThat(who(pool, 0)).isNotEqualTo(before);
    assertThat(before.isAlive()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void workerThatCanNotBeStarted_failsThePool_laterIsTriedAgain(Form form) {
    unable.set(true);
    assertThat(node.start(Pool.of(s -> startWorker(s, form), of(2)), SOON))
        .isInstanceOf(StartResult.Ended.class);
    unable.set(false);
    Pool<Work> pool = start(form, of(2));
    unable.set(true);
    started.getFirst().kill();
    Await.until("one is missing", () -> pool.status().missing() == 1);
    assertThat(who(pool, 0)).isEqualTo(started.getLast());
    unable.set(false);
    awaitIdle(pool, 2);
    unable.set(true);
    pool.resize(3);
    assertThat(pool.status().missing()).isEqualTo(1);
    pool.resize(2);
  }

  // ---------------------------------------------------------------- size and end

  @ParameterizedTest
  @EnumSource
  void smaller_letsTheBusyFinish(Form form) {
    Pool<Work> pool = start(form, of(3));
    List<CompletableFuture<Pid<?>>> all = List.of(hold(pool), hold(pool), hold(pool));
    awaitHeld(3);
    pool.resize(1);
    assertThat(node.info(pool.pid()).orElseThrow().links().count()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      release(pool);
    }
    all.forEach(each -> Await.result("a reply", each));
    Await.until("two end", () -> started.stream().filter(Pid::isAlive).count() == 1);
    assertThat(who(pool, 0)).isEqualTo(started.getFirst());
    Pool.Lease<Work> lease = pool.checkout(node, SOON).orElseThrow();
    pool.resize(2);
    awaitIdle(pool, 1);
    lease.close();
    awaitIdle(pool, 2);
  }

  @ParameterizedTest
  @EnumSource
  void poolThatEnds_endsItsWorkers(Form form) {
    Pool<Work> stopped = start(form, of(3));
    Sys.stop(stopped.pid(), ExitReason.shutdown(), SOON);
    assertThat(started).noneMatch(Pid::isAlive);
    Pool<Work> killed = start(form, of(3));
    killed.pid().kill();
    Await.until("workers end", () -> started.stream().noneMatch(Pid::isAlive));
    assertThatThrownBy(() -> who(killed, 0)).isInstanceOf(CallException.class);
  }

  @Test
  void impossibleOptions_areRefused() {
    assertThatThrownBy(() -> of(0)).hasMessageContaining("the size of the pool is 0");
    assertThatThrownBy(() -> of(1).withLoad(-1)).hasMessageContaining("load of a worker is -1");
    assertThatThrownBy(() -> of(1).withStuckAfter(Duration.ZERO))
        .hasMessageContaining("stuck after PT0S");
    assertThatThrownBy(() -> of(1).withQueue(-1, PoolOptions.WhenFull.REFUSE))
        .hasMessageContaining("the queue is -1 long");
    Pool<Work> pool = start(Form.EVENT, of(1));
    assertThatThrownBy(() -> pool.resize(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
