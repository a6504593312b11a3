package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Marks;
import io.selvage.kernel.Name;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SendResult;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A slow process is not sent more than it can handle. No mute ends by its bound, where a test does
 * not say so: then whatever waits for ever is seen.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#core")
class BackpressureTest extends KernelTest {
  private static final int HIGH = 10;
  private static final int MANY = 1_000;
  private static final Marks MARKS = Marks.at(HIGH).withBound(Duration.ofDays(1));

  @Parameter Pair pair;

  private final CountDownLatch gate = new CountDownLatch(1);

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults).withMarks(MARKS);
  }

  /** One that keeps what it is told, and does nothing until the gate opens. */
  private Probe closedReceiver() {
    return closedReceiver(SpawnOptions.defaults());
  }

  private Probe closedReceiver(SpawnOptions<Msg> options) {
    Probe receiver = Probe.start(pair.other(), node, options);
    receiver.hold(gate);
    return receiver;
  }

  private ProcessInfo awaitMuted(Pid<?> sender) {
    Await.until(
        () -> sender + " to be muted: " + node.info(sender, 0),
        () -> node.info(sender, 0).orElseThrow().state() == ProcessInfo.State.MUTED,
        Await.LIMIT);
    return node.info(sender, 0).orElseThrow();
  }

  private long length(Probe receiver) {
    return node.info(receiver.pid(), 0).orElseThrow().mailbox();
  }

  private static void assertCounts(Probe receiver, int numbers) {
    for (int i = 1; i <= numbers; i++) {
      assertThat(receiver.nextSaid()).isEqualTo(i);
    }
    receiver.assertQuiet();
  }

  @Test
  void sender_ofASlowReceiver_isMuted_andAllArrivesInOrder() {
    Probe receiver = closedReceiver();
    Pid<Integer> sender = pair.counter(node, receiver.pid(), MANY);
    ProcessInfo info = awaitMuted(sender);
    assertThat(info.waitsFor()).isEqualTo(new ProcessInfo.Wait.ForRoom(receiver.pid()));
    // One more for which it was slowed, and one for which it was muted.
    assertThat(length(receiver)).isBetween(HIGH + 1L, HIGH + 3L);
    gate.countDown();
    assertCounts(receiver, MANY);
    assertThat(node.stats().mutes()).isPositive();
    assertThat(events.of(KernelEvent.MutedLong.class)).isEmpty();
  }

  @Test
  void manySenders_ofASlowReceiver_addAFewMessagesEach() {
    int senders = 50;
    Probe receiver = closedReceiver();
    List<Pid<Integer>> all = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      all.add(pair.counter(node, receiver.pid(), MANY / senders));
    }
    all.forEach(this::awaitMuted);
    assertThat(length(receiver)).isLessThanOrEqualTo(HIGH + 3L * senders);
    gate.countDown();
    for (int i = 0; i < MANY; i++) {
      assertThat(receiver.nextSaid()).isInstanceOf(Integer.class);
    }
    receiver.assertQuiet();
  }

  @Test
  void mutedProcess_canBeKilled() {
    Probe receiver = closedReceiver();
    Pid<Integer> sender = pair.counter(node, receiver.pid(), MANY);
    Probe watcher = Probe.start(pair.one(), node);
    watcher.act(self -> self.monitor(sender, Msg.GotDown::new));
    awaitMuted(sender);
    sender.kill();
    assertThat(watcher.nextDown().target()).isEqualTo(sender);
    gate.countDown();
    receiver.barrier();
  }

  @Test
  void mutedProcess_thatTrapsExits_getsTheExit() {
    Probe receiver = closedReceiver();
    Probe sender = Probe.trapping(pair.one(), node);
    sender.tell(_ -> IntStream.rangeClosed(1, HIGH + 1).forEach(receiver::say));
    int more = pair.one().isDirect() ? 0 : 1; // an event process is slowed first
    if (more > 0) {
      sender.tell(_ -> receiver.say(HIGH + 2));
    }
    awaitMuted(sender.pid());
    sender.pid().exit(ExitReason.noConnection());
    assertThat(events.of(KernelEvent.ProcessCrashed.class)).isEmpty();
    sender.nextExit();
    gate.countDown();
    assertCounts(receiver, HIGH + 1 + more);
  }

  @Test
  void receiver_thatEnds_letsItsSendersGoOn() {
    Probe receiver = closedReceiver();
    Pid<Integer> sender = pair.counter(node, receiver.pid(), MANY);
    awaitMuted(sender);
    receiver.pid().kill(); // interrupts what it waits for
    receiver.awaitEnd();
    Await.until("all to be counted", () -> node.stats().undelivered() >= MANY);
  }

  /** A process that calls one it has muted would wait for ever. */
  @Test
  void receiver_thatCallsItsMutedSender_getsTheReply() {
    Probe sender = Probe.start(pair.one(), node);
    Probe receiver = Probe.start(pair.other(), node);
    CompletableFuture<Object> reply =
        receiver.start(_ -> {
          gate.await();
          return sender
              .pid()
              .<Object>call(replyTo -> new Msg.Ask("question", replyTo), Await.LIMIT);
        });
    for (int i = 1; i <= HIGH + 5; i++) {
      int number = i;
      sender.tell(_ -> receiver.say(number));
    }
    awaitMuted(sender.pid());
    gate.countDown();
    // The sender goes on as soon as the receiver waits: it keeps the question, which is answered
    // here.
    Msg.Ask ask = sender.nextAsked();
    ask.replyTo().send("answer");
    assertThat(Await.result("the reply", reply)).isEqualTo("answer");
  }

  @Test
  void twoThatFloodEachOther_bothGoOn() {
    int messages = 20_000;
    CompletableFuture<Void> oneDone = new CompletableFuture<>();
    CompletableFuture<Void> otherDone = new CompletableFuture<>();
    Pid<Object> one = pair.one().spawn(node, flooding(messages, oneDone));
    Pid<Object> other = pair.other().spawn(node, flooding(messages, otherDone));
    one.send(other);
    other.send(one);
    Await.result("the one", oneDone, Duration.ofSeconds(60));
    Await.result("the other", otherDone, Duration.ofSeconds(60));
  }

  /** Told whom to flood, it does so bit by bit, and counts what it gets. */
  private static Step<Object> flooding(int messages, CompletableFuture<Void> done) {
    return new Step<>() {
      private int sent;
      private int got;

      @Override
      @SuppressWarnings("unchecked")
      public void on(Self<Object> self, Object message) {
        if (message instanceof Pid<?> peer) {
          for (int i = 0; i < 7 && sent < messages; i++, sent++) {
            ((Pid<Object>) peer).send(sent);
          }
          if (sent < messages) {
            self.pid().send(peer);
          }
        } else if (++got == messages) {
          done.complete(null);
        }
      }
    };
  }

  @Test
  void bound_letsTheSenderGoOn_andIsTold() {
    ManualClock clock = new ManualClock();
    restart(options(NodeOptions.defaults()).withClock(clock).withMarks(Marks.at(HIGH)));
    Probe receiver = closedReceiver();
    Pid<Integer> sender = pair.counter(node, receiver.pid(), MANY);
    awaitMuted(sender);
    long before = length(receiver);
    Await.until(
        "the sender to be let go on",
        () -> {
          clock.advance(Duration.ofMillis(100));
          return !events.of(KernelEvent.MutedLong.class).isEmpty();
        });
    KernelEvent.MutedLong told = events.of(KernelEvent.MutedLong.class).getFirst();
    assertThat(told.sender()).isEqualTo(sender);
    assertThat(told.receiver()).isEqualTo(receiver.pid());
    assertThat(told.bound()).isEqualTo(Duration.ofSeconds(1));
    assertThat(told.length()).isEqualTo(before);
    assertThat(told.count()).isEqualTo(1);
    assertThat(told.backlog().senders().getFirst().pid()).isEqualTo(sender);
    assertThat(told.backlog().types().getFirst().name()).isEqualTo(Msg.Say.class.getName());
    Await.until("the sender to send more", () -> length(receiver) > before);
    awaitMuted(sender);
    gate.countDown();
    assertCounts(receiver, MANY);
  }

  @Test
  void thread_thatIsNoProcess_waitsInsideSend() throws Exception {
    Probe receiver = closedReceiver();
    AtomicInteger sent = new AtomicInteger();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 1; i <= MANY; i++) {
                receiver.say(i);
                sent.set(i);
              }
            });
    Await.until("the thread to wait", () -> thread.getState() == Thread.State.WAITING);
    assertThat(sent.get()).isBetween(HIGH - 1, HIGH + 1);
    thread.interrupt(); // does not end the wait, and is not lost
    Await.until("the thread to wait on", () -> thread.getState() == Thread.State.WAITING);
    assertThat(sent.get()).isLessThanOrEqualTo(HIGH + 1);
    gate.countDown();
    assertCounts(receiver, MANY);
    thread.join();
  }

  @Test
  void trySend_tellsWhatBecameOfTheMessage_andNeverWaits() {
    Probe receiver = closedReceiver();
    int sent = 0;
    SendResult result = receiver.pid().trySend(new Msg.Say(1));
    while (result == SendResult.SENT) {
      sent++;
      result = receiver.pid().trySend(new Msg.Say(sent + 1));
    }
    assertThat(result).isEqualTo(SendResult.REFUSED);
    assertThat(sent).isBetween(HIGH, HIGH + 1);
    assertThat(node.stats().refused()).isEqualTo(1);
    Probe sender = Probe.start(pair.one(), node);
    assertThat(sender.<SendResult>run(_ -> receiver.pid().trySend(new Msg.Say(0))))
        .isEqualTo(SendResult.REFUSED);
    gate.countDown();
    assertCounts(receiver, sent);
    receiver.pid().kill();
    receiver.awaitEnd();
    assertThat(receiver.pid().trySend(new Msg.Say(0))).isEqualTo(SendResult.ENDED);
    assertThat(node.stats().refused()).isEqualTo(2);
    assertThat(node.stats().undelivered()).isEqualTo(1);
    assertThat(node.stats().mutes()).isZero();
  }

  @Test
  void sendsToOneself_timersAndReplies_holdNobodyBack() {
    Probe receiver = Probe.start(pair.other(), node);
    List<ReplyTo<Object>> replies = new ArrayList<>();
    Probe server = Probe.start(pair.one(), node);
    receiver.act(self -> {
      for (int i = 0; i < 5 * HIGH; i++) {
        self.pid().send(new Msg.Say("self"));
        self.sendAfter(Duration.ZERO, self.pid(), new Msg.Say("timer"));
        self.request(
            server.pid(),
            (ReplyTo<Object> replyTo) -> new Msg.Ask("?", replyTo),
            Duration.ofDays(1),
            outcome -> new Msg.Say(outcome.orThrow()));
      }
    });
    for (int i = 0; i < 5 * HIGH; i++) {
      replies.add(server.nextAsked().replyTo());
    }
    receiver.tell(_ -> gate.await());
    server.act(_ -> replies.forEach(replyTo -> replyTo.send("reply")));
    server.barrier();
    gate.countDown();
    for (int i = 0; i < 15 * HIGH; i++) {
      receiver.nextSaid();
    }
    receiver.assertQuiet();
  }

  /** A handler that never ends its flood is held back inside send, and its worker runs others. */
  @Test
  void handler_thatFloods_waitsInsideSend() {
    restart(options(NodeOptions.defaults()).withWorkers(1).withMarks(MARKS.withMost(100)));
    Probe receiver = closedReceiver();
    Probe sender = Probe.start(pair.one(), node);
    sender.tell(_ -> IntStream.rangeClosed(1, MANY).forEach(receiver::say));
    awaitMuted(sender.pid());
    assertThat(length(receiver)).isLessThanOrEqualTo(HIGH + 101L);
    Probe bystander = Probe.start(pair.one(), node);
    assertThat(bystander.answers()).isTrue();
    gate.countDown();
    assertCounts(receiver, MANY);
  }

  @Test
  void handler_thatFloods_canBeKilled() {
    node.marks(MARKS.withMost(100));
    Probe receiver = closedReceiver();
    Probe sender = Probe.start(pair.one(), node);
    sender.tell(_ -> IntStream.rangeClosed(1, MANY).forEach(receiver::say));
    awaitMuted(sender.pid());
    sender.pid().kill();
    sender.awaitEnd();
    gate.countDown();
    receiver.barrier();
  }

  @Test
  void marksOff_holdNobodyBack() {
    node.marks(Marks.off());
    Probe receiver = closedReceiver();
    Probe sender = Probe.start(pair.one(), node);
    sender.act(_ -> IntStream.rangeClosed(1, MANY).forEach(receiver::say));
    sender.barrier();
    assertThat(length(receiver)).isGreaterThanOrEqualTo(MANY);
    assertThat(node.stats().mutes()).isZero();
    gate.countDown();
    assertCounts(receiver, MANY);
  }

  @Test
  void marksOfAProcess_countInsteadOfTheNodes() {
    node.marks(Marks.off());
    Probe receiver = closedReceiver(SpawnOptions.<Msg>defaults().withMarks(MARKS));
    Pid<Integer> sender = pair.counter(node, receiver.pid(), MANY);
    assertThat(awaitMuted(sender).marks()).isEqualTo(Marks.off());
    assertThat(node.info(receiver.pid(), 0).orElseThrow().marks()).isEqualTo(MARKS);
    Pid<Integer> second = pair.counter(node, receiver.pid(), MANY);
    awaitMuted(second);
    node.marks(receiver.pid(), Marks.off()); // who is held back stays so until it is taken up
    Pid<Integer> third = pair.counter(node, receiver.pid(), MANY);
    Await.until("the third to send all", () -> length(receiver) >= MANY);
    assertThat(node.info(third, 0).orElseThrow().state()).isNotEqualTo(ProcessInfo.State.MUTED);
    gate.countDown();
    for (int i = 0; i < 3 * MANY; i++) {
      receiver.nextSaid();
    }
  }

  @Test
  void whatIsSentToAName_holdsBackToo() {
    Name<Msg> name = Name.of("slow");
    Probe receiver = closedReceiver(SpawnOptions.<Msg>defaults().named(name));
    Probe sender = Probe.start(pair.one(), node);
    for (int i = 1; i <= 2 * HIGH; i++) {
      int number = i;
      sender.tell(_ -> node.send(name, new Msg.Say(number)));
    }
    awaitMuted(sender.pid());
    gate.countDown();
    assertCounts(receiver, 2 * HIGH);
  }

  /** A chain whose end is slow: pressure reaches its beginning, and nothing is lost. */
  @Test
  void pressure_isPassedUpAChain() {
    Probe last = closedReceiver();
    Pid<Msg> third = forwarder(last.pid());
    Pid<Msg> second = forwarder(third);
    Pid<Msg> first = forwarder(second);
    Pid<Integer> source = pair.counter(node, first, MANY);
    awaitMuted(source);
    gate.countDown();
    assertCounts(last, MANY);
  }

  private Pid<Msg> forwarder(Pid<Msg> next) {
    return pair.one().spawn(node, (_, message) -> next.send(message));
  }

  /** The one that is selected stands behind all that is skipped. */
  @Test
  void selectiveReceive_thatSkipsAll_holdsNobodyBack() {
    if (!pair.other().isDirect()) {
      return;
    }
    Probe receiver = Probe.start(pair.other(), node);
    CompletableFuture<Object> wanted =
        receiver.start(self -> {
          Msg found =
              ((DirectSelf<Msg>) self).receive(message -> message.equals(new Msg.Say(MANY)));
          return ((Msg.Say) found).what();
        });
    pair.counter(node, receiver.pid(), MANY);
    assertThat(Await.result("the last", wanted)).isEqualTo(MANY);
    assertCounts(receiver, MANY - 1);
  }
}
