package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.ProcessKey;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.StashOverflowException;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a process keeps under keys of its own, and giving memory back. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class DictionaryTest extends KernelTest {
  private static final ProcessKey<String> REQUEST = ProcessKey.named("request");
  private static final ProcessKey<Object> OTHER = ProcessKey.named("request");

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  @Test
  void put_isSeenByLaterCode_untilErased() {
    Probe probe = Probe.start(kind, node);
    assertThat(probe.<String>run(self -> self.get(REQUEST))).isNull();
    assertThat(probe.<String>run(self -> self.put(REQUEST, "first"))).isNull();
    assertThat(probe.<String>run(self -> self.put(REQUEST, "second"))).isEqualTo("first");
    assertThat(probe.<String>run(self -> self.get(REQUEST))).isEqualTo("second");
    assertThat(probe.<String>run(self -> self.erase(REQUEST))).isEqualTo("second");
    assertThat(probe.<String>run(self -> self.erase(REQUEST))).isNull();
    assertThat(probe.<String>run(self -> self.get(REQUEST))).isNull();
  }

  @Test
  void keys_ofOneName_areDifferent_andSoAreProcesses() {
    Probe one = Probe.start(kind, node);
    Probe two = Probe.start(kind, node);
    one.act(self -> {
      self.put(REQUEST, "one");
      self.put(OTHER, 1);
    });
    two.act(self -> self.put(REQUEST, "two"));
    assertThat(one.<Object>run(self -> self.get(REQUEST))).isEqualTo("one");
    assertThat(one.<Object>run(self -> self.get(OTHER))).isEqualTo(1);
    assertThat(two.<Object>run(self -> self.get(REQUEST))).isEqualTo("two");
    assertThat(two.<Object>run(self -> self.get(OTHER))).isNull();
    assertThat(REQUEST).hasToString("request").isNotEqualTo(OTHER);
    assertThat(REQUEST.name()).isEqualTo("request");
  }

  @Test
  void nulls_areRefused() {
    Probe probe = Probe.start(kind, node);
    probe.act(self -> {
      assertThatNullPointerException().isThrownBy(() -> self.get(null));
      assertThatNullPointerException().isThrownBy(() -> self.put(null, ""));
      assertThatNullPointerException().isThrownBy(() -> self.put(REQUEST, null));
      assertThatNullPointerException().isThrownBy(() -> self.erase(null));
      assertThatNullPointerException().isThrownBy(() -> ProcessKey.named(null));
    });
  }

  @Test
  void values_ofProcessThatEnded_areNotKeptByItsPid() {
    Probe probe = Probe.start(kind, node);
    WeakReference<Object> value =
        probe.run(self -> {
          Object large = new Object();
          self.put(OTHER, large);
          return new WeakReference<>(large);
        });
    probe.pid().kill();
    probe.awaitEnd();
    Await.until(
        "the value to be free",
        () -> {
          System.gc();
          return value.refersTo(null);
        });
    assertThat(probe.pid().isAlive()).isFalse();
  }

  // ---------------------------------------------------------------- hibernate

  @Test
  void hibernate_ofProcessWithNothing_changesNothing() {
    Probe probe = Probe.start(kind, node);
    probe.act(self -> self.hibernate());
    probe.say("awake");
    assertThat(probe.nextSaid()).isEqualTo("awake");
  }

  @Test
  void hibernate_afterManyLinks_keepsThoseThatAreLeft() {
    for (int left : List.of(0, 1, 2)) {
      Probe probe = Probe.trapping(kind, node);
      List<Probe> peers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        peers.add(Probe.start(kind, node));
      }
      probe.act(self -> {
        peers.forEach(peer -> self.link(peer.pid()));
        peers.subList(left, peers.size()).forEach(peer -> self.unlink(peer.pid()));
        self.hibernate();
        self.hibernate();
      });
      for (Probe peer : peers) {
        peer.pid().exit(Reasons.DIE);
        peer.awaitEnd();
      }
      for (int i = 0; i < left; i++) {
        assertThat(probe.nextExit().reason()).isEqualTo(Reasons.DIE);
      }
      Probe late = Probe.start(kind, node);
      probe.act(self -> self.link(late.pid()));
      probe.assertQuiet();
      probe.pid().kill();
      late.awaitEnd();
    }
  }

  @Test
  void hibernate_keepsOpenCallsStashTimersAndDictionary() {
    Probe probe = Probe.start(kind, node);
    CompletableFuture<Object> answer =
        CompletableFuture.supplyAsync(
            () -> probe.ask("question", Duration.ofSeconds(10)), Thread::startVirtualThread);
    ReplyTo<Object> replyTo = probe.nextAsked().replyTo();
    CompletableFuture<Object> unanswered =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return probe.ask("never", Duration.ofSeconds(10));
              } catch (CallException e) {
                return e.reason();
              }
            },
            Thread::startVirtualThread);
    Msg.Ask _ = probe.nextAsked();
    probe.act(self -> {
      self.stash(new Msg.Say("stashed"));
      self.put(REQUEST, "kept");
      self.sendAfter(Duration.ofMillis(5), new Msg.Say("fired"));
      self.hibernate();
      assertThat(self.stashed()).isEqualTo(1);
    });
    assertThat(probe.nextSaid()).isEqualTo("fired");
    probe.act(self -> self.unstashAll());
    assertThat(probe.nextSaid()).isEqualTo("stashed");
    assertThat(probe.<String>run(self -> self.get(REQUEST))).isEqualTo("kept");
    replyTo.send("reply");
    assertThat(Await.result("the answer", answer)).isEqualTo("reply");
    probe.act(self -> self.hibernate());
    probe.pid().kill();
    assertThat(Await.result("the failure", unanswered)).isEqualTo(ExitReason.killed());
  }

  @Test
  void hibernate_keepsTheCapacityOfTheStash() {
    Probe probe = Probe.start(kind, node);
    probe.act(self -> {
      self.stashCapacity(1);
      self.hibernate();
      self.stash(new Msg.Say("fits"));
      assertThatThrownBy(() -> self.stash(new Msg.Say("too many")))
          .isInstanceOf(StashOverflowException.class);
      self.unstashAll();
    });
    assertThat(probe.nextSaid()).isEqualTo("fits");
  }

  @Test
  void hibernate_betweenTwoUnstashes_keepsTheirOrder() {
    Probe probe = Probe.start(kind, node);
    probe.act(self -> {
      self.stash(new Msg.Say(1));
      self.unstashAll();
      self.hibernate();
      self.stash(new Msg.Say(2));
      self.unstashAll();
      self.stash(new Msg.Say(3));
      self.hibernate();
      self.unstashAll();
    });
    for (int i = 1; i <= 3; i++) {
      assertThat(probe.nextSaid()).isEqualTo(i);
    }
  }
}
