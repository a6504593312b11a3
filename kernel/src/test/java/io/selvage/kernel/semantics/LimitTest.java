package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.Address;
import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Limit;
import io.selvage.kernel.Limits;
import io.selvage.kernel.Marks;
import io.selvage.kernel.Name;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SendResult;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Job;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Step;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What has no room in a mailbox goes the way that its limit says, and nothing else does. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#core")
class LimitTest extends KernelTest {
  private static final Duration LONG = Duration.ofDays(1);

  /** What a receiver of these tests accepts. */
  private sealed interface Item {
    /** Do nothing until the gate opens. */
    record Close(CountDownLatch gate) implements Item {}

    /** Of one type. */
    record A(int number) implements Item {}

    /** Of another. */
    record B(int number) implements Item {}

    /** One that weighs something. */
    record Blob(int number, long bytes) implements Item {}

    /** A request. */
    record Ask(int number, ReplyTo<Integer> replyTo) implements Item {}

    /** A timer's. */
    record Tick(int number) implements Item {}
  }

  @Parameter Pair pair;

  private final CountDownLatch gate = new CountDownLatch(1);
  private final Queue<Item> handled = new ConcurrentLinkedQueue<>();
  private final Queue<KernelEvent.DeadLetter> letters = new ConcurrentLinkedQueue<>();

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults).withMarks(Marks.off());
  }

  // ---------------------------------------------------------------- receivers and senders

  private void watch() {
    node.subscribe(
        EventFilter.of(KernelEvent.DeadLetter.class),
        event -> {
          if (event instanceof KernelEvent.DeadLetter letter) {
            letters.add(letter);
          }
        });
  }

  private Step<Item> keeping() {
    return (_, item) -> {
      switch (item) {
        case Item.Close(var latch) -> latch.await();
        case Item.Ask(var number, var replyTo) -> {
          handled.add(item);
          replyTo.send(number);
        }
        default -> handled.add(item);
      }
    };
  }

  private Pid<Item> open(Limits<Item> limits) {
    return pair.other().spawn(node, keeping(), SpawnOptions.<Item>defaults().withLimits(limits));
  }

  /** One that handles nothing until the gate opens, and has taken what closes it. */
  private Pid<Item> closed(Limits<Item> limits) {
    Pid<Item> pid = open(limits);
    close(pid);
    return pid;
  }

  private void close(Pid<Item> pid) {
    CountDownLatch taken = new CountDownLatch(1);
    pid.send(
        new Item.Close(
            new CountDownLatch(1) {
              @Override
              public void await() throws InterruptedException {
                taken.countDown();
                gate.await();
              }
            }));
    Await.until("the receiver to be closed", () -> taken.getCount() == 0);
  }

  /** Runs a job in a process of the sender's kind. */
  private <T> T inSender(Job<T> job) {
    return Probe.start(pair.one(), node).run(job);
  }

  private void send(Pid<Item> to, Item... items) {
    Boolean _ =
        inSender(_ -> {
          for (Item item : items) {
            to.send(item);
          }
          return true;
        });
  }

  private static Item[] as(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(Item.A::new).toArray(Item[]::new);
  }

  /** What it has handled, once it has all, and no more comes. */
  private List<Item> openGate(Pid<Item> pid) {
    gate.countDown();
    settle(pid);
    return List.copyOf(handled);
  }

  /** Waits until the mailbox is empty and the last handler has ended. */
  private void settle(Pid<Item> pid) {
    Await.until(
        () -> "the receiver to be done: " + node.info(pid, 0),
        () ->
            node.info(pid, 0)
                .map(i -> i.mailbox() == 0 && i.state() == ProcessInfo.State.WAITING)
                .orElse(true),
        Await.LIMIT);
  }

  private List<Item> awaitLetters(int number, Cause cause) {
    Await.until(
        () -> number + " dead letters: " + letters, () -> letters.size() >= number, Await.LIMIT);
    assertThat(letters).hasSize(number).allMatch(letter -> letter.cause() == cause);
    return letters.stream().map(letter -> (Item) letter.message()).toList();
  }

  private long waiting(Pid<Item> pid) {
    return node.info(pid, 0).orElseThrow().limits().getFirst().waiting();
  }

  private ProcessInfo awaitWaiting(Pid<?> sender) {
    return awaitWaiting(sender, 1);
  }

  /** Awaits that a process waits for room, and that it and others have set so many timers. */
  private ProcessInfo awaitWaiting(Pid<?> sender, int timers) {
    Await.until(
        () -> sender + " to wait for room: " + node.info(sender, 0),
        () -> node.info(sender, 0).orElseThrow().state() == ProcessInfo.State.MUTED,
        Await.LIMIT);
    // It shows that it waits before it has set its timer, which must not see a clock moved by then.
    Await.until("its timer to be set", () -> node.stats().timers() >= timers);
    return node.info(sender, 0).orElseThrow();
  }

  /** A process that sends and waits for room, as so many with a timer do by then. */
  private Probe waitsWith(Pid<Item> pid, Item item, int timers) {
    Probe sender = Probe.start(pair.one(), node);
    sender.tell(_ -> pid.send(item));
    awaitWaiting(sender.pid(), timers);
    return sender;
  }

  private static Limit.Waiting<Item.Blob> hundredBytesWithinASecond() {
    return Limit.weight(100, Item.Blob::bytes).thenWait(Duration.ofSeconds(1));
  }

  private static Limits<Item> limitBlobs(Limit<? super Item.Blob> limit) {
    return Limits.<Item>none().on(Item.Blob.class, limit);
  }

  private static Limits<Item> limitA(Limit<? super Item.A> limit) {
    return Limits.<Item>none().on(Item.A.class, limit);
  }

  // ---------------------------------------------------------------- dropping

  @Test
  void thenDrop_keepsTheFirst_andTellsOfTheRest() {
    watch();
    Pid<Item> pid = closed(limitA(Limit.messages(2).thenDrop()));
    send(pid, as(1, 6));
    assertThat(awaitLetters(4, Cause.DROPPED_NEWEST)).containsExactly(as(3, 6));
    assertThat(waiting(pid)).isEqualTo(2);
    assertThat(openGate(pid)).containsExactly(as(1, 2));
    assertThat(waiting(pid)).isZero();
    assertThat(node.stats().undelivered()).isEqualTo(4);
  }

  /** SObjectizer's test drop_at_peaks: a place is free as soon as its message is taken. */
  @Test
  void place_isFree_onceItsMessageIsTaken() {
    Probe receiver =
        Probe.start(
            pair.other(),
            node,
            SpawnOptions.<Msg>defaults()
                .withLimits(Limits.<Msg>none().on(Msg.Say.class, Limit.messages(2).thenDrop())));
    for (int series = 0; series < 5; series++) {
      CountDownLatch shut = new CountDownLatch(1);
      receiver.tell(_ -> shut.await());
      for (int i = 0; i < 3; i++) {
        receiver.say(10 * series + i);
      }
      shut.countDown();
      assertThat(receiver.nextSaid()).isEqualTo(10 * series);
      assertThat(receiver.nextSaid()).isEqualTo(10 * series + 1);
      receiver.assertQuiet();
    }
    assertThat(node.stats().undelivered()).isEqualTo(5);
  }

  /** The place is free while the handler of its message still runs, not when it has ended. */
  @Test
  void place_isFree_whileItsMessageIsHandled() {
    CountDownLatch shut = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    List<Integer> seen = new ArrayList<>();
    Pid<Item> pid =
        pair.other()
            .spawn(
                node,
                (_, item) -> {
                  begun.countDown();
                  shut.await();
                  seen.add(((Item.A) item).number());
                },
                SpawnOptions.<Item>defaults().withLimits(limitA(Limit.messages(1).thenRefuse())));
    pid.send(new Item.A(1));
    Await.until("the first to be taken", () -> begun.getCount() == 0);
    assertThat(pid.trySend(new Item.A(2))).isEqualTo(SendResult.SENT);
    assertThat(pid.trySend(new Item.A(3))).isEqualTo(SendResult.REFUSED);
    shut.countDown();
    settle(pid);
    assertThat(seen).containsExactly(1, 2);
  }

  @Test
  void thenDropOldest_keepsTheLast_andTellsOfTheRest() {
    watch();
    Pid<Item> pid = closed(limitA(Limit.messages(3).thenDropOldest()));
    send(pid, as(1, 4));
    assertThat(awaitLetters(1, Cause.DROPPED_OLDEST)).containsExactly(new Item.A(1));
    send(pid, as(5, 9));
    awaitLetters(6, Cause.DROPPED_OLDEST);
    assertThat(node.info(pid, 0).orElseThrow().mailbox()).isEqualTo(3);
    assertThat(openGate(pid)).containsExactly(as(7, 9));
    send(pid, as(10, 10)); // the gate is open now
    settle(pid);
    assertThat(handled).endsWith(new Item.A(10)).hasSize(4);
  }

  @Test
  void thenDropOldest_keepsTheOrder_betweenTypes() {
    Pid<Item> pid = closed(limitA(Limit.messages(1).thenDropOldest()));
    send(pid, new Item.A(1), new Item.B(2), new Item.A(3));
    assertThat(openGate(pid)).containsExactly(new Item.B(2), new Item.A(3));
  }

  @Test
  void thenDropOldest_ofARequest_leavesTheCallerItsTimeout() {
    Pid<Item> pid =
        closed(Limits.<Item>none().on(Item.Ask.class, Limit.messages(1).thenDropOldest()));
    Probe caller = Probe.start(pair.one(), node);
    CompletableFuture<Integer> first =
        caller.start(_ -> pid.<Integer>call(to -> new Item.Ask(1, to), Duration.ofMillis(50)));
    assertThatThrownBy(
            () -> {
              Await.until("the first to wait", () -> waiting(pid) == 1);
              Pid<Item> second = pid;
              CompletableFuture<Integer> reply =
                  Probe.start(pair.one(), node)
                      .start(_ -> second.<Integer>call(to -> new Item.Ask(2, to), Await.LIMIT));
              Await.until("the first to be dropped", () -> node.stats().undelivered() == 1);
              gate.countDown();
              assertThat(Await.result("the second", reply)).isEqualTo(2);
              Await.result("the first", first);
            })
        .isInstanceOf(CallTimeoutException.class);
    assertThat(handled).hasSize(1);
  }

  @Test
  void selectiveReceive_neverSeesWhatWasDropped() {
    if (!pair.other().isDirect()) {
      return;
    }
    CompletableFuture<List<Item>> order = new CompletableFuture<>();
    List<Integer> asked = new ArrayList<>();
    Pid<Item> pid =
        pair.other()
            .spawn(
                node,
                (self, item) -> {
                  ((Item.Close) item).gate().await();
                  DirectSelf<Item> direct = (DirectSelf<Item>) self;
                  List<Item> got = new ArrayList<>();
                  got.add(
                      direct.receive((Item each) -> {
                        if (each instanceof Item.A(int number)) {
                          asked.add(number);
                        }
                        return each instanceof Item.B;
                      }));
                  got.add(direct.receive(Item.A.class));
                  got.add(direct.receive());
                  order.complete(got);
                },
                SpawnOptions.<Item>defaults()
                    .withLimits(limitA(Limit.messages(2).thenDropOldest())));
    pid.send(new Item.Close(gate));
    send(pid, as(1, 5));
    send(pid, new Item.B(6));
    gate.countDown();
    assertThat(Await.result("all", order))
        .containsExactly(new Item.B(6), new Item.A(4), new Item.A(5));
    assertThat(asked).containsExactly(4, 5);
  }

  /** One that skips all would never come by what is dropped: it must not fill its mailbox. */
  @Test
  void selectiveReceive_thatSkipsAll_sweepsOutWhatIsDropped() {
    if (!pair.other().isDirect()) {
      return;
    }
    int flood = 200_000; // three times as many as may stay in a mailbox
    CompletableFuture<Item> last = new CompletableFuture<>();
    Pid<Item> pid =
        pair.other()
            .spawn(
                node,
                (self, _) -> {
                  DirectSelf<Item> direct = (DirectSelf<Item>) self;
                  Item _ = direct.receive(Item.B.class);
                  last.complete(direct.receive(Item.A.class));
                },
                SpawnOptions.<Item>defaults()
                    .withLimits(limitA(Limit.messages(1).thenDropOldest())));
    pid.send(new Item.Tick(0));
    int sent = 0;
    while (sent < flood) {
      pid.send(new Item.A(++sent));
      if (sent % 1_000 == 0) { // what the receiver cannot keep up with is another case
        Await.until(
            "the receiver to have looked",
            () -> node.info(pid, 0).orElseThrow().state() == ProcessInfo.State.WAITING);
      }
    }
    pid.send(new Item.B(0));
    assertThat(Await.result("the last", last)).isEqualTo(new Item.A(flood));
  }

  @Test
  void stash_countsForNoLimit() {
    Probe receiver =
        Probe.start(
            pair.other(),
            node,
            SpawnOptions.<Msg>defaults()
                .withLimits(Limits.<Msg>none().on(Msg.Say.class, Limit.messages(1).thenRefuse())));
    receiver.act(self -> self.stash(new Msg.Say(1)));
    CountDownLatch shut = new CountDownLatch(1);
    receiver.tell(self -> {
      shut.await();
      self.unstashAll();
    });
    assertThat(receiver.pid().trySend(new Msg.Say(2))).isEqualTo(SendResult.SENT);
    assertThat(receiver.pid().trySend(new Msg.Say(3))).isEqualTo(SendResult.REFUSED);
    shut.countDown();
    assertThat(receiver.nextSaid()).isEqualTo(1);
    assertThat(receiver.nextSaid()).isEqualTo(2);
    receiver.assertQuiet();
  }

  /** A receiver that is stuck, and a flood: what was dropped takes no memory worth telling of. */
  @Test
  void flood_underThenDropOldest_toAReceiverThatIsStuck_keepsMemoryFlat() {
    int flood = 10_000_000;
    Pid<Item> pid = closed(limitBlobs(Limit.messages(10).thenDropOldest()));
    WeakReference<Item> dropped = null;
    for (int i = 1; i <= flood; i++) {
      Item item = new Item.Blob(i, 0);
      if (i == 1_000) {
        dropped = new WeakReference<>(item);
      }
      pid.send(item);
    }
    WeakReference<Item> reference = Objects.requireNonNull(dropped);
    Await.until(
        "the content of a dropped message to be freed",
        () -> {
          System.gc();
          return reference.get() == null;
        });
    assertThat(node.info(pid, 0).orElseThrow().mailbox()).isEqualTo(10);
    assertThat(node.stats().undelivered()).isEqualTo(flood - 10);
    List<Item> left = openGate(pid);
    assertThat(left).hasSize(10);
    // From 65 536 dropped on it is the newest that is dropped.
    assertThat(left.getLast()).isEqualTo(new Item.Blob(65_546, 0));
    pid.send(new Item.Blob(0, 0)); // and all is well again
    settle(pid);
    assertThat(handled).hasSize(11);
  }

  // ---------------------------------------------------------------- refusing

  @Test
  void thenRefuse_tellsTheSenderInItsOwnWay() {
    watch();
    Limit<Object> limit = Limit.messages(1).thenRefuse();
    Pid<Item> pid = closed(Limits.<Item>none().on(Item.A.class, limit).on(Item.Ask.class, limit));
    send(pid, as(1, 2));
    assertThat(awaitLetters(1, Cause.REFUSED)).containsExactly(new Item.A(2));
    assertThat(this.<SendResult>inSender(_ -> pid.trySend(new Item.A(3))))
        .isEqualTo(SendResult.REFUSED);
    assertThat(node.stats().refused()).isEqualTo(1);
    assertThat(letters).hasSize(1);
    Probe caller = Probe.start(pair.one(), node);
    CompletableFuture<Integer> first =
        caller.start(_ -> pid.<Integer>call(to -> new Item.Ask(1, to), Await.LIMIT));
    Await.until("the first call to wait", () -> node.info(pid, 0).orElseThrow().mailbox() == 2);
    assertThatThrownBy(
            () -> inSender(_ -> pid.<Integer>call(to -> new Item.Ask(2, to), Await.LIMIT)))
        .isInstanceOfSatisfying(
            CallException.class,
            e -> assertThat(e.reason()).isEqualTo(new Limits.Refused(Item.Ask.class, limit)))
        .hasMessageContaining("1 messages, refuse")
        .hasMessageContaining("Ask");
    gate.countDown();
    assertThat(Await.result("the first call", first)).isEqualTo(1);
    settle(pid);
    assertThat(handled).hasSize(2);
  }

  @Test
  void request_thatIsRefused_failsAtOnce() {
    Pid<Item> pid = closed(Limits.<Item>none().on(Item.Ask.class, Limit.messages(1).thenRefuse()));
    Probe caller = Probe.start(pair.one(), node);
    for (int i = 1; i <= 2; i++) {
      int number = i;
      caller.act(self ->
          self.request(
              pid,
              (ReplyTo<Integer> to) -> new Item.Ask(number, to),
              LONG,
              outcome -> new Msg.Say(outcome)));
    }
    assertThat(caller.nextSaid())
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.reason()).isInstanceOf(Limits.Refused.class));
    gate.countDown();
    assertThat(caller.nextSaid()).isEqualTo(new Outcome.Replied<>(1));
  }

  // ---------------------------------------------------------------- weight

  @Test
  void weight_isExact() {
    Pid<Item> pid = closed(limitBlobs(Limit.weight(100, Item.Blob::bytes).thenRefuse()));
    assertThat(pid.trySend(new Item.Blob(1, 60))).isEqualTo(SendResult.SENT);
    assertThat(pid.trySend(new Item.Blob(2, 41))).isEqualTo(SendResult.REFUSED);
    assertThat(pid.trySend(new Item.Blob(3, 40))).isEqualTo(SendResult.SENT);
    assertThat(pid.trySend(new Item.Blob(4, 1))).isEqualTo(SendResult.REFUSED);
    assertThat(pid.trySend(new Item.Blob(5, 0))).isEqualTo(SendResult.SENT);
    assertThat(pid.trySend(new Item.Blob(6, Long.MAX_VALUE))).isEqualTo(SendResult.REFUSED);
    assertThat(waiting(pid)).isEqualTo(100);
    assertThat(openGate(pid)).hasSize(3);
    assertThat(waiting(pid)).isZero();
  }

  @Test
  void weight_thenDropOldest_dropsAsManyAsItTakes() {
    watch();
    Pid<Item> pid = closed(limitBlobs(Limit.weight(100, Item.Blob::bytes).thenDropOldest()));
    send(pid, new Item.Blob(1, 30), new Item.Blob(2, 30), new Item.Blob(3, 30));
    send(pid, new Item.Blob(4, 70));
    assertThat(awaitLetters(2, Cause.DROPPED_OLDEST))
        .containsExactly(new Item.Blob(1, 30), new Item.Blob(2, 30));
    letters.clear();
    send(pid, new Item.Blob(5, 101)); // could never wait: nobody is dropped for it
    assertThat(awaitLetters(1, Cause.DROPPED_NEWEST)).containsExactly(new Item.Blob(5, 101));
    assertThat(openGate(pid)).containsExactly(new Item.Blob(3, 30), new Item.Blob(4, 70));
  }

  @Test
  void weigher_thatFails_doesNotHarmTheSender() {
    watch();
    Pid<Item> pid =
        closed(
            Limits.<Item>none()
                .on(
                    Item.Blob.class,
                    Limit.<Item.Blob>weight(100, blob -> blob.bytes() / blob.number())
                        .thenRefuse()));
    send(pid, new Item.Blob(0, 5), new Item.Blob(1, -5), new Item.Blob(1, 5));
    awaitLetters(2, Cause.LIMIT_FAILED);
    List<KernelEvent.LimitFailed> told = events.of(KernelEvent.LimitFailed.class);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().receiver()).isEqualTo(pid);
    assertThat(told.getFirst().cause()).isInstanceOf(ArithmeticException.class);
    assertThat(openGate(pid)).containsExactly(new Item.Blob(1, 5));
  }

  // ---------------------------------------------------------------- redirect and transform

  @Test
  void thenRedirect_sendsToAnother() {
    Probe spare = Probe.start(pair.one(), node);
    Pid<Msg> first =
        pair.other()
            .spawn(
                node,
                (_, _) -> gate.await(),
                SpawnOptions.<Msg>defaults()
                    .withLimits(
                        Limits.<Msg>none()
                            .on(Msg.Say.class, Limit.messages(1).thenRedirect(spare.pid()))
                            .on(Msg.Ask.class, Limit.messages(1).thenRedirect(spare.pid()))));
    first.send(new Msg.Do(_ -> null));
    Await.until("it to be closed", () -> node.info(first, 0).orElseThrow().mailbox() == 0);
    for (int i = 1; i <= 3; i++) {
      first.send(new Msg.Say(i));
    }
    assertThat(first.trySend(new Msg.Say(4))).isEqualTo(SendResult.SENT);
    assertThat(spare.nextSaid()).isEqualTo(2);
    assertThat(spare.nextSaid()).isEqualTo(3);
    assertThat(spare.nextSaid()).isEqualTo(4);
    // A call is answered by the one it was redirected to, and fails with that one's end.
    Probe caller = Probe.start(pair.one(), node);
    CompletableFuture<Object> none = caller.start(_ -> first.call(to -> new Msg.Ask(0, to), LONG));
    Await.until("the first call to wait", () -> node.info(first, 0).orElseThrow().mailbox() == 2);
    CompletableFuture<Object> reply =
        Probe.start(pair.one(), node).start(_ -> first.call(to -> new Msg.Ask(1, to), LONG));
    spare.nextAsked().replyTo().send("answer");
    assertThat(Await.result("the reply", reply)).isEqualTo("answer");
    CompletableFuture<Object> failing =
        Probe.start(pair.one(), node).start(_ -> first.call(to -> new Msg.Ask(2, to), LONG));
    spare.nextAsked();
    spare.pid().kill();
    assertThatThrownBy(() -> Await.result("the failure", failing))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("killed");
    first.kill();
    assertThatThrownBy(() -> Await.result("the end", none)).isInstanceOf(CallException.class);
  }

  /** Each redirects to the next; the last one has room. */
  @Test
  void redirects_inAChainOfEight_arrive_andNotInOneOfNine() {
    watch();
    for (int length : new int[] {8, 9}) {
      letters.clear();
      Probe last = Probe.start(pair.one(), node);
      Address<Msg> next = last.pid();
      for (int i = 0; i < length; i++) {
        next = full(next);
      }
      ((Pid<Msg>) next).send(new Msg.Say("on its way"));
      if (length == 8) {
        assertThat(last.nextSaid()).isEqualTo("on its way");
        assertThat(letters).isEmpty();
      } else {
        Await.until("the dead letter", () -> !letters.isEmpty());
        assertThat(letters.peek().cause()).isEqualTo(Cause.TOO_DEEP);
        last.assertQuiet();
      }
    }
  }

  /** One that is stuck, whose room is taken, and that redirects. */
  private Pid<Msg> full(Address<Msg> next) {
    Pid<Msg> pid =
        pair.other()
            .spawn(
                node,
                (_, _) -> gate.await(),
                SpawnOptions.<Msg>defaults()
                    .withLimits(
                        Limits.<Msg>none()
                            .on(Msg.Say.class, Limit.messages(1).thenRedirect(next))));
    pid.send(new Msg.Do(_ -> null));
    Await.until("it to be closed", () -> node.info(pid, 0).orElseThrow().mailbox() == 0);
    pid.send(new Msg.Say("in the way"));
    return pid;
  }

  /** Two that redirect to each other, one of them by name, and a sender that calls. */
  @Test
  void redirects_inALoop_end() {
    watch();
    Name<Msg> name = Name.of("loop");
    Pid<Msg> one = full(name);
    Pid<Msg> other = full(one);
    node.register(name, other);
    one.send(new Msg.Say("round"));
    Await.until("the dead letter", () -> !letters.isEmpty());
    assertThat(letters.peek().cause()).isEqualTo(Cause.TOO_DEEP);
    assertThat(one.trySend(new Msg.Say("round"))).isEqualTo(SendResult.SENT);
    Pid<Msg> itself = full(Name.of("itself"));
    node.register(Name.of("itself"), itself);
    itself.send(new Msg.Say("round"));
    Await.until("the dead letters", () -> letters.size() == 3);
    assertThat(letters).allMatch(letter -> letter.cause() == Cause.TOO_DEEP);
    Pid<Msg> nowhere = full(Name.of("nobody"));
    nowhere.send(new Msg.Say("lost"));
    Await.until("the dead letter", () -> letters.size() == 4);
    assertThat(List.copyOf(letters).getLast().cause()).isEqualTo(Cause.ENDED);
  }

  @Test
  void thenTransform_sendsWhatTheFunctionMakes() {
    watch();
    Probe summary = Probe.start(pair.one(), node);
    Function<Item.A, Msg> function =
        a -> {
          if (a.number() == 4) {
            throw new IllegalStateException("no fours");
          }
          return new Msg.Say("too many: " + a.number());
        };
    Pid<Item> pid =
        closed(
            Limits.<Item>none()
                .on(Item.A.class, Limit.messages(2).thenTransform(function, summary.pid())));
    send(pid, as(1, 5));
    assertThat(summary.nextSaid()).isEqualTo("too many: 3");
    assertThat(summary.nextSaid()).isEqualTo("too many: 5");
    assertThat(awaitLetters(1, Cause.LIMIT_FAILED)).containsExactly(new Item.A(4));
    assertThat(events.of(KernelEvent.LimitFailed.class).getFirst().cause()).hasMessage("no fours");
    assertThat(openGate(pid)).containsExactly(as(1, 2));
  }

  /** The same process may get it, as something of which it has room. */
  @Test
  void thenTransform_toTheSameProcess_countsForTheOtherType() {
    Pid<Item> pid = closed(Limits.none());
    node.limits(
        pid,
        Limits.<Item>none()
            .on(
                Item.A.class,
                Limit.messages(1).thenTransform((Item.A a) -> new Item.B(a.number()), pid))
            .on(Item.B.class, Limit.messages(1).thenDrop()));
    send(pid, as(1, 3));
    assertThat(openGate(pid)).containsExactly(new Item.A(1), new Item.B(2));
  }

  // ---------------------------------------------------------------- ending

  @Test
  void thenEnd_endsTheReceiver_thoughItTrapsExits() {
    watch();
    record Overrun() implements ExitReason.UserReason {}
    Probe watcher = Probe.start(pair.one(), node);
    Probe receiver =
        Probe.start(
            pair.other(),
            node,
            SpawnOptions.<Msg>defaults()
                .trappingExits(Msg.GotExit::new)
                .withLimits(
                    Limits.<Msg>none()
                        .on(Msg.Say.class, Limit.messages(2).thenEnd(new Overrun()))));
    watcher.act(self -> self.monitor(receiver.pid(), Msg.GotDown::new));
    receiver.tell(_ -> gate.await()); // which the end interrupts
    receiver.say(1);
    receiver.say(2);
    assertThat(receiver.pid().isAlive()).isTrue();
    receiver.say(3);
    assertThat(watcher.nextDown().reason()).isEqualTo(new Overrun());
    Await.until("all dead letters", () -> letters.size() >= 3);
    assertThat(letters.stream().filter(l -> l.cause() == Cause.ENDED)).hasSize(1);
    assertThat(receiver.leftOvers()).isEmpty();
  }

  // ---------------------------------------------------------------- waiting

  @Test
  void thenWait_waitsForRoom() {
    Pid<Item> pid = closed(limitA(Limit.messages(2).thenWait(LONG).thenRefuse()));
    Probe sender = Probe.start(pair.one(), node);
    CompletableFuture<Boolean> sent =
        sender.start(_ -> {
          for (Item item : as(1, 20)) {
            pid.send(item);
          }
          return true;
        });
    ProcessInfo info = awaitWaiting(sender.pid());
    assertThat(info.waitsFor()).isEqualTo(new ProcessInfo.Wait.ForRoom(pid));
    assertThat(waiting(pid)).isEqualTo(2);
    assertThat(pid.trySend(new Item.A(0))).isEqualTo(SendResult.REFUSED);
    gate.countDown();
    assertThat(Await.result("all to be sent", sent)).isTrue();
    settle(pid);
    assertThat(handled).containsExactly(as(1, 20));
    assertThat(node.stats().undelivered()).isZero();
  }

  @Test
  void thenWait_reacts_whenTheTimeIsOver() {
    ManualClock clock = manualClock();
    watch();
    Pid<Item> pid =
        closed(limitA(Limit.messages(1).thenWait(Duration.ofSeconds(1)).thenDropOldest()));
    Probe sender = Probe.start(pair.one(), node);
    sender.tell(_ -> {
      for (Item item : as(1, 2)) {
        pid.send(item);
      }
    });
    awaitWaiting(sender.pid());
    clock.advance(Duration.ofMillis(990));
    assertThat(node.info(sender.pid(), 0).orElseThrow().state()).isEqualTo(ProcessInfo.State.MUTED);
    assertThat(letters).isEmpty();
    clock.advance(Duration.ofMillis(12));
    sender.barrier();
    assertThat(awaitLetters(1, Cause.DROPPED_OLDEST)).containsExactly(new Item.A(1));
    assertThat(openGate(pid)).containsExactly(new Item.A(2));
  }

  private ManualClock manualClock() {
    ManualClock clock = new ManualClock();
    restart(options(NodeOptions.defaults()).withClock(clock));
    return clock;
  }

  @Test
  void waitingSender_canBeKilled_andTheNextGetsThePlace() {
    Pid<Item> pid = closed(limitA(Limit.messages(1).thenWait(LONG).thenRefuse()));
    pid.send(new Item.A(1));
    Probe killed = Probe.start(pair.one(), node);
    killed.tell(_ -> pid.send(new Item.A(2)));
    awaitWaiting(killed.pid());
    Probe next = Probe.start(pair.one(), node);
    next.tell(_ -> pid.send(new Item.A(3)));
    awaitWaiting(next.pid());
    killed.pid().kill();
    killed.awaitEnd();
    assertThat(openGate(pid)).isNotEmpty();
    next.barrier();
    settle(pid);
    assertThat(handled).containsExactly(new Item.A(1), new Item.A(3));
  }

  @Test
  void waitingSender_ofAReceiverThatEnds_goesOn() {
    watch();
    Pid<Item> pid = closed(limitA(Limit.messages(1).thenWait(LONG).thenRefuse()));
    pid.send(new Item.A(1));
    Probe sender = Probe.start(pair.one(), node);
    sender.tell(_ -> pid.send(new Item.A(2)));
    awaitWaiting(sender.pid());
    pid.kill();
    sender.barrier();
    Await.until("both dead letters", () -> letters.size() == 2);
    assertThat(letters)
        .anyMatch(l -> l.cause() == Cause.ENDED && l.message().equals(new Item.A(2)));
  }

  @Test
  void thread_thatWaits_keepsItsInterrupt() throws Exception {
    watch();
    Pid<Item> pid = closed(limitA(Limit.messages(1).thenWait(LONG).thenRefuse()));
    pid.send(new Item.A(1));
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              pid.send(new Item.A(2));
              interrupted.complete(Thread.currentThread().isInterrupted());
            });
    Await.until("the thread to wait", () -> thread.getState() == Thread.State.TIMED_WAITING);
    thread.interrupt();
    assertThat(Await.result("the send", interrupted)).isTrue();
    assertThat(awaitLetters(1, Cause.REFUSED)).containsExactly(new Item.A(2));
    thread.join();
  }

  @Test
  void sendToOneself_doesNotWait() {
    Probe probe =
        Probe.start(
            pair.one(),
            node,
            SpawnOptions.<Msg>defaults()
                .withLimits(
                    Limits.<Msg>none()
                        .on(Msg.Say.class, Limit.messages(1).thenWait(LONG).thenDrop())));
    assertThatThrownBy(() ->
            probe.act(self -> {
              self.pid().send(new Msg.Say(1));
              self.pid().send(new Msg.Say(2));
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(probe.pid().toString())
        .hasMessageContaining("Say")
        .hasMessageContaining("1 messages, wait 1 d, drop")
        .hasMessageContaining("trySend");
    assertThat(probe.nextSaid()).isEqualTo(1);
    probe.assertQuiet();
  }

  @Test
  void call_thatWaitsForRoom_endsWithItsOwnTimeout() {
    ManualClock clock = manualClock();
    Pid<Item> pid =
        closed(
            Limits.<Item>none().on(Item.Ask.class, Limit.messages(1).thenWait(LONG).thenRefuse()));
    Probe first = Probe.start(pair.one(), node);
    CompletableFuture<Integer> answered =
        first.start(_ -> pid.<Integer>call(to -> new Item.Ask(1, to), LONG));
    Await.until("the first to wait", () -> waiting(pid) == 1);
    Probe second = Probe.start(pair.one(), node);
    CompletableFuture<Integer> late =
        second.start(_ -> pid.<Integer>call(to -> new Item.Ask(2, to), Duration.ofMillis(50)));
    awaitWaiting(second.pid(), 2);
    clock.advance(Duration.ofMillis(52));
    assertThatThrownBy(() -> Await.result("the second", late))
        .isInstanceOf(CallTimeoutException.class);
    gate.countDown();
    assertThat(Await.result("the first", answered)).isEqualTo(1);
    settle(pid);
    assertThat(handled).hasSize(1);
  }

  /** Heavy ones are not overtaken for ever, and one that leaves lets the next have the room. */
  @Test
  void weight_thenWait_servesInOrder() {
    ManualClock clock = manualClock();
    Pid<Item> pid = closed(limitBlobs(hundredBytesWithinASecond().thenDrop()));
    pid.send(new Item.Blob(1, 60));
    Probe heavy = waitsWith(pid, new Item.Blob(2, 80), 1);
    clock.advance(Duration.ofMillis(500));
    Probe light = waitsWith(pid, new Item.Blob(3, 10), 2);
    clock.advance(Duration.ofMillis(502)); // the heavy one gives up
    heavy.barrier();
    light.barrier();
    assertThat(waiting(pid)).isEqualTo(70);
    assertThat(openGate(pid)).containsExactly(new Item.Blob(1, 60), new Item.Blob(3, 10));
  }

  /** One that drops more than it takes leaves room for those who still wait. */
  @Test
  void weight_thatDropsTheOldest_servesThoseWhoWait() {
    ManualClock clock = manualClock();
    Pid<Item> pid = closed(limitBlobs(hundredBytesWithinASecond().thenDropOldest()));
    pid.send(new Item.Blob(1, 100));
    Probe first = waitsWith(pid, new Item.Blob(2, 20), 1);
    clock.advance(Duration.ofMillis(500));
    Probe second = waitsWith(pid, new Item.Blob(3, 20), 2);
    clock.advance(Duration.ofMillis(502)); // the first drops what is there
    first.barrier();
    second.barrier();
    assertThat(waiting(pid)).isEqualTo(40);
    assertThat(openGate(pid)).containsExactlyInAnyOrder(new Item.Blob(2, 20), new Item.Blob(3, 20));
  }

  @Test
  void twoThatWaitForEachOther_goOn() {
    ManualClock clock = manualClock();
    Limits<Msg> limits =
        Limits.<Msg>none()
            .on(Msg.Say.class, Limit.messages(1).thenWait(Duration.ofSeconds(1)).thenDrop());
    Probe one = Probe.start(pair.one(), node, SpawnOptions.<Msg>defaults().withLimits(limits));
    Probe other = Probe.start(pair.other(), node, SpawnOptions.<Msg>defaults().withLimits(limits));
    one.tell(_ -> {
      other.say(1);
      gate.await();
      other.say(2);
    });
    other.tell(_ -> {
      one.say(1);
      gate.await();
      one.say(2);
    });
    gate.countDown();
    Await.until(
        "both to go on",
        () -> {
          clock.advance(Duration.ofMillis(100));
          return node.stats().processes() == 2
              && List.of(one, other).stream()
                  .allMatch(p ->
                      node.info(p.pid(), 0).orElseThrow().state() == ProcessInfo.State.WAITING);
        });
    assertThat(one.nextSaid()).isEqualTo(1);
    assertThat(other.nextSaid()).isEqualTo(1);
  }

  // ---------------------------------------------------------------- changed while it runs

  @Test
  void limits_changeWhileItRuns() {
    Pid<Item> pid = closed(Limits.none());
    assertThat(node.limits(pid).isEmpty()).isTrue();
    send(pid, as(1, 3)); // count for none of the limits
    Limits<Item> two = limitA(Limit.messages(2).thenRefuse());
    node.limits(pid, two);
    assertThat(node.limits(pid)).isEqualTo(two);
    assertThat(pid.trySend(new Item.A(4))).isEqualTo(SendResult.SENT);
    assertThat(pid.trySend(new Item.A(5))).isEqualTo(SendResult.SENT);
    assertThat(pid.trySend(new Item.A(6))).isEqualTo(SendResult.REFUSED);
    node.limits(pid, limitA(Limit.messages(1).thenDropOldest()));
    assertThat(pid.trySend(new Item.A(7))).isEqualTo(SendResult.SENT);
    assertThat(pid.trySend(new Item.A(8))).isEqualTo(SendResult.SENT);
    node.limits(pid, Limits.none());
    send(pid, as(9, 12));
    assertThat(openGate(pid))
        .containsExactly(
            Item.A.class.cast(new Item.A(1)),
            new Item.A(2),
            new Item.A(3),
            new Item.A(4),
            new Item.A(5),
            new Item.A(8),
            new Item.A(9),
            new Item.A(10),
            new Item.A(11),
            new Item.A(12));
    pid.kill();
    Await.until("its end", () -> !pid.isAlive());
    node.limits(pid, two);
    assertThat(node.limits(pid).isEmpty()).isTrue();
  }

  @Test
  void change_letsThoseWhoWaitTryAgain() {
    Pid<Item> pid = closed(limitA(Limit.messages(1).thenWait(LONG).thenDrop()));
    pid.send(new Item.A(1));
    Probe sender = Probe.start(pair.one(), node);
    sender.tell(_ -> pid.send(new Item.A(2)));
    awaitWaiting(sender.pid());
    node.limits(pid, limitA(Limit.messages(1).thenRefuse()));
    sender.barrier();
    assertThat(pid.trySend(new Item.A(3))).isEqualTo(SendResult.REFUSED);
    assertThat(openGate(pid)).containsExactly(as(1, 2));
  }

  // ---------------------------------------------------------------- which limit counts

  private sealed interface Shape {
    record Square(int side) implements Shape, Flat {}

    record Cube(int side) implements Shape {}

    record Circle(int radius) implements Shape, Flat, Round {}
  }

  private interface Flat {}

  private interface Round {}

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // Flat and Round are no Shapes for javac
  void limit_isThatOfTheMostSpecificType() {
    Limits<Shape> limits =
        Limits.<Shape>none()
            .on(Shape.class, Limit.messages(1).thenRefuse())
            .on(Shape.Square.class, Limit.messages(2).thenRefuse());
    limits = limits.on((Class) Flat.class, (Limit) Limit.messages(3).thenRefuse());
    limits = limits.on((Class) Round.class, (Limit) Limit.messages(4).thenRefuse());
    Pid<Shape> pid =
        pair.other()
            .spawn(node, (_, _) -> gate.await(), SpawnOptions.<Shape>defaults().withLimits(limits));
    pid.send(new Shape.Cube(0));
    Await.until("it to be closed", () -> node.info(pid, 0).orElseThrow().mailbox() == 0);
    assertThat(room(pid, new Shape.Cube(1))).isEqualTo(1); // as a Shape
    assertThat(room(pid, new Shape.Square(1))).isEqualTo(2); // as itself
    // A Flat, a Round and a Shape, none more specific than the other: Shape was named first.
    assertThat(room(pid, new Shape.Circle(1))).isZero();
    pid.kill();
  }

  private static int room(Pid<Shape> pid, Shape shape) {
    int sent = 0;
    while (pid.trySend(shape) == SendResult.SENT) {
      sent++;
    }
    return sent;
  }

  @Test
  void others_shareTheLimitOfTheOthers() {
    Pid<Item> pid =
        closed(
            limitA(Limit.messages(Integer.MAX_VALUE).thenDrop())
                .others(Limit.messages(2).thenDrop()));
    send(pid, as(1, 5));
    send(pid, new Item.B(1), new Item.Tick(2), new Item.B(3));
    List<ProcessInfo.Limited> limits = node.info(pid, 0).orElseThrow().limits();
    assertThat(limits.get(0).waiting()).isEqualTo(5);
    assertThat(limits.get(1).waiting()).isEqualTo(2);
    assertThat(limits.get(1).type()).isNull();
    assertThat(openGate(pid)).hasSize(7).endsWith(new Item.B(1), new Item.Tick(2));
  }

  @Test
  void timersAndReplies_areExempt() {
    Probe probe =
        Probe.start(
            pair.other(),
            node,
            SpawnOptions.<Msg>defaults()
                .withLimits(Limits.<Msg>none().on(Msg.Say.class, Limit.messages(1).thenRefuse())));
    Probe server = Probe.start(pair.one(), node);
    probe.act(self -> {
      for (int i = 0; i < 3; i++) {
        self.sendAfter(Duration.ZERO, self.pid(), new Msg.Say("timer"));
        self.request(
            server.pid(),
            (ReplyTo<Object> to) -> new Msg.Ask("?", to),
            LONG,
            outcome -> new Msg.Say(outcome.orThrow()));
      }
    });
    probe.tell(_ -> gate.await());
    for (int i = 0; i < 3; i++) {
      server.nextAsked().replyTo().send("reply");
    }
    gate.countDown();
    for (int i = 0; i < 6; i++) {
      probe.nextSaid();
    }
    probe.assertQuiet();
    assertThat(node.stats().undelivered()).isZero();
  }

  @Test
  void marks_holdBesideLimits_andDoNotCountWhatWasDropped() {
    node.marks(Marks.at(10).withBound(LONG));
    Pid<Item> pid = closed(limitA(Limit.messages(5).thenDropOldest()));
    send(pid, as(1, 5_000)); // would be held back if those dropped were counted
    assertThat(node.stats().mutes()).isZero();
    for (int i = 1; i <= 10; i++) {
      assertThat(pid.trySend(new Item.B(i)))
          .isEqualTo(i <= 6 ? SendResult.SENT : SendResult.REFUSED);
    }
    assertThat(openGate(pid)).hasSize(11);
  }

  // ---------------------------------------------------------------- misuse

  @Test
  void misuse_isRefused_withValueAndCure() {
    Limit<Object> limit = Limit.messages(5).thenDrop();
    assertThatThrownBy(() -> limitA(limit).on(Item.A.class, Limit.messages(7).thenDropOldest()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Item.A.class.getName())
        .hasMessageContaining("5 messages, drop")
        .hasMessageContaining("7 messages, drop the oldest");
    assertThatThrownBy(() -> Limits.none().others(limit).others(limit))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the other messages");
    assertThatThrownBy(() -> Limit.messages(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0")
        .hasMessageContaining("1 or more");
    assertThatThrownBy(() -> Limit.weight(-1, _ -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1")
        .hasMessageContaining("1 or more");
    assertThatThrownBy(() -> Limit.messages(1).thenWait(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0S")
        .hasMessageContaining("more than zero");
    assertThatThrownBy(() -> Limit.messages(1).thenWait(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-0.000000001S");
  }

  // ---------------------------------------------------------------- many at once

  /** Each message is handled, refused, or a dead letter; never more than the limit waits. */
  @Test
  void manySenders_loseNothing() {
    int senders = 8;
    int each = 20_000;
    List<Limit<Object>> all =
        List.of(
            Limit.messages(1).thenRefuse(),
            Limit.messages(7).thenDrop(),
            Limit.messages(1).thenDropOldest(),
            Limit.messages(50).thenDropOldest(),
            Limit.messages(3).thenWait(Duration.ofMillis(1)).thenDropOldest(),
            Limit.messages(5).thenWait(Await.LIMIT).thenRefuse());
    for (Limit<Object> limit : all) {
      AtomicLong taken = new AtomicLong();
      Pid<Item> pid =
          pair.other()
              .spawn(
                  node,
                  (Self<Item> _, Item _) -> taken.incrementAndGet(),
                  SpawnOptions.<Item>defaults().withLimits(limitA(limit)));
      long lost = node.stats().undelivered();
      long refused = node.stats().refused();
      List<Pid<Integer>> pids = new ArrayList<>();
      AtomicLong most = new AtomicLong();
      CountDownLatch done = new CountDownLatch(senders);
      for (int s = 0; s < senders; s++) {
        pids.add(
            pair.one()
                .spawn(
                    node,
                    (Self<Integer> self, Integer number) -> {
                      for (int i = number; i < Math.min(number + 100, each); i++) {
                        if (i % 4 == 0) {
                          SendResult _ = pid.trySend(new Item.A(i));
                        } else {
                          pid.send(new Item.A(i));
                        }
                      }
                      most.accumulateAndGet(waiting(pid), Math::max);
                      if (number + 100 < each) {
                        self.pid().send(number + 100);
                      } else {
                        done.countDown();
                      }
                    }));
      }
      pids.forEach(p -> p.send(0));
      Await.until(
          () -> "all to be sent under " + limit,
          () -> done.getCount() == 0,
          Duration.ofSeconds(60));
      settle(pid);
      assertThat(
              taken.get()
                  + (node.stats().undelivered() - lost)
                  + (node.stats().refused() - refused))
          .as("%s", limit)
          .isEqualTo((long) senders * each);
      assertThat(most.get()).as("%s", limit).isBetween(0L, limit.bound().most());
      assertThat(waiting(pid)).as("%s", limit).isZero();
    }
  }

  /** Senders killed, limits changed and receivers ended while others wait: all is counted. */
  @Test
  void kills_changesAndEnds_leaveNobodyWaiting() {
    for (int round = 0; round < 30; round++) {
      Pid<Item> pid = closed(limitA(Limit.messages(2).thenWait(LONG).thenRefuse()));
      List<Pid<Integer>> senders = new ArrayList<>();
      for (int s = 0; s < 6; s++) {
        senders.add(
            pair.one().spawn(node, (Self<Integer> _, Integer i) -> pid.send(new Item.A(i))));
      }
      for (Pid<Integer> sender : senders) {
        IntStream.range(0, 3).forEach(sender::send);
      }
      Await.until("the mailbox to be full", () -> waiting(pid) == 2);
      senders.get(0).kill();
      node.limits(pid, limitA(Limit.messages(1 + round % 3).thenWait(LONG).thenDropOldest()));
      senders.get(1).kill();
      if (round % 2 == 0) {
        pid.kill();
      } else {
        node.limits(pid, Limits.none());
      }
      for (Pid<Integer> sender : senders.subList(2, senders.size())) {
        settleSender(sender);
        sender.kill();
      }
      pid.kill();
    }
    Await.until(
        () -> "all to end: " + node.stats(), () -> node.stats().processes() == 0, Await.LIMIT);
  }

  private void settleSender(Pid<Integer> sender) {
    Await.until(
        () -> "the sender to be done: " + node.info(sender, 0),
        () ->
            node.info(sender, 0)
                .map(i -> i.mailbox() == 0 && i.state() == ProcessInfo.State.WAITING)
                .orElse(true),
        Await.LIMIT);
  }
}
