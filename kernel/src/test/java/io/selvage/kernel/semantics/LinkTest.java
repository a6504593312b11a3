package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Story;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Links: one process that links, and the one it links to. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#all")
class LinkTest extends KernelTest {
  @Parameter Pair pair;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults);
  }

  private Probe one() {
    return Probe.start(pair.one(), node);
  }

  private Probe trappingOne() {
    return Probe.trapping(pair.one(), node);
  }

  private Probe other() {
    return Probe.start(pair.other(), node);
  }

  private static void exit(Probe probe, ExitReason reason) {
    probe.tell(_ -> {
      throw new ExitException(reason);
    });
  }

  @Test
  void linkedProcess_otherEnds_endsWithTheSameReason() {
    Reasons.fatal()
        .forEach(reason -> {
          Probe one = one();
          Probe other = other();
          Fate fate = Fate.of(node, one);
          one.act(self -> self.link(other.pid()));
          exit(other, reason);
          assertThat(fate.reason()).isSameAs(reason);
        });
  }

  @Test
  void linkedProcess_linkerEnds_endsWithTheSameReason() {
    Probe one = one();
    Probe other = other();
    Fate fate = Fate.of(node, other);
    one.act(self -> self.link(other.pid()));
    exit(one, Reasons.DIE);
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
  }

  @Test
  void linkedProcess_otherEndsNormally_staysAlive() {
    Probe one = one();
    Probe other = other();
    one.act(self -> {
      self.link(other.pid());
      // Later than the exit signal if both ends tell what they have to tell in order.
      self.monitor(other.pid(), Msg.GotDown::new);
    });
    exit(other, ExitReason.normal());
    assertThat(one.nextDown().reason()).isEqualTo(ExitReason.normal());
    assertThat(one.answers()).isTrue();
  }

  @Test
  void trappingProcess_linkedOneEnds_getsItsReasonOnce() {
    Probe one = trappingOne();
    Reasons.all()
        .forEach(reason -> {
          Probe other = other();
          one.act(self -> self.link(other.pid()));
          exit(other, reason);
          assertThat(one.nextExit()).isEqualTo(new Exit(other.pid(), reason));
        });
    one.assertQuiet();
  }

  // B15
  @Test
  void link_madeTwice_isOneLink() {
    Probe one = trappingOne();
    Probe other = other();
    one.act(self -> {
      self.link(other.pid());
      self.link(other.pid());
      self.monitor(other.pid(), Msg.GotDown::new);
    });
    exit(other, Reasons.DIE);
    List<Msg> both = List.of(one.next(), one.next());
    assertThat(both).filteredOn(Msg.GotExit.class::isInstance).hasSize(1);
    one.assertQuiet();
  }

  // B15
  @Test
  void link_madeTwice_isRemovedByOneUnlink() {
    Probe one = one();
    Probe other = other();
    one.act(self -> {
      self.link(other.pid());
      self.link(other.pid());
      self.unlink(other.pid());
      self.monitor(other.pid(), Msg.GotDown::new);
    });
    exit(other, Reasons.DIE);
    assertThat(one.nextDown().reason()).isEqualTo(Reasons.DIE);
    assertThat(one.answers()).isTrue();
  }

  // B15
  @Test
  void link_madeByBothEnds_isRemovedByOneUnlink() {
    Probe one = one();
    Probe other = other();
    one.act(self -> self.link(other.pid()));
    other.act(self -> self.link(one.pid()));
    one.act(self -> {
      self.unlink(other.pid());
      self.monitor(other.pid(), Msg.GotDown::new);
    });
    exit(other, Reasons.DIE);
    assertThat(one.nextDown().reason()).isEqualTo(Reasons.DIE);
    assertThat(one.answers()).isTrue();
  }

  // B15
  @Test
  void link_withItself_hasNoEffect() {
    Probe one = trappingOne();
    one.act(self -> self.link(self.pid()));
    one.assertQuiet();
    one.act(self -> self.unlink(self.pid()));
    one.act(self -> self.untrapExits());
    one.act(self -> self.link(self.pid()));
    Fate fate = Fate.of(node, one);
    exit(one, Reasons.DIE);
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
  }

  // B16
  @Test
  void link_withEndedProcess_throwsNoProcIfNotTrapping() {
    Probe one = one();
    Probe other = other();
    other.pid().kill();
    other.awaitEnd();
    one.act(self ->
        assertThatThrownBy(() -> self.link(other.pid()))
            .asInstanceOf(InstanceOfAssertFactories.type(ExitException.class))
            .extracting(ExitException::reason)
            .isEqualTo(ExitReason.noProc()));
    assertThat(one.answers()).isTrue(); // it caught the exception
    Fate fate = Fate.of(node, one);
    one.tell(self -> self.link(other.pid()));
    assertThat(fate.reason()).isEqualTo(ExitReason.noProc());
  }

  // B16
  @Test
  void link_withEndedProcess_isToldInMessageIfTrapping() {
    Probe one = trappingOne();
    Probe other = other();
    other.pid().kill();
    other.awaitEnd();
    one.act(self -> self.link(other.pid()));
    assertThat(one.nextExit()).isEqualTo(new Exit(other.pid(), ExitReason.noProc()));
    one.act(self -> self.link(other.pid()));
    assertThat(one.nextExit()).isEqualTo(new Exit(other.pid(), ExitReason.noProc()));
    one.assertQuiet();
  }

  // B17
  @Test
  void spawnLink_childEndsAtOnce_parentLearnsItsReason() {
    Probe one = trappingOne();
    Pid<Msg> child =
        one.run(self ->
            pair.other()
                .<Msg>spawnLink(
                    self,
                    Story.beginning(_ -> {
                      throw new ExitException(Reasons.DIE);
                    })));
    assertThat(one.nextExit()).isEqualTo(new Exit(child, Reasons.DIE));
    one.assertQuiet();
  }

  // B17
  @Test
  void spawnLink_parentEnds_childEnds() {
    Probe one = one();
    Probe child =
        one.run(self -> Probe.start(pair.other(), self, SpawnOptions.<Msg>defaults().linked()));
    Fate fate = Fate.of(node, child);
    exit(one, Reasons.DIE);
    assertThat(fate.reason()).isEqualTo(Reasons.DIE);
  }

  // B17
  @Test
  void spawnLink_parentEndsInTheSameTurn_childEnds() {
    Probe observer = Probe.start(pair.one(), node);
    Probe one = one();
    one.tell(self -> {
      Probe child = Probe.start(pair.other(), self, SpawnOptions.<Msg>defaults().linked());
      observer.tell(watcher -> watcher.monitor(child.pid(), Msg.GotDown::new));
      throw new ExitException(Reasons.DIE);
    });
    // The monitor came before or after the end of the child; it answers in either case.
    assertThat(observer.nextDown().reason()).isIn(Reasons.DIE, ExitReason.noProc());
  }

  // B18
  @Test
  void unlink_beforeTheOtherEnds_linkHasNoEffect() {
    Probe one = one();
    Probe other = other();
    one.act(self -> {
      self.link(other.pid());
      self.unlink(other.pid());
      self.monitor(other.pid(), Msg.GotDown::new);
    });
    exit(other, Reasons.DIE);
    assertThat(one.nextDown().reason()).isEqualTo(Reasons.DIE);
    assertThat(one.answers()).isTrue();
  }

  // B18
  @Test
  void unlink_byTheOtherEnd_linkHasNoEffect() {
    Probe one = one();
    Probe other = other();
    one.act(self -> self.link(other.pid()));
    other.act(self -> self.unlink(one.pid()));
    one.act(self -> self.monitor(other.pid(), Msg.GotDown::new));
    exit(other, Reasons.DIE);
    assertThat(one.nextDown().reason()).isEqualTo(Reasons.DIE);
    assertThat(one.answers()).isTrue();
  }

  // B18
  @Test
  void unlink_afterTheOtherEnded_leavesTheMessageThatHadCome() {
    Probe one = trappingOne();
    Probe other = other();
    one.act(self -> self.link(other.pid()));
    exit(other, Reasons.DIE);
    Exit exit = one.nextExit();
    assertThat(exit.reason()).isEqualTo(Reasons.DIE);
    one.act(self -> self.unlink(other.pid()));
    one.assertQuiet();
  }

  // B18
  @Test
  void unlink_ofUnknownLink_isIgnored() {
    Probe one = one();
    Probe other = other();
    Probe ended = other();
    ended.pid().kill();
    ended.awaitEnd();
    one.act(self -> {
      self.unlink(other.pid());
      self.unlink(ended.pid());
    });
    assertThat(other.answers()).isTrue();
    assertThat(one.answers()).isTrue();
  }

  // B19
  @Test
  void linkMadeAgain_afterUnlink_worksAsNew() {
    Probe one = trappingOne();
    Probe other = other();
    for (int i = 0; i < 100; i++) {
      one.act(self -> {
        self.link(other.pid());
        self.unlink(other.pid());
      });
    }
    one.act(self -> self.link(other.pid()));
    other.act(self -> {
      self.unlink(one.pid());
      self.link(one.pid());
    });
    exit(other, Reasons.DIE);
    assertThat(one.nextExit()).isEqualTo(new Exit(other.pid(), Reasons.DIE));
    one.assertQuiet();
  }

  // B19
  @Test
  void linkMadeAgain_afterTheOtherUnlinked_isNew() {
    Probe one = trappingOne();
    Probe other = other();
    one.act(self -> self.link(other.pid()));
    other.act(self -> self.unlink(one.pid()));
    one.act(self -> self.link(other.pid()));
    exit(other, Reasons.DIE);
    assertThat(one.nextExit()).isEqualTo(new Exit(other.pid(), Reasons.DIE));
    one.assertQuiet();
  }

  // B21
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 10, 500})
  void ring_oneIsKilled_allEndOnceWithKilled(int size) {
    List<Probe> ring = new ArrayList<>();
    List<Fate> fates = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      // Platform threads are dear: a few are enough to mix.
      Pair kinds = i < 20 ? pair : Pair.core().get(i % 2);
      Probe probe = Probe.start(i % 2 == 0 ? kinds.one() : kinds.other(), node);
      ring.add(probe);
      fates.add(Fate.of(node, probe));
    }
    for (int i = 0; i < size; i++) {
      Pid<Msg> next = ring.get((i + 1) % size).pid();
      ring.get(i).act(self -> self.link(next));
    }
    ring.get(size / 2).pid().kill();
    assertThat(fates).allSatisfy(fate -> assertThat(fate.reason()).isEqualTo(ExitReason.killed()));
    ring.forEach(Probe::awaitEnd);
    Await.until("each end to be counted", () -> node.stats().crashed() >= size);
    assertThat(node.stats().crashed()).isEqualTo(size);
  }

  @Test
  void star_hubEnds_allEndWithItsReason() {
    Probe hub = one();
    List<Fate> fates = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Probe leaf = other();
      fates.add(Fate.of(node, leaf));
      hub.act(self -> self.link(leaf.pid()));
    }
    exit(hub, Reasons.DIE);
    assertThat(fates).allSatisfy(fate -> assertThat(fate.reason()).isEqualTo(Reasons.DIE));
  }
}
