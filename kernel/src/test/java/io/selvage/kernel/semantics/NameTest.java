package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.selvage.kernel.AlreadyRegisteredException;
import io.selvage.kernel.Down;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import io.selvage.kernel.support.Story;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Names. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class NameTest extends KernelTest {
  private static final Name<Msg> NAME = Name.of("one");
  private static final Name<Msg> OTHER = Name.of("other");

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  private Probe named() {
    return Probe.start(kind, node, SpawnOptions.<Msg>defaults().named(NAME));
  }

  @Test
  void name_givenAtSpawn_findsTheProcess() {
    Probe probe = named();
    assertThat(node.whereis(NAME)).contains(probe.pid());
    node.send(NAME, new Msg.Say("by name"));
    assertThat(probe.nextSaid()).isEqualTo("by name");
  }

  @Test
  void name_givenAtSpawn_isKnownToTheProcessAtOnce() {
    CompletableFuture<Optional<Pid<Msg>>> found = new CompletableFuture<>();
    Pid<Msg> pid =
        kind.spawn(
            node,
            Story.<Msg>beginning(self -> found.complete(self.node().whereis(NAME))),
            SpawnOptions.<Msg>defaults().named(NAME));
    assertThat(Await.result("what was found", found)).contains(pid);
  }

  @Test
  void name_registeredAndUnregistered_comesAndGoes() {
    Probe probe = Probe.start(kind, node);
    assertThat(node.whereis(NAME)).isEmpty();
    node.register(NAME, probe.pid());
    assertThat(node.whereis(Name.<Msg>of("one"))).contains(probe.pid()); // equal by text
    node.unregister(NAME);
    assertThat(node.whereis(NAME)).isEmpty();
    node.register(OTHER, probe.pid());
    probe.act(self -> self.node().unregister(OTHER));
    assertThat(node.whereis(OTHER)).isEmpty();
    assertThat(probe.answers()).isTrue();
  }

  // E45
  @Test
  void register_ofTakenName_isRefused() {
    Probe holder = named();
    Probe second = Probe.start(kind, node);
    assertThatExceptionOfType(AlreadyRegisteredException.class)
        .isThrownBy(() -> node.register(NAME, second.pid()))
        .withMessage(
            "the name \"one\" is taken by %s: unregister it, or choose another", holder.pid())
        .returns(holder.pid(), AlreadyRegisteredException::holder);
    assertThatExceptionOfType(AlreadyRegisteredException.class)
        .isThrownBy(() -> node.register(NAME, holder.pid()));
    assertThat(node.whereis(NAME)).contains(holder.pid());
    node.register(OTHER, second.pid()); // the refusal left no trace
  }

  // E45
  @Test
  void register_ofNamedProcess_isRefused() {
    Probe holder = named();
    assertThatIllegalStateException()
        .isThrownBy(() -> node.register(OTHER, holder.pid()))
        .withMessage(
            "%s is registered as \"one\" already: a process has at most one name", holder.pid());
    assertThat(node.whereis(OTHER)).isEmpty();
  }

  // E45
  @Test
  void register_ofEndedProcess_isRefused() {
    Probe ended = Probe.start(kind, node);
    ended.pid().kill();
    ended.awaitEnd();
    assertThatIllegalStateException()
        .isThrownBy(() -> node.register(NAME, ended.pid()))
        .withMessage("%s has ended: it cannot be registered as \"one\"", ended.pid());
    assertThat(node.whereis(NAME)).isEmpty();
  }

  // E45
  @Test
  void register_ofProcessOfAnotherNode_isRefused() {
    Node second = start(options(NodeOptions.defaults()));
    Probe foreign = Probe.start(kind, second);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.register(NAME, foreign.pid()))
        .withMessage(
            "%s lives at another node: register it there, not at \"%s\"",
            foreign.pid(), node.name());
  }

  // E46
  @Test
  void send_toFreeName_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.send(NAME, new Msg.Say("nobody")))
        .withMessage(
            "no process is registered as \"one\": it has ended, or was never registered at this node");
    Probe probe = named();
    probe.pid().kill();
    probe.awaitEnd();
    assertThatIllegalArgumentException().isThrownBy(() -> node.send(NAME, new Msg.Say("nobody")));
  }

  // E47
  @Test
  void unregister_ofFreeName_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> node.unregister(NAME));
    Probe probe = named();
    node.unregister(NAME);
    assertThatIllegalArgumentException().isThrownBy(() -> node.unregister(NAME));
    probe.say("alive");
    assertThat(probe.nextSaid()).isEqualTo("alive");
  }

  // E47
  @Test
  void unregister_whileMessagesAreOnTheirWay_losesNone() {
    Probe probe = named();
    for (int i = 0; i < 1_000; i++) {
      node.send(NAME, new Msg.Say(i));
    }
    node.unregister(NAME);
    assertThat(probe.drain()).hasSize(1_000);
  }

  // "Not alive" implies that the name is free.
  @Test
  void name_ofProcessThatIsNotAlive_isFree() {
    int rounds = kind == Kind.DIRECT_ON_PLATFORM_THREAD ? Rounds.part(100) : Rounds.part(10);
    for (int i = 0; i < rounds; i++) {
      Pid<Msg> pid =
          kind.spawn(
              node,
              (_, _) -> {
                throw new ExitException(Reasons.DIE);
              },
              SpawnOptions.<Msg>defaults().named(NAME)); // throws if it is taken
      pid.send(new Msg.Say("end"));
      while (pid.isAlive()) {
        Thread.onSpinWait();
      }
      assertThat(node.whereis(NAME)).isEmpty();
    }
  }

  @Test
  void register_byManyAtOnce_oneWins() {
    for (int round = 0; round < 100; round++) {
      AtomicInteger winners = new AtomicInteger();
      List<CompletableFuture<Void>> all = new ArrayList<>();
      Name<Msg> name = Name.of("contested" + round);
      for (int i = 0; i < 4; i++) {
        Probe probe = Probe.start(kind, node);
        all.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    node.register(name, probe.pid());
                    winners.incrementAndGet();
                  } catch (IllegalStateException _) {
                    // another was first
                  }
                },
                Thread::startVirtualThread));
      }
      all.forEach(each -> Await.result("a registration", each.thenApply(_ -> true)));
      assertThat(winners).hasValue(1);
    }
  }

  @Test
  void name_thatIsNone_isRefused() {
    for (String bad : List.of("", " ", "\t", "undefined")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Name.of(bad))
          .withMessage(
              "the name \"%s\" cannot be used: a name is a text that is not blank and not \"undefined\"",
              bad);
    }
  }

  @Test
  void registered_listsNamesThatAreHeld() {
    assertThat(node.registered()).isEmpty();
    Probe one = named();
    Probe other = Probe.start(kind, node);
    node.register(OTHER, other.pid());
    assertThat(node.registered()).containsExactlyInAnyOrder(NAME, OTHER);
    node.unregister(OTHER);
    assertThat(node.registered()).containsExactly(NAME);
    one.pid().kill();
    one.awaitEnd();
    assertThat(node.registered()).isEmpty();
  }

  // E49
  @Test
  void spawn_underTakenName_tellsTheHolderAndRunsNothing() {
    Probe holder = named();
    AtomicInteger runs = new AtomicInteger();
    Story<Msg> story = Story.beginning(_ -> runs.incrementAndGet());
    SpawnOptions<Msg> options = SpawnOptions.<Msg>defaults().named(NAME);
    assertThatExceptionOfType(AlreadyRegisteredException.class)
        .isThrownBy(() -> kind.spawn(node, story, options))
        .returns(holder.pid(), AlreadyRegisteredException::holder);
    holder.act(self ->
        assertThatExceptionOfType(AlreadyRegisteredException.class)
            .isThrownBy(() -> kind.spawn(self, story, options.linked()))
            .returns(holder.pid(), AlreadyRegisteredException::holder));
    assertThat(runs).hasValue(0);
    assertThat(node.stats().processes()).isEqualTo(1);
    assertThat(holder.answers()).isTrue();
  }

  @Test
  void register_afterRefusals_worksForBoth() {
    Probe holder = named();
    Probe second = Probe.start(kind, node);
    for (int i = 0; i < 3; i++) {
      assertThatIllegalStateException().isThrownBy(() -> node.register(NAME, second.pid()));
    }
    node.unregister(NAME);
    node.register(NAME, second.pid());
    node.register(OTHER, holder.pid());
    assertThat(node.whereis(NAME)).contains(second.pid());
    assertThat(node.whereis(OTHER)).contains(holder.pid());
  }

  // Whoever sees the end, by a monitor, can start the next under the same name.
  @Test
  void stopThenStart_underTheSameName_neverFails() {
    Referee.run(
        node,
        kind,
        kind == Kind.DIRECT_ON_PLATFORM_THREAD ? Rounds.part(100) : Rounds.RACES,
        () ->
            new Referee() {
              private final Name<Msg> name = Name.of("lane" + System.identityHashCode(this));

              @Override
              void round(Self<Msg> self) {
                var child =
                    kind.<Msg, Msg>spawnMonitor(
                        self,
                        (_, _) -> {
                          throw new ExitException(Reasons.DIE);
                        },
                        Msg.GotDown::new,
                        SpawnOptions.<Msg>defaults().named(name)); // throws if it is taken
                check(self.node().whereis(name).equals(Optional.of(child.pid())), "not found");
                self.node().send(name, new Msg.Say("end"));
                dawdle();
                Optional<Pid<Msg>> found = self.node().whereis(name);
                check(found.isEmpty() || found.get().equals(child.pid()), found);
              }

              @Override
              void down(Self<Msg> self, Down down) throws Exception {
                check(down.reason().equals(Reasons.DIE), down);
                check(self.node().whereis(name).isEmpty(), "a ghost");
                over(self);
              }
            });
    assertThat(node.registered()).isEmpty();
  }

  // A name given to a process that ends just now is refused or freed.
  @Test
  void register_whileTheProcessEnds_leavesNoGhost() {
    Referee.run(
        node,
        kind,
        kind == Kind.DIRECT_ON_PLATFORM_THREAD ? Rounds.part(100) : Rounds.RACES,
        () ->
            new Referee() {
              private final Name<Msg> name = Name.of("lane" + System.identityHashCode(this));

              @Override
              void round(Self<Msg> self) {
                int spins = random.nextInt(200);
                var child =
                    kind.<Msg, Msg>spawnMonitor(
                        self,
                        (_, _) -> {
                          dawdle(spins);
                          throw new ExitException(Reasons.DIE);
                        },
                        Msg.GotDown::new);
                child.pid().send(new Msg.Say("end"));
                dawdle();
                try {
                  self.node().register(name, child.pid());
                } catch (IllegalStateException e) {
                  check(e.getMessage().contains("has ended"), e);
                }
              }

              @Override
              void down(Self<Msg> self, Down down) throws Exception {
                check(self.node().whereis(name).isEmpty(), "a ghost");
                over(self);
              }
            });
    assertThat(node.registered()).isEmpty();
  }
}
