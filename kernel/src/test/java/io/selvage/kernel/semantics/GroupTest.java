package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.selvage.kernel.Down;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.Group;
import io.selvage.kernel.Groups;
import io.selvage.kernel.Groups.Joined;
import io.selvage.kernel.Groups.Left;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** K: process groups. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class GroupTest extends KernelTest {
  private static final Group<Msg> GROUP = Group.of("group");
  private static final Group<Msg> OTHER = Group.of("other");

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  private Probe probe() {
    return Probe.start(kind, node);
  }

  private static void end(Probe probe) {
    probe.pid().kill();
    probe.awaitEnd();
  }

  // K99
  @Test
  void join_twice_isListedTwice_andLeaveRemovesOne() {
    Groups groups = node.groups();
    Probe one = probe();
    Probe two = probe();
    assertThat(groups.join(GROUP, one.pid())).isTrue();
    assertThat(groups.join(GROUP, two.pid())).isTrue();
    assertThat(groups.join(Group.<Msg>of("group"), one.pid())).isTrue(); // equal by name
    assertThat(groups.members(GROUP)).containsExactly(one.pid(), two.pid(), one.pid());
    assertThat(groups.size(GROUP)).isEqualTo(3);
    assertThat(groups.leave(GROUP, one.pid())).isTrue();
    assertThat(groups.members(GROUP)).containsExactly(two.pid(), one.pid());
    assertThat(groups.leave(GROUP, one.pid())).isTrue();
    assertThat(groups.leave(GROUP, one.pid())).isFalse();
    assertThat(groups.members(GROUP)).containsExactly(two.pid());
  }

  // K99
  @Test
  void leave_ofNonMember_tellsSo() {
    Probe one = probe();
    assertThat(node.groups().leave(GROUP, one.pid())).isFalse();
    assertThat(node.groups().leave(GROUP, List.of(one.pid(), one.pid()))).isZero();
    assertThat(node.groups().join(OTHER, one.pid())).isTrue();
    assertThat(node.groups().leave(GROUP, one.pid())).isFalse();
    assertThat(node.groups().leave(OTHER, List.of(one.pid(), one.pid()))).isEqualTo(1);
  }

  // K99
  @Test
  void group_withoutMembers_isNotListed() {
    Groups groups = node.groups();
    Probe one = probe();
    assertThat(groups.all()).isEmpty();
    assertThat(groups.members(GROUP)).isEmpty();
    assertThat(groups.size(GROUP)).isZero();
    assertThat(groups.next(GROUP)).isEmpty();
    assertThat(groups.send(GROUP, new Msg.Say("nobody"))).isZero();
    assertThat(groups.join(GROUP, one.pid())).isTrue();
    assertThat(groups.join(OTHER, one.pid())).isTrue();
    assertThat(groups.all()).containsExactlyInAnyOrder(GROUP, OTHER);
    assertThat(groups.leave(GROUP, one.pid())).isTrue();
    assertThat(groups.all()).containsExactly(OTHER);
    end(one);
    assertThat(groups.all()).isEmpty();
  }

  // K99
  @Test
  void member_thatEnds_isRemovedAsOftenAsItJoined() {
    Groups groups = node.groups();
    Probe one = probe();
    Probe two = probe();
    assertThat(groups.join(GROUP, List.of(one.pid(), two.pid(), one.pid()))).isEqualTo(3);
    end(one);
    assertThat(groups.members(GROUP)).containsExactly(two.pid());
    assertThat(groups.join(GROUP, one.pid())).isFalse(); // it has ended
    assertThat(groups.join(GROUP, List.of(one.pid(), two.pid()))).isEqualTo(1);
    assertThat(groups.members(GROUP)).containsExactly(two.pid(), two.pid());
  }

  // K99
  @Test
  void join_ofProcessOfAnotherNode_isRefusedForTheWholeList() {
    Node second = start(options(NodeOptions.defaults()));
    Probe foreign = Probe.start(kind, second);
    Probe one = probe();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.groups().join(GROUP, foreign.pid()))
        .withMessageContaining("lives at another node");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.groups().join(GROUP, List.of(one.pid(), foreign.pid())))
        .withMessageStartingWith(foreign.pid().toString());
    assertThat(node.groups().all()).isEmpty();
    assertThat(node.groups().leave(GROUP, foreign.pid())).isFalse();
  }

  @Test
  void badArguments_areRefused() {
    Probe one = probe();
    assertThatIllegalArgumentException().isThrownBy(() -> Group.of(" "));
    assertThatNullPointerException().isThrownBy(() -> Group.of(null));
    assertThatNullPointerException().isThrownBy(() -> node.groups().join(null, one.pid()));
    assertThatNullPointerException().isThrownBy(() -> node.groups().join(GROUP, (Pid<Msg>) null));
    List<Pid<Msg>> withNull = new ArrayList<>();
    withNull.add(one.pid());
    withNull.add(null);
    assertThatNullPointerException().isThrownBy(() -> node.groups().join(GROUP, withNull));
    assertThatNullPointerException().isThrownBy(() -> node.groups().send(GROUP, null));
    assertThat(node.groups().all()).isEmpty();
    Self<Msg> stolen = one.run(self -> self);
    assertThatIllegalStateException()
        .isThrownBy(() -> node.groups().monitor(stolen, GROUP, Msg.Say::new));
    assertThatIllegalStateException()
        .isThrownBy(() -> node.groups().monitorAll(stolen, Msg.Say::new));
  }

  @Test
  void send_reachesAllMembers() {
    Probe one = probe();
    Probe two = probe();
    assertThat(node.groups().join(GROUP, List.of(one.pid(), two.pid()))).isEqualTo(2);
    assertThat(node.groups().send(GROUP, new Msg.Say("all"))).isEqualTo(2);
    assertThat(one.nextSaid()).isEqualTo("all");
    assertThat(two.nextSaid()).isEqualTo("all");
  }

  @Test
  void next_goesRound() {
    Groups groups = node.groups();
    Probe one = probe();
    Probe two = probe();
    Probe three = probe();
    assertThat(groups.join(GROUP, List.of(one.pid(), two.pid(), three.pid()))).isEqualTo(3);
    for (int i = 0; i < 2; i++) {
      assertThat(groups.next(GROUP)).contains(one.pid());
      assertThat(groups.next(GROUP)).contains(two.pid());
      assertThat(groups.next(GROUP)).contains(three.pid());
    }
    assertThat(groups.next(GROUP)).contains(one.pid());
    end(one); // the one whose turn was last
    assertThat(groups.next(GROUP)).contains(two.pid());
    end(three);
    assertThat(groups.next(GROUP)).contains(two.pid());
    end(two);
    assertThat(groups.next(GROUP)).isEmpty();
  }

  @Test
  void monitor_tellsMembersThenChanges() {
    Groups groups = node.groups();
    Probe watcher = probe();
    Probe one = probe();
    Probe two = probe();
    assertThat(groups.join(GROUP, one.pid())).isTrue();
    Groups.Membership<Msg> membership =
        watcher.run(self -> groups.monitor(self, GROUP, Msg.Say::new));
    assertThat(membership.members()).containsExactly(one.pid());
    assertThat(groups.join(OTHER, one.pid())).isTrue(); // not told
    assertThat(groups.join(GROUP, List.of(two.pid(), two.pid()))).isEqualTo(2);
    assertThat(groups.leave(GROUP, two.pid())).isTrue();
    end(one);
    end(two);
    assertThat(watcher.drain())
        .containsExactly(
            new Msg.Say(new Joined<>(GROUP, two.pid())),
            new Msg.Say(new Joined<>(GROUP, two.pid())),
            new Msg.Say(new Left<>(GROUP, two.pid())),
            new Msg.Say(new Left<>(GROUP, one.pid())),
            new Msg.Say(new Left<>(GROUP, two.pid())));
    membership.subscription().close();
    assertThat(groups.join(GROUP, watcher.pid())).isTrue();
    watcher.assertQuiet();
  }

  @Test
  void monitor_ofEmptyGroup_tellsTheFirstMember() {
    Probe watcher = probe();
    Probe one = probe();
    var membership = watcher.run(self -> node.groups().monitor(self, GROUP, Msg.Say::new));
    assertThat(membership.members()).isEmpty();
    assertThat(node.groups().all()).isEmpty();
    assertThat(node.groups().join(GROUP, one.pid())).isTrue();
    assertThat(watcher.nextSaid()).isEqualTo(new Joined<>(GROUP, one.pid()));
  }

  @Test
  void monitorAll_tellsEveryGroup() {
    Groups groups = node.groups();
    Probe watcher = probe();
    Probe one = probe();
    assertThat(groups.join(GROUP, List.of(one.pid(), watcher.pid()))).isEqualTo(2);
    assertThat(groups.join(OTHER, one.pid())).isTrue();
    Groups.Memberships all = watcher.run(self -> groups.monitorAll(self, Msg.Say::new));
    assertThat(all.members())
        .isEqualTo(Map.of(GROUP, List.of(one.pid(), watcher.pid()), OTHER, List.of(one.pid())));
    assertThat(groups.leave(OTHER, one.pid())).isTrue();
    assertThat(watcher.nextSaid()).isEqualTo(new Left<>(OTHER, one.pid()));
    all.subscription().close();
    assertThat(groups.join(OTHER, one.pid())).isTrue();
    watcher.assertQuiet();
  }

  // What a monitor was told first and what it was told later add up to what is there.
  @Test
  void monitor_whileMembersComeAndGo_addsUp() {
    Groups groups = node.groups();
    List<Probe> members = List.of(probe(), probe());
    AtomicBoolean stop = new AtomicBoolean();
    // For each watcher some, so that those on a virtual thread, which is never taken off its
    // carrier
    // while there are messages, leave the others a carrier.
    Semaphore rounds = new Semaphore(0);
    List<CompletableFuture<Void>> churns = new ArrayList<>();
    for (Probe each : members) {
      churns.add(
          CompletableFuture.runAsync(
              () -> {
                while (!stop.get()) {
                  rounds.acquireUninterruptibly();
                  groups.join(GROUP, each.pid());
                  groups.join(OTHER, each.pid());
                  groups.leave(GROUP, each.pid());
                  groups.leave(OTHER, each.pid());
                }
                groups.join(GROUP, each.pid());
              },
              task -> Thread.ofPlatform().start(task)));
    }
    List<Probe> watchers = new ArrayList<>();
    List<List<Pid<Msg>>> first = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        Probe watcher = probe();
        watchers.add(watcher);
        rounds.release(500);
        first.add(
            new ArrayList<>(
                watcher.run(self -> groups.monitor(self, GROUP, Msg.Say::new)).members()));
      }
    } finally {
      stop.set(true);
      rounds.release(members.size());
    }
    churns.forEach(each -> Await.result("a thread", each.thenApply(_ -> true)));
    for (int i = 0; i < watchers.size(); i++) {
      List<Pid<Msg>> present = first.get(i);
      for (Msg message : watchers.get(i).drain()) {
        switch (((Msg.Say) message).what()) {
          case Joined<?>(_, Pid<?> pid) -> {
            assertThat(present).doesNotContain(asMsg(pid));
            present.add(asMsg(pid));
          }
          case Left<?>(_, Pid<?> pid) -> assertThat(present.remove(pid)).isTrue();
          case Object other -> throw new AssertionError(other);
        }
      }
      assertThat(present).containsExactlyInAnyOrder(members.get(0).pid(), members.get(1).pid());
    }
  }

  @SuppressWarnings("unchecked")
  private static Pid<Msg> asMsg(Pid<?> pid) {
    return (Pid<Msg>) pid;
  }

  // K99
  @Test
  void joinAndLeave_racingWithExit_leaveNoGhost() {
    Groups groups = node.groups();
    Referee.run(
        node,
        kind,
        kind == Kind.DIRECT_ON_PLATFORM_THREAD ? Rounds.part(100) : Rounds.RACES,
        () ->
            new Referee() {
              private Pid<Msg> child;

              @Override
              void round(Self<Msg> self) {
                int spins = random.nextInt(200);
                child =
                    kind.<Msg, Msg>spawnMonitor(
                            self,
                            (_, _) -> {
                              dawdle(spins);
                              throw new ExitException(Reasons.DIE);
                            },
                            Msg.GotDown::new)
                        .pid();
                boolean first = groups.join(GROUP, child);
                child.send(new Msg.Say("end"));
                dawdle();
                boolean second = groups.join(GROUP, child);
                boolean left = groups.leave(GROUP, child);
                check(first, "could not join");
                check(second || !left || !groups.join(GROUP, child), "joined after its end");
              }

              @Override
              void down(Self<Msg> self, Down down) throws Exception {
                check(!groups.members(GROUP).contains(child), "a ghost");
                over(self);
              }
            });
    assertThat(groups.all()).isEmpty();
  }
}
