package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.AlreadyRegisteredException;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Name;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events for subscribers. Source: {@code erlang:system_monitor/2}. */
class EventStreamTest extends KernelTest {
  private final ConcurrentLinkedQueue<KernelEvent> told = new ConcurrentLinkedQueue<>();

  private Subscription subscribe(EventFilter filter) {
    return node.subscribe(filter, told::add);
  }

  private void awaitTold(KernelEvent event) {
    Await.until(() -> event + " among " + told, () -> told.contains(event), Await.LIMIT);
  }

  @ParameterizedTest
  @EnumSource
  void everything_isToldInOrder(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Subscription subscription = subscribe(EventFilter.of(KernelEvent.class));
    Name<Msg> name = Name.of("told");
    Probe parent = Probe.start(kind, node);
    Probe child =
        parent.run(self ->
            Probe.start(
                kind, self, SpawnOptions.<Msg>defaults().named(name).labelled("L").linked()));
    parent.act(self -> self.unlink(child.pid()));
    parent.act(self -> self.link(child.pid()));
    parent.act(self -> self.unlink(child.pid()));
    node.unregister(name);
    child.pid().exit(ExitReason.shutdown());
    child.awaitEnd();
    awaitTold(new KernelEvent.ProcessEnded(child.pid(), "L", ExitReason.shutdown(), 0));
    assertThat(told)
        .containsExactly(
            new KernelEvent.ProcessSpawned(parent.pid(), null, null),
            new KernelEvent.ProcessSpawned(child.pid(), parent.pid(), "L"),
            new KernelEvent.NameRegistered(name, child.pid()),
            new KernelEvent.ProcessesLinked(parent.pid(), child.pid()),
            new KernelEvent.ProcessesUnlinked(parent.pid(), child.pid()),
            new KernelEvent.ProcessesLinked(parent.pid(), child.pid()),
            new KernelEvent.ProcessesUnlinked(parent.pid(), child.pid()),
            new KernelEvent.NameUnregistered(name),
            new KernelEvent.ProcessEnded(child.pid(), "L", ExitReason.shutdown(), 0));
    assertThat(subscription.lost()).isZero();
  }

  @Test
  void chosenKindsOnly_andTheSinksEventsToo() {
    Subscription _ =
        subscribe(
            EventFilter.of(KernelEvent.ProcessCrashed.class, KernelEvent.NameRegistered.class));
    Probe probe = Probe.start(Kind.EVENT, node);
    node.register(Name.<Msg>of("x"), probe.pid());
    probe.tell(_ -> {
      throw new IllegalStateException("on purpose");
    });
    Await.until("the crash", () -> told.size() == 2);
    assertThat(told)
        .hasExactlyElementsOfTypes(
            KernelEvent.NameRegistered.class, KernelEvent.ProcessCrashed.class);
  }

  @ParameterizedTest
  @EnumSource
  void deadLetters_areToldWithSenderReceiverMessageAndCause(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Subscription _ = subscribe(EventFilter.of(KernelEvent.DeadLetter.class));
    Probe dead = Probe.start(kind, node);
    Probe sender = Probe.start(kind, node);
    dead.hold(new CountDownLatch(1));
    Msg unread = new Msg.Say("unread");
    sender.act(_ -> dead.pid().send(unread));
    dead.pid().kill();
    dead.awaitEnd();
    Msg late = new Msg.Say("late");
    dead.pid().send(late);
    awaitTold(new KernelEvent.DeadLetter(sender.pid(), Way.SEND, dead.pid(), unread, Cause.UNREAD));
    awaitTold(new KernelEvent.DeadLetter(null, Way.SEND, dead.pid(), late, Cause.ENDED));
    assertThat(node.stats().undelivered()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void restart_isToldAfterSpawnNameAndLink(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Probe parent = Probe.start(kind, node);
    Probe first = Probe.start(kind, node);
    first.pid().kill();
    first.awaitEnd();
    Subscription _ =
        subscribe(
            EventFilter.of(
                KernelEvent.ProcessSpawned.class,
                KernelEvent.ProcessRestarted.class,
                KernelEvent.NameRegistered.class,
                KernelEvent.ProcessesLinked.class));
    Name<Msg> name = Name.of("restarted");
    Probe second =
        parent.run(self ->
            Probe.start(
                kind,
                self,
                SpawnOptions.<Msg>defaults()
                    .restartOf(first.pid())
                    .labelled("L")
                    .named(name)
                    .linked()));
    KernelEvent restart = new KernelEvent.ProcessRestarted(second.pid(), first.pid(), "L");
    awaitTold(restart);
    assertThat(told)
        .containsExactly(
            new KernelEvent.ProcessSpawned(second.pid(), parent.pid(), "L"),
            new KernelEvent.NameRegistered(name, second.pid()),
            new KernelEvent.ProcessesLinked(parent.pid(), second.pid()),
            restart);
  }

  @Test
  void restartOfAForeignProcess_isRefused_andNothingStarted() {
    Probe foreign = Probe.start(Kind.EVENT, start(NodeOptions.defaults()));
    SpawnOptions<Msg> options = SpawnOptions.<Msg>defaults().restartOf(foreign.pid());
    assertThatThrownBy(() -> Probe.start(Kind.EVENT, node, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(foreign.pid().toString());
    assertThat(node.stats().spawned()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void spawnUnderATakenName_isToldAsSpawnedAndEnded_notAsRegisteredOrRestarted(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Name<Msg> name = Name.of("taken");
    Probe holder = Probe.start(kind, node, SpawnOptions.<Msg>defaults().named(name));
    Subscription _ = subscribe(EventFilter.of(KernelEvent.class));
    SpawnOptions<Msg> options =
        SpawnOptions.<Msg>defaults().named(name).linked().restartOf(holder.pid());
    Probe parent = Probe.start(kind, node);
    assertThatThrownBy(() -> parent.run(self -> Probe.start(kind, self, options)))
        .isInstanceOf(AlreadyRegisteredException.class);
    Await.until(
        "the end", () -> told.stream().anyMatch(KernelEvent.ProcessEnded.class::isInstance));
    assertThat(told)
        .hasExactlyElementsOfTypes(
            KernelEvent.ProcessSpawned.class, // the parent
            KernelEvent.ProcessSpawned.class,
            KernelEvent.ProcessEnded.class);
  }

  @ParameterizedTest
  @EnumSource
  void links_areToldOnceEach_whateverIsAskedTwice(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Probe a = Probe.start(kind, node);
    Probe b = Probe.start(kind, node);
    Probe dead = Probe.start(kind, node);
    dead.pid().kill();
    dead.awaitEnd();
    Probe trapping = Probe.trapping(kind, node);
    Subscription _ =
        subscribe(
            EventFilter.of(
                KernelEvent.ProcessesLinked.class,
                KernelEvent.ProcessesUnlinked.class,
                KernelEvent.ProcessEnded.class));
    a.act(self -> {
      self.link(b.pid());
      self.link(b.pid());
      self.link(self.pid());
    });
    b.act(self -> self.link(a.pid())); // linked already
    b.act(self -> {
      self.unlink(a.pid());
      self.unlink(a.pid());
    });
    a.act(self -> self.unlink(b.pid())); // unlinked already
    trapping.act(self -> self.link(dead.pid()));
    trapping.act(self -> self.unlink(dead.pid()));
    trapping.act(self -> self.link(a.pid()));
    a.pid().exit(ExitReason.shutdown()); // ends the link without a word
    KernelEvent end = new KernelEvent.ProcessEnded(a.pid(), null, ExitReason.shutdown(), 0);
    awaitTold(end);
    assertThat(told)
        .containsExactly(
            new KernelEvent.ProcessesLinked(a.pid(), b.pid()),
            new KernelEvent.ProcessesUnlinked(b.pid(), a.pid()),
            new KernelEvent.ProcessesLinked(trapping.pid(), a.pid()),
            end);
  }

  @Test
  void names_areToldOnceEach() {
    Name<Msg> first = Name.of("first");
    Name<Msg> second = Name.of("second");
    Subscription _ =
        subscribe(
            EventFilter.of(
                KernelEvent.NameRegistered.class,
                KernelEvent.NameUnregistered.class,
                KernelEvent.ProcessEnded.class));
    Probe a = Probe.start(Kind.EVENT, node);
    node.register(first, a.pid());
    assertThatThrownBy(() -> node.register(first, a.pid()))
        .isInstanceOf(IllegalStateException.class);
    node.unregister(first);
    assertThatThrownBy(() -> node.unregister(first)).isInstanceOf(IllegalArgumentException.class);
    node.register(second, a.pid());
    a.pid().kill(); // frees the name without a word
    KernelEvent end = new KernelEvent.ProcessEnded(a.pid(), null, ExitReason.killed(), 0);
    awaitTold(end);
    assertThat(told)
        .containsExactly(
            new KernelEvent.NameRegistered(first, a.pid()),
            new KernelEvent.NameUnregistered(first),
            new KernelEvent.NameRegistered(second, a.pid()),
            end);
  }

  @Test
  void longQueue_isToldOnceUntilItWasShortAgain() {
    Subscription _ = subscribe(EventFilter.of(KernelEvent.LongQueue.class).withLongQueue(100));
    Probe slow = Probe.start(Kind.EVENT, node);
    for (int round = 1; round <= 2; round++) {
      CountDownLatch latch = new CountDownLatch(1);
      slow.tell(_ -> latch.await());
      for (int i = 0; i < 150; i++) {
        slow.say(i);
      }
      int expected = round;
      Await.until("a long queue", () -> told.size() == expected);
      latch.countDown();
      slow.barrier();
      awaitALook();
    }
    assertThat(told)
        .allSatisfy(event -> {
          KernelEvent.LongQueue queue = (KernelEvent.LongQueue) event;
          assertThat(queue.length()).isBetween(101L, 151L);
          assertThat(queue.backlog().pid()).isEqualTo(slow.pid());
          assertThat(queue.backlog().types().getFirst().name()).isEqualTo(Msg.Say.class.getName());
        });
  }

  /** Until the queues have been looked at: another subscriber's look begins after ours. */
  private void awaitALook() {
    Probe marker = Probe.start(Kind.EVENT, node);
    CountDownLatch latch = new CountDownLatch(1);
    marker.tell(_ -> latch.await());
    for (int i = 0; i < 120; i++) {
      marker.say(i);
    }
    Await.until(
        "a look",
        () -> told.stream().anyMatch(e -> ((KernelEvent.LongQueue) e).pid() == marker.pid()));
    told.removeIf(e -> ((KernelEvent.LongQueue) e).pid() == marker.pid());
    latch.countDown();
  }

  @Test
  void slowFunction_losesEventsAndIsToldHowMany() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch latch = new CountDownLatch(1);
    Subscription subscription =
        node.subscribe(
            EventFilter.of(KernelEvent.ProcessSpawned.class).withCapacity(10),
            event -> {
              begun.countDown();
              awaitQuietly(latch);
              told.add(event);
            });
    Probe.start(Kind.EVENT, node);
    awaitQuietly(begun); // so that all that is lost is lost before it looks again
    for (int i = 1; i < 100; i++) {
      Probe.start(Kind.EVENT, node);
    }
    assertThat(subscription.lost()).isEqualTo(89);
    latch.countDown();
    Await.until("the loss", () -> told.contains(new KernelEvent.EventsLost(subscription.lost())));
    Await.until("all", () -> told.size() == 101 - subscription.lost());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void functionThatThrows_getsTheNext() {
    Subscription _ =
        node.subscribe(
            EventFilter.of(KernelEvent.ProcessSpawned.class),
            event -> {
              Thread.currentThread().setUncaughtExceptionHandler((_, _) -> {});
              told.add(event);
              throw new IllegalStateException("on purpose");
            });
    Probe.start(Kind.EVENT, node);
    Probe.start(Kind.EVENT, node);
    Await.until("both", () -> told.size() == 2);
  }

  @Test
  void close_endsTheStreamAndItsThread() {
    Subscription subscription =
        subscribe(EventFilter.of(KernelEvent.ProcessSpawned.class, KernelEvent.LongQueue.class));
    assertThat(subscription.isOpen()).isTrue();
    subscription.close();
    subscription.close();
    assertThat(subscription.isOpen()).isFalse();
    Probe.start(Kind.DIRECT, node);
    Await.until(
        "the threads to end",
        () ->
            threadsOf(node.name()).stream()
                .noneMatch(t -> t.endsWith("events") || t.endsWith("queues")));
    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void processSubscription_comesAsMessages_andEndsWithTheProcess(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Probe watcher = Probe.start(kind, node);
    Subscription subscription =
        watcher.run(
            self -> self.subscribe(EventFilter.of(KernelEvent.ProcessSpawned.class), Msg.Say::new));
    Probe other = Probe.start(kind, node);
    assertThat(watcher.nextSaid())
        .isEqualTo(new KernelEvent.ProcessSpawned(other.pid(), null, null));
    assertThat(node.info(watcher.pid()).orElseThrow().subscriptions()).isEqualTo(1);
    watcher.pid().kill();
    watcher.awaitEnd();
    Await.until("the subscription to end", () -> !subscription.isOpen());
    Probe.start(kind, node);
    assertThat(subscription.lost()).isZero();
  }

  @Test
  void slowProcess_losesEventsAndIsToldHowMany() {
    CountDownLatch latch = new CountDownLatch(1);
    Probe watcher = Probe.start(Kind.DIRECT, node);
    Subscription subscription =
        watcher.run(self ->
            self.subscribe(
                EventFilter.of(KernelEvent.ProcessSpawned.class).withCapacity(5), Msg.Say::new));
    watcher.tell(_ -> latch.await());
    for (int i = 0; i < 20; i++) {
      Probe.start(Kind.EVENT, node);
    }
    assertThat(subscription.lost()).isEqualTo(15);
    latch.countDown();
    for (int i = 0; i < 5; i++) {
      assertThat(watcher.nextSaid()).isInstanceOf(KernelEvent.ProcessSpawned.class);
    }
    assertThat(watcher.nextSaid()).isEqualTo(new KernelEvent.EventsLost(15));
  }

  @Test
  void badArguments_areRefused() {
    assertThatThrownBy(() -> new EventFilter(Set.of(), 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    EventFilter filter = EventFilter.of(KernelEvent.LongQueue.class);
    assertThatThrownBy(() -> filter.withCapacity(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> filter.withLongQueue(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    node.close(Duration.ofSeconds(5));
    assertThatThrownBy(() -> node.subscribe(filter, _ -> {}))
        .isInstanceOf(IllegalStateException.class);
  }
}
