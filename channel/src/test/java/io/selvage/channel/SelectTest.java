package io.selvage.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessEndedError;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Select over several channels and the mailbox. */
class SelectTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;
  private static final Duration SHORT = Duration.ofMillis(5);

  private final Channel<Integer> a = Channel.bounded(1);
  private final Channel<Integer> b = Channel.bounded(1);

  private Select<String> receiving() {
    return Select.<String>cases().receive(a, i -> "a" + i).receive(b, i -> "b" + i);
  }

  private static void assertNobodyWaits(Channel<?>... channels) {
    for (Channel<?> each : channels) {
      ChannelStats stats = each.stats();
      assertThat(((LocalChannel<?>) each).places()).as("places").isZero();
      assertThat(stats.waitingReceivers()).as("%s", stats).isZero();
      assertThat(stats.waitingSenders()).as("%s", stats).isZero();
      assertThat(stats.sent())
          .as("%s", stats)
          .isEqualTo(stats.received() + stats.dropped() + stats.size());
    }
  }

  // ---------------------------------------------------------------- what is ready

  @Test
  void readyCase_isTaken_andTheOthersAreLeftAlone() throws Exception {
    b.send(1);
    assertThat(receiving().select()).isEqualTo("b1");
    assertThat(receiving().trySelect()).isNull();
    assertThat(receiving().select(SHORT)).isNull();
    assertThat(receiving().select(Duration.ZERO)).isNull();
    assertNobodyWaits(a, b);
  }

  @Test
  void readyCases_takeTurns() throws Exception {
    Channel<Integer> one = Channel.unbounded();
    Channel<Integer> other = Channel.unbounded();
    for (int i = 0; i < 4; i++) {
      one.send(i);
      other.send(i);
    }
    Select<String> select =
        Select.<String>cases().receive(one, i -> "one").receive(other, i -> "other");
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      chosen.add(select.select());
    }
    assertThat(chosen).containsExactly("one", "other", "one", "other");
  }

  @Test
  void sendCase_withRoom_sendsOnce() throws Exception {
    Select<String> select =
        Select.<String>cases().receive(b, i -> "received").send(a, () -> 7, () -> "sent");
    assertThat(select.select()).isEqualTo("sent");
    assertThat(select.trySelect()).as("no room any more").isNull();
    assertThat(a.receive()).isEqualTo(7);
    assertNobodyWaits(a, b);
  }

  @Test
  void sendCase_withoutRoom_waitsWithTheRest() throws Exception {
    a.send(0);
    Select<String> select =
        Select.<String>cases().receive(b, i -> "received " + i).send(a, () -> 7, () -> "sent");
    Probe process = Probe.start(Kind.DIRECT, node);
    var first = process.start(_ -> select.select());
    Await.until("it to wait", () -> a.stats().waitingSenders() == 1);
    assertThat(b.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(Await.result("the select", first)).isEqualTo("received 1");
    assertNobodyWaits(a, b);
    assertThat(a.receive()).as("nothing else was sent").isEqualTo(0);
    a.send(0);
    var second = process.start(_ -> select.select());
    Await.until("it to wait", () -> a.stats().waitingSenders() == 1);
    assertThat(a.receive()).isEqualTo(0);
    assertThat(Await.result("the select", second)).isEqualTo("sent");
    assertThat(a.receive()).isEqualTo(7);
    assertNobodyWaits(a, b);
  }

  @Test
  void sendCase_toAChannelThatDrops_waitsForRoom() throws Exception {
    Channel<Integer> dropping = Channel.bounded(1, Overflow.dropOldest());
    dropping.send(1);
    assertThat(Select.<String>cases().send(dropping, () -> 2, () -> "sent").select(SHORT)).isNull();
    assertThat(dropping.receive()).isEqualTo(1);
  }

  @Test
  void sameChannel_toSendAndReceive_doesNotMeetItself() throws Exception {
    Channel<Integer> channel = Channel.rendezvous();
    Select<String> select =
        Select.<String>cases()
            .receive(channel, i -> "received")
            .send(channel, () -> 1, () -> "sent");
    assertThat(select.select(SHORT)).isNull();
    assertNobodyWaits(channel);
    Probe other = Probe.start(Kind.DIRECT, node);
    var met = other.start(_ -> select.select());
    assertThat(select.select()).isIn("received", "sent");
    assertThat(Await.result("the other", met)).isIn("received", "sent");
    assertThat(channel.stats().received()).isEqualTo(1);
    assertNobodyWaits(channel);
  }

  @Test
  void extended_hasOneMoreCase_andTheFirstIsUnchanged() throws Exception {
    Channel<Integer> c = Channel.bounded(1);
    Select<String> base = receiving();
    Select<String> more = base.receive(c, i -> "c" + i);
    c.send(3);
    assertThat(base.trySelect()).isNull();
    assertThat(more.trySelect()).isEqualTo("c3");
  }

  @Test
  void noCases_isRefused() {
    assertThatThrownBy(() -> Select.cases().select())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no cases");
  }

  @Test
  void actionThatThrows_throwsAfterTheChoice() throws Exception {
    a.send(1);
    Select<String> select =
        Select.<String>cases()
            .receive(
                a,
                i -> {
                  throw new IllegalArgumentException("item " + i);
                });
    assertThatThrownBy(select::select).hasMessage("item 1");
    assertThat(a.stats().received()).isEqualTo(1);
    assertNobodyWaits(a);
  }

  // ---------------------------------------------------------------- closing

  @Test
  void closedChannel_isReady_asValueOrException() throws Exception {
    a.close();
    assertThatThrownBy(() -> receiving().select()).isInstanceOf(ChannelClosedException.class);
    assertThat(Select.<Object>cases().receiveOrClosed(a, r -> r).select())
        .isEqualTo(new Received.Closed<>());
    assertThat(Select.<Object>cases().sendOrClosed(a, () -> 1, r -> r).select())
        .isEqualTo(SendResult.CLOSED);
    assertThatThrownBy(() -> Select.<String>cases().send(a, () -> 1, () -> "sent").select())
        .isInstanceOf(ChannelClosedException.class);
  }

  @Test
  void closing_wakesASelectThatWaits() {
    Probe process = Probe.start(Kind.EVENT, node);
    var waits =
        process.start(_ ->
            Select.<Object>cases().receiveOrClosed(a, r -> r).receive(b, i -> "b" + i).select());
    Await.until("it to wait", () -> b.stats().waitingReceivers() == 1);
    a.close();
    assertThat(Await.<Object>result("the select", waits)).isEqualTo(new Received.Closed<>());
    assertNobodyWaits(a, b);
  }

  // ---------------------------------------------------------------- processes

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void killedSelect_leavesNoTrace(Kind kind) {
    Probe process = Probe.trapping(kind, node);
    var waits = process.start(_ -> receiving().select());
    Await.until("it to wait", () -> b.stats().waitingReceivers() == 1);
    process.pid().exit(ExitReason.kill());
    assertThatThrownBy(() -> Await.result("the select", waits))
        .isInstanceOf(ProcessEndedError.class);
    process.awaitEnd();
    assertNobodyWaits(a, b);
    assertThat(a.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(a.stats().size()).isEqualTo(1);
  }

  /** Processes that select over many channels are killed in the midst of sends: none is left. */
  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "EVENT"})
  void manyChannels_selectingProcessesKilled_loseNothing(Kind kind) throws Exception {
    int count = 100;
    List<Channel<Integer>> channels =
        Stream.generate(() -> Channel.<Integer>bounded(1)).limit(count).toList();
    AtomicLong taken = new AtomicLong();
    for (int round = 0; round < Rounds.part(5_000); round++) {
      List<Probe> processes = new ArrayList<>();
      for (int p = 0; p < 4; p++) {
        int first = p * 7;
        Probe process = Probe.start(kind, node);
        processes.add(process);
        process.tell(_ -> {
          Select<Boolean> select = Select.cases();
          for (int i = 0; i < count; i++) { // each in another order
            select = select.receive(channels.get((first + 13 * i) % count), _ -> true);
          }
          while (true) {
            if (select.select()) {
              taken.incrementAndGet();
            }
          }
        });
      }
      for (int i = 0; i < count; i++) {
        SendResult _ = channels.get(31 * i % count).send(i);
        if (i % 25 == 24) {
          processes.get(i / 25).pid().kill();
        }
      }
      processes.forEach(Probe::awaitEnd);
      assertNobodyWaits(channels.toArray(Channel[]::new));
      channels.forEach(Channel::tryReceive);
    }
    assertThat(taken.get()).isPositive();
    Await.until("all to end", () -> node.stats().processes() == 0);
  }

  // ---------------------------------------------------------------- the mailbox

  /** A process that selects between its mailbox and a channel, and tells what it got. */
  private Pid<String> selecting(LinkedBlockingQueue<String> got, Channel<Integer> channel) {
    return node.spawn((DirectSelf<String> self) -> {
      Select<String> select =
          Select.<String>cases()
              .receiveOrClosed(channel, r -> r.toString())
              .mailbox(self, m -> "message " + m);
      while (true) {
        got.add(select.select());
      }
    });
  }

  private static String next(LinkedBlockingQueue<String> got) throws InterruptedException {
    return got.poll(SOON.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  void mailbox_isACaseLikeOthers() throws Exception {
    LinkedBlockingQueue<String> got = new LinkedBlockingQueue<>();
    Pid<String> process = selecting(got, a);
    for (int round = 0; round < 100; round++) {
      process.send("m" + round);
      assertThat(next(got)).isEqualTo("message m" + round);
      a.send(round);
      assertThat(next(got)).isEqualTo("Item[item=" + round + "]");
    }
    process.exit(ExitReason.kill());
    Await.until("its end", () -> !process.isAlive());
    assertNobodyWaits(a);
  }

  /** Neither of two that never run dry keeps the other out. */
  @Test
  void mailbox_andChannel_takeTurns() {
    int each = 100;
    Channel<Integer> items = Channel.unbounded();
    for (int i = 0; i < each; i++) {
      items.trySend(i);
    }
    CompletableFuture<List<String>> order = new CompletableFuture<>();
    CountDownLatch full = new CountDownLatch(1);
    Pid<String> process =
        node.spawn((DirectSelf<String> self) -> {
          full.await();
          Select<String> select =
              Select.<String>cases().receive(items, _ -> "item").mailbox(self, _ -> "message");
          List<String> got = new ArrayList<>();
          for (int i = 0; i < 2 * each; i++) {
            got.add(select.select());
          }
          order.complete(got);
        });
    for (int i = 0; i < each; i++) {
      process.send("m");
    }
    full.countDown();
    List<String> got = Await.result("all", order);
    for (int i = 1; i < got.size(); i++) {
      assertThat(got.get(i)).as("%s", got).isNotEqualTo(got.get(i - 1));
    }
  }

  @Test
  void mailbox_andChannelAtOnce_loseNothing() throws Exception {
    int rounds = Rounds.part(10);
    LinkedBlockingQueue<String> got = new LinkedBlockingQueue<>();
    Pid<String> process = selecting(got, a);
    CompletableFuture<Boolean> sent = new CompletableFuture<>();
    Thread _ =
        Thread.startVirtualThread(() -> {
          try {
            for (int i = 0; i < rounds; i++) {
              a.send(i);
            }
            sent.complete(true);
          } catch (Throwable t) { // the test is told
            sent.completeExceptionally(t);
          }
        });
    for (int i = 0; i < rounds; i++) {
      process.send("m" + i);
    }
    int message = 0;
    int item = 0;
    while (message + item < 2 * rounds) {
      String each = next(got);
      assertThat(each).as("after %d messages and %d items", message, item).isNotNull();
      if (each.startsWith("message")) {
        assertThat(each).isEqualTo("message m" + message++);
      } else {
        assertThat(each).isEqualTo("Item[item=" + item++ + "]");
      }
    }
    assertThat(message).isEqualTo(rounds);
    assertThat(sent.join()).isTrue();
    process.exit(ExitReason.kill());
    Await.until("its end", () -> !process.isAlive());
    assertNobodyWaits(a);
  }

  @Test
  void mailbox_select_timesOut_andIsInterrupted() {
    CompletableFuture<Object> outcome = new CompletableFuture<>();
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    Pid<String> process =
        node.spawn((DirectSelf<String> self) -> {
          Select<String> select = Select.<String>cases().receive(a, i -> "a").mailbox(self, m -> m);
          boolean timedOut = select.select(SHORT) == null && select.trySelect() == null;
          thread.complete(Thread.currentThread());
          try {
            outcome.complete(select.select());
          } catch (InterruptedException e) {
            outcome.complete(timedOut);
          }
          outcome.complete(self.receive());
        });
    Thread body = Await.result("the thread", thread);
    Await.until("it to wait", () -> a.stats().waitingReceivers() == 1);
    body.interrupt();
    assertThat(Await.result("the outcome", outcome)).isEqualTo(true);
    assertNobodyWaits(a);
    process.send("done");
    Await.until("its end", () -> !process.isAlive());
  }

  @Test
  void mailbox_ofAnotherProcess_isRefused_andOnlyOnce() {
    CompletableFuture<DirectSelf<String>> leaked = new CompletableFuture<>();
    Pid<String> _ =
        node.spawn((DirectSelf<String> self) -> {
          leaked.complete(self);
          self.receive();
        });
    DirectSelf<String> self = Await.result("the process", leaked);
    Select<String> select = Select.<String>cases().mailbox(self, m -> m);
    assertThatThrownBy(select::select).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> select.mailbox(self, m -> m))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("already");
  }

  // ---------------------------------------------------------------- races

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void selectsAgainstSelects_inOppositeOrder_loseNothing(int capacity) {
    int rounds = Rounds.part(10);
    Channel<Integer> one = Channel.bounded(capacity);
    Channel<Integer> two = Channel.bounded(capacity);
    List<CompletableFuture<Long>> sums = new ArrayList<>();
    for (Kind kind : List.of(Kind.DIRECT, Kind.EVENT, Kind.DIRECT)) {
      Probe process = Probe.start(kind, node);
      sums.add(
          process.start(_ -> {
            int[] item = {0};
            Select<Integer> select =
                Select.<Integer>cases()
                    .send(one, () -> item[0], () -> item[0])
                    .send(two, () -> item[0], () -> item[0]);
            long sum = 0;
            for (item[0] = 1; item[0] <= rounds; item[0]++) {
              sum += select.select();
            }
            return sum;
          }));
    }
    List<CompletableFuture<Long>> received = new ArrayList<>();
    for (Kind kind : List.of(Kind.EVENT, Kind.DIRECT, Kind.DIRECT)) {
      Probe process = Probe.start(kind, node);
      received.add(
          process.start(_ -> {
            Select<Received<Integer>> select =
                Select.<Received<Integer>>cases()
                    .receiveOrClosed(two, r -> r)
                    .receiveOrClosed(one, r -> r);
            long sum = 0;
            while (select.select() instanceof Received.Item<Integer>(Integer item)) {
              sum += item;
            }
            while (one.tryReceiveOrClosed() instanceof Received.Item<Integer>(Integer item)) {
              sum += item;
            }
            while (two.tryReceiveOrClosed() instanceof Received.Item<Integer>(Integer item)) {
              sum += item;
            }
            return sum;
          }));
    }
    Duration limit = Duration.ofSeconds(60);
    long sent = sums.stream().mapToLong(s -> Await.result("sent", s, limit)).sum();
    one.close();
    two.close();
    long got = received.stream().mapToLong(r -> Await.result("received", r, limit)).sum();
    assertThat(sent).isEqualTo(3L * rounds * (rounds + 1) / 2);
    assertThat(got).isEqualTo(sent);
    assertNobodyWaits(one, two);
  }

  @Test
  void timeoutsOfSelects_againstSends_loseNothing() {
    int rounds = Rounds.part(10);
    Channel<Integer> one = Channel.rendezvous();
    Channel<Integer> two = Channel.rendezvous();
    Probe receiver = Probe.start(Kind.DIRECT, node);
    var received =
        receiver.start(_ -> {
          Select<Received<Integer>> select =
              Select.<Received<Integer>>cases()
                  .receiveOrClosed(one, r -> r)
                  .receiveOrClosed(two, r -> r);
          long count = 0;
          for (int round = 0; ; round++) {
            Received<Integer> next = select.select(Duration.ofNanos(round % 3 * 2000L));
            if (next instanceof Received.Closed<Integer>) {
              return count;
            }
            count += next == null ? 0 : 1;
          }
        });
    long sent = 0;
    for (int i = 0; i < rounds; i++) {
      sent += (i % 2 == 0 ? one : two).trySend(i) == SendResult.SENT ? 1 : 0;
    }
    one.close();
    two.close();
    assertThat(Await.result("received", received, Duration.ofSeconds(60))).isEqualTo(sent);
    assertNobodyWaits(one, two);
  }
}
