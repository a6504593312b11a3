package io.selvage.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Items and room that come as messages. */
class ChannelRequestTest extends KernelTest {
  private final Channel<Integer> a = Channel.bounded(1);
  private final Channel<Integer> b = Channel.bounded(1);

  private static void assertNobodyWaits(Channel<?>... channels) {
    for (Channel<?> each : channels) {
      // Who serves a request leaves its other places after the message is delivered.
      Await.until("places of " + each, () -> ((LocalChannel<?>) each).places() == 0);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DIRECT_ON_WORKERS")
  void item_comesAsMessage_nowOrLater(Kind kind) throws Exception {
    Probe process = Probe.start(kind, node);
    a.send(1);
    process.act(self -> a.requestReceive(self, Msg.Say::new));
    assertThat(process.nextSaid()).isEqualTo(new Received.Item<>(1));
    process.act(self -> a.requestReceive(self, Msg.Say::new));
    assertThat(a.stats().waitingReceivers()).isEqualTo(1);
    process.assertQuiet();
    assertThat(a.trySend(2)).isEqualTo(SendResult.SENT);
    assertThat(process.nextSaid()).isEqualTo(new Received.Item<>(2));
    process.act(self -> a.requestReceive(self, Msg.Say::new));
    a.close();
    assertThat(process.nextSaid()).isEqualTo(new Received.Closed<>());
    assertNobodyWaits(a);
    assertThat(node.info(process.pid()).orElseThrow().aliases()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "EVENT"})
  void item_deliveredToAProcessThatEndsBeforeItTakesIt_isADeadLetter(Kind kind) {
    ConcurrentLinkedQueue<KernelEvent> told = new ConcurrentLinkedQueue<>();
    Subscription _ = node.subscribe(EventFilter.of(KernelEvent.DeadLetter.class), told::add);
    Probe process = Probe.start(kind, node);
    Probe sender = Probe.start(kind, node);
    process.act(self -> a.requestReceive(self, Msg.Say::new));
    process.hold(new CountDownLatch(1));
    sender.act(_ -> assertThat(a.trySend(7)).isEqualTo(SendResult.SENT));
    process.pid().kill();
    KernelEvent letter =
        new KernelEvent.DeadLetter(
            sender.pid(),
            KernelEvent.DeadLetter.Way.EXPECTED,
            process.pid(),
            7,
            KernelEvent.DeadLetter.Cause.UNREAD);
    Await.until(() -> letter + " among " + told, () -> told.contains(letter), Await.LIMIT);
    assertThat(node.deadLetters().total()).isOne();
  }

  @Test
  void items_comeInTheOrderOfTheRequests() {
    Probe process = Probe.start(Kind.EVENT, node);
    process.act(self -> {
      for (int i = 0; i < 3; i++) {
        a.requestReceive(self, Msg.Say::new);
      }
    });
    for (int i = 0; i < 3; i++) {
      assertThat(a.trySend(i)).isEqualTo(SendResult.SENT);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(process.nextSaid()).isEqualTo(new Received.Item<>(i));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "EVENT"})
  void room_comesAsMessage(Kind kind) throws Exception {
    Probe process = Probe.start(kind, node);
    process.act(self -> {
      a.requestSend(1, self, Msg.Say::new);
      a.requestSend(2, self, Msg.Say::new);
      a.requestSend(3, self, Msg.Say::new);
    });
    assertThat(process.nextSaid()).isEqualTo(SendResult.SENT);
    process.assertQuiet();
    assertThat(a.receive()).isEqualTo(1);
    assertThat(process.nextSaid()).isEqualTo(SendResult.SENT);
    a.close();
    assertThat(process.nextSaid()).isEqualTo(SendResult.CLOSED);
    assertThat(a.receive()).isEqualTo(2);
    assertThat(a.tryReceiveOrClosed()).isEqualTo(new Received.Closed<>());
  }

  @Test
  void select_comesAsMessage_andLeavesTheOtherChannels() {
    Probe process = Probe.start(Kind.EVENT, node);
    process.act(self ->
        Select.<String>cases()
            .receive(a, i -> "a" + i)
            .receive(b, i -> "b" + i)
            .request(self, Msg.Say::new));
    assertThat(b.trySend(7)).isEqualTo(SendResult.SENT);
    assertThat(process.nextSaid()).isEqualTo("b7");
    Await.until("it to leave", () -> a.stats().waitingReceivers() == 0);
    assertThat(a.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(a.stats().size()).isEqualTo(1);
    process.assertQuiet();
  }

  @Test
  void twoSelects_meetAsMessages() {
    Channel<Integer> one = Channel.rendezvous();
    Channel<Integer> two = Channel.rendezvous();
    Probe sender = Probe.start(Kind.EVENT, node);
    Probe receiver = Probe.start(Kind.EVENT, node);
    receiver.act(self ->
        Select.<Integer>cases()
            .receive(one, i -> i)
            .receive(two, i -> i)
            .request(self, Msg.Say::new));
    sender.act(self ->
        Select.<String>cases()
            .send(two, () -> 2, () -> "sent 2")
            .send(one, () -> 1, () -> "sent 1")
            .request(self, Msg.Say::new));
    Object got = receiver.nextSaid();
    assertThat(sender.nextSaid()).isEqualTo("sent " + got);
    Await.until("all to leave", () -> one.stats().waitingReceivers() == 0);
    assertNobodyWaits(one, two);
  }

  @Test
  void cancelled_doesNotCome() {
    Probe process = Probe.start(Kind.EVENT, node);
    ChannelRequest request = process.run(self -> a.requestReceive(self, Msg.Say::new));
    assertThat(request.cancel()).isTrue();
    assertThat(request.cancel()).isFalse();
    assertNobodyWaits(a);
    assertThat(a.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(a.stats().size()).isEqualTo(1);
    process.assertQuiet();
    ChannelRequest served = process.run(self -> a.requestReceive(self, Msg.Say::new));
    assertThat(served.cancel()).as("it has come").isFalse();
    assertThat(process.nextSaid()).isEqualTo(new Received.Item<>(1));
  }

  /** What a request held is free once it is cancelled, though its process lives. */
  @Test
  void cancelled_keepsNothing() {
    Probe process = Probe.start(Kind.EVENT, node);
    List<WeakReference<Object>> held = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Object kept = new Object();
      held.add(new WeakReference<>(kept));
      assertThat(process.run(self -> a.requestReceive(self, _ -> new Msg.Say(kept))).cancel())
          .isTrue();
    }
    process.barrier();
    Await.until(
        "all to be free",
        () -> {
          System.gc();
          return held.stream().allMatch(each -> each.refersTo(null));
        });
    assertThat(process.pid().isAlive()).isTrue();
    assertNobodyWaits(a);
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "EVENT"})
  void end_ofTheProcess_leavesNoTrace(Kind kind) {
    Probe process = Probe.start(kind, node);
    process.act(self -> {
      Select.<String>cases()
          .receive(a, i -> "a")
          .send(b, () -> 1, () -> "sent")
          .request(self, Msg.Say::new);
      a.requestReceive(self, Msg.Say::new);
    });
    process.nextSaid(); // there was room in b
    process.pid().exit(ExitReason.kill());
    process.awaitEnd();
    assertNobodyWaits(a, b);
    assertThat(a.trySend(1)).isEqualTo(SendResult.SENT);
    assertThat(a.stats().size()).isEqualTo(1);
  }

  @Test
  void end_againstItem_isEitherKeptOrTaken() {
    for (int round = 0; round < Rounds.part(100); round++) {
      Channel<Integer> channel = Channel.bounded(1);
      Probe process = Probe.start(Kind.EVENT, node);
      process.act(self -> channel.requestReceive(self, Msg.Say::new));
      CompletableFuture<SendResult> sent = new CompletableFuture<>();
      Thread _ = Thread.startVirtualThread(() -> sent.complete(channel.trySend(1)));
      process.pid().exit(ExitReason.kill());
      assertThat(Await.result("the sender", sent)).isEqualTo(SendResult.SENT);
      process.awaitEnd();
      ChannelStats stats = channel.stats();
      assertThat(stats.received() + stats.size()).isEqualTo(1);
      assertNobodyWaits(channel);
    }
  }

  @Test
  void manyRequests_blockNoWorker() {
    Channel<Integer> channel = Channel.rendezvous();
    int many = 1000;
    for (int i = 0; i < many; i++) {
      Probe.start(Kind.EVENT, node).act(self -> channel.requestReceive(self, Msg.Say::new));
    }
    assertThat(channel.stats().waitingReceivers()).isEqualTo(many);
    channel.close();
    assertNobodyWaits(channel);
  }

  @Test
  void wrongThread_orMailboxCase_isRefused() {
    CompletableFuture<DirectSelf<String>> leaked = new CompletableFuture<>();
    node.spawn((DirectSelf<String> self) -> {
      leaked.complete(self);
      self.receive();
    });
    DirectSelf<String> self = Await.result("the process", leaked);
    assertThatThrownBy(() -> a.requestReceive(self, Object::toString))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Select.<String>cases().mailbox(self, m -> m).request(self, m -> m))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("mailbox");
    assertNobodyWaits(a);
  }
}
