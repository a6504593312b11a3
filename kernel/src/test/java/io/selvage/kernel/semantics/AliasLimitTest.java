package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.selvage.kernel.Alias;
import io.selvage.kernel.AliasOptions;
import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.EventFilter;
import io.selvage.kernel.Limit;
import io.selvage.kernel.Limits;
import io.selvage.kernel.Marks;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SendResult;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes through an alias fills a mailbox like anything else, and is limited like it. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#core")
class AliasLimitTest extends KernelTest {
  private static final Duration LONG = Duration.ofDays(1);

  @Parameter Pair pair;

  private final CountDownLatch gate = new CountDownLatch(1);
  private final Queue<KernelEvent.DeadLetter> letters = new ConcurrentLinkedQueue<>();

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults).withMarks(Marks.off());
  }

  @BeforeEach
  void watch() {
    node.subscribe(
        EventFilter.of(KernelEvent.DeadLetter.class),
        event -> {
          if (event instanceof KernelEvent.DeadLetter letter) {
            letters.add(letter);
          }
        });
  }

  private Probe owner(Limits<Msg> limits) {
    return Probe.start(pair.other(), node, SpawnOptions.<Msg>defaults().withLimits(limits));
  }

  private static Limits<Msg> says(Limit<? super Msg.Say> limit) {
    return Limits.<Msg>none().on(Msg.Say.class, limit);
  }

  private static Alias<Msg> plain(Probe owner) {
    return owner.run(Self::alias);
  }

  /** A string becomes something said. */
  private static Alias<String> mapped(Probe owner, AliasOptions options) {
    return owner.run(self -> self.alias(options, (String text) -> new Msg.Say(text)));
  }

  private Probe sender() {
    return Probe.start(pair.one(), node);
  }

  private void says(Alias<Msg> alias, int from, int to) {
    sender().act(_ -> IntStream.rangeClosed(from, to).forEach(i -> alias.send(new Msg.Say(i))));
  }

  private void strings(Alias<String> alias, int from, int to) {
    sender().act(_ -> IntStream.rangeClosed(from, to).forEach(i -> alias.send("s" + i)));
  }

  private List<Object> awaitLetters(int number, Cause cause) {
    Await.until(
        () -> number + " dead letters: " + letters, () -> letters.size() >= number, Await.LIMIT);
    assertThat(letters).hasSize(number).allMatch(letter -> letter.cause() == cause);
    return letters.stream().map(KernelEvent.DeadLetter::message).toList();
  }

  private long waiting(Probe owner) {
    return node.info(owner.pid(), 0).orElseThrow().limits().getFirst().waiting();
  }

  // ---------------------------------------------------------------- counts

  @Test
  void throughPlainAlias_countsForItsClass() {
    Probe owner = owner(says(Limit.messages(2).thenDrop()));
    Alias<Msg> alias = plain(owner);
    owner.hold(gate);
    owner.say(0); // the pid's and the alias's messages share the room
    says(alias, 1, 3);
    assertThat(awaitLetters(2, Cause.DROPPED_NEWEST))
        .containsExactly(new Msg.Say(2), new Msg.Say(3));
    assertThat(waiting(owner)).isEqualTo(2);
    assertThat(owner.pid().trySend(new Msg.Say(4))).isEqualTo(SendResult.REFUSED);
    gate.countDown();
    assertThat(owner.nextSaid()).isEqualTo(0);
    assertThat(owner.nextSaid()).isEqualTo(1);
    owner.barrier();
    assertThat(waiting(owner)).isZero();
    says(alias, 5, 5);
    assertThat(owner.nextSaid()).isEqualTo(5);
  }

  @Test
  void throughAliasTiedToAMonitor_counts() {
    Probe owner = owner(Limits.<Msg>none().others(Limit.messages(2).thenRefuse()));
    Probe watched = sender();
    AliasOptions options = AliasOptions.defaults().withMode(AliasOptions.Mode.DEMONITOR);
    Alias<String> alias =
        owner.run(self ->
            self.<String>monitorWithAlias(watched.pid(), Msg.GotDown::new, options, Msg.Say::new)
                .alias());
    owner.hold(gate);
    strings(alias, 1, 4);
    assertThat(awaitLetters(2, Cause.REFUSED)).containsExactly("s3", "s4");
    gate.countDown();
    assertThat(owner.nextSaid()).isEqualTo("s1");
    assertThat(owner.nextSaid()).isEqualTo("s2");
  }

  @Test
  void whatAFunctionMustMake_countsForTheOthers_asOne() {
    Probe spare = sender();
    List<Limit<Msg>> all =
        List.of(
            Limit.<Msg>weight(2, message -> message instanceof Msg.Say ? 5 : 1).thenDrop(),
            Limit.<Msg>messages(2).thenRedirect(spare.pid()),
            Limit.<Msg>messages(2).thenTransform(message -> message, spare.pid()));
    for (Limit<Msg> limit : all) {
      letters.clear();
      Probe owner = owner(Limits.<Msg>none().on(Msg.Do.class, free()).others(limit));
      Alias<String> alias = mapped(owner, AliasOptions.defaults());
      CountDownLatch open = new CountDownLatch(1);
      owner.hold(open);
      strings(alias, 1, 3);
      assertThat(awaitLetters(1, Cause.DROPPED_NEWEST)).containsExactly("s3");
      open.countDown();
      assertThat(owner.nextSaid()).isEqualTo("s1");
      assertThat(owner.nextSaid()).isEqualTo("s2");
    }
    spare.assertQuiet();
    assertThat(events.of(KernelEvent.LimitFailed.class)).isEmpty();
  }

  private static Limit<Object> free() {
    return Limit.messages(Integer.MAX_VALUE).thenDrop();
  }

  @Test
  void dropOldest_dropsWhatCameThroughAnAlias_once() {
    Probe owner = owner(says(Limit.messages(2).thenDropOldest()));
    Alias<Msg> alias = plain(owner);
    owner.hold(gate);
    says(alias, 1, 5);
    assertThat(awaitLetters(3, Cause.DROPPED_OLDEST))
        .containsExactly(new Msg.Say(1), new Msg.Say(2), new Msg.Say(3));
    gate.countDown();
    assertThat(owner.nextSaid()).isEqualTo(4);
    assertThat(owner.nextSaid()).isEqualTo(5);
    owner.assertQuiet();
    assertThat(waiting(owner)).isZero();
  }

  @Test
  void revokedAlias_leavesNoPlaceTaken_andEachMessageIsOneLetter() {
    Probe owner = owner(says(Limit.messages(2).thenDropOldest()));
    Alias<Msg> alias = plain(owner);
    CountDownLatch closed = new CountDownLatch(1);
    owner.tell(self -> {
      closed.countDown();
      gate.await();
      assertThat(self.unalias(alias)).isTrue();
    });
    Await.until("the owner to be closed", () -> closed.getCount() == 0);
    says(alias, 1, 5);
    awaitLetters(3, Cause.DROPPED_OLDEST);
    letters.clear();
    gate.countDown();
    assertThat(awaitLetters(2, Cause.REVOKED)).containsExactly(new Msg.Say(4), new Msg.Say(5));
    owner.assertQuiet();
    assertThat(waiting(owner)).isZero();
    assertThat(node.stats().undelivered()).isEqualTo(5);
  }

  @Test
  void redirected_goesOnAsAnOrdinaryMessage_whateverBecomesOfTheAlias() {
    Probe spare = sender();
    Probe owner = owner(says(Limit.<Msg.Say>messages(1).thenRedirect(spare.pid())));
    Alias<Msg> alias = plain(owner);
    CountDownLatch open = new CountDownLatch(1);
    spare.hold(open);
    owner.tell(self -> {
      gate.await();
      boolean _ = self.unalias(alias);
    });
    owner.say(1);
    says(alias, 2, 3);
    gate.countDown();
    assertThat(owner.nextSaid()).isEqualTo(1);
    owner.barrier();
    open.countDown();
    assertThat(spare.nextSaid()).isEqualTo(2);
    assertThat(spare.nextSaid()).isEqualTo(3);
    assertThat(node.stats().undelivered()).isZero();
  }

  // ---------------------------------------------------------------- waits

  @Test
  void senderThroughAnAlias_waitsForRoom() {
    Probe owner = owner(says(Limit.messages(1).thenWait(LONG).thenRefuse()));
    Alias<Msg> alias = plain(owner);
    owner.hold(gate);
    Probe sender = sender();
    sender.tell(_ -> IntStream.rangeClosed(1, 3).forEach(i -> alias.send(new Msg.Say(i))));
    Await.until(
        "the sender to wait",
        () ->
            node.info(sender.pid(), 0).orElseThrow().waitsFor()
                instanceof ProcessInfo.Wait.ForRoom);
    assertThat(waiting(owner)).isEqualTo(1);
    gate.countDown();
    for (int i = 1; i <= 3; i++) {
      assertThat(owner.nextSaid()).isEqualTo(i);
    }
    sender.barrier();
    assertThat(node.stats().undelivered()).isZero();
  }

  @Test
  void ownerThatWouldWaitForItself_isTold() {
    Probe owner = owner(says(Limit.messages(1).thenWait(LONG).thenRefuse()));
    Alias<Msg> alias = plain(owner);
    assertThatThrownBy(() ->
            owner.act(_ -> {
              alias.send(new Msg.Say(1));
              alias.send(new Msg.Say(2));
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(owner.pid().toString());
    assertThat(owner.nextSaid()).isEqualTo(1);
    owner.assertQuiet();
  }

  // ---------------------------------------------------------------- exempt

  @Test
  void repliesAndPriorityMessages_areExempt() {
    Probe owner = owner(Limits.<Msg>none().others(Limit.messages(1).thenDrop()));
    AliasOptions reply = AliasOptions.defaults().withMode(AliasOptions.Mode.REPLY);
    List<Alias<String>> asked =
        List.of(mapped(owner, reply), mapped(owner, reply), mapped(owner, reply));
    Alias<String> urgent = mapped(owner, AliasOptions.defaults().withPriority());
    owner.hold(gate);
    owner.say("full");
    sender()
        .act(_ -> {
          asked.forEach(alias -> alias.send("reply"));
          urgent.sendPriority("urgent 1");
          urgent.sendPriority("urgent 2");
          urgent.send("no room");
        });
    assertThat(awaitLetters(1, Cause.DROPPED_NEWEST)).containsExactly("no room");
    gate.countDown();
    assertThat(owner.nextSaid()).isEqualTo("urgent 1");
    assertThat(owner.nextSaid()).isEqualTo("urgent 2");
    assertThat(owner.nextSaid()).isEqualTo("full");
    for (int i = 0; i < 3; i++) {
      assertThat(owner.nextSaid()).isEqualTo("reply");
    }
  }

  // ---------------------------------------------------------------- many at once

  /**
   * A message may be dropped at the very moment in which a selective receive looks at it: the
   * alias's function is never shown what is left of it then.
   */
  @Test
  void selectiveReceive_amidDrops_showsTheFunctionNothingElse() {
    assumeThat(pair.other().isDirect()).as("a body can receive selectively").isTrue();
    int number = Rounds.RACES;
    AtomicReference<Alias<String>> made = new AtomicReference<>();
    AtomicInteger taken = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Pid<Object> owner =
        node.spawn(
            (DirectSelf<Object> self) -> {
              made.set(self.alias(AliasOptions.defaults(), (String text) -> text + "!"));
              try {
                while (true) {
                  Object said = self.receive(each -> each instanceof String);
                  assertThat(said).isEqualTo("text!");
                  taken.incrementAndGet();
                }
              } catch (RuntimeException | AssertionError e) {
                failure.set(e);
              }
            },
            SpawnOptions.<Object>defaults()
                .withLimits(Limits.none().others(Limit.messages(1).thenDropOldest())));
    Await.until("the alias", () -> made.get() != null);
    Alias<String> alias = made.get();
    sender().act(_ -> IntStream.range(0, number).forEach(i -> alias.send("text")));
    Await.until(
        () -> "all to be taken or dropped: " + taken + ", " + node.stats(),
        () -> failure.get() != null || taken.get() + node.stats().undelivered() == number,
        Await.LIMIT);
    assertThat(failure.get()).isNull();
    owner.kill();
  }
}
