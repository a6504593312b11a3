package io.selvage.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.ProcessEndedError;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Job;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sending, receiving, waiting and closing, by threads and by processes of all kinds. */
class ChannelTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;
  private static final Duration NOW = Duration.ZERO;
  private static final Duration SHORT = Duration.ofMillis(5);

  /** A thread of its own that does something. */
  private static <T> CompletableFuture<T> elsewhere(Callable<T> code) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread _ =
        Thread.startVirtualThread(() -> {
          try {
            result.complete(code.call());
          } catch (Throwable t) { // the test is told
            result.completeExceptionally(t);
          }
        });
    return result;
  }

  private static void awaitSenders(Channel<?> channel, int number) {
    Await.until(number + " to wait for room", () -> channel.stats().waitingSenders() == number);
  }

  private static void awaitReceivers(Channel<?> channel, int number) {
    Await.until(number + " to wait for items", () -> channel.stats().waitingReceivers() == number);
  }

  private static void assertNoTrace(Channel<?> channel) {
    assertThat(((LocalChannel<?>) channel).places()).isZero();
  }

  private static <T> List<T> contents(Channel<T> channel) {
    List<T> all = new ArrayList<>();
    while (channel.tryReceiveOrClosed() instanceof Received.Item<T>(T item)) {
      all.add(item);
    }
    return all;
  }

  private static void assertConserved(Channel<?> channel) {
    ChannelStats stats = channel.stats();
    assertThat(stats.sent())
        .as("%s", stats)
        .isEqualTo(stats.received() + stats.dropped() + stats.size());
    assertNoTrace(channel);
  }

  private static Channel<Integer> filled(Overflow overflow) throws InterruptedException {
    Channel<Integer> channel = Channel.bounded(3, overflow);
    for (int i = 1; i <= 3; i++) {
      assertThat(channel.send(i)).isEqualTo(SendResult.SENT);
    }
    return channel;
  }

  // ---------------------------------------------------------------- order and room

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100, Integer.MAX_VALUE})
  void items_comeInTheOrderInWhichTheyWereSent(int capacity) {
    Channel<Integer> channel = Channel.bounded(capacity);
    var sender =
        elsewhere(() -> {
          for (int i = 0; i < 1000; i++) {
            channel.send(i);
          }
          channel.close();
          return true;
        });
    var receiver =
        elsewhere(() -> {
          List<Integer> all = new ArrayList<>();
          while (channel.receiveOrClosed() instanceof Received.Item<Integer>(Integer item)) {
            all.add(item);
          }
          return all;
        });
    assertThat(Await.result("the items", receiver))
        .isEqualTo(IntStream.range(0, 1000).boxed().toList());
    assertThat(Await.result("the sender", sender)).isTrue();
    assertConserved(channel);
  }

  @Test
  void rendezvous_senderWaitsForReceiver() throws Exception {
    Channel<String> channel = Channel.rendezvous();
    assertThat(channel.trySend("nobody is there")).isEqualTo(SendResult.REFUSED);
    var sent = elsewhere(() -> channel.send("handed over"));
    awaitSenders(channel, 1);
    assertThat(sent).isNotDone();
    assertThat(channel.stats().size()).isZero();
    assertThat(channel.receive()).isEqualTo("handed over");
    assertThat(Await.result("the sender", sent)).isEqualTo(SendResult.SENT);
    assertConserved(channel);
  }

  @Test
  void rendezvous_receiverWaitsForSender() {
    Channel<String> channel = Channel.rendezvous();
    var received = elsewhere(channel::receive);
    awaitReceivers(channel, 1);
    assertThat(channel.trySend("handed over")).isEqualTo(SendResult.SENT);
    assertThat(Await.result("the receiver", received)).isEqualTo("handed over");
    assertConserved(channel);
  }

  @Test
  void bounded_whenFull_sendersWaitInOrder_andNobodyOvertakes() throws Exception {
    Channel<Integer> channel = Channel.bounded(1);
    channel.send(0);
    List<CompletableFuture<SendResult>> waiting = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      int item = i;
      waiting.add(elsewhere(() -> channel.send(item)));
      awaitSenders(channel, i);
    }
    assertThat(channel.receive()).isEqualTo(0);
    assertThat(Await.result("the first", waiting.get(0))).isEqualTo(SendResult.SENT);
    assertThat(channel.trySend(99)).as("others wait").isEqualTo(SendResult.REFUSED);
    assertThat(contents(channel)).containsExactly(1, 2, 3);
    assertThat(channel.stats().refused()).isEqualTo(1);
    assertConserved(channel);
  }

  @Test
  void receivers_areServedInOrder() {
    Channel<Integer> channel = Channel.bounded(5);
    List<CompletableFuture<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(elsewhere(channel::receive));
      awaitReceivers(channel, i + 1);
    }
    for (int i = 0; i < 3; i++) {
      channel.trySend(i);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(Await.result("a receiver", waiting.get(i))).isEqualTo(i);
    }
  }

  @Test
  void unbounded_neverRefuses() {
    Channel<Integer> channel = Channel.unbounded();
    for (int i = 0; i < 10_000; i++) {
      assertThat(channel.trySend(i)).isEqualTo(SendResult.SENT);
    }
    assertThat(channel.stats().size()).isEqualTo(10_000);
    assertThat(contents(channel)).isEqualTo(IntStream.range(0, 10_000).boxed().toList());
  }

  // ---------------------------------------------------------------- capacities, arguments

  @Test
  void capacity_negative_isRefusedWithTheValue() {
    assertThatThrownBy(() -> Channel.bounded(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1")
        .hasMessageContaining("unbounded");
    assertThatThrownBy(() -> Channel.bounded(Integer.MIN_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void capacityZero_isARendezvous_andHasNoOldestToDrop() {
    assertThat(Channel.bounded(0).trySend("x")).isEqualTo(SendResult.REFUSED);
    assertThat(Channel.<String>bounded(0, Overflow.dropNewest()).trySend("x"))
        .isEqualTo(SendResult.DROPPED);
    assertThatThrownBy(() -> Channel.bounded(0, Overflow.dropOldest()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacity is 0");
  }

  @Test
  void capacityOne_holdsOne() {
    Channel<String> channel = Channel.bounded(1);
    assertThat(channel.trySend("a")).isEqualTo(SendResult.SENT);
    assertThat(channel.trySend("b")).isEqualTo(SendResult.REFUSED);
    assertThat(channel.tryReceive()).isEqualTo("a");
    assertThat(channel.tryReceive()).isNull();
  }

  @Test
  void nullItem_isRefused() {
    assertThatThrownBy(() -> Channel.<String>bounded(1).trySend(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("null cannot be sent");
  }

  @Test
  void negativeTimes_areRefused() {
    Channel<String> channel = Channel.bounded(1);
    Duration negative = Duration.ofMillis(-1);
    assertThatThrownBy(() -> channel.send("x", negative))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> channel.receive(negative))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Overflow.refuse().after(negative))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Overflow.block().after(SHORT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(channel.stats().size()).isZero();
  }

  // ---------------------------------------------------------------- overflow

  @Test
  void overflow_dropNewest_keepsWhatIsInside() throws Exception {
    Channel<Integer> channel = filled(Overflow.dropNewest());
    assertThat(channel.send(4)).isEqualTo(SendResult.DROPPED);
    assertThat(channel.stats().dropped()).isEqualTo(1);
    assertConserved(channel);
    assertThat(contents(channel)).containsExactly(1, 2, 3);
  }

  @Test
  void overflow_dropOldest_keepsTheNewest() throws Exception {
    Channel<Integer> channel = filled(Overflow.dropOldest());
    assertThat(channel.send(4)).isEqualTo(SendResult.SENT);
    assertThat(channel.stats().dropped()).isEqualTo(1);
    assertConserved(channel);
    assertThat(contents(channel)).containsExactly(2, 3, 4);
  }

  @Test
  void overflow_fail_throws_andKeepsWhatIsInside() throws Exception {
    Channel<Integer> channel = filled(Overflow.fail());
    assertThatThrownBy(() -> channel.send(4))
        .isInstanceOf(ChannelFullException.class)
        .hasMessageContaining("3 of 3");
    assertThatThrownBy(() -> channel.trySendOrClosed(4)).isInstanceOf(ChannelFullException.class);
    assertThat(channel.stats().refused()).isEqualTo(2);
    assertConserved(channel);
    assertThat(contents(channel)).containsExactly(1, 2, 3);
  }

  @Test
  void overflow_refuse_answersIt() throws Exception {
    Channel<Integer> channel = filled(Overflow.refuse());
    assertThat(channel.send(4)).isEqualTo(SendResult.REFUSED);
    assertThat(channel.stats().refused()).isEqualTo(1);
    assertThat(contents(channel)).containsExactly(1, 2, 3);
  }

  @ParameterizedTest
  @EnumSource(names = {"DROP_NEWEST", "DROP_OLDEST", "REFUSE", "FAIL"})
  void overflow_afterAWait_waitsFirst(Overflow.Reaction reaction) throws Exception {
    Channel<Integer> channel = filled(new Overflow(reaction, SHORT));
    long start = System.nanoTime();
    if (reaction == Overflow.Reaction.FAIL) {
      assertThatThrownBy(() -> channel.send(4)).isInstanceOf(ChannelFullException.class);
    } else {
      assertThat(channel.send(4))
          .isEqualTo(
              switch (reaction) {
                case DROP_NEWEST -> SendResult.DROPPED;
                case DROP_OLDEST -> SendResult.SENT;
                default -> SendResult.REFUSED;
              });
    }
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
    assertNoTrace(channel);
    assertConserved(channel);
  }

  @ParameterizedTest
  @EnumSource(names = {"DROP_NEWEST", "DROP_OLDEST", "REFUSE", "FAIL"})
  void overflow_roomDuringTheWait_letsItIn(Overflow.Reaction reaction) throws Exception {
    Channel<Integer> channel = filled(new Overflow(reaction, SOON));
    var sent = elsewhere(() -> channel.send(4));
    awaitSenders(channel, 1);
    assertThat(channel.receive()).isEqualTo(1);
    assertThat(Await.result("the sender", sent)).isEqualTo(SendResult.SENT);
    assertThat(contents(channel)).containsExactly(2, 3, 4);
    assertConserved(channel);
  }

  @Test
  void overflow_block_withATimeOfTheCall_refuses() throws Exception {
    Channel<Integer> channel = filled(Overflow.block());
    assertThat(channel.send(4, SHORT)).isEqualTo(SendResult.REFUSED);
    assertThat(channel.send(4, NOW)).isEqualTo(SendResult.REFUSED);
    assertNoTrace(channel);
    assertThat(contents(channel)).containsExactly(1, 2, 3);
  }

  // ---------------------------------------------------------------- closing

  @Test
  void close_keeps_whatIsInside_andThenIsClosed() throws Exception {
    Channel<Integer> channel = filled(Overflow.block());
    channel.close();
    assertThat(channel.isClosed()).isTrue();
    assertThat(channel.sendOrClosed(4)).isEqualTo(SendResult.CLOSED);
    assertThat(channel.trySendOrClosed(4)).isEqualTo(SendResult.CLOSED);
    assertThatThrownBy(() -> channel.send(4))
        .isInstanceOf(ChannelClosedException.class)
        .hasMessageContaining("closed channel with 3 of 3 inside");
    assertThatThrownBy(() -> channel.trySend(4)).isInstanceOf(ChannelClosedException.class);
    assertThat(channel.receive()).isEqualTo(1);
    assertThat(channel.tryReceive()).isEqualTo(2);
    assertThat(channel.receive(SOON)).isEqualTo(3);
    assertThat(channel.receiveOrClosed()).isEqualTo(new Received.Closed<>());
    assertThat(channel.tryReceiveOrClosed()).isEqualTo(new Received.Closed<>());
    assertThat(channel.receiveOrClosed(SOON)).isEqualTo(new Received.Closed<>());
    assertThatThrownBy(channel::receive).isInstanceOf(ChannelClosedException.class);
    assertThatThrownBy(channel::tryReceive).isInstanceOf(ChannelClosedException.class);
    assertThatThrownBy(() -> channel.receive(SOON)).isInstanceOf(ChannelClosedException.class);
    assertConserved(channel);
  }

  @Test
  void closeDropping_isEmptyAtOnce_andCountsWhatItDropped() throws Exception {
    Channel<Integer> channel = filled(Overflow.block());
    channel.closeDropping();
    assertThat(channel.receiveOrClosed()).isEqualTo(new Received.Closed<>());
    ChannelStats stats = channel.stats();
    assertThat(stats.size()).isZero();
    assertThat(stats.dropped()).isEqualTo(3);
    assertConserved(channel);
  }

  @Test
  void closingTwice_hasNoEffect_butDropsWhatTheFirstKept() throws Exception {
    Channel<Integer> channel = filled(Overflow.block());
    channel.close();
    channel.close();
    assertThat(channel.stats().size()).isEqualTo(3);
    channel.closeDropping();
    assertThat(channel.stats().size()).isZero();
    channel.closeDropping();
    channel.close();
    assertThat(channel.stats().dropped()).isEqualTo(3);
    assertThat(channel.isClosed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void close_releasesASenderThatWaits_andStoresNothing(boolean drop) throws Exception {
    Channel<Integer> channel = filled(Overflow.block());
    var answered = elsewhere(() -> channel.sendOrClosed(4));
    awaitSenders(channel, 1);
    var thrown = elsewhere(() -> channel.send(5));
    awaitSenders(channel, 2);
    if (drop) {
      channel.closeDropping();
    } else {
      channel.close();
    }
    assertThat(Await.result("the sender", answered)).isEqualTo(SendResult.CLOSED);
    assertThatThrownBy(() -> Await.result("the other", thrown))
        .isInstanceOf(ChannelClosedException.class);
    assertThat(contents(channel)).isEqualTo(drop ? List.of() : List.of(1, 2, 3));
    assertConserved(channel);
  }

  @Test
  void close_releasesReceiversThatWait() {
    Channel<Integer> channel = Channel.rendezvous();
    var answered = elsewhere(() -> channel.receiveOrClosed(SOON));
    var thrown = elsewhere(channel::receive);
    awaitReceivers(channel, 2);
    channel.close();
    assertThat(Await.result("the receiver", answered)).isEqualTo(new Received.Closed<>());
    assertThatThrownBy(() -> Await.result("the other", thrown))
        .isInstanceOf(ChannelClosedException.class);
  }

  // ---------------------------------------------------------------- timeouts and interrupts

  @Test
  void receive_timesOut_andLeavesNoTrace() throws Exception {
    Channel<Integer> channel = Channel.bounded(1);
    assertThat(channel.receive(SHORT)).isNull();
    assertThat(channel.receive(NOW)).isNull();
    assertThat(channel.receiveOrClosed(SHORT)).isEqualTo(new Received.None<>());
    assertNoTrace(channel);
    assertThat(channel.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(channel.stats().size()).isEqualTo(1);
  }

  @Test
  void interrupt_endsAWait_andLeavesNoTrace() throws Exception {
    Channel<Integer> channel = Channel.bounded(1);
    CompletableFuture<Object> failure = new CompletableFuture<>();
    Thread receiver =
        Thread.startVirtualThread(() -> {
          try {
            failure.complete(channel.receive());
          } catch (InterruptedException e) {
            failure.complete(e);
          }
        });
    awaitReceivers(channel, 1);
    receiver.interrupt();
    assertThat(Await.result("the receiver", failure)).isInstanceOf(InterruptedException.class);
    assertNoTrace(channel);
    assertThat(channel.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(channel.tryReceive()).isEqualTo(1);
  }

  @Test
  void interruptedThread_thatNeedNotWait_isServed_andStaysInterrupted() throws Exception {
    Channel<Integer> channel = Channel.bounded(1);
    Thread.currentThread().interrupt();
    channel.send(1);
    assertThat(channel.receive()).isEqualTo(1);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    assertThatThrownBy(channel::receive).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertNoTrace(channel);
  }

  // ---------------------------------------------------------------- processes

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void processes_waitForEachOther(Kind kind) {
    Channel<Integer> channel = Channel.rendezvous();
    Probe sender = Probe.start(kind, node);
    Probe receiver = Probe.start(kind, node);
    var received = receiver.start(_ -> channel.receive());
    awaitReceivers(channel, 1);
    assertThat(sender.<SendResult>run(_ -> channel.send(1))).isEqualTo(SendResult.SENT);
    assertThat(Await.result("the receiver", received)).isEqualTo(1);
    var sent = sender.start(_ -> channel.send(2));
    awaitSenders(channel, 1);
    assertThat(receiver.<Integer>run(_ -> channel.receive(SOON))).isEqualTo(2);
    assertThat(Await.result("the sender", sent)).isEqualTo(SendResult.SENT);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void process_timesOut(Kind kind) {
    Channel<Integer> channel = Channel.rendezvous();
    Probe process = Probe.start(kind, node);
    assertThat(process.<Object>run(_ -> channel.receiveOrClosed(SHORT)))
        .isEqualTo(new Received.None<>());
    assertThat(process.<SendResult>run(_ -> channel.send(1, SHORT))).isEqualTo(SendResult.REFUSED);
    assertNoTrace(channel);
    assertNoTrace(channel);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void processThatWaits_isSeenBlocked_withItsStack(Kind kind) {
    Channel<Integer> channel = Channel.rendezvous();
    Probe process = Probe.start(kind, node);
    var waits = process.start(_ -> channel.receive());
    awaitReceivers(channel, 1);
    Await.until(
        "it to be seen",
        () -> node.info(process.pid()).orElseThrow().state() == ProcessInfo.State.BLOCKED);
    assertThat(node.stack(process.pid()))
        .anyMatch(frame -> frame.getClassName().endsWith("LocalChannel"));
    channel.trySend(1);
    assertThat(Await.result("the receiver", waits)).isEqualTo(1);
  }

  @Test
  void handlersThatWait_keepNoWorkerFromRunningOthers() {
    int many = 4 * Runtime.getRuntime().availableProcessors();
    Channel<Integer> channel = Channel.rendezvous();
    List<CompletableFuture<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      waiting.add(Probe.start(Kind.EVENT, node).start(_ -> channel.receive()));
    }
    awaitReceivers(channel, many);
    assertThat(Probe.start(Kind.EVENT, node).answers()).isTrue();
    for (int i = 0; i < many; i++) {
      assertThat(channel.trySend(i)).isEqualTo(SendResult.SENT);
    }
    for (CompletableFuture<Integer> each : waiting) {
      assertThat(Await.result("a handler", each)).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void killedReceiver_leavesNoTrace(Kind kind) {
    Channel<Integer> channel = Channel.rendezvous();
    Probe process = Probe.trapping(kind, node);
    var waits = process.start(_ -> channel.receive());
    awaitReceivers(channel, 1);
    process.pid().exit(ExitReason.kill());
    assertThatThrownBy(() -> Await.result("the receiver", waits))
        .isInstanceOf(ProcessEndedError.class);
    process.awaitEnd();
    assertNoTrace(channel);
    assertThat(channel.trySend(1)).isEqualTo(SendResult.REFUSED);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void killedSender_leavesNoTrace(Kind kind) {
    Channel<Integer> channel = Channel.rendezvous();
    Probe process = Probe.trapping(kind, node);
    var waits = process.start(_ -> channel.send(1));
    awaitSenders(channel, 1);
    process.pid().exit(ExitReason.kill());
    assertThatThrownBy(() -> Await.result("the sender", waits))
        .isInstanceOf(ProcessEndedError.class);
    process.awaitEnd();
    assertNoTrace(channel);
    assertThat(channel.tryReceive()).isNull();
    assertThat(channel.stats().sent()).isZero();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void trappedExit_doesNotDisturbAWait(Kind kind) {
    Channel<Integer> channel = Channel.rendezvous();
    Probe process = Probe.trapping(kind, node);
    var waits = process.start(_ -> channel.receive());
    awaitReceivers(channel, 1);
    process.pid().exit(new ExitReason.Shutdown("for a test"));
    assertThat(channel.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(Await.result("the receiver", waits)).isEqualTo(1);
    assertThat(process.nextExit().reason()).isEqualTo(new ExitReason.Shutdown("for a test"));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void endedProcess_thatOnlyTries_isEnded(Kind kind) {
    Channel<Integer> channel = Channel.unbounded();
    Probe process = Probe.start(kind, node);
    process.tell(_ -> {
      while (true) {
        channel.trySend(1);
        channel.tryReceive();
      }
    });
    Await.until("it to run", () -> channel.stats().received() > 0);
    process.pid().exit(ExitReason.kill());
    process.awaitEnd();
    assertConserved(channel);
  }

  /** A send that has room and a receive that has an item look, too. */
  @ParameterizedTest
  @EnumSource
  void endedProcess_thatNeedNotWait_isEnded(Kind kind) {
    Channel<Integer> channel = Channel.unbounded();
    channel.trySend(1);
    List<Job.Plain> calls =
        List.of(_ -> channel.send(2), _ -> channel.receive(), _ -> channel.receive(SOON));
    for (Job.Plain call : calls) {
      AtomicBoolean running = new AtomicBoolean();
      AtomicBoolean ended = new AtomicBoolean();
      AtomicBoolean survived = new AtomicBoolean();
      Probe process = Probe.start(kind, node);
      process.tell(self -> {
        running.set(true);
        while (!ended.get()) {
          Thread.onSpinWait();
        }
        call.run(self);
        survived.set(true);
      });
      Await.until("it to run", running::get);
      process.pid().exit(ExitReason.kill());
      ended.set(true);
      process.awaitEnd();
      assertThat(survived).isFalse();
      assertThat(contents(channel)).containsExactly(1);
      channel.trySend(1);
    }
  }

  /** Whose time is over just when room comes may find the channel empty. */
  @Test
  void dropOldest_whoseWaitEndsAsRoomComes_findsItsWay() throws Exception {
    Channel<Integer> channel =
        Channel.bounded(1, new Overflow(Overflow.Reaction.DROP_OLDEST, Duration.ofNanos(1_000)));
    int number = Rounds.part(20);
    var sender =
        elsewhere(() -> {
          for (int i = 0; i < number; i++) {
            SendResult _ = channel.send(i);
          }
          channel.close();
          return true;
        });
    int last = -1;
    Received<Integer> next = channel.tryReceiveOrClosed();
    // Never waits, so that it takes what is there between two steps of the sender.
    while (!(next instanceof Received.Closed) && !sender.isCompletedExceptionally()) {
      if (next instanceof Received.Item<Integer>(Integer item)) {
        assertThat(item).isGreaterThan(last);
        last = item;
      }
      next = channel.tryReceiveOrClosed();
    }
    assertThat(Await.result("the sender", sender)).isTrue();
    assertThat(last).isEqualTo(number - 1);
    assertConserved(channel);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void endedProcess_canCloseOnItsWayOut(Kind kind) {
    Channel<Integer> channel = Channel.rendezvous();
    Probe process = Probe.start(kind, node);
    process.tell(_ -> {
      try {
        channel.receive();
      } finally {
        channel.close();
      }
    });
    awaitReceivers(channel, 1);
    process.pid().exit(ExitReason.kill());
    process.awaitEnd();
    assertThat(channel.isClosed()).isTrue();
  }
}
