package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.EventFilter;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.Trace;
import io.selvage.kernel.TraceEvent;
import io.selvage.kernel.TraceOptions;
import io.selvage.kernel.TraceSession;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Observers that fail, are slow, or go in the middle: whom they observe must not notice. */
class ObserverTroubleTest extends KernelTest {
  private static final EventFilter EVERYTHING = EventFilter.of(KernelEvent.class);
  private static final Set<Trace> ALL = EnumSet.allOf(Trace.class);

  private final AtomicBoolean over = new AtomicBoolean();
  private final List<CompletableFuture<Void>> works = new ArrayList<>();

  /** Repeats something on a thread of its own until the test is over. */
  private void keepDoing(Runnable step) {
    works.add(
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                step.run();
              }
            },
            task -> Thread.ofPlatform().name("work").start(task)));
  }

  private void finish() {
    over.set(true);
    works.forEach(work -> Await.result("the work to end", work));
  }

  /** A parent that has, links with and loses children for ever. */
  private Probe family(Kind kind) {
    Probe parent = Probe.start(kind, node);
    keepDoing(() ->
        parent.act(self -> {
          Probe child = Probe.start(kind, self);
          self.link(child.pid());
          child.say("hello");
          self.unlink(child.pid());
          child.pid().exit(ExitReason.shutdown());
          child.say("too late, perhaps");
        }));
    return parent;
  }

  @ParameterizedTest
  @EnumSource
  void subscriptionsAndSessions_comeAndGo_whileEventsFlow(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Probe parent = family(kind);
    Probe owner = Probe.start(kind, node);
    for (int i = 0; i < Math.min(50, Rounds.part(10)); i++) {
      AtomicInteger told = new AtomicInteger();
      Subscription events = node.subscribe(EVERYTHING, _ -> told.incrementAndGet());
      TraceSession trace = node.trace(TraceOptions.defaults(), _ -> told.incrementAndGet());
      trace.traceWithChildren(parent.pid(), ALL);
      Subscription owned = owner.run(self -> self.subscribe(EVERYTHING, Msg.Say::new));
      TraceSession ownedTrace =
          owner.run(self -> self.trace(TraceOptions.defaults(), Msg.Say::new));
      ownedTrace.traceWithChildren(parent.pid(), EnumSet.of(Trace.SPAWNS, Trace.EXITS));
      Await.until("news", () -> told.get() > 10);
      CompletableFuture<Void> other = CompletableFuture.runAsync(trace::close);
      trace.close();
      owned.close();
      ownedTrace.close();
      events.close();
      Await.result("the other close", other);
      Object _ = owner.drain();
    }
    finish();
    assertThat(node.stats().subscriptions()).isZero();
    assertThat(parent.answers()).isTrue();
    Await.until("children to end", () -> node.stats().processes() == 2);
  }

  @ParameterizedTest
  @EnumSource
  void ownerKilledInTheMiddle_takesItsSubscriptionsWithIt(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Probe parent = family(kind);
    for (int i = 0; i < Math.min(50, Rounds.part(10)); i++) {
      Probe owner = Probe.start(kind, node);
      TraceSession trace =
          owner.run(self -> {
            self.subscribe(EVERYTHING, Msg.Say::new);
            return self.trace(TraceOptions.defaults(), Msg.Say::new);
          });
      trace.traceWithChildren(parent.pid(), ALL);
      Object _ = owner.next();
      owner.pid().kill();
      owner.awaitEnd();
      assertThat(trace.isOpen()).isFalse();
      assertThat(node.stats().subscriptions()).isZero();
    }
    finish();
    assertThat(parent.answers()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void nodeClosedInTheMiddle_endsAllSubscriptions(Kind kind) {
    for (int i = 0; i < 5; i++) {
      Node closing = restart(kind.configure(NodeOptions.defaults()));
      Probe parent = Probe.start(kind, closing);
      ConcurrentLinkedQueue<Object> told = new ConcurrentLinkedQueue<>();
      Subscription events = closing.subscribe(EVERYTHING, told::add);
      TraceSession trace = closing.trace(TraceOptions.defaults(), told::add);
      trace.traceWithChildren(parent.pid(), ALL);
      Probe owner = Probe.start(kind, closing);
      Subscription owned = owner.run(self -> self.subscribe(EVERYTHING, Msg.Say::new));
      parent.tell(self -> {
        while (true) {
          Probe child = Probe.start(kind, self);
          child.say("hello");
          child.pid().kill();
        }
      });
      Await.until("news", () -> told.size() > 100);
      closing.close(Duration.ofSeconds(10));
      assertThat(List.of(events.isOpen(), trace.isOpen(), owned.isOpen())).containsOnly(false);
      assertThat(closing.stats().subscriptions()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void flood_leavesASlowProcessAFullMailboxAndNoMore(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Probe slow = Probe.start(kind, node);
    CountDownLatch latch = new CountDownLatch(1);
    Subscription subscription =
        slow.run(self ->
            self.subscribe(
                EventFilter.of(KernelEvent.DeadLetter.class).withCapacity(100), Msg.Say::new));
    Probe dead = Probe.start(kind, node);
    dead.pid().kill();
    dead.awaitEnd();
    slow.tell(_ -> latch.await());
    int sent = 20_000;
    for (int i = 0; i < sent; i++) {
      dead.say(i);
    }
    assertThat(node.info(slow.pid()).orElseThrow().mailbox()).isBetween(100L, 101L);
    assertThat(subscription.lost()).isEqualTo(sent - 100);
    assertThat(node.stats().lostNews()).isEqualTo(sent - 100);
    latch.countDown();
    long lossTold = 0;
    long seen = 0;
    for (Msg message : slow.drain()) {
      if (((Msg.Say) message).what() instanceof KernelEvent.EventsLost(long events)) {
        lossTold += events;
      } else {
        seen++;
      }
    }
    for (Msg message : slow.drain()) { // the notice comes behind what had been asked for before
      lossTold += ((KernelEvent.EventsLost) ((Msg.Say) message).what()).events();
    }
    assertThat(seen).isEqualTo(100);
    assertThat(lossTold).isEqualTo(sent - 100);
  }

  @Test
  void functionThatLacksMemory_getsTheNext_evenIfNobodyCanBeTold() {
    AtomicInteger calls = new AtomicInteger();
    Consumer<Object> failing =
        _ -> {
          Thread.currentThread()
              .setUncaughtExceptionHandler((_, _) -> {
                throw new OutOfMemoryError("for the report, on purpose");
              });
          calls.incrementAndGet();
          throw new OutOfMemoryError("on purpose");
        };
    Subscription _ = node.subscribe(EventFilter.of(KernelEvent.ProcessSpawned.class), failing);
    TraceSession trace = node.trace(TraceOptions.defaults(), failing);
    for (int i = 0; i < 5; i++) {
      Probe probe = Probe.start(Kind.EVENT, node);
      trace.trace(probe.pid(), EnumSet.of(Trace.EXITS));
      probe.pid().kill();
    }
    Await.until(() -> "all calls, not " + calls, () -> calls.get() == 10, Await.LIMIT);
  }

  @ParameterizedTest
  @EnumSource
  void sinkThatLacksMemory_keepsNobodyFromBeingTold(Kind kind) {
    Node troubled =
        Node.start(
            kind.configure(NodeOptions.defaults())
                .withName("troubled")
                .withEvents(_ -> {
                  throw new OutOfMemoryError("on purpose");
                }));
    try {
      Probe linked = Probe.trapping(kind, troubled);
      Probe crashing = linked.run(self -> Probe.start(kind, self));
      linked.act(self -> self.link(crashing.pid()));
      crashing.tell(_ -> {
        throw new IllegalStateException("on purpose");
      });
      assertThat(linked.nextExit().from()).isEqualTo(crashing.pid());
      linked.act(_ -> crashing.say("a dead letter"));
      assertThat(linked.answers()).isTrue();
    } finally {
      assertThat(troubled.close(Duration.ofSeconds(10))).isEmpty();
    }
  }

  @Test
  void functionThatCallsTheNode_works() {
    AtomicReference<Subscription> self = new AtomicReference<>();
    ConcurrentLinkedQueue<KernelEvent> inner = new ConcurrentLinkedQueue<>();
    CountDownLatch ready = new CountDownLatch(1);
    Subscription outer =
        node.subscribe(
            EventFilter.of(KernelEvent.ProcessEnded.class),
            _ -> {
              Await.until("the subscription", () -> ready.getCount() == 0);
              Subscription _ =
                  node.subscribe(EventFilter.of(KernelEvent.ProcessSpawned.class), inner::add);
              Probe probe = Probe.start(Kind.DIRECT, node);
              assertThat(probe.answers()).isTrue();
              self.get().close();
            });
    self.set(outer);
    ready.countDown();
    Probe.start(Kind.EVENT, node).pid().kill();
    Await.until("the inner event", () -> !inner.isEmpty());
    Await.until("the close", () -> !outer.isOpen());
  }

  @Test
  void functionThatClosesTheNode_works() {
    CompletableFuture<Integer> left = new CompletableFuture<>();
    Subscription subscription =
        node.subscribe(
            EventFilter.of(KernelEvent.ProcessSpawned.class),
            _ -> left.complete(node.close(Duration.ofSeconds(10)).size()));
    Probe.start(Kind.EVENT, node);
    assertThat(Await.result("the close", left)).isZero();
    assertThat(subscription.isOpen()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void functionOfAProcessThatThrows_endsThatProcessAlone(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Probe owner = Probe.start(kind, node);
    Subscription subscription =
        owner.run(self ->
            self.subscribe(
                EventFilter.of(KernelEvent.ProcessSpawned.class),
                _ -> {
                  throw new IllegalStateException("on purpose");
                }));
    Probe other = Probe.start(kind, node);
    owner.awaitEnd();
    assertThat(subscription.isOpen()).isFalse();
    assertThat(other.answers()).isTrue();
  }

  @Test
  void unlinkByThePeer_isTracedOnBothSides_once() {
    ConcurrentLinkedQueue<TraceEvent> told = new ConcurrentLinkedQueue<>();
    TraceSession session = node.trace(TraceOptions.defaults(), told::add);
    Probe a = Probe.start(Kind.EVENT, node);
    Probe b = Probe.start(Kind.DIRECT, node);
    session.trace(a.pid(), EnumSet.of(Trace.LINKS));
    session.trace(b.pid(), EnumSet.of(Trace.LINKS));
    a.act(self -> self.link(b.pid()));
    b.act(self -> self.unlink(a.pid()));
    a.barrier();
    Await.until(() -> "four entries: " + told, () -> told.size() == 4, Await.LIMIT);
    assertThat(told.stream().filter(e -> e instanceof TraceEvent.Linked)).hasSize(2);
    assertThat(told.stream().filter(e -> e instanceof TraceEvent.Unlinked)).hasSize(2);
  }
}
