package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Backlog;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Of what a long mailbox consists. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class BacklogTest extends KernelTest {
  @Parameter Kind kind;

  private final ManualClock clock = new ManualClock();

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults).withClock(clock);
  }

  private Backlog backlog(Probe probe) {
    return node.backlog(probe.pid()).orElseThrow();
  }

  @Test
  void backlog_ofProcessStuckInAHandler_tellsSendersAndTypesExactly() {
    Probe receiver = Probe.start(kind, node);
    Probe much = Probe.start(kind, node);
    Probe little = Probe.start(kind, node);
    CountDownLatch gate = new CountDownLatch(1);
    receiver.hold(gate);
    CountDownLatch second = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    receiver.tell(_ -> {
      begun.countDown();
      second.await();
    });
    much.act(_ -> say(receiver, 300));
    gate.countDown();
    Await.until("what came so far to be fetched", () -> begun.getCount() == 0);
    little.act(_ -> say(receiver, 20)); // which has not been fetched
    say(receiver, 1);
    CompletableFuture<Object> call =
        receiver
            .pid()
            .<Object>callAsync(replyTo -> new Msg.Ask("?", replyTo), Duration.ofHours(1))
            .toCompletableFuture();
    clock.advance(Duration.ofSeconds(3));
    Backlog backlog = backlog(receiver);
    assertThat(backlog.length()).isEqualTo(322);
    assertThat(backlog.counted()).isEqualTo(322);
    assertThat(backlog.senders())
        .containsExactly(
            new Backlog.Sender(much.pid(), 300, 0),
            new Backlog.Sender(little.pid(), 20, 0),
            new Backlog.Sender(null, 2, 0));
    assertThat(backlog.types())
        .containsExactly(
            new Backlog.Type(Msg.Say.class.getName(), 321, 0),
            new Backlog.Type(Msg.Ask.class.getName(), 1, 0));
    assertThat(backlog.longestWait()).contains(Duration.ofSeconds(3));
    second.countDown();
    receiver.barrier();
    assertThat(call).isNotDone();
    assertThat(backlog(receiver).counted()).isZero();
  }

  /** Sends messages that wait for so long, and lets them be taken. */
  private void letWait(Probe receiver, int messages, Duration time) {
    CountDownLatch gate = new CountDownLatch(1);
    receiver.hold(gate);
    say(receiver, messages);
    clock.advance(time);
    gate.countDown();
    receiver.barrier();
  }

  private static void say(Probe receiver, int times) {
    for (int i = 0; i < times; i++) {
      receiver.say(i);
    }
  }

  @Test
  void backlog_ofMoreSendersThanCounters_findsTheOneWithMost() {
    Probe receiver = Probe.start(kind, node);
    CountDownLatch gate = new CountDownLatch(1);
    receiver.hold(gate);
    Probe most = Probe.start(kind, node);
    for (int i = 0; i < 60; i++) {
      Probe one = Probe.start(kind, node);
      one.act(_ -> say(receiver, 1));
      most.act(_ -> say(receiver, 2));
    }
    Backlog backlog = backlog(receiver);
    assertThat(backlog.senders()).hasSize(16);
    Backlog.Sender first = backlog.senders().getFirst();
    assertThat(first.pid()).isEqualTo(most.pid());
    assertThat(first.count() - first.error()).isLessThanOrEqualTo(120);
    assertThat(first.count()).isGreaterThanOrEqualTo(120);
    assertThat(backlog.longestWait()).isEmpty();
    gate.countDown();
    receiver.barrier();
  }

  // ---------------------------------------------------------------- how long messages wait

  private Backlog.Waits waits(Probe probe) {
    return backlog(probe).waits().orElseThrow();
  }

  @Test
  void waits_ofMessagesThatAreNoRequests_areMeasured() {
    Probe receiver = Probe.start(kind, node);
    CountDownLatch gate = new CountDownLatch(1);
    receiver.hold(gate);
    say(receiver, 300);
    clock.advance(Duration.ofSeconds(3));
    assertThat(waits(receiver))
        .isEqualTo(
            new Backlog.Waits(
                0,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(Duration.ofSeconds(3))));
    gate.countDown();
    receiver.barrier();
    clock.advance(Duration.ofSeconds(5));
    assertThat(waits(receiver))
        .isEqualTo(
            new Backlog.Waits(
                1,
                Duration.ofSeconds(3),
                Duration.ofSeconds(3),
                Duration.ofSeconds(5),
                Optional.empty()));
  }

  @Test
  void meanOfWaits_goesAnEighthOfTheWay() {
    Probe receiver = Probe.start(kind, node);
    for (int seconds = 8; seconds >= 0; seconds -= 8) {
      letWait(receiver, 130, Duration.ofSeconds(seconds));
    }
    Backlog.Waits waits = waits(receiver);
    assertThat(waits.measured()).isEqualTo(2);
    assertThat(waits.last()).isZero();
    assertThat(waits.mean()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void waits_ofRequests_areMeasuredToo() {
    Probe receiver = Probe.start(kind, node);
    CountDownLatch gate = new CountDownLatch(1);
    receiver.hold(gate);
    for (int i = 0; i < 130; i++) {
      CompletableFuture<Object> _ =
          receiver
              .pid()
              .<Object>callAsync(replyTo -> new Msg.Ask("?", replyTo), Duration.ofHours(1))
              .toCompletableFuture();
    }
    clock.advance(Duration.ofSeconds(2));
    gate.countDown();
    receiver.barrier();
    assertThat(waits(receiver).last()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void waits_ofAShortMailbox_areNotMeasured() {
    Probe receiver = Probe.start(kind, node);
    for (int round = 0; round < 50; round++) {
      letWait(receiver, 20, Duration.ofSeconds(1));
    }
    assertThat(backlog(receiver).waits()).isEmpty();
  }

  /** The numbers begin anew when a process waits: what was marked before must not count. */
  @Test
  void waits_acrossASelectiveWait_areGivenUp() {
    Assumptions.assumeTrue(kind.isDirect());
    Probe receiver = Probe.start(kind, node);
    CountDownLatch gate = new CountDownLatch(1);
    receiver.hold(gate);
    CompletableFuture<Object> last =
        receiver.start(self ->
            ((DirectSelf<Msg>) self).receive(message -> message.equals(new Msg.Say("last"))));
    say(receiver, 130);
    gate.countDown();
    Await.until(
        "the process to skip all",
        () ->
            node.info(receiver.pid()).orElseThrow().state() == ProcessInfo.State.WAITING
                && !last.isDone());
    clock.advance(Duration.ofHours(1));
    receiver.say("last");
    Object _ = Await.result("the last", last);
    receiver.barrier();
    assertThat(backlog(receiver).waits()).isEmpty();
    letWait(receiver, 130, Duration.ofSeconds(1));
    assertThat(waits(receiver).mean()).isEqualTo(Duration.ofSeconds(1));
  }

  /** Out of order the mean is right: each message waited as long as the others. */
  @Test
  void waits_ofMessagesTakenOutOfOrder_areMeasured() {
    Assumptions.assumeTrue(kind.isDirect());
    Probe receiver = Probe.start(kind, node);
    CountDownLatch gate = new CountDownLatch(1);
    receiver.hold(gate);
    CompletableFuture<Object> all =
        receiver.start(self -> {
          for (int i = 129; i >= 0; i--) {
            Msg wanted = new Msg.Say(i);
            Object _ = ((DirectSelf<Msg>) self).receive(wanted::equals);
          }
          return true;
        });
    say(receiver, 130);
    clock.advance(Duration.ofSeconds(4));
    gate.countDown();
    Object _ = Await.result("all", all);
    assertThat(waits(receiver).last()).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void backlog_ofProcessThatHasEnded_isEmpty() {
    Probe gone = Probe.start(kind, node);
    gone.pid().kill();
    gone.awaitEnd();
    assertThat(node.backlog(gone.pid())).isEmpty();
  }
}
