package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.selvage.kernel.Address;
import io.selvage.kernel.Alias;
import io.selvage.kernel.AliasOptions;
import io.selvage.kernel.CallException;
import io.selvage.kernel.DeadLetterCount;
import io.selvage.kernel.DeadLetterStats;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.ReportOptions;
import io.selvage.kernel.Self;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.spi.Expected;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.KernelEvent.DeadLetter;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import io.selvage.kernel.spi.NameHold;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Messages that reach nobody: each is told, counted and logged once. Source: Akka's and Pekko's
 * dead letters.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class DeadLetterTest extends KernelTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration INTERVAL = Duration.ofSeconds(60);
  private static final EventFilter DEAD_LETTERS = EventFilter.of(DeadLetter.class);

  @Parameter Kind kind;

  private final ManualClock clock = new ManualClock();
  private final ConcurrentLinkedQueue<KernelEvent> told = new ConcurrentLinkedQueue<>();

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults).withClock(clock);
  }

  private Probe dead() {
    Probe probe = Probe.start(kind, node);
    probe.pid().kill();
    probe.awaitEnd();
    return probe;
  }

  private void listen() {
    Subscription _ = node.subscribe(DEAD_LETTERS, told::add);
  }

  private void end(Probe probe) {
    probe.pid().kill();
    probe.awaitEnd();
  }

  /** The one dead letter there was, which was told and counted once. */
  private void assertTold(
      @Nullable Pid<?> sender,
      Way way,
      @Nullable Address<?> receiver,
      Object message,
      Cause cause) {
    KernelEvent expected = new DeadLetter(sender, way, receiver, message, cause);
    Await.until(() -> expected + " among " + told, () -> told.contains(expected), Await.LIMIT);
    assertThat(told).containsExactly(expected);
    DeadLetterStats stats = node.deadLetters();
    assertThat(stats.total()).isOne();
    assertThat(stats.byCause()).containsEntry(cause, 1L);
    assertThat(stats.others()).isZero();
    DeadLetterCount count = stats.kinds().getFirst();
    assertThat(count.receiver()).isEqualTo(receiver == null ? "a thread" : receiver.toString());
    assertThat(count.type()).isEqualTo(message.getClass().getName());
    assertThat(count.cause()).isEqualTo(cause);
    assertThat(count.count()).isOne();
    assertThat(count.sender()).isEqualTo(sender == null ? null : sender.toString());
    assertThat(count.way()).isEqualTo(way);
    assertThat(node.stats().undelivered() + node.stats().lateReplies()).isOne();
  }

  // ---------------------------------------------------------------- every way, every cause

  @Test
  void send_toOneThatHasEnded_isTold() {
    listen();
    Probe dead = dead();
    Probe sender = Probe.start(kind, node);
    Msg message = new Msg.Say("late");
    sender.act(_ -> dead.pid().send(message));
    assertTold(sender.pid(), Way.SEND, dead.pid(), message, Cause.ENDED);
  }

  @Test
  void sendOfAThread_thatIsNeverTaken_isTold() {
    listen();
    Probe receiver = Probe.start(kind, node);
    receiver.hold(new CountDownLatch(1));
    Msg message = new Msg.Say("unread");
    receiver.pid().send(message);
    end(receiver);
    assertTold(null, Way.SEND, receiver.pid(), message, Cause.UNREAD);
  }

  @Test
  void request_toOneThatHasEnded_isTold() {
    listen();
    Probe dead = dead();
    Probe caller = Probe.start(kind, node);
    CompletableFuture<Msg> sent = new CompletableFuture<>();
    caller.act(_ ->
        assertThatThrownBy(() ->
                dead.pid()
                    .call(
                        replyTo -> {
                          Msg ask = new Msg.Ask("?", replyTo);
                          sent.complete(ask);
                          return ask;
                        },
                        LONG))
            .isInstanceOf(CallException.class));
    assertTold(caller.pid(), Way.CALL, dead.pid(), sent.join(), Cause.ENDED);
  }

  @Test
  void reply_toOneThatHasGivenUp_isTold() {
    listen();
    Probe caller = Probe.start(kind, node);
    Probe callee = Probe.start(kind, node);
    caller.act(_ ->
        assertThatThrownBy(() -> callee.ask("?", Duration.ZERO)).isInstanceOf(CallException.class));
    Msg.Ask ask = callee.nextAsked();
    callee.act(_ -> ask.replyTo().send("too late"));
    assertTold(callee.pid(), Way.REPLY, caller.pid(), "too late", Cause.LATE);
  }

  @Test
  void reply_toAThreadThatHasGivenUp_isTold() {
    listen();
    Probe callee = Probe.start(kind, node);
    assertThatThrownBy(() -> callee.ask("?", Duration.ZERO)).isInstanceOf(CallException.class);
    callee.nextAsked().replyTo().send("too late");
    assertTold(null, Way.REPLY, null, "too late", Cause.LATE);
  }

  @Test
  void reply_thatLiesUnread_isTold() {
    listen();
    Probe caller = Probe.start(kind, node);
    Probe callee = Probe.start(kind, node);
    caller.act(self ->
        self.<Msg, Object>request(
            callee.pid(), replyTo -> new Msg.Ask("?", replyTo), LONG, Msg.Say::new));
    Msg.Ask ask = callee.nextAsked();
    caller.hold(new CountDownLatch(1));
    callee.act(_ -> ask.replyTo().send("unread"));
    end(caller);
    assertTold(callee.pid(), Way.REPLY, caller.pid(), "unread", Cause.UNREAD);
  }

  @Test
  void message_throughARevokedAlias_isTold() {
    listen();
    Probe owner = Probe.start(kind, node);
    Probe sender = Probe.start(kind, node);
    Alias<Object> alias =
        owner.run(self -> self.<Object>alias(AliasOptions.defaults(), Msg.Say::new));
    owner.act(self -> self.unalias(alias));
    sender.act(_ -> alias.send("hello"));
    assertTold(sender.pid(), Way.SEND, owner.pid(), "hello", Cause.REVOKED);
  }

  @Test
  void timer_toOneThatHasEnded_isTold_withWhoSetIt() {
    listen();
    Probe receiver = Probe.start(kind, node);
    Probe setter = Probe.start(kind, node);
    Msg message = new Msg.Say("tick");
    setter.act(self -> self.sendAfter(LONG, receiver.pid(), message));
    end(receiver);
    assertTold(setter.pid(), Way.TIMER, receiver.pid(), message, Cause.ENDED);
  }

  @Test
  void timer_toANameThatNobodyHolds_isTold_withWhoSetIt() {
    listen();
    Probe setter = Probe.start(kind, node);
    Name<Msg> name = Name.of("nobody");
    Msg message = new Msg.Say("tick");
    setter.act(self -> self.sendAfter(Duration.ofMillis(10), name, message));
    clock.advance(Duration.ofMillis(12));
    assertTold(setter.pid(), Way.TIMER, name, message, Cause.ENDED);
  }

  @Test
  void periodicTimer_whoseTickLiesUnread_isTold() {
    listen();
    Probe owner = Probe.start(kind, node);
    Msg message = new Msg.Say("tick");
    owner.act(self -> self.sendEvery(Duration.ofMillis(10), message));
    owner.hold(new CountDownLatch(1));
    clock.advance(Duration.ofMillis(12));
    Await.until("the tick", () -> node.info(owner.pid()).orElseThrow().mailbox() == 1);
    end(owner);
    assertTold(owner.pid(), Way.TIMER, owner.pid(), message, Cause.UNREAD);
  }

  @Test
  void timer_keptForAName_isTold_withWhoSetIt() {
    listen();
    Probe setter = Probe.start(kind, node);
    Probe holder = Probe.start(kind, node);
    Name<Msg> name = Name.of("held");
    NameHold hold = holder.run(self -> NameHold.open(self, name, 1));
    Msg message = new Msg.Say("tick");
    setter.act(self -> self.sendAfter(Duration.ZERO, name, message));
    assertThat(node.deadLetters().total()).isZero();
    holder.act(_ -> hold.close());
    assertTold(setter.pid(), Way.TIMER, name, message, Cause.ENDED);
  }

  @Test
  void stashedMessage_isTold() {
    listen();
    Probe owner = Probe.start(kind, node);
    Msg message = new Msg.Say("later");
    owner.act(self -> self.stash(message));
    end(owner);
    assertTold(null, Way.STASH, owner.pid(), message, Cause.UNREAD);
  }

  @Test
  void messagePutBackFromTheStash_isTold() {
    listen();
    Probe owner = Probe.start(kind, node);
    Msg message = new Msg.Say("later");
    CompletableFuture<Boolean> held = new CompletableFuture<>();
    owner.tell(self -> {
      self.stash(message);
      self.unstashAll();
      held.complete(true);
      Thread.sleep(LONG);
    });
    assertThat(Await.result("the process to be held", held)).isTrue();
    end(owner);
    assertTold(null, Way.STASH, owner.pid(), message, Cause.UNREAD);
  }

  @Test
  void expectedMessage_thatLiesUnread_isTold() {
    listen();
    Probe owner = Probe.start(kind, node);
    Probe sender = Probe.start(kind, node);
    Expected<String> expected =
        owner.run(self -> Expected.by(self, (String news) -> new Msg.Say(news), () -> {}));
    owner.hold(new CountDownLatch(1));
    sender.act(_ -> expected.deliver("an element"));
    end(owner);
    assertTold(sender.pid(), Way.EXPECTED, owner.pid(), "an element", Cause.UNREAD);
  }

  // ---------------------------------------------------------------- listeners

  /** Answers each dead letter by sending to a process that has ended. */
  private Probe answering(Probe dead, AtomicInteger answers) {
    Probe listener = Probe.start(kind, node);
    listener.act(self ->
        self.subscribe(
            DEAD_LETTERS,
            event ->
                new Msg.Do(_ -> {
                  dead.say("an answer to " + event);
                  return answers.incrementAndGet();
                })));
    return listener;
  }

  @Test
  void listenersThatAnswerByDeadLetters_comeToRest() {
    Probe dead = dead();
    AtomicInteger answers = new AtomicInteger();
    Probe one = answering(dead, answers);
    Probe other = answering(dead, answers);
    dead.say("the first");
    Await.until("two answers", () -> answers.get() == 2);
    one.barrier();
    other.barrier();
    assertThat(answers).hasValue(2);
    assertThat(node.deadLetters().total()).as("the answers are counted").isEqualTo(3);
  }

  @Test
  void listener_thatSendsToTheDeadLater_isTold() {
    Probe dead = dead();
    AtomicInteger answers = new AtomicInteger();
    Probe one = answering(dead, answers);
    dead.say("the first");
    Await.until("an answer", () -> answers.get() == 1);
    one.act(_ -> dead.say("not in answer to one"));
    Await.until("an answer to that", () -> answers.get() == 2);
    one.barrier();
    assertThat(node.deadLetters().total()).isEqualTo(4);
  }

  @Test
  void listeningFunctionsThatAnswerByDeadLetters_comeToRest() {
    Probe dead = dead();
    AtomicInteger answers = new AtomicInteger();
    Consumer<KernelEvent> answering =
        event -> {
          dead.say("an answer to " + event);
          answers.incrementAndGet();
        };
    List<Subscription> subscriptions =
        List.of(node.subscribe(DEAD_LETTERS, answering), node.subscribe(DEAD_LETTERS, answering));
    dead.say("the first");
    Await.until("two answers", () -> answers.get() == 2);
    subscriptions.forEach(Subscription::close);
    awaitThreadsOfSubscribersGone();
    assertThat(answers).hasValue(2);
    assertThat(node.deadLetters().total()).isEqualTo(3);
  }

  @Test
  void listenersThatReceiveSelectively_comeToRest() {
    assumeThat(kind.isDirect()).as("a body can receive selectively").isTrue();
    Probe dead = dead();
    AtomicInteger answers = new AtomicInteger();
    CountDownLatch subscribed = new CountDownLatch(2);
    List<Pid<?>> listeners = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Pid<KernelEvent> listener =
          node.spawn(self -> {
            Subscription _ = self.subscribe(DEAD_LETTERS, event -> event);
            subscribed.countDown();
            while (true) {
              DeadLetter letter = self.receive(DeadLetter.class);
              dead.say("an answer to " + letter);
              answers.incrementAndGet();
            }
          });
      listeners.add(listener);
    }
    Await.until("both to listen", () -> subscribed.getCount() == 0);
    dead.say("the first");
    Await.until("two answers", () -> answers.get() == 2);
    dead.say("the second");
    Await.until("two more answers", () -> answers.get() >= 4);
    Await.until("both to rest", () -> listeners.stream().allMatch(this::rests));
    assertThat(answers).hasValue(4);
    assertThat(node.deadLetters().total()).as("the answers are counted").isEqualTo(6);
  }

  /** What a process has sent before it waits was told before. */
  private boolean rests(Pid<?> pid) {
    ProcessInfo info = node.info(pid).orElseThrow();
    return info.state() == ProcessInfo.State.WAITING && info.mailbox() == 0;
  }

  private void awaitThreadsOfSubscribersGone() {
    Await.until(
        "the threads to end",
        () -> threadsOf(node.name()).stream().noneMatch(thread -> thread.endsWith("events")));
  }

  @Test
  void listenerThatEnds_leavesNoDeadLetters_andTheNextIsTold() {
    Probe dead = dead();
    Probe listener = Probe.start(kind, node);
    Subscription subscription = listener.run(self -> self.subscribe(DEAD_LETTERS, Msg.Say::new));
    listen();
    listener.hold(new CountDownLatch(1));
    dead.say("one");
    dead.say("two");
    end(listener);
    dead.say("three");
    Await.until(() -> "three, not " + told, () -> told.size() == 3, Await.LIMIT);
    assertThat(subscription.isOpen()).isFalse();
    assertThat(node.deadLetters().total()).as("its notices are no messages").isEqualTo(3);
  }

  // ---------------------------------------------------------------- counters

  @Test
  void floodByManyThreads_isCountedExactly() {
    int threads = 8;
    int each = 25_000;
    List<Probe> receivers = List.of(dead(), dead(), dead());
    List<CompletableFuture<Void>> senders = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      senders.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < each; i++) {
                  receivers.get(i % 3).say(i);
                }
              },
              task -> Thread.ofPlatform().start(task)));
    }
    senders.forEach(sender -> Await.result("a sender", sender));
    DeadLetterStats stats = node.deadLetters();
    assertThat(stats.total()).isEqualTo((long) threads * each);
    assertThat(stats.others()).isZero();
    assertThat(stats.kinds()).hasSize(3);
    assertThat(stats.kinds().stream().mapToLong(DeadLetterCount::count).sum())
        .isEqualTo((long) threads * each);
    closeNode();
    assertThat(logged()).isEqualTo((long) threads * each);
  }

  @Test
  void floodOfKinds_withRetiredOnes_isCountedAndToldExactly() {
    int threads = 8;
    int each = 20_000;
    Probe receiver = dead();
    List<CompletableFuture<Void>> senders = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int thread = t;
      senders.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < each; i++) {
                  Name<Object> name = Name.of("n" + thread + "." + i % 2_000);
                  node.sendAfter(Duration.ZERO, name, "x");
                  receiver.say(i);
                }
              },
              task -> Thread.ofPlatform().start(task)));
    }
    while (!senders.stream().allMatch(CompletableFuture::isDone)) {
      clock.advance(INTERVAL.plusMillis(2));
      Thread.onSpinWait();
    }
    senders.forEach(sender -> Await.result("a sender", sender));
    long sent = 2L * threads * each;
    DeadLetterStats all = node.deadLetters(100_000);
    assertThat(all.total()).isEqualTo(sent);
    assertThat(all.kinds().size()).isLessThanOrEqualTo(1024 + threads);
    assertThat(all.others()).isNotNegative();
    DeadLetterStats top = node.deadLetters(1);
    assertThat(top.kinds().getFirst().receiver()).isEqualTo(receiver.pid().toString());
    assertThat(top.kinds().getFirst().count() + top.others()).isEqualTo(sent);
    closeNode();
    assertThat(logged()).isEqualTo(sent);
  }

  @Test
  void endedReceivers_areNotKept() {
    Probe sender = Probe.start(kind, node);
    WeakReference<Pid<?>> receiver = sendToOneThatEnds(sender);
    Await.until(
        "the receiver to be forgotten",
        () -> {
          System.gc();
          sender.barrier(); // its inbox remembers the message before
          return receiver.refersTo(null);
        });
    assertThat(node.deadLetters().kinds()).hasSize(1);
  }

  private WeakReference<Pid<?>> sendToOneThatEnds(Probe sender) {
    Probe receiver = dead();
    sender.act(_ -> receiver.say("late"));
    return new WeakReference<>(receiver.pid());
  }

  @Test
  void negativeNumberOfKinds_isRefused() {
    assertThatThrownBy(() -> node.deadLetters(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  // ---------------------------------------------------------------- the log

  private List<KernelEvent.DeadLetters> reports() {
    return events.of(KernelEvent.DeadLetters.class);
  }

  private List<KernelEvent.OtherDeadLetters> otherReports() {
    return events.of(KernelEvent.OtherDeadLetters.class);
  }

  /** How many dead letters the sink was told of. */
  private long logged() {
    return reports().stream().mapToLong(report -> report.letters().count()).sum()
        + otherReports().stream().mapToLong(KernelEvent.OtherDeadLetters::count).sum();
  }

  private void closeNode() {
    CompletableFuture<?> closed =
        CompletableFuture.supplyAsync(() -> node.close(LONG), Thread::startVirtualThread);
    Await.until(
        "the node to close",
        () -> {
          clock.advance(Duration.ofMillis(100));
          return closed.isDone();
        });
  }

  @Test
  void firstOfAKind_isToldAtOnce_andTheNextWhenTheIntervalIsOver() {
    Probe dead = dead();
    dead.say("secret");
    assertThat(reports()).hasSize(1);
    assertThat(reports().getFirst().letters().count()).isOne();
    assertThat(reports().getFirst().text()).isNull();
    clock.advance(Duration.ofSeconds(10));
    dead.say("secret");
    clock.advance(Duration.ofSeconds(10));
    dead.say("secret");
    assertThat(reports()).hasSize(1);
    clock.advance(Duration.ofSeconds(40).plusMillis(2));
    Await.until("the sum", () -> reports().size() == 2);
    DeadLetterCount sum = reports().get(1).letters();
    assertThat(sum.count()).isEqualTo(2);
    assertThat(sum.receiver()).isEqualTo(dead.pid().toString());
    assertThat(sum.sinceFirst()).isEqualTo(Duration.ofSeconds(50).plusMillis(2));
    assertThat(sum.sinceLast()).isEqualTo(Duration.ofSeconds(40).plusMillis(2));
    assertThat(otherReports()).isEmpty();
    assertThat(node.stats().timers()).isZero();
    dead.say("known still");
    assertThat(reports()).hasSize(2);
    clock.advance(INTERVAL.plusMillis(2));
    Await.until("the sum", () -> reports().size() == 3);
    Await.until(
        "the kind to be unknown again after an interval without one",
        () -> {
          clock.advance(INTERVAL.plusMillis(2));
          dead.say("at once, if it is");
          return reports().getLast().letters().sinceLast().isZero();
        });
    closeNode();
    assertThat(logged()).isEqualTo(node.deadLetters().total());
  }

  @Test
  void manyKinds_areToldAtOnceForTen_andTheRestInSum() {
    for (int i = 0; i < 30; i++) {
      Probe dead = dead();
      for (int k = 0; k <= i; k++) {
        dead.say(k);
      }
    }
    assertThat(reports()).hasSize(10);
    clock.advance(INTERVAL.plusMillis(2));
    Await.until("the others", () -> otherReports().size() == 1);
    assertThat(reports()).hasSize(20);
    assertThat(reports().subList(10, 20).stream().map(report -> report.letters().count()))
        .containsExactly(30L, 29L, 28L, 27L, 26L, 25L, 24L, 23L, 22L, 21L);
    assertThat(otherReports().getFirst().closing()).isFalse();
    assertThat(logged()).isEqualTo(465);
  }

  @Test
  void timersFirstDeadLetter_isTold_byAnotherThreadThanTheTimers() {
    ConcurrentLinkedQueue<String> threads = new ConcurrentLinkedQueue<>();
    Node own =
        Node.start(
            kind.configure(NodeOptions.defaults())
                .withName("own")
                .withEvents(_ -> threads.add(Thread.currentThread().getName())));
    try {
      own.sendAfter(Duration.ofMillis(1), Name.of("nobody"), "x");
      Await.until("the report", () -> !threads.isEmpty());
      assertThat(threads).containsExactly("selvage-own-deadletters");
    } finally {
      own.close();
    }
  }

  @Test
  void nodeThatCloses_tellsWhatIsLeft_onceInSum() {
    Probe dead = dead();
    dead.say(1);
    dead.say(2);
    dead.say(3);
    Probe held = Probe.start(kind, node);
    held.hold(new CountDownLatch(1));
    held.say("unread");
    node.sendAfter(LONG, Name.of("nobody"), "x");
    closeNode();
    assertThat(reports().stream().map(report -> report.letters().count())).containsExactly(1L, 2L);
    assertThat(otherReports()).containsExactly(new KernelEvent.OtherDeadLetters(2, true));
    dead.say("after the end");
    assertThat(node.deadLetters().total()).as("counted all the same").isEqualTo(6);
    assertThat(logged()).isEqualTo(5);
  }

  @Test
  void sinkThatSendsToTheDead_comesToRest() {
    AtomicInteger calls = new AtomicInteger();
    CompletableFuture<Pid<String>> dead = new CompletableFuture<>();
    Node own =
        Node.start(
            kind.configure(NodeOptions.defaults())
                .withName("own")
                .withEvents(_ -> {
                  calls.incrementAndGet();
                  dead.join().send("again");
                }));
    try {
      Pid<String> pid = kind.spawn(own, (Self<String> _, String _) -> {});
      pid.kill();
      Await.until("the end", () -> !pid.isAlive());
      dead.complete(pid);
      pid.send("one");
      assertThat(calls).hasValue(1);
      assertThat(own.deadLetters().total()).isEqualTo(2);
    } finally {
      own.close();
    }
  }

  @Test
  void content_isShownOnlyIfAllowed() {
    Probe dead = dead();
    dead.say("secret");
    assertThat(reports().getFirst().text()).isNull();
    assertThat(reports().getFirst().toString()).doesNotContain("secret");
    assertThat(
            new DeadLetter(null, Way.SEND, dead.pid(), new Msg.Say("secret"), Cause.ENDED)
                .toString())
        .doesNotContain("secret")
        .contains(Msg.Say.class.getName());
    ReportOptions shown =
        ReportOptions.defaults().withText(m -> "redacted " + m.getClass()).withDeadLetters(true);
    restart(kind.configure(NodeOptions.defaults()).withReports(shown));
    dead().say("secret");
    assertThat(reports().getLast().text()).isEqualTo("redacted " + Msg.Say.class);
  }
}
