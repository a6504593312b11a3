package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.selvage.kernel.AlreadyRegisteredException;
import io.selvage.kernel.CallException;
import io.selvage.kernel.Down;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Registry;
import io.selvage.kernel.Registry.Registered;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import io.selvage.kernel.support.Story;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Registries. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class RegistryTest extends KernelTest {
  private static final Duration SECOND = Duration.ofSeconds(10);

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  private Probe probe() {
    return Probe.start(kind, node);
  }

  private static Registered<String, Msg, Integer> entry(String key, Probe probe, int value) {
    return new Registered<>(key, probe.pid(), value);
  }

  @Test
  void register_andUnregister_comesAndGoes() {
    Registry<String, Msg, Integer> registry = Registry.unique(node);
    Probe one = probe();
    registry.register("a", one.pid(), 1);
    one.act(self -> registry.register("b", self, 2));
    assertThat(registry.whereis("a")).contains(one.pid());
    assertThat(registry.lookup("b")).containsExactly(entry("b", one, 2));
    assertThat(registry.keys(one.pid())).containsExactly("b", "a");
    assertThat(registry.values("a", one.pid())).containsExactly(1);
    assertThat(registry.count()).isEqualTo(2);
    assertThat(registry.count("a")).isEqualTo(1);
    assertThat(registry.select(e -> e.value() > 1)).containsExactly(entry("b", one, 2));
    assertThat(registry.unregister("a", one.pid())).isEqualTo(1);
    assertThat(registry.unregister("a", one.pid())).isZero();
    assertThat(registry.lookup("a")).isEmpty();
    assertThat(registry.count("a")).isZero();
    assertThat(registry.keys(one.pid())).containsExactly("b");
    one.pid().kill();
    one.awaitEnd();
    assertThat(registry.count()).isZero();
    assertThat(registry.keys(one.pid())).isEmpty();
    assertThat(registry.lookup("b")).isEmpty();
  }

  @Test
  void unique_takenKey_isRefused() {
    Registry<String, Msg, Integer> registry = Registry.unique(node);
    Probe holder = probe();
    Probe second = probe();
    registry.register("a", holder.pid(), 1);
    assertThatExceptionOfType(AlreadyRegisteredException.class)
        .isThrownBy(() -> registry.register("a", second.pid(), 2))
        .withMessage(
            "the key a is taken by %s: unregister it, choose another, or use a duplicate registry",
            holder.pid())
        .returns(holder.pid(), AlreadyRegisteredException::holder);
    assertThatExceptionOfType(AlreadyRegisteredException.class)
        .isThrownBy(() -> registry.register("a", holder.pid(), 2));
    assertThat(registry.keys(second.pid())).isEmpty();
    assertThat(registry.lookup("a")).containsExactly(entry("a", holder, 1));
    assertThat(registry.unregister("a", second.pid())).isZero(); // not its entry
    assertThat(registry.whereis("a")).contains(holder.pid());
  }

  @Test
  void duplicate_keyHasMany_inOrder() {
    Registry<String, Msg, Integer> registry = Registry.duplicate(node);
    Probe one = probe();
    Probe two = probe();
    registry.register("a", one.pid(), 1);
    registry.register("a", two.pid(), 2);
    registry.register("a", one.pid(), 3);
    assertThat(registry.lookup("a"))
        .containsExactly(entry("a", one, 1), entry("a", two, 2), entry("a", one, 3));
    assertThat(registry.values("a", one.pid())).containsExactly(1, 3);
    List<Integer> seen = new ArrayList<>();
    assertThat(registry.dispatch("a", e -> seen.add(e.value()))).isEqualTo(3);
    assertThat(seen).containsExactly(1, 2, 3);
    registry.send("a", new Msg.Say("all"));
    assertThat(one.drain()).containsExactly(new Msg.Say("all"), new Msg.Say("all"));
    assertThat(two.drain()).containsExactly(new Msg.Say("all"));
    assertThat(registry.unregister("a", one.pid())).isEqualTo(2);
    assertThat(registry.lookup("a")).containsExactly(entry("a", two, 2));
    assertThat(registry.dispatch("nothing", _ -> {})).isZero();
    assertThatIllegalStateException()
        .isThrownBy(() -> registry.call("a", r -> new Msg.Ask("?", r), SECOND));
  }

  @Test
  void badArguments_areRefused() {
    Registry<String, Msg, Integer> registry = Registry.unique(node);
    Probe ended = probe();
    ended.pid().kill();
    ended.awaitEnd();
    assertThatIllegalStateException()
        .isThrownBy(() -> registry.register("a", ended.pid(), 1))
        .withMessage("%s has ended: it cannot be registered under the key a", ended.pid());
    Node second = start(options(NodeOptions.defaults()));
    Probe foreign = Probe.start(kind, second);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.register("a", foreign.pid(), 1))
        .withMessageContaining("lives at another node");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            kind.spawn(
                second,
                Story.<Msg>beginning(_ -> {}),
                SpawnOptions.<Msg>defaults().registered(registry.at("a", 1))));
    Probe one = probe();
    assertThatNullPointerException().isThrownBy(() -> registry.register(null, one.pid(), 1));
    assertThatNullPointerException().isThrownBy(() -> registry.register("a", one.pid(), null));
    assertThatNullPointerException().isThrownBy(() -> registry.register("a", (Pid<Msg>) null, 1));
    assertThatNullPointerException().isThrownBy(() -> registry.lookup(null));
    assertThatNullPointerException().isThrownBy(() -> registry.at(null, 1));
    assertThatNullPointerException().isThrownBy(() -> Registry.unique(null));
    Self<Msg> stolen = one.run(self -> self);
    assertThatIllegalStateException().isThrownBy(() -> registry.updateValue("a", stolen, v -> v));
    assertThatIllegalStateException()
        .isThrownBy(() -> registry.listen(stolen, c -> new Msg.Say(c)));
    assertThat(registry.count()).isZero();
  }

  @Test
  void updateValue_byOwner_isSeen() {
    Registry<String, Msg, Integer> registry = Registry.unique(node);
    Probe one = probe();
    Probe other = probe();
    registry.register("a", one.pid(), 1);
    assertThat(one.<Optional<Integer>>run(self -> registry.updateValue("a", self, v -> v + 1)))
        .contains(2);
    assertThat(registry.values("a", one.pid())).containsExactly(2);
    assertThat(other.<Optional<Integer>>run(self -> registry.updateValue("a", self, v -> v + 1)))
        .isEmpty();
    assertThat(registry.values("a", one.pid())).containsExactly(2);
  }

  @Test
  void sendAndCall_byKey_reachTheProcess() {
    Registry<Long, Msg, String> registry = Registry.unique(node);
    Probe one = probe();
    registry.register(1L, one.pid(), "");
    registry.send(1L, new Msg.Say("by key"));
    assertThat(one.nextSaid()).isEqualTo("by key");
    CompletableFuture<Object> reply =
        CompletableFuture.supplyAsync(
            () -> registry.<Object>call(1L, r -> new Msg.Ask("?", r), SECOND),
            Thread::startVirtualThread);
    one.nextAsked().replyTo().send("!");
    assertThat(Await.result("the reply", reply)).isEqualTo("!");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.send(2L, new Msg.Say("nobody")))
        .withMessage(
            "no process is registered under the key 2: it has ended, or was never registered here");
    assertThatExceptionOfType(CallException.class)
        .isThrownBy(() -> registry.call(2L, r -> new Msg.Ask("?", r), SECOND))
        .returns(ExitReason.noProc(), CallException::reason);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.call(2L, r -> new Msg.Ask("?", r), Duration.ofNanos(-1)));
  }

  @Test
  void spawn_registered_isFoundBeforeItRuns() {
    Registry<String, Msg, Integer> registry = Registry.unique(node);
    CompletableFuture<List<?>> found = new CompletableFuture<>();
    SpawnOptions<Msg> options = SpawnOptions.<Msg>defaults().registered(registry.at("a", 1));
    Pid<Msg> pid =
        kind.spawn(node, Story.<Msg>beginning(_ -> found.complete(registry.lookup("a"))), options);
    assertThat(Await.result("what was found", found))
        .isEqualTo(List.of(new Registered<>("a", pid, 1)));
    Await.until("the process to wait or end", () -> registry.count() <= 1);
    pid.kill();
    Await.until("the end", () -> !pid.isAlive());
    assertThat(registry.count()).isZero();
    assertThat(registry.at("a", 1)).hasToString("place of the key a");
  }

  @Test
  void spawn_underTakenKey_tellsTheHolderAndRunsNothing() {
    Registry<String, Msg, Integer> registry = Registry.unique(node);
    Probe holder = probe();
    registry.register("a", holder.pid(), 1);
    AtomicInteger runs = new AtomicInteger();
    SpawnOptions<Msg> options = SpawnOptions.<Msg>defaults().registered(registry.at("a", 2));
    holder.act(self ->
        assertThatExceptionOfType(AlreadyRegisteredException.class)
            .isThrownBy(() ->
                kind.spawn(
                    self, Story.<Msg>beginning(_ -> runs.incrementAndGet()), options.linked()))
            .returns(holder.pid(), AlreadyRegisteredException::holder));
    assertThat(runs).hasValue(0);
    assertThat(node.stats().processes()).isEqualTo(1);
    assertThat(registry.count()).isEqualTo(1);
    assertThat(holder.answers()).isTrue();
  }

  @Test
  void listener_isToldInOrder() {
    Registry<String, Msg, Integer> registry = Registry.unique(node);
    Probe listener = probe();
    Probe one = probe();
    registry.register("before", one.pid(), 0);
    Subscription subscription =
        listener.run(self -> registry.listen(self, change -> new Msg.Say(change)));
    registry.register("a", one.pid(), 1);
    Boolean _ = one.run(self -> registry.updateValue("a", self, _ -> 5).isPresent());
    assertThat(registry.unregister("a", one.pid())).isEqualTo(1);
    registry.register("b", one.pid(), 2);
    one.pid().kill();
    one.awaitEnd();
    assertThat(listener.nextSaid()).isEqualTo(new Registry.Register<>(entry("a", one, 1)));
    assertThat(listener.nextSaid()).isEqualTo(new Registry.Unregister<>(entry("a", one, 5)));
    assertThat(listener.nextSaid()).isEqualTo(new Registry.Register<>(entry("b", one, 2)));
    assertThat(List.of(listener.nextSaid(), listener.nextSaid()))
        .containsExactlyInAnyOrder(
            new Registry.Unregister<>(entry("b", one, 2)),
            new Registry.Unregister<>(entry("before", one, 0)));
    subscription.close();
    subscription.close();
    registry.register("a", listener.pid(), 1);
    listener.assertQuiet();
  }

  @Test
  void listener_thatEnds_isForgotten() {
    Registry<String, Msg, Integer> registry = Registry.unique(node);
    Probe listener = probe();
    Subscription subscription =
        listener.run(self -> registry.listen(self, change -> new Msg.Say(change)));
    listener.pid().kill();
    listener.awaitEnd();
    Probe one = probe();
    registry.register("a", one.pid(), 1);
    subscription.close();
    assertThat(node.stats().undelivered()).isZero();
  }

  @Test
  void close_releasesAllAndRefusesMore() {
    Registry<String, Msg, Integer> registry = Registry.duplicate(node);
    Probe one = probe();
    Probe listener = probe();
    Subscription _ = listener.run(self -> registry.listen(self, change -> new Msg.Say(change)));
    for (int i = 0; i < 100; i++) {
      registry.register("k" + i, one.pid(), i);
    }
    assertThat(listener.drain()).hasSize(100);
    registry.close();
    assertThat(listener.drain()).hasSize(100);
    assertThat(registry.count()).isZero();
    assertThat(registry.keys(one.pid())).isEmpty();
    assertThatIllegalStateException()
        .isThrownBy(() -> registry.register("a", one.pid(), 1))
        .withMessageStartingWith("the registry is closed");
    listener.act(self ->
        assertThatIllegalStateException()
            .isThrownBy(() -> registry.listen(self, change -> new Msg.Say(change))));
    registry.close();
    assertThat(one.answers()).isTrue();
  }

  /** Keys of one hash, in one bucket. */
  private record Colliding(int number) {
    @Override
    public int hashCode() {
      return 1;
    }
  }

  @Test
  void keys_thatCollide_areToldApart() {
    Registry<Colliding, Msg, Integer> registry = Registry.unique(node);
    Probe one = probe();
    for (int i = 0; i < 50; i++) {
      registry.register(new Colliding(i), one.pid(), i);
    }
    for (int i = 0; i < 50; i += 2) {
      assertThat(registry.unregister(new Colliding(i), one.pid())).isEqualTo(1);
    }
    for (int i = 0; i < 50; i++) {
      assertThat(registry.lookup(new Colliding(i))).hasSize(i % 2);
    }
    assertThat(registry.select(_ -> true)).hasSize(25);
  }

  @Test
  void userCode_thatThrows_changesNothing() {
    record Bad(int n) {
      @Override
      public boolean equals(Object other) {
        throw new UnsupportedOperationException("planned");
      }

      @Override
      public int hashCode() {
        return 1;
      }
    }
    Registry<Object, Msg, Integer> registry = Registry.unique(node);
    Probe one = probe();
    registry.register(new Bad(1), one.pid(), 1);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> registry.register(new Bad(2), one.pid(), 2));
    assertThat(registry.count()).isEqualTo(1);
    assertThat(registry.keys(one.pid())).hasSize(1);
    one.pid().kill();
    one.awaitEnd();
    assertThat(registry.count()).isZero();
  }

  @Test
  void manyThreads_registeringAndUnregistering_agreeInTheEnd() {
    Registry<Integer, Msg, Integer> registry = Registry.unique(node);
    int keys = 2_000;
    List<CompletableFuture<Integer>> all = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Probe probe = probe();
      all.add(
          CompletableFuture.supplyAsync(
              () -> {
                int won = 0;
                for (int i = 0; i < keys; i++) {
                  try {
                    registry.register(i, probe.pid(), i);
                    won++;
                  } catch (AlreadyRegisteredException _) {
                    // another was first
                  }
                }
                return won;
              },
              Thread::startVirtualThread));
    }
    int sum = 0;
    for (CompletableFuture<Integer> each : all) {
      sum += Await.result("a thread", each);
    }
    assertThat(sum).isEqualTo(keys);
    assertThat(registry.count()).isEqualTo(keys);
    assertThat(registry.select(_ -> true)).hasSize(keys);
    for (int i = 0; i < keys; i++) {
      assertThat(registry.whereis(i)).isPresent();
    }
  }

  // A parent registers its child while that ends.
  @Test
  void register_whileTheProcessEnds_leavesNoGhost() {
    Registry<String, Msg, Integer> registry = Registry.unique(node);
    Referee.run(
        node,
        kind,
        kind == Kind.DIRECT_ON_PLATFORM_THREAD ? Rounds.part(100) : Rounds.RACES,
        () ->
            new Referee() {
              private final String key = "lane" + System.identityHashCode(this);

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
                        Msg.GotDown::new,
                        SpawnOptions.<Msg>defaults()
                            .registered(registry.at(key, present))); // throws if it is taken
                child.pid().send(new Msg.Say("end"));
                dawdle();
                try {
                  registry.register(key + "more", child.pid(), present);
                  int _ = registry.unregister(key, child.pid());
                } catch (IllegalStateException e) {
                  check(e.getMessage().contains("has ended"), e);
                }
              }

              @Override
              void down(Self<Msg> self, Down down) throws Exception {
                check(registry.whereis(key).isEmpty(), "a ghost");
                check(registry.whereis(key + "more").isEmpty(), "a ghost");
                over(self);
              }
            });
    assertThat(registry.count()).isZero();
    assertThat(registry.select(_ -> true)).isEmpty();
  }
}
