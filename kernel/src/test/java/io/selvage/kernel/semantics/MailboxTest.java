package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Sending and receiving. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#all")
class MailboxTest extends KernelTest {
  @Parameter Pair pair;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults);
  }

  @Test
  void messages_ofOneSender_arriveInOrder() {
    Probe sender = Probe.start(pair.one(), node);
    Probe receiver = Probe.start(pair.other(), node);
    sender.act(_ -> IntStream.range(0, 10_000).forEach(receiver::say));
    for (int i = 0; i < 10_000; i++) {
      assertThat(receiver.nextSaid()).isEqualTo(i);
    }
    receiver.assertQuiet();
  }

  @Test
  void messages_ofManySenders_arriveOnceAndEachSendersInOrder() {
    int senders = 8;
    int messages = 5_000;
    Probe receiver = Probe.start(pair.other(), node);
    for (int i = 0; i < senders; i++) {
      int number = i;
      Probe.start(pair.one(), node)
          .tell(_ -> {
            for (int k = 0; k < messages; k++) {
              receiver.say(List.of(number, k));
            }
          });
    }
    int[] next = new int[senders];
    for (int i = 0; i < senders * messages; i++) {
      List<?> said = (List<?>) receiver.nextSaid();
      assertThat(said.get(1)).isEqualTo(next[(Integer) said.get(0)]++);
    }
    receiver.assertQuiet();
    assertThat(node.stats().undelivered()).isZero();
  }

  @Test
  void message_sentToOneself_arrivesLast() {
    Probe probe = Probe.start(pair.one(), node);
    probe.act(self -> {
      self.pid().send(new Msg.Say(1));
      self.pid().send(new Msg.Say(2));
    });
    assertThat(probe.nextSaid()).isEqualTo(1);
    assertThat(probe.nextSaid()).isEqualTo(2);
    probe.assertQuiet();
  }

  @Test
  void everythingBeforeSend_isSeenByTheReceiver() {
    Probe sender = Probe.start(pair.one(), node);
    Probe receiver = Probe.start(pair.other(), node);
    for (int i = 0; i < 1_000; i++) {
      int[] plain = new int[1];
      int number = i + 1;
      sender.tell(_ -> {
        plain[0] = number;
        receiver.tell(_ -> receiver.pid().send(new Msg.Say(plain[0])));
      });
      assertThat(receiver.nextSaid()).isEqualTo(number);
    }
  }

  // E46
  @Test
  void message_toEndedProcess_isDroppedAndCounted() {
    Probe sender = Probe.start(pair.one(), node);
    Probe receiver = Probe.start(pair.other(), node);
    receiver.pid().kill();
    receiver.awaitEnd();
    sender.act(_ -> IntStream.range(0, 10).forEach(receiver::say));
    receiver.say("from a thread");
    assertThat(node.stats().undelivered()).isEqualTo(11);
  }

  @Test
  void messages_unreadAtTheEnd_areCountedAndReported() {
    Probe sender = Probe.start(pair.one(), node);
    Probe receiver = Probe.start(pair.other(), node);
    Fate fate = Fate.of(node, receiver);
    CountDownLatch release = new CountDownLatch(1);
    receiver.tell(_ -> {
      release.await();
      throw new IllegalStateException("planned");
    });
    sender.act(_ -> IntStream.range(0, 10).forEach(receiver::say));
    release.countDown();
    assertThat(fate.reason()).isInstanceOf(ExitReason.Crash.class);
    Await.until("the unread to be counted", () -> node.stats().undelivered() == 10);
    Await.until("the report", () -> !events.of(KernelEvent.ProcessCrashed.class).isEmpty());
    assertThat(events.of(KernelEvent.ProcessCrashed.class))
        .singleElement()
        .extracting(KernelEvent.ProcessCrashed::unread)
        .isEqualTo(10L);
  }

  @Test
  void pid_ofEndedProcess_isNeverReused() {
    Probe ended = Probe.start(pair.other(), node);
    ended.pid().kill();
    ended.awaitEnd();
    List<Probe> later = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      later.add(Probe.start(pair.other(), node));
    }
    assertThat(later).extracting(Probe::pid).doesNotContain(ended.pid()).doesNotHaveDuplicates();
    assertThat(later)
        .extracting(probe -> probe.pid().toString())
        .doesNotContain(ended.pid().toString())
        .doesNotHaveDuplicates();
    ended.say("nobody");
    assertThat(later).allSatisfy(Probe::assertQuiet);
  }
}
