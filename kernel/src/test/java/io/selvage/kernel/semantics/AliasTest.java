package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.selvage.kernel.Alias;
import io.selvage.kernel.AliasOptions;
import io.selvage.kernel.AliasOptions.Mode;
import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Marks;
import io.selvage.kernel.MonitorAlias;
import io.selvage.kernel.Name;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Aliases: the process that has one, and the one that sends to it or that is watched with it. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#all")
class AliasTest extends KernelTest {
  private static final AliasOptions EXPLICIT = AliasOptions.defaults();
  private static final AliasOptions PRIORITY = EXPLICIT.withPriority();

  @Parameter Pair pair;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults);
  }

  private Probe owner() {
    return Probe.start(pair.one(), node);
  }

  private Probe other() {
    return Probe.start(pair.other(), node);
  }

  private static AliasOptions mode(Mode mode) {
    return EXPLICIT.withMode(mode);
  }

  private static Alias<Object> alias(Probe owner, AliasOptions options) {
    return owner.run(self -> self.<Object>alias(options, Msg.Say::new));
  }

  private static MonitorAlias<Object> watch(Probe owner, Probe target, Mode mode) {
    return owner.run(self ->
        self.<Object>monitorWithAlias(target.pid(), Msg.GotDown::new, mode(mode), Msg.Say::new));
  }

  private static void send(Probe sender, Alias<Object> alias, Object... messages) {
    sender.act(_ -> List.of(messages).forEach(alias::send));
  }

  /** Makes a process do nothing until the future is completed. */
  private static CompletableFuture<Boolean> hold(Probe probe) {
    CompletableFuture<Boolean> release = new CompletableFuture<>();
    CompletableFuture<Boolean> held = new CompletableFuture<>();
    probe.tell(_ -> {
      held.complete(true);
      boolean _ = release.get();
    });
    boolean _ = Await.result("the process to be held", held);
    return release;
  }

  private void assertVanished(long messages) {
    assertThat(node.stats().undelivered()).isEqualTo(messages);
  }

  // ---------------------------------------------------------------- 32

  @Test
  void explicitAlias_untilUnalias_letsMessagesIn() {
    Probe owner = owner();
    Probe sender = other();
    Alias<Object> alias = alias(owner, EXPLICIT);
    send(sender, alias, 1, 2);
    alias.send(3); // from a thread
    assertThat(owner.nextSaid()).isEqualTo(1);
    assertThat(owner.nextSaid()).isEqualTo(2);
    assertThat(owner.nextSaid()).isEqualTo(3);
    assertThat(alias.isActive()).isTrue();
    assertThat(owner.<Boolean>run(self -> self.unalias(alias))).isTrue();
    assertThat(alias.isActive()).isFalse();
    send(sender, alias, 4, 5);
    owner.assertQuiet();
    assertVanished(2);
    assertThat(owner.<Boolean>run(self -> self.unalias(alias))).isFalse();
  }

  @Test
  void defaultAlias_takesWhatTheProcessTakes() {
    Probe owner = owner();
    Alias<Msg> alias = owner.run(Self::alias);
    other().act(_ -> alias.send(new Msg.Say("hello")));
    assertThat(owner.nextSaid()).isEqualTo("hello");
  }

  @Test
  void unalias_withMessagesOnTheWay_dropsThem() {
    Probe owner = owner();
    Probe sender = other();
    Alias<Object> alias = alias(owner, EXPLICIT);
    CompletableFuture<Boolean> release = new CompletableFuture<>();
    CompletableFuture<Boolean> held = new CompletableFuture<>();
    var revoked =
        owner.start(self -> {
          held.complete(true);
          boolean _ = release.get();
          return self.unalias(alias);
        });
    boolean _ = Await.result("the process to be held", held); // so it fetches no more before
    send(sender, alias, "on the way", "on the way, too");
    sender.act(_ -> owner.say("through the pid"));
    release.complete(true);
    assertThat(Await.result("unalias", revoked)).isTrue();
    assertThat(owner.nextSaid()).isEqualTo("through the pid");
    owner.assertQuiet();
    assertVanished(2);
  }

  @Test
  void unalias_withMessageInTheMailbox_leavesItThere() {
    Probe owner = owner();
    Probe sender = other();
    Alias<Object> alias = alias(owner, EXPLICIT);
    CompletableFuture<Boolean> release = hold(owner);
    var revoked = owner.start(self -> self.unalias(alias)); // fetched together with what follows
    send(sender, alias, "in the mailbox");
    release.complete(true);
    assertThat(Await.result("unalias", revoked)).isTrue();
    assertThat(owner.nextSaid()).isEqualTo("in the mailbox");
    owner.assertQuiet();
    assertVanished(0);
  }

  @Test
  void unalias_ofAnotherProcessesAlias_changesNothing() {
    Probe owner = owner();
    Probe other = other();
    Alias<Object> alias = alias(owner, EXPLICIT);
    assertThat(other.<Boolean>run(self -> self.unalias(alias))).isFalse();
    assertThat(alias.isActive()).isTrue();
    send(other, alias, "arrives");
    assertThat(owner.nextSaid()).isEqualTo("arrives");
  }

  @Test
  void unalias_byAnotherThread_isRefused() {
    Probe owner = owner();
    Alias<Object> alias = alias(owner, EXPLICIT);
    Self<Msg> stolen = owner.run(self -> self);
    assertThatIllegalStateException().isThrownBy(() -> stolen.unalias(alias));
    other().act(_ -> assertThatIllegalStateException().isThrownBy(() -> stolen.unalias(alias)));
    assertThat(alias.isActive()).isTrue();
  }

  @Test
  void aliasAndPid_ofOneProcess_keepTheOrderOfOneSender() {
    Probe owner = owner();
    Probe sender = other();
    Alias<Object> first = alias(owner, EXPLICIT);
    Alias<Object> second = alias(owner, EXPLICIT);
    sender.act(_ -> {
      for (int i = 0; i < 300; i += 3) {
        first.send(i);
        owner.say(i + 1);
        second.send(i + 2);
      }
    });
    for (int i = 0; i < 300; i++) {
      assertThat(owner.nextSaid()).isEqualTo(i);
    }
  }

  @Test
  void alias_ofProcessThatHasEnded_isNotActiveAndItsMessagesVanish() {
    Probe owner = owner();
    Probe sender = other();
    Alias<Object> alias = alias(owner, EXPLICIT);
    MonitorAlias<Object> watching = watch(owner, sender, Mode.DEMONITOR);
    owner.pid().exit(Reasons.DIE);
    owner.awaitEnd();
    assertThat(alias.isActive()).isFalse();
    assertThat(watching.alias().isActive()).isFalse();
    send(sender, alias, "gone");
    send(sender, watching.alias(), "gone, too");
    assertVanished(2);
  }

  @Test
  void messageThroughAlias_unreadAtTheEnd_isCountedOnce() {
    Probe owner = owner();
    Alias<Object> alias = alias(owner, EXPLICIT);
    Alias<Object> revoked = alias(owner, EXPLICIT);
    CompletableFuture<Boolean> release = new CompletableFuture<>();
    owner.tell(self -> {
      boolean _ = release.get();
      self.unalias(revoked);
      throw new ExitException(Reasons.DIE);
    });
    send(other(), alias, "unread");
    send(other(), revoked, "revoked");
    release.complete(true);
    owner.awaitEnd();
    Await.until("both to be counted", () -> node.stats().undelivered() == 2);
  }

  @Test
  void functionOfAlias_thatThrowsOrAnswersNull_crashesTheOwner() {
    IllegalStateException planned = new IllegalStateException("planned");
    Probe throwing = owner();
    Fate thrown = Fate.of(node, throwing);
    Alias<Object> bad =
        throwing.run(self ->
            self.<Object>alias(
                EXPLICIT,
                _ -> {
                  throw planned;
                }));
    bad.send("x");
    assertThat(((ExitReason.Crash) thrown.reason()).cause()).isSameAs(planned);
    Probe answering = owner();
    Fate fate = Fate.of(node, answering);
    Alias<Object> none = answering.run(self -> self.<Object>alias(EXPLICIT, _ -> null));
    none.send("x");
    assertThat(((ExitReason.Crash) fate.reason()).cause())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("alias");
  }

  @Test
  void modes_thatDoNotFit_areRefused() {
    Probe owner = owner();
    Probe target = other();
    owner.act(self -> {
      for (Mode mode : List.of(Mode.DEMONITOR, Mode.REPLY_DEMONITOR)) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> self.alias(mode(mode), Msg.Say::new))
            .withMessageContaining("monitorWithAlias");
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() ->
              self.monitorWithAlias(target.pid(), Msg.GotDown::new, mode(Mode.REPLY), Msg.Say::new))
          .withMessageContaining("REPLY_DEMONITOR");
    });
    target.pid().kill();
    target.awaitEnd();
    owner.assertQuiet(); // no monitor was left
  }

  // ---------------------------------------------------------------- 33

  @Test
  void replyAlias_letsInExactlyTheFirstMessage() {
    Probe owner = owner();
    Probe sender = other();
    Alias<Object> alias = alias(owner, mode(Mode.REPLY));
    assertThat(alias.isActive()).isTrue();
    send(sender, alias, "first", "second", "third");
    assertThat(owner.nextSaid()).isEqualTo("first");
    owner.assertQuiet();
    assertThat(alias.isActive()).isFalse();
    send(sender, alias, "fourth");
    owner.assertQuiet();
    assertVanished(3);
    assertThat(owner.<Boolean>run(self -> self.unalias(alias))).isFalse();
  }

  @Test
  void replyAlias_revokedBefore_letsInNothing() {
    Probe owner = owner();
    Alias<Object> alias = alias(owner, mode(Mode.REPLY));
    assertThat(owner.<Boolean>run(self -> self.unalias(alias))).isTrue();
    send(other(), alias, "first");
    owner.assertQuiet();
    assertVanished(1);
  }

  @Test
  void replyAlias_withManySendersAtOnce_letsInOne() {
    int rounds = Rounds.part(300);
    Probe owner = owner();
    List<Probe> senders = List.of(other(), other(), other());
    for (int i = 0; i < rounds; i++) {
      Alias<Object> alias = alias(owner, mode(Mode.REPLY));
      senders.forEach(sender -> sender.tell(_ -> alias.send("one of three")));
      senders.forEach(Probe::barrier);
      assertThat(owner.nextSaid()).isEqualTo("one of three");
      owner.assertQuiet();
    }
    assertVanished(2L * rounds);
  }

  // ---------------------------------------------------------------- 34 and the other modes

  @Test
  void monitorWithExplicitAlias_afterDemonitor_staysUsableUntilUnalias() {
    Probe owner = owner();
    Probe target = other();
    MonitorAlias<Object> both = watch(owner, target, Mode.EXPLICIT_UNALIAS);
    send(target, both.alias(), "before");
    assertThat(owner.nextSaid()).isEqualTo("before");
    owner.act(self -> self.demonitor(both.monitor()));
    send(target, both.alias(), "after demonitor");
    assertThat(owner.nextSaid()).isEqualTo("after demonitor");
    owner.act(self -> self.unalias(both.alias()));
    send(target, both.alias(), "after unalias");
    target.pid().kill();
    target.awaitEnd();
    owner.assertQuiet();
    assertVanished(1);
  }

  @Test
  void monitorWithExplicitAlias_afterDown_staysUsableUntilUnalias() {
    Probe owner = owner();
    Probe target = other();
    Probe sender = other();
    MonitorAlias<Object> both = watch(owner, target, Mode.EXPLICIT_UNALIAS);
    target.pid().exit(Reasons.DIE);
    assertThat(owner.nextDown()).isEqualTo(new Down(both.monitor(), target.pid(), Reasons.DIE));
    send(sender, both.alias(), "after the down");
    assertThat(owner.nextSaid()).isEqualTo("after the down");
    owner.act(self -> self.unalias(both.alias()));
    send(sender, both.alias(), "after unalias");
    owner.assertQuiet();
    assertVanished(1);
  }

  @Test
  void monitorWithAlias_afterUnalias_stillWatches() {
    for (Mode mode : List.of(Mode.EXPLICIT_UNALIAS, Mode.DEMONITOR, Mode.REPLY_DEMONITOR)) {
      Probe owner = owner();
      Probe target = other();
      MonitorAlias<Object> both = watch(owner, target, mode);
      owner.act(self -> self.unalias(both.alias()));
      target.pid().exit(Reasons.DIE);
      assertThat(owner.nextDown().reason()).isEqualTo(Reasons.DIE);
      owner.assertQuiet();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DEMONITOR", "REPLY_DEMONITOR"})
  void aliasOfMonitor_afterDemonitor_isRevoked(Mode mode) {
    Probe owner = owner();
    Probe target = other();
    for (boolean flush : List.of(false, true)) {
      MonitorAlias<Object> both = watch(owner, target, mode);
      owner.act(self -> {
        if (flush) {
          self.demonitorFlush(both.monitor());
        } else {
          self.demonitor(both.monitor());
        }
      });
      assertThat(both.alias().isActive()).isFalse();
      send(target, both.alias(), "after demonitor");
    }
    owner.assertQuiet();
    assertVanished(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"DEMONITOR", "REPLY_DEMONITOR"})
  void aliasOfMonitor_afterDown_isRevoked(Mode mode) {
    Probe owner = owner();
    Probe target = other();
    Probe sender = other();
    MonitorAlias<Object> both = watch(owner, target, mode);
    target.pid().exit(Reasons.DIE);
    assertThat(owner.nextDown().reason()).isEqualTo(Reasons.DIE);
    assertThat(both.alias().isActive()).isFalse();
    send(sender, both.alias(), "after the down");
    owner.assertQuiet();
    assertVanished(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"DEMONITOR", "REPLY_DEMONITOR"})
  void aliasOfMonitor_onNobody_isRevokedByTheDown(Mode mode) {
    Probe owner = owner();
    Probe target = other();
    target.pid().kill();
    target.awaitEnd();
    Name<Msg> nobody = Name.of("nobody");
    for (io.selvage.kernel.Address<?> address : List.of(target.pid(), nobody)) {
      MonitorAlias<Object> both =
          owner.run(self ->
              self.<Object>monitorWithAlias(address, Msg.GotDown::new, mode(mode), Msg.Say::new));
      assertThat(owner.nextDown())
          .isEqualTo(new Down(both.monitor(), address, ExitReason.noProc()));
      assertThat(both.alias().isActive()).isFalse();
    }
  }

  @Test
  void demonitorAlias_letsManyIn() {
    Probe owner = owner();
    Probe target = other();
    MonitorAlias<Object> both = watch(owner, target, Mode.DEMONITOR);
    send(target, both.alias(), 1, 2, 3);
    target.pid().exit(Reasons.DIE);
    assertThat(owner.nextSaid()).isEqualTo(1);
    assertThat(owner.nextSaid()).isEqualTo(2);
    assertThat(owner.nextSaid()).isEqualTo(3);
    assertThat(owner.nextDown().reason()).isEqualTo(Reasons.DIE);
    owner.assertQuiet();
  }

  @Test
  void replyDemonitorAlias_firstMessage_takesTheMonitorBack() {
    Probe owner = owner();
    Probe target = other();
    MonitorAlias<Object> both = watch(owner, target, Mode.REPLY_DEMONITOR);
    send(target, both.alias(), "reply", "second");
    assertThat(owner.nextSaid()).isEqualTo("reply");
    owner.barrier();
    target.pid().exit(Reasons.DIE);
    target.awaitEnd();
    owner.assertQuiet();
    assertVanished(1);
  }

  @Test
  void replyDemonitorAlias_replyAgainstEnd_bringsExactlyOneOfBoth() {
    int rounds = Rounds.part(50);
    Probe owner = owner();
    for (int i = 0; i < rounds; i++) {
      Probe target = other();
      Probe sender = other();
      MonitorAlias<Object> both = watch(owner, target, Mode.REPLY_DEMONITOR);
      int spins = i % 300;
      sender.tell(_ -> both.alias().send("reply"));
      Referee.dawdle(spins);
      target.pid().exit(Reasons.DIE);
      Msg got = owner.next();
      sender.barrier();
      target.awaitEnd();
      owner.assertQuiet();
      assertThat(got)
          .isIn(
              new Msg.Say("reply"),
              new Msg.GotDown(new Down(both.monitor(), target.pid(), Reasons.DIE)));
      sender.pid().kill();
    }
  }

  @Test
  void demonitorAlias_messagesAgainstUnalias_areAllCounted() {
    int rounds = Rounds.part(100);
    Probe owner = owner();
    Probe sender = other();
    long arrived = 0;
    for (int i = 0; i < rounds; i++) {
      Alias<Object> alias = alias(owner, EXPLICIT);
      sender.tell(_ -> {
        for (int k = 0; k < 20; k++) {
          alias.send(k);
        }
      });
      Referee.dawdle(i % 300);
      owner.act(self -> self.unalias(alias));
      sender.barrier();
      List<Msg> got = owner.drain();
      for (int k = 0; k < got.size(); k++) {
        assertThat(got.get(k)).isEqualTo(new Msg.Say(k)); // a beginning, without a gap
      }
      arrived += got.size();
    }
    assertThat(arrived + node.stats().undelivered()).isEqualTo(20L * rounds);
  }

  // ---------------------------------------------------------------- priority

  @Test
  void priorityMessages_goBeforeOrdinaryOnes_inTheirOrder() {
    Probe owner = owner();
    Probe sender = other();
    Alias<Object> alias = alias(owner, PRIORITY);
    CompletableFuture<Boolean> release = hold(owner);
    sender.act(_ -> {
      owner.say("a");
      alias.send("b");
      alias.sendPriority("p1");
      owner.say("c");
      alias.sendPriority("p2");
    });
    release.complete(true);
    for (String expected : List.of("p1", "p2", "a", "b", "c")) {
      assertThat(owner.nextSaid()).isEqualTo(expected);
    }
    owner.assertQuiet();
  }

  @Test
  void priorityMessages_thatComeWhileOthersAreUnread_goBeforeThem() {
    Probe owner = owner();
    Probe sender = other();
    Alias<Object> alias = alias(owner, PRIORITY);
    CompletableFuture<Boolean> release = hold(owner);
    CompletableFuture<Boolean> second = new CompletableFuture<>();
    CompletableFuture<Boolean> held = new CompletableFuture<>();
    sender.act(_ -> {
      owner.say("a");
      alias.sendPriority("p1");
      owner.tell(_ -> {
        held.complete(true);
        boolean _ = second.get();
      });
      owner.say("b");
    });
    release.complete(true);
    boolean _ = Await.result("the second hold", held); // p1 and a are taken, b is unread
    sender.act(_ -> {
      owner.say("c");
      alias.sendPriority("p2");
      alias.sendPriority("p3");
    });
    second.complete(true);
    for (String expected : List.of("p1", "a", "p2", "p3", "b", "c")) {
      assertThat(owner.nextSaid()).isEqualTo(expected);
    }
    owner.assertQuiet();
  }

  @Test
  void priorityMessages_alone_keepTheirOrder() {
    Probe owner = owner();
    Probe sender = other();
    Alias<Object> alias = alias(owner, PRIORITY);
    CompletableFuture<Boolean> release = hold(owner);
    sender.act(_ -> {
      for (int i = 0; i < 5; i++) {
        alias.sendPriority(i);
      }
    });
    release.complete(true);
    for (int i = 0; i < 5; i++) {
      assertThat(owner.nextSaid()).isEqualTo(i);
    }
    alias.sendPriority("one more");
    assertThat(owner.nextSaid()).isEqualTo("one more");
    owner.assertQuiet();
  }

  @Test
  void sendPriority_toAliasThatDoesNotTakeIt_isOrdinary() {
    Probe owner = owner();
    Alias<Object> alias = alias(owner, EXPLICIT);
    CompletableFuture<Boolean> release = hold(owner);
    other()
        .act(_ -> {
          owner.say("a");
          alias.sendPriority("b");
        });
    release.complete(true);
    assertThat(owner.nextSaid()).isEqualTo("a");
    assertThat(owner.nextSaid()).isEqualTo("b");
  }

  @Test
  void priorityMessage_throughRevokedAlias_vanishes() {
    Probe owner = owner();
    Alias<Object> alias = alias(owner, PRIORITY.withMode(Mode.REPLY));
    CompletableFuture<Boolean> release = hold(owner);
    other()
        .act(_ -> {
          owner.say("a");
          alias.sendPriority("b");
          alias.sendPriority("c");
        });
    release.complete(true);
    assertThat(owner.nextSaid()).isEqualTo("b");
    assertThat(owner.nextSaid()).isEqualTo("a");
    owner.assertQuiet();
    assertVanished(1);
  }

  @Test
  void priorityMessage_againstTrappedExitsAndDowns_goesBeforeThemAsMessages() {
    Probe owner = Probe.trapping(pair.one(), node);
    Probe target = other();
    Alias<Object> alias = alias(owner, PRIORITY);
    owner.act(self -> self.monitor(target.pid(), Msg.GotDown::new));
    CompletableFuture<Boolean> release = hold(owner);
    target.pid().kill();
    target.awaitEnd();
    owner.pid().exit(Reasons.DIE);
    alias.sendPriority("first");
    release.complete(true);
    assertThat(owner.nextSaid()).isEqualTo("first");
    List<Msg> rest = new ArrayList<>(List.of(owner.next(), owner.next()));
    assertThat(rest)
        .anySatisfy(m -> assertThat(m).isInstanceOf(Msg.GotDown.class))
        .contains(new Msg.GotExit(new Exit(null, Reasons.DIE)));
  }

  @Test
  void exitSignal_behindPriorityMessages_stillEndsTheProcessAtOnce() {
    Probe owner = owner();
    Fate fate = Fate.of(node, owner);
    Alias<Object> alias = alias(owner, PRIORITY);
    CompletableFuture<Boolean> release = hold(owner);
    for (int i = 0; i < 100; i++) {
      alias.sendPriority(i);
    }
    owner.pid().exit(Reasons.DIE);
    release.complete(true);
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
    assertThat(owner.leftOvers()).isEmpty();
    Await.until("all to be counted", () -> node.stats().undelivered() == 100);
  }

  @Test
  void priorityMessages_tenThousandAmongAsManyOthers_comeFirstAndInOrder() {
    node.marks(Marks.off()); // the mailbox shall grow long
    int each = 10_000;
    List<Integer> got = new ArrayList<>();
    CompletableFuture<List<Integer>> all = new CompletableFuture<>();
    AtomicReference<Alias<Integer>> alias = new AtomicReference<>();
    CompletableFuture<Boolean> release = new CompletableFuture<>();
    CompletableFuture<Boolean> held = new CompletableFuture<>();
    Pid<Integer> owner =
        pair.one()
            .spawn(
                node,
                (self, number) -> {
                  if (number < 0) {
                    alias.set(self.alias(PRIORITY, (Integer n) -> n));
                    held.complete(true);
                    boolean _ = release.get();
                    return;
                  }
                  got.add(number);
                  if (got.size() == 2 * each) {
                    all.complete(got);
                  }
                });
    owner.send(-1);
    boolean _ = Await.result("the alias", held);
    other()
        .act(_ -> {
          for (int i = 0; i < each; i++) {
            owner.send(each + i);
            alias.get().sendPriority(i);
          }
        });
    release.complete(true);
    List<Integer> order = Await.result("all messages", all);
    for (int i = 0; i < 2 * each; i++) {
      assertThat(order.get(i)).isEqualTo(i);
    }
  }
}
