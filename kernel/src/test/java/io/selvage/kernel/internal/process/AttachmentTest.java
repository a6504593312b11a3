package io.selvage.kernel.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Job;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a process has beside its code, as it grows and shrinks, and while another thread enters
 * something at the same moment.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#core")
class AttachmentTest extends KernelTest {
  private static final int ROUNDS = Rounds.part(100);
  private static final int MOST_SPINS = 300;

  @Parameter Pair pair;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults);
  }

  /** What a process owns, and gives back once. */
  private static final class Token extends Possession {
    private final AtomicInteger released = new AtomicInteger();

    @Override
    protected void release() {
      released.incrementAndGet();
    }
  }

  /** Two threads go on from here at about the same moment. */
  private static final class Meeting {
    private final AtomicInteger here = new AtomicInteger();

    void join() {
      here.incrementAndGet();
      while (here.get() < 2) {
        Thread.onSpinWait();
      }
      for (int i = ThreadLocalRandom.current().nextInt(MOST_SPINS); i > 0; i--) {
        Thread.onSpinWait();
      }
    }
  }

  private static LocalProcess<?> local(Pid<?> pid) {
    return (LocalProcess<?>) pid;
  }

  /** What it is now: the process has done all it was told before. */
  private static Class<?> attachment(Probe probe) {
    return probe.run(_ -> {
      Attachment present = local(probe.pid()).attachment;
      return present == null ? Void.class : present.getClass();
    });
  }

  // ---------------------------------------------------------------- grows and shrinks

  @Test
  void linksOneByOne_takeAnObjectOnlyIfTheyAreSeveral() {
    Probe one = Probe.start(pair.one(), node);
    Probe other = Probe.start(pair.other(), node);
    Probe third = Probe.start(pair.other(), node);
    assertThat(attachment(one)).isEqualTo(Void.class);
    one.act(self -> self.link(other.pid()));
    assertThat(attachment(one)).isEqualTo(Link.class);
    assertThat(attachment(other)).isEqualTo(Link.class);
    assertThat(local(one.pid()).attachment).isSameAs(local(other.pid()).attachment);
    one.act(self -> self.unlink(other.pid()));
    assertThat(attachment(one)).isEqualTo(Void.class);
    assertThat(attachment(other)).isEqualTo(Void.class);
    one.act(self -> self.link(other.pid()));
    one.act(self -> self.link(third.pid()));
    assertThat(attachment(one)).isEqualTo(Extras.class);
    assertThat(Links.some(local(one.pid()), 5)).containsExactlyInAnyOrder(other.pid(), third.pid());
    one.act(self -> self.unlink(third.pid()));
    one.act(Self::hibernate);
    assertThat(local(one.pid()).extras().linkTable).isNull();
    assertThat(Links.some(local(one.pid()), 5)).containsExactly(other.pid());
    one.act(self -> self.unlink(other.pid()));
    assertThat(Links.count(local(one.pid()))).isZero();
    other.barrier();
    assertThat(Links.count(local(other.pid()))).isZero();
  }

  @Test
  void exitOverTheOnlyLink_leavesNothing() {
    Probe one = Probe.start(pair.one(), node);
    Probe other = Probe.start(pair.other(), node);
    one.act(self -> self.link(other.pid()));
    other.tell(_ -> {
      throw new ExitException(ExitReason.normal());
    });
    other.awaitEnd();
    Await.until("the link to go", () -> local(one.pid()).attachment == null);
    assertThat(local(other.pid()).attachment).isNull();
    one.barrier();
  }

  // ---------------------------------------------------------------- a start with handshake

  /** A process that says that it is ready, after something else, and then does what it is told. */
  private Pid<Msg> start(Self<Msg> parent, SpawnOptions<Msg> options, Job.Plain before) {
    Init<Msg, Boolean> init =
        pair.one().isDirect()
            ? Init.body((self, ack) -> {
              prepare(self, ack, before);
              while (true) {
                on(self, self.receive());
              }
            })
            : Init.behavior((self, ack) -> {
              prepare(self, ack, before);
              Behavior<Msg> running =
                  (s, message) -> {
                    on(s, message);
                    return Behavior.same();
                  };
              return running;
            });
    return parent.start(init, Duration.ofMinutes(1), options).orThrow().pid();
  }

  private static void prepare(Self<Msg> self, Ack<Boolean> ack, Job.Plain before) throws Exception {
    before.run(self);
    ack.ready(true);
  }

  private static void on(Self<Msg> self, Msg message) throws Exception {
    if (message instanceof Msg.Do(Job<?> job)) {
      Object _ = job.run(self);
    }
  }

  /** Whatever the process was told before, it has done. */
  private static void barrier(Pid<Msg> pid) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    pid.send(new Msg.Do(_ -> done.complete(true)));
    assertThat(Await.result("a job", done)).isTrue();
  }

  private static final SpawnOptions<Msg> LINKED = SpawnOptions.<Msg>defaults().linked();

  @Test
  void startedProcess_whenReady_hasItsLinkAndNothingElse() {
    Probe parent = Probe.trapping(pair.other(), node);
    Pid<Msg> free = parent.run(self -> start(self, SpawnOptions.defaults(), _ -> {}));
    Pid<Msg> linked = parent.run(self -> start(self, LINKED, _ -> {}));
    barrier(free);
    barrier(linked);
    assertThat(local(free).attachment).isNull();
    assertThat(local(linked).attachment).isInstanceOf(Link.class);
    linked.kill();
    assertThat(parent.nextExit().from()).isEqualTo(linked);
  }

  @Test
  void startedProcess_thatHasMoreWhenReady_keepsItButNotTheHandshake() {
    Probe parent = Probe.trapping(pair.other(), node);
    Pid<Msg> labelled =
        parent.run(self -> start(self, LINKED, starting -> starting.label("labelled")));
    barrier(labelled);
    assertThat(local(labelled).label()).isEqualTo("labelled");
    assertThat(local(labelled).handshake()).isNull();
    assertThat(Links.some(local(labelled), 5)).containsExactly(parent.pid());
    labelled.kill();
    assertThat(parent.nextExit().from()).isEqualTo(labelled);
  }

  @Test
  void startedProcess_thatUnlinksItsParent_isNotLinked() {
    Probe parent = Probe.trapping(pair.other(), node);
    Pid<Msg> child =
        parent.run(self -> start(self, LINKED, starting -> starting.unlink(parent.pid())));
    barrier(child);
    assertThat(Links.count(local(child))).isZero();
    assertThat(local(child).handshake()).isNull();
    child.kill();
    Await.until("the child to end", () -> !child.isAlive());
    parent.assertQuiet();
  }

  // ---------------------------------------------------------------- while another thread enters

  private static void enter(Pid<?> pid, Token token) {
    assertThat(local(pid).own(token)).isTrue();
  }

  @Test
  void ownerLinksAndUnlinks_whileAnotherEnters_neitherIsLost() {
    Probe peer = Probe.trapping(pair.other(), node);
    for (int round = 0; round < ROUNDS; round++) {
      Probe subject = Probe.start(pair.one(), node);
      Meeting meeting = new Meeting();
      boolean stays = round % 2 == 0;
      CompletableFuture<Boolean> job =
          subject.start(self -> {
            self.link(peer.pid());
            meeting.join();
            self.unlink(peer.pid());
            assertThat(Links.count(local(subject.pid()))).isZero();
            self.link(peer.pid());
            assertThat(Links.some(local(subject.pid()), 2)).containsExactly(peer.pid());
            if (!stays) {
              self.unlink(peer.pid());
            }
            return true;
          });
      Token token = new Token();
      meeting.join();
      enter(subject.pid(), token);
      assertThat(Await.result("the links", job)).isTrue();
      assertThat(local(subject.pid()).owns()).isOne();
      assertThat(Links.count(local(subject.pid()))).isEqualTo(stays ? 1 : 0);
      subject.pid().kill();
      subject.awaitEnd();
      assertThat(token.released).hasValue(1);
      if (stays) {
        assertThat(peer.nextExit().from()).isEqualTo(subject.pid());
      }
    }
    peer.assertQuiet();
    assertThat(Links.count(local(peer.pid()))).isZero();
  }

  @Test
  void peerLinksAndUnlinks_whileAnotherEnters_neitherIsLost() {
    Probe peer = Probe.trapping(pair.other(), node);
    for (int round = 0; round < ROUNDS; round++) {
      Probe subject = Probe.start(pair.one(), node);
      Meeting meeting = new Meeting();
      CompletableFuture<Boolean> job =
          peer.start(self -> {
            meeting.join();
            self.link(subject.pid());
            self.unlink(subject.pid());
            self.link(subject.pid());
            return true;
          });
      Token token = new Token();
      meeting.join();
      enter(subject.pid(), token);
      assertThat(Await.result("the links", job)).isTrue();
      subject.barrier();
      assertThat(Links.some(local(subject.pid()), 2)).containsExactly(peer.pid());
      assertThat(local(subject.pid()).owns()).isOne();
      subject.pid().kill();
      assertThat(peer.nextExit().from()).isEqualTo(subject.pid());
      subject.awaitEnd();
      assertThat(token.released).hasValue(1);
    }
    peer.assertQuiet();
  }

  @Test
  void startedProcessIsReady_whileAnotherEnters_theHandshakeGoesAndTheLinkStays() {
    Probe parent = Probe.trapping(pair.other(), node);
    for (int round = 0; round < ROUNDS; round++) {
      Meeting meeting = new Meeting();
      CompletableFuture<Pid<Msg>> starting = new CompletableFuture<>();
      CompletableFuture<Pid<Msg>> started =
          parent.start(self ->
              start(
                  self,
                  LINKED,
                  child -> {
                    starting.complete(child.pid());
                    meeting.join();
                  }));
      Pid<Msg> child = Await.result("the new process", starting);
      Token token = new Token();
      meeting.join();
      enter(child, token);
      assertThat(Await.result("the start", started)).isEqualTo(child);
      barrier(child);
      assertThat(local(child).handshake()).isNull();
      assertThat(local(child).owns()).isOne();
      assertThat(Links.some(local(child), 2)).containsExactly(parent.pid());
      child.kill();
      assertThat(parent.nextExit().from()).isEqualTo(child);
      Await.until("the child to end", () -> !child.isAlive());
      assertThat(token.released).hasValue(1);
    }
    parent.assertQuiet();
    assertThat(Links.count(local(parent.pid()))).isZero();
  }

  @Test
  void processEnds_whileAnotherEnters_allThatWasEnteredIsReleased() {
    Probe peer = Probe.trapping(pair.other(), node);
    for (int round = 0; round < ROUNDS; round++) {
      Probe subject = Probe.start(pair.one(), node);
      subject.act(self -> self.link(peer.pid()));
      Meeting meeting = new Meeting();
      subject.tell(_ -> {
        meeting.join();
        throw new ExitException(ExitReason.shutdown());
      });
      List<Token> entered = new ArrayList<>();
      meeting.join();
      for (Token next = new Token(); local(subject.pid()).own(next); next = new Token()) {
        entered.add(next);
      }
      assertThat(peer.nextExit().from()).isEqualTo(subject.pid());
      subject.awaitEnd();
      assertThat(entered).allMatch(token -> token.released.get() == 1);
    }
    peer.assertQuiet();
    assertThat(Links.count(local(peer.pid()))).isZero();
  }
}
