package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Down;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Marks;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Story;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** M: large numbers of everything. */
@ParameterizedClass(name = "{0}")
@EnumSource(names = {"DIRECT", "EVENT", "DIRECT_ON_WORKERS"})
class ScaleTest extends KernelTest {
  private static final int MANY = 100_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  private void awaitProcesses(long count) {
    Await.until(
        () -> "processes to be " + count + ": " + node.stats(),
        () -> node.stats().processes() == count,
        LIMIT);
  }

  private void awaitCrashes(long count) {
    Await.until("each end to be counted", () -> node.stats().crashed() >= count);
    assertThat(node.stats().crashed()).isEqualTo(count);
  }

  /** Processes, each linked with the one before. */
  private List<Pid<Msg>> chain(int length) throws InterruptedException {
    CountDownLatch linked = new CountDownLatch(length - 1);
    List<Pid<Msg>> chain = new ArrayList<>();
    chain.add(kind.spawn(node, (_, _) -> {}));
    for (int i = 1; i < length; i++) {
      Pid<Msg> before = chain.get(i - 1);
      chain.add(
          kind.spawn(
              node,
              Story.beginning(self -> {
                self.link(before);
                linked.countDown();
              })));
    }
    linked.await();
    return chain;
  }

  // M
  @Test
  void chain_firstIsKilled_allEnd() throws InterruptedException {
    List<Pid<Msg>> chain = chain(MANY);
    Fate last = Fate.of(node, chain.getLast());
    Fate middle = Fate.of(node, chain.get(MANY / 2));
    chain.getFirst().kill();
    awaitProcesses(0);
    assertThat(last.reason()).isEqualTo(ExitReason.killed());
    assertThat(middle.reason()).isEqualTo(ExitReason.killed());
    awaitCrashes(MANY);
  }

  // M, B21
  @Test
  void ring_oneIsKilled_allEndOnce() throws InterruptedException {
    List<Pid<Msg>> chain = chain(MANY - 1);
    Probe closing = Probe.start(kind, node);
    closing.act(self -> {
      self.link(chain.getFirst());
      self.link(chain.getLast());
    });
    Fate fate = Fate.of(node, chain.get(MANY / 3));
    closing.pid().kill();
    awaitProcesses(0);
    assertThat(fate.reason()).isEqualTo(ExitReason.killed());
    awaitCrashes(MANY);
  }

  // M
  @Test
  void star_hubIsKilled_allEnd() {
    Probe hub = Probe.start(kind, node);
    hub.act(self -> {
      for (int i = 0; i < MANY; i++) {
        Pid<Msg> _ = kind.<Msg>spawnLink(self, (_, _) -> {});
      }
    });
    assertThat(node.stats().processes()).isEqualTo(MANY + 1);
    hub.pid().kill();
    awaitProcesses(0);
    awaitCrashes(MANY + 1);
  }

  // M, C23
  @Test
  void monitorsOfOneOwner_onOneTarget_eachAnswersOnce() {
    Probe target = Probe.start(kind, node);
    Set<MonitorRef> refs = new HashSet<>();
    AtomicInteger downs = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    Probe owner = Probe.start(kind, node);
    owner.act(self -> {
      for (int i = 0; i < MANY; i++) {
        refs.add(
            self.monitor(
                target.pid(),
                down -> {
                  downs.incrementAndGet();
                  if (!refs.remove(down.monitor()) || !down.reason().equals(ExitReason.killed())) {
                    wrong.incrementAndGet();
                  }
                  return new Msg.GotDown(down);
                }));
      }
    });
    target.pid().kill();
    Await.until("all downs", () -> downs.get() >= MANY);
    owner.barrier();
    assertThat(downs).hasValue(MANY);
    assertThat(wrong).hasValue(0);
    assertThat(refs).isEmpty();
  }

  // M, C23
  @Test
  void monitorsOfManyOwners_onOneTarget_eachAnswersOnce() throws InterruptedException {
    Probe target = Probe.start(kind, node);
    CountDownLatch watching = new CountDownLatch(MANY);
    AtomicInteger downs = new AtomicInteger();
    for (int i = 0; i < MANY; i++) {
      Pid<Down> _ =
          kind.spawn(
              node,
              new Story<Down>() {
                @Override
                public void start(Self<Down> self) {
                  self.monitor(target.pid(), down -> down);
                  watching.countDown();
                }

                @Override
                public void on(Self<Down> self, Down down) {
                  if (down.reason().equals(ExitReason.killed())) {
                    downs.incrementAndGet();
                  }
                }
              });
    }
    watching.await();
    target.barrier();
    target.pid().kill();
    Await.until("all downs", () -> downs.get() >= MANY);
    assertThat(downs).hasValue(MANY);
  }

  // M, C30: a long-lived target does not remember
  @Test
  void monitorsTakenBack_ofLongLivedTarget_leaveNothing() {
    Probe target = Probe.start(kind, node);
    Probe owner = Probe.start(kind, node);
    AtomicInteger downs = new AtomicInteger();
    owner.act(self -> {
      for (int i = 0; i < 10 * MANY; i++) {
        MonitorRef ref =
            self.monitor(
                target.pid(),
                down -> {
                  downs.incrementAndGet();
                  return new Msg.GotDown(down);
                });
        self.demonitorFlush(ref);
      }
    });
    target.pid().kill();
    target.awaitEnd();
    owner.assertQuiet();
    assertThat(downs).hasValue(0);
  }

  // M
  @Test
  void messages_halfAMillionUnread_areCountedWhenTheirReceiverIsKilled() {
    node.marks(Marks.off()); // the mailbox shall grow long
    int messages = 500_000;
    CountDownLatch busy = new CountDownLatch(1);
    Probe receiver = Probe.start(kind, node);
    receiver.tell(_ -> {
      busy.countDown();
      new CountDownLatch(1).await();
    });
    Await.until("the receiver to be busy", () -> busy.getCount() == 0);
    for (int i = 0; i < messages; i++) {
      receiver.say(i);
    }
    assertThat(node.stats().undelivered()).isZero();
    receiver.pid().kill();
    Await.until("the end to be counted", () -> node.stats().undelivered() == messages);
    receiver.say("one more");
    Await.until("one more to be counted", () -> node.stats().undelivered() == messages + 1);
  }

  // M
  @Test
  void messages_halfAMillionQueued_areReadInOrder() {
    node.marks(Marks.off()); // the mailbox shall grow long
    int messages = 500_000;
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger next = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    Pid<Integer> receiver =
        kind.spawn(
            node,
            (_, number) -> {
              release.await();
              if (next.getAndIncrement() != number) {
                wrong.incrementAndGet();
              }
            },
            SpawnOptions.defaults());
    for (int i = 0; i < messages; i++) {
      receiver.send(i);
    }
    release.countDown();
    Await.until("all to be read", () -> next.get() == messages);
    assertThat(wrong).hasValue(0);
  }

  // M
  @Test
  void timers_aMillionSetAndCancelled_leaveNothing() {
    int timers = 1_000_000;
    Probe owner = Probe.start(kind, node);
    owner.act(self -> {
      var set = new ArrayList<io.selvage.kernel.Timer>(timers);
      for (int i = 0; i < timers; i++) {
        set.add(self.sendAfter(Duration.ofMillis(60_000 + 37L * i), new Msg.Say(i)));
      }
      assertThat(node.stats().timers()).isEqualTo(timers);
      for (var timer : set) {
        if (!timer.cancel()) {
          throw new AssertionError("a timer that had not fired could not be cancelled");
        }
      }
      assertThat(node.stats().timers()).isZero();
    });
    owner.assertQuiet();
  }
}
