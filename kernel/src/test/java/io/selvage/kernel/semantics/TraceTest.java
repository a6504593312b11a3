package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Trace;
import io.selvage.kernel.TraceEvent;
import io.selvage.kernel.TraceOptions;
import io.selvage.kernel.TraceSession;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trace sessions. Source: {@code trace:session_create/3}, {@code trace:process/4}. */
class TraceTest extends KernelTest {
  private static final Set<Trace> ALL = EnumSet.allOf(Trace.class);

  /** What one session was told. */
  private static final class Told {
    final ConcurrentLinkedQueue<TraceEvent> all = new ConcurrentLinkedQueue<>();

    void await(String what, Predicate<TraceEvent> wanted) {
      Await.until(() -> what + " among " + all, () -> all.stream().anyMatch(wanted), Await.LIMIT);
    }
  }

  private TraceSession open(Told told) {
    return node.trace(TraceOptions.defaults(), told.all::add);
  }

  @ParameterizedTest
  @EnumSource
  void everythingAboutAProcess_isTold(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Told told = new Told();
    TraceSession session = open(told);
    Probe traced = Probe.start(kind, node);
    Probe other = Probe.start(kind, node);
    session.trace(traced.pid(), ALL);
    Msg hello = new Msg.Say("hello");
    traced.act(_ -> other.pid().send(hello));
    Probe child = traced.run(self -> Probe.start(kind, self));
    traced.act(self -> self.link(other.pid()));
    traced.act(self -> self.unlink(other.pid()));
    other.act(self -> self.link(traced.pid()));
    Msg last = new Msg.Say("last");
    traced.pid().send(last);
    traced.barrier();
    traced.pid().exit(ExitReason.shutdown());

    told.await("the end", e -> e instanceof TraceEvent.Ended);
    Pid<?> pid = traced.pid();
    List<TraceEvent> untimed = told.all.stream().map(TraceTest::withoutTime).toList();
    assertThat(untimed)
        .contains(
            new TraceEvent.Sent(pid, 0, other.pid(), hello),
            new TraceEvent.Spawned(pid, 0, child.pid()),
            new TraceEvent.Linked(pid, 0, other.pid()),
            new TraceEvent.Unlinked(pid, 0, other.pid()),
            new TraceEvent.Received(pid, 0, last),
            new TraceEvent.Ended(pid, 0, ExitReason.shutdown()));
    assertThat(untimed).filteredOn(new TraceEvent.Linked(pid, 0, other.pid())::equals).hasSize(2);
    assertThat(untimed).filteredOn(e -> e instanceof TraceEvent.Received).hasSize(6);
    assertThat(untimed).noneMatch(e -> e.toString().contains(child.pid() + ", nanos"));
    assertThat(session.lost()).isZero();
  }

  private static TraceEvent withoutTime(TraceEvent event) {
    return switch (event) {
      case TraceEvent.Sent e -> new TraceEvent.Sent(e.pid(), 0, e.to(), e.message());
      case TraceEvent.Received e -> new TraceEvent.Received(e.pid(), 0, e.message());
      case TraceEvent.Spawned e -> new TraceEvent.Spawned(e.pid(), 0, e.child());
      case TraceEvent.Ended e -> new TraceEvent.Ended(e.pid(), 0, e.reason());
      case TraceEvent.Linked e -> new TraceEvent.Linked(e.pid(), 0, e.other());
      case TraceEvent.Unlinked e -> new TraceEvent.Unlinked(e.pid(), 0, e.other());
      case TraceEvent.Lost lost -> lost;
    };
  }

  @ParameterizedTest
  @EnumSource
  void children_areTracedFromTheirFirstMoment_ifAsked(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Told told = new Told();
    TraceSession session = open(told);
    Probe parent = Probe.start(kind, node);
    session.traceWithChildren(parent.pid(), EnumSet.of(Trace.SPAWNS, Trace.EXITS));
    Probe child = parent.run(self -> Probe.start(kind, self));
    Probe grandchild = child.run(self -> Probe.start(kind, self));
    grandchild.pid().kill();
    told.await("the grandchild's end", e -> e instanceof TraceEvent.Ended);
    assertThat(told.all.stream().map(TraceTest::withoutTime))
        .containsExactly(
            new TraceEvent.Spawned(parent.pid(), 0, child.pid()),
            new TraceEvent.Spawned(child.pid(), 0, grandchild.pid()),
            new TraceEvent.Ended(grandchild.pid(), 0, ExitReason.killed()));
  }

  @Test
  void sessions_areIsolated() {
    Told one = new Told();
    Told two = new Told();
    TraceSession first = open(one);
    TraceSession second = open(two);
    Probe a = Probe.start(Kind.EVENT, node);
    Probe b = Probe.start(Kind.EVENT, node);
    first.trace(a.pid(), EnumSet.of(Trace.RECEIVES));
    second.trace(a.pid(), EnumSet.of(Trace.EXITS));
    second.trace(b.pid(), EnumSet.of(Trace.RECEIVES));
    a.say(1);
    b.say(2);
    one.await("a's", e -> e instanceof TraceEvent.Received);
    two.await("b's", e -> e instanceof TraceEvent.Received);
    first.close();
    assertThat(second.isOpen()).isTrue();
    a.pid().kill();
    two.await("a's end", e -> e instanceof TraceEvent.Ended);
    assertThat(one.all).hasSize(1);
    assertThat(two.all).hasSize(2);
    assertThatThrownBy(() -> first.trace(b.pid(), ALL)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void choosingAgain_replaces_andEmptyEnds() {
    Told told = new Told();
    TraceSession session = open(told);
    Probe a = Probe.start(Kind.DIRECT, node);
    session.trace(a.pid(), EnumSet.of(Trace.RECEIVES));
    session.trace(a.pid(), Set.of());
    a.say(1);
    a.barrier();
    session.trace(a.pid(), EnumSet.of(Trace.EXITS));
    a.pid().kill();
    told.await("the end", e -> e instanceof TraceEvent.Ended);
    assertThat(told.all).hasSize(1);
    session.trace(a.pid(), ALL); // has ended: nothing
  }

  @Test
  void flood_isLimitedAndCounted() {
    Told told = new Told();
    TraceSession session = node.trace(TraceOptions.defaults().withPerSecond(10), told.all::add);
    Probe a = Probe.start(Kind.EVENT, node);
    session.trace(a.pid(), EnumSet.of(Trace.RECEIVES));
    for (int i = 0; i < 10_000; i++) {
      a.say(i);
    }
    a.barrier();
    Await.until("all that was not lost", () -> received(told) + session.lost() == 10_001);
    assertThat(session.lost()).isGreaterThan(5_000);
  }

  private static long received(Told told) {
    return told.all.stream().filter(e -> e instanceof TraceEvent.Received).count();
  }

  @ParameterizedTest
  @EnumSource
  void processSession_tellsItsOwner_neverOfItself_andEndsWithIt(Kind kind) {
    restart(kind.configure(NodeOptions.defaults()));
    Probe owner = Probe.start(kind, node);
    Probe traced = Probe.start(kind, node);
    TraceSession session = owner.run(self -> self.trace(TraceOptions.defaults(), Msg.Say::new));
    assertThatThrownBy(() -> session.trace(owner.pid(), ALL))
        .isInstanceOf(IllegalArgumentException.class);
    session.trace(traced.pid(), EnumSet.of(Trace.RECEIVES));
    traced.say("seen");
    assertThat(owner.nextSaid())
        .isInstanceOfSatisfying(
            TraceEvent.Received.class, e -> assertThat(e.message()).isEqualTo(new Msg.Say("seen")));
    owner.pid().kill();
    owner.awaitEnd();
    Await.until("the session to end", () -> !session.isOpen());
    assertThat(traced.answers()).isTrue();
  }

  @Test
  void ownersTracingEachOther_doNotLoop() {
    Probe a = Probe.start(Kind.EVENT, node);
    Probe b = Probe.start(Kind.EVENT, node);
    TraceSession ofB = a.run(self -> self.trace(TraceOptions.defaults(), Msg.Say::new));
    TraceSession ofA = b.run(self -> self.trace(TraceOptions.defaults(), Msg.Say::new));
    ofB.trace(b.pid(), EnumSet.of(Trace.RECEIVES));
    ofA.trace(a.pid(), EnumSet.of(Trace.RECEIVES));
    a.say("once");
    assertThat(a.nextSaid()).isEqualTo("once");
    assertThat(b.nextSaid()).isInstanceOf(TraceEvent.Received.class);
    assertThat(a.answers()).isTrue();
  }

  @Test
  void badArguments_areRefused() {
    assertThatThrownBy(() -> TraceOptions.defaults().withCapacity(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TraceOptions.defaults().withPerSecond(-5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-5");
    Probe foreign = Probe.start(Kind.EVENT, start(NodeOptions.defaults()));
    TraceSession session = open(new Told());
    assertThatThrownBy(() -> session.trace(foreign.pid(), ALL))
        .isInstanceOf(IllegalArgumentException.class);
    node.close(Duration.ofSeconds(5));
    assertThat(session.isOpen()).isFalse();
    assertThatThrownBy(() -> open(new Told())).isInstanceOf(IllegalStateException.class);
  }
}
