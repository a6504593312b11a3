package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Down;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Monitored;
import io.selvage.kernel.Name;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Story;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Monitors: one process that watches, and the one it watches. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#all")
class MonitorTest extends KernelTest {
  private static final Name<Msg> NAME = Name.of("watched");

  @Parameter Pair pair;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults);
  }

  private Probe owner() {
    return Probe.start(pair.one(), node);
  }

  private Probe target() {
    return Probe.start(pair.other(), node);
  }

  private Probe endedTarget() {
    Probe target = target();
    target.pid().kill();
    target.awaitEnd();
    return target;
  }

  private static void exit(Probe probe, ExitReason reason) {
    probe.tell(_ -> {
      throw new ExitException(reason);
    });
  }

  private static MonitorRef monitor(Probe owner, Pid<?> target) {
    return owner.run(self -> self.monitor(target, Msg.GotDown::new));
  }

  // C23
  @Test
  void monitor_targetEnds_answersOnceWithTheReason() {
    Probe owner = owner();
    Reasons.all()
        .forEach(reason -> {
          Probe target = target();
          MonitorRef ref = monitor(owner, target.pid());
          assertThat(ref.target()).isEqualTo(target.pid());
          exit(target, reason);
          assertThat(owner.nextDown()).isEqualTo(new Down(ref, target.pid(), reason));
        });
    owner.assertQuiet();
    assertThat(owner.answers()).isTrue();
  }

  // C23
  @Test
  void monitorsOnOneTarget_targetEnds_eachAnswersWithItsOwnRef() {
    Probe owner = owner();
    Probe second = owner();
    Probe target = target();
    List<MonitorRef> refs = Stream.generate(() -> monitor(owner, target.pid())).limit(10).toList();
    MonitorRef seconds = monitor(second, target.pid());
    exit(target, Reasons.DIE);
    List<MonitorRef> answered =
        Stream.generate(() -> owner.nextDown().monitor()).limit(10).toList();
    assertThat(answered).containsExactlyInAnyOrderElementsOf(refs).doesNotHaveDuplicates();
    assertThat(second.nextDown()).isEqualTo(new Down(seconds, target.pid(), Reasons.DIE));
    owner.assertQuiet();
    second.assertQuiet();
  }

  @Test
  void monitor_onItself_endsWithTheProcess() {
    Probe owner = owner();
    Fate fate = Fate.of(node, owner);
    MonitorRef _ = monitor(owner, owner.pid());
    exit(owner, Reasons.DIE);
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
    assertThat(owner.leftOvers()).isEmpty();
  }

  // C23
  @Test
  void spawnMonitor_childEndsAtOnce_answersWithItsReason() {
    Probe owner = owner();
    Monitored<Msg> child =
        owner.run(self ->
            pair.other()
                .spawnMonitor(
                    self,
                    Story.beginning(_ -> {
                      throw new ExitException(Reasons.DIE);
                    }),
                    Msg.GotDown::new));
    assertThat(owner.nextDown()).isEqualTo(new Down(child.monitor(), child.pid(), Reasons.DIE));
    owner.assertQuiet();
  }

  // C24
  @Test
  void monitor_onEndedProcess_answersNoProc() {
    Probe owner = owner();
    Probe target = endedTarget();
    MonitorRef ref = monitor(owner, target.pid());
    assertThat(owner.nextDown()).isEqualTo(new Down(ref, target.pid(), ExitReason.noProc()));
    owner.assertQuiet();
  }

  // C24
  @Test
  void monitorByName_targetEnds_answersWithTheName() {
    Probe owner = owner();
    Probe target = target();
    node.register(NAME, target.pid());
    MonitorRef ref = owner.run(self -> self.monitor(NAME, Msg.GotDown::new));
    assertThat(ref.target()).isEqualTo(NAME);
    exit(target, Reasons.DIE);
    assertThat(owner.nextDown()).isEqualTo(new Down(ref, NAME, Reasons.DIE));
    owner.assertQuiet();
  }

  // C24
  @Test
  void monitorByName_nobodyHasIt_answersNoProcWithTheName() {
    Probe owner = owner();
    MonitorRef ref = owner.run(self -> self.monitor(NAME, Msg.GotDown::new));
    assertThat(owner.nextDown()).isEqualTo(new Down(ref, NAME, ExitReason.noProc()));
    owner.assertQuiet();
  }

  // C24
  @Test
  void monitorByName_nameMovesOn_staysWithTheProcess() {
    Probe owner = owner();
    Probe first = target();
    Probe second = target();
    node.register(NAME, first.pid());
    MonitorRef ref = owner.run(self -> self.monitor(NAME, Msg.GotDown::new));
    node.unregister(NAME);
    node.register(NAME, second.pid());
    second.pid().kill();
    second.awaitEnd();
    owner.assertQuiet();
    exit(first, Reasons.DIE);
    assertThat(owner.nextDown()).isEqualTo(new Down(ref, NAME, Reasons.DIE));
  }

  // C25
  @Test
  void demonitor_beforeTheTargetEnds_nothingComes() {
    Probe owner = owner();
    Probe target = target();
    MonitorRef ref = monitor(owner, target.pid());
    MonitorRef kept = monitor(owner, target.pid());
    owner.act(self -> self.demonitor(ref));
    exit(target, Reasons.DIE);
    assertThat(owner.nextDown().monitor()).isSameAs(kept);
    owner.assertQuiet();
  }

  // C25
  @Test
  void demonitor_again_hasNoEffect() {
    Probe owner = owner();
    Probe target = target();
    MonitorRef ref = monitor(owner, target.pid());
    MonitorRef kept = monitor(owner, target.pid());
    owner.act(self -> {
      self.demonitor(ref);
      self.demonitor(ref);
      self.demonitorFlush(ref);
    });
    exit(target, Reasons.DIE);
    assertThat(owner.nextDown().monitor()).isSameAs(kept);
    owner.act(self -> self.demonitor(kept));
    owner.act(self -> self.demonitorFlush(kept));
    owner.assertQuiet();
  }

  // C25
  @Test
  void demonitor_byAnyoneButTheOwner_hasNoEffect() {
    Probe owner = owner();
    Probe stranger = owner();
    Probe target = target();
    MonitorRef ref = monitor(owner, target.pid());
    target.act(self -> self.demonitor(ref)); // the wrong end
    target.act(self -> self.demonitorFlush(ref));
    stranger.act(self -> self.demonitor(ref));
    stranger.act(self -> self.demonitorFlush(ref));
    exit(target, Reasons.DIE);
    assertThat(owner.nextDown().monitor()).isSameAs(ref);
    owner.assertQuiet();
  }

  // C25, C26
  @Test
  void demonitor_whenItsMessageIsInTheMailbox_leavesIt() {
    assertDemonitorOfDelivered(false);
  }

  // C26
  @Test
  void demonitorFlush_whenItsMessageIsInTheMailbox_removesThatAlone() {
    assertDemonitorOfDelivered(true);
  }

  private void assertDemonitorOfDelivered(boolean flush) {
    Probe owner = owner();
    Probe target = target();
    MonitorRef first = monitor(owner, target.pid());
    MonitorRef second = monitor(owner, target.pid());
    MonitorRef third = monitor(owner, target.pid());
    owner.act(self -> {
      self.pid().send(new Msg.Say("before"));
      exit(target, Reasons.DIE);
      // Emitted once all who watch have been told: then all is in the mailbox.
      Await.until(
          "the crash to be reported",
          () ->
              events.of(KernelEvent.ProcessCrashed.class).stream()
                  .anyMatch(crash -> crash.pid().equals(target.pid())));
      self.untrapExits(); // looks at what has come, so that it is in the mailbox
      if (flush) {
        self.demonitorFlush(second);
      } else {
        self.demonitor(second);
      }
      self.pid().send(new Msg.Say("after"));
    });
    List<Object> got = new ArrayList<>();
    for (Msg message : owner.drain()) {
      got.add(
          switch (message) {
            case Msg.Say(Object what) -> what;
            case Msg.GotDown(Down down) -> down.monitor();
            default -> message;
          });
    }
    assertThat(got).startsWith("before").endsWith("after");
    assertThat(got.subList(1, got.size() - 1))
        .containsExactlyInAnyOrderElementsOf(
            flush ? List.of(first, third) : List.of(first, second, third));
  }

  // C28
  @Test
  void messagesThenExit_ofTheTarget_arriveBeforeTheDown() {
    Probe owner = owner();
    Probe target = target();
    MonitorRef _ = monitor(owner, target.pid());
    target.tell(_ -> {
      owner.say(1);
      owner.say(2);
      throw new ExitException(Reasons.DIE);
    });
    assertThat(owner.nextSaid()).isEqualTo(1);
    assertThat(owner.nextSaid()).isEqualTo(2);
    assertThat(owner.nextDown().reason()).isEqualTo(Reasons.DIE);
    owner.assertQuiet();
  }

  // C29
  @Test
  void name_ofEndedTarget_isFreeWhenTheDownComes() {
    Probe owner = owner();
    Probe target = target();
    node.register(NAME, target.pid());
    List<Boolean> free = new ArrayList<>();
    owner.act(self ->
        self.monitor(
            NAME,
            down -> {
              free.add(node.whereis(NAME).isEmpty());
              node.register(NAME, self.pid());
              return new Msg.GotDown(down);
            }));
    target.pid().kill();
    assertThat(owner.nextDown().reason()).isEqualTo(ExitReason.killed());
    assertThat(free).containsExactly(true);
    assertThat(node.whereis(NAME)).contains(owner.pid());
  }

  // C30
  @Test
  void monitorTakenBack_isForgottenByBothEnds() {
    Probe owner = owner();
    Probe target = target();
    WeakReference<Object> token = monitorWithToken(owner, target, true);
    target.barrier();
    awaitCollected(token, owner, target);
  }

  // C30
  @Test
  void monitorAnswered_isForgotten() {
    Probe owner = owner();
    Probe target = target();
    WeakReference<Object> token = monitorWithToken(owner, target, false);
    target.pid().kill();
    target.awaitEnd();
    Await.until("the down", () -> !owner.drain().isEmpty());
    awaitCollected(token, owner, owner);
  }

  // C31
  @Test
  void ownerEnds_targetForgetsItsMonitors() {
    Probe owner = owner();
    Probe target = target();
    WeakReference<Object> token = monitorWithToken(owner, target, false);
    Fate fate = Fate.of(node, owner);
    exit(owner, ExitReason.normal());
    fate.reason();
    target.barrier();
    awaitCollected(token, target, target);
    exit(target, Reasons.DIE); // and nobody minds
    target.awaitEnd();
  }

  /**
   * A monitor whose function holds something that can be seen to be collected when nobody knows the
   * monitor any more.
   */
  private static WeakReference<Object> monitorWithToken(
      Probe owner, Probe target, boolean takeBack) {
    Object token = new Object();
    Function<Down, Msg> toMessage = down -> new Msg.Say(down.reason() + "" + token.hashCode());
    owner.act(self -> {
      MonitorRef ref = self.monitor(target.pid(), toMessage);
      if (takeBack) {
        self.demonitor(ref);
      }
    });
    return new WeakReference<>(token);
  }

  private static void awaitCollected(WeakReference<Object> token, Probe one, Probe other) {
    Await.until(
        "the monitor to be forgotten",
        () -> {
          System.gc();
          one.barrier(); // fresh frames: an old one may still refer to what it has used
          other.barrier();
          return token.refersTo(null);
        });
  }

  @Test
  void monitorAndLink_onOneTarget_bothAnswer() {
    Probe owner = Probe.trapping(pair.one(), node);
    Probe target = target();
    owner.act(self -> {
      self.link(target.pid());
      self.monitor(target.pid(), Msg.GotDown::new);
    });
    exit(target, Reasons.DIE);
    assertThat(List.of(owner.next(), owner.next()))
        .hasAtLeastOneElementOfType(Msg.GotExit.class)
        .hasAtLeastOneElementOfType(Msg.GotDown.class);
    owner.assertQuiet();
  }
}
