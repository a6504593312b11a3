package io.selvage.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens at once: nothing is lost, doubled or left behind. */
class ChannelRaceTest extends KernelTest {
  private static void assertEmpty(Channel<?> channel) {
    ChannelStats stats = channel.stats();
    assertThat(stats.size()).as("%s", stats).isZero();
    assertThat(((LocalChannel<?>) channel).places()).as("places").isZero();
    assertThat(stats.waitingSenders()).as("%s", stats).isZero();
    assertThat(stats.waitingReceivers()).as("%s", stats).isZero();
    assertThat(stats.sent()).as("%s", stats).isEqualTo(stats.received() + stats.dropped());
  }

  @ParameterizedTest
  @CsvSource({
    "0,1,1",
    "0,4,4",
    "1,4,1",
    "1,1,4",
    "2,4,4",
    "64,4,4",
    "1000000,4,4",
  })
  void manySendersAndReceivers_conserveAll_andKeepTheOrderOfEach(
      int capacity, int senders, int receivers) {
    int each = Rounds.part(10);
    Channel<int[]> channel = Channel.bounded(capacity);
    List<CompletableFuture<Boolean>> sending = new ArrayList<>();
    for (int s = 0; s < senders; s++) {
      int sender = s;
      sending.add(
          Probe.start(s % 2 == 0 ? Kind.DIRECT : Kind.EVENT, node)
              .start(_ -> {
                for (int i = 0; i < each; i++) {
                  channel.send(new int[] {sender, i});
                }
                return true;
              }));
    }
    AtomicLong sum = new AtomicLong();
    AtomicLong count = new AtomicLong();
    List<CompletableFuture<Boolean>> receiving = new ArrayList<>();
    for (int r = 0; r < receivers; r++) {
      receiving.add(
          Probe.start(r % 2 == 0 ? Kind.EVENT : Kind.DIRECT, node)
              .start(_ -> {
                int[] last = new int[senders];
                java.util.Arrays.fill(last, -1);
                boolean inOrder = true;
                while (channel.receiveOrClosed() instanceof Received.Item<int[]>(int[] item)) {
                  inOrder &= item[1] > last[item[0]];
                  last[item[0]] = item[1];
                  sum.addAndGet(item[1]);
                  count.incrementAndGet();
                }
                return inOrder;
              }));
    }
    Duration limit = Duration.ofSeconds(60);
    sending.forEach(s -> assertThat(Await.result("a sender", s, limit)).isTrue());
    channel.close();
    receiving.forEach(r -> assertThat(Await.result("a receiver", r, limit)).isTrue());
    assertThat(count.get()).isEqualTo((long) each * senders);
    assertThat(sum.get()).isEqualTo((long) each * (each - 1) / 2 * senders);
    assertEmpty(channel);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void timeoutsAgainstHandOvers_loseNothing(int capacity) {
    int rounds = Rounds.part(10);
    Channel<Integer> channel = Channel.bounded(capacity);
    Probe sender = Probe.start(Kind.DIRECT, node);
    Probe receiver = Probe.start(Kind.DIRECT, node);
    var sent =
        sender.start(_ -> {
          long sum = 0;
          for (int i = 1; i <= rounds; i++) {
            if (channel.send(i, Duration.ofNanos(i % 3 * 1000L)) == SendResult.SENT) {
              sum += i;
            }
          }
          channel.close();
          return sum;
        });
    var received =
        receiver.start(_ -> {
          long sum = 0;
          for (int round = 0; ; round++) {
            switch (channel.receiveOrClosed(Duration.ofNanos(round % 3 * 1000L))) {
              case Received.Item<Integer>(Integer item) -> sum += item;
              case Received.None<Integer> _ -> {}
              case Received.Closed<Integer> _ -> {
                return sum;
              }
            }
          }
        });
    Duration limit = Duration.ofSeconds(60);
    assertThat(Await.result("received", received, limit))
        .isEqualTo(Await.result("sent", sent, limit));
    assertEmpty(channel);
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "EVENT"})
  void killAgainstHandOver_isEitherReceivedOrNotSent(Kind kind) {
    for (int round = 0; round < Rounds.part(100); round++) {
      Channel<Integer> channel = Channel.rendezvous();
      Probe receiver = Probe.start(kind, node);
      receiver.tell(_ -> channel.receive());
      Await.until("it to wait", () -> channel.stats().waitingReceivers() == 1);
      CompletableFuture<SendResult> sent = new CompletableFuture<>();
      Thread _ = Thread.startVirtualThread(() -> sent.complete(channel.trySend(1)));
      receiver.pid().exit(ExitReason.kill());
      SendResult result = Await.result("the sender", sent);
      receiver.awaitEnd();
      ChannelStats stats = channel.stats();
      assertThat(stats.received()).isEqualTo(result == SendResult.SENT ? 1 : 0);
      assertEmpty(channel);
    }
  }

  @Test
  void closeAgainstSend_isEitherStoredOrClosed() {
    for (int round = 0; round < Rounds.part(20); round++) {
      Channel<Integer> channel = Channel.bounded(1);
      channel.trySend(1);
      CompletableFuture<SendResult> sent = new CompletableFuture<>();
      Thread _ =
          Thread.startVirtualThread(() -> {
            try {
              sent.complete(channel.sendOrClosed(2));
            } catch (Throwable t) { // the test is told
              sent.completeExceptionally(t);
            }
          });
      CompletableFuture<Boolean> closed = new CompletableFuture<>();
      Thread _ =
          Thread.startVirtualThread(() -> {
            channel.close();
            closed.complete(true);
          });
      int received = 0;
      while (!(channel.tryReceiveOrClosed() instanceof Received.Closed<Integer>)) {
        received = (int) channel.stats().received();
      }
      assertThat(Await.result("the closing", closed)).isTrue();
      SendResult result = Await.result("the sender", sent);
      assertThat(received).isLessThanOrEqualTo(2);
      assertThat(channel.stats().sent()).isEqualTo(result == SendResult.SENT ? 2 : 1);
      assertEmpty(channel);
    }
  }

  @Test
  void interruptAgainstHandOver_isEitherReceivedOrNotSent() throws Exception {
    for (int round = 0; round < Rounds.part(50); round++) {
      Channel<Integer> channel = Channel.rendezvous();
      CompletableFuture<Object> outcome = new CompletableFuture<>();
      Thread receiver =
          Thread.startVirtualThread(() -> {
            try {
              outcome.complete(channel.receive());
            } catch (InterruptedException e) {
              outcome.complete(e);
            }
          });
      Await.until("it to wait", () -> channel.stats().waitingReceivers() == 1);
      CompletableFuture<SendResult> sent = new CompletableFuture<>();
      Thread _ = Thread.startVirtualThread(() -> sent.complete(channel.trySend(1)));
      receiver.interrupt();
      boolean got = Await.result("the receiver", outcome).equals(1);
      assertThat(Await.result("the sender", sent) == SendResult.SENT).isEqualTo(got);
      assertEmpty(channel);
    }
  }
}
