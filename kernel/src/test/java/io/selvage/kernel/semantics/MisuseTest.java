package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.selvage.kernel.Alias;
import io.selvage.kernel.AliasOptions;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Marks;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Name;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.NodeStats;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Arguments and callers that are refused, at the call, before anything changes. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class MisuseTest extends KernelTest {
  private static final Name<Msg> NAME = Name.of("name");
  private static final Body<Msg> BODY = _ -> {};
  private static final Behavior<Msg> BEHAVIOR = (_, _) -> Behavior.stop();
  private static final SpawnOptions<Msg> OPTIONS = SpawnOptions.defaults();
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  @Test
  void null_asAnyArgumentFromOutside_isRefusedAtTheCall() {
    Probe probe = Probe.start(kind, node);
    NodeStats before = node.stats();
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("spawn(body)", () -> node.spawn((Body<Msg>) null));
    calls.put("spawn(body, options)", () -> node.spawn((Body<Msg>) null, OPTIONS));
    calls.put("spawn(…, options) of body", () -> node.spawn(BODY, null));
    calls.put("spawn(behavior)", () -> node.spawn((Behavior<Msg>) null));
    calls.put("spawn(behavior, options)", () -> node.spawn((Behavior<Msg>) null, OPTIONS));
    calls.put("spawn(…, options) of behavior", () -> node.spawn(BEHAVIOR, null));
    calls.put("register(name, …)", () -> node.register(null, probe.pid()));
    calls.put("register(…, pid)", () -> node.register(NAME, null));
    calls.put("unregister", () -> node.unregister(null));
    calls.put("whereis", () -> node.whereis(null));
    calls.put("send(name, …)", () -> node.send(null, new Msg.Say("")));
    calls.put("send(…, message)", () -> node.send(NAME, null));
    calls.put("sendAfter(delay, …)", () -> node.sendAfter(null, NAME, new Msg.Say("")));
    calls.put("sendAfter(…, target, …)", () -> node.sendAfter(SECOND, null, new Msg.Say("")));
    calls.put("sendAfter(…, message)", () -> node.sendAfter(SECOND, NAME, null));
    calls.put("close", () -> node.close(null));
    calls.put("Node.start", () -> Node.start(null));
    calls.put("pid.send", () -> probe.pid().send(null));
    calls.put("pid.exit", () -> probe.pid().exit(null));
    calls.put("pid.call(request, …)", () -> probe.pid().call(null, SECOND));
    calls.put(
        "pid.call(…, timeout)",
        () -> probe.pid().<Object>call(replyTo -> new Msg.Ask("", replyTo), null));
    calls.put("pid.callAsync(request, …)", () -> probe.pid().callAsync(null, SECOND));
    calls.put(
        "pid.callAsync(…, timeout)",
        () -> probe.pid().<Object>callAsync(replyTo -> new Msg.Ask("", replyTo), null));
    calls.put("AliasOptions.withMode", () -> AliasOptions.defaults().withMode(null));
    calls.put("Name.of", () -> Name.of(null));
    calls.put("Behavior.stop", () -> Behavior.stop(null));
    calls.put("Behavior.setup", () -> Behavior.setup(null));
    calls.put("ExitException", () -> new ExitException(null));
    calls.put("Crash", () -> new ExitReason.Crash(null));
    calls.put("named", () -> OPTIONS.named(null));
    calls.put("labelled", () -> OPTIONS.labelled(null));
    calls.put("trappingExits", () -> OPTIONS.trappingExits(null));
    calls.put("withName", () -> NodeOptions.defaults().withName(null));
    calls.put("withCloseTimeout", () -> NodeOptions.defaults().withCloseTimeout(null));
    calls.put("withLongHandler", () -> NodeOptions.defaults().withLongHandler(null));
    calls.put("withMarks", () -> NodeOptions.defaults().withMarks(null));
    calls.put("SpawnOptions.withMarks", () -> OPTIONS.withMarks(null));
    calls.put("Node.marks", () -> node.marks(null));
    calls.put("Marks.withBound", () -> Marks.defaults().withBound(null));
    calls.put("withClock", () -> NodeOptions.defaults().withClock(null));
    calls.put("withThreads", () -> NodeOptions.defaults().withThreads(null));
    calls.put("withScheduler", () -> NodeOptions.defaults().withScheduler(null));
    calls.put("withEvents", () -> NodeOptions.defaults().withEvents(null));
    assertNullRefused(calls);
    assertThat(node.stats()).isEqualTo(before);
    assertThat(probe.answers()).isTrue();
    probe.assertQuiet();
  }

  @Test
  void null_asAnyArgumentOfSelf_isRefusedAtTheCall() {
    Probe probe = Probe.start(kind, node);
    Probe other = Probe.start(kind, node);
    NodeStats before = node.stats();
    probe.act(self -> {
      Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
      calls.put("link", () -> self.link(null));
      calls.put("unlink", () -> self.unlink(null));
      calls.put("monitor(target, …)", () -> self.monitor(null, Msg.GotDown::new));
      calls.put("monitor(…, toMessage)", () -> self.monitor(other.pid(), null));
      calls.put("demonitor", () -> self.demonitor(null));
      calls.put("demonitorFlush", () -> self.demonitorFlush(null));
      calls.put("trapExits", () -> self.trapExits(null));
      calls.put("sendAfter(delay, …)", () -> self.sendAfter(null, new Msg.Say("")));
      calls.put("sendAfter(…, message)", () -> self.sendAfter(SECOND, null));
      Msg say = new Msg.Say("");
      calls.put("sendAfter(delay, …) to other", () -> self.sendAfter(null, other.pid(), say));
      calls.put("sendAfter(…, target, …)", () -> self.sendAfter(SECOND, null, say));
      calls.put("sendAfter(…, message) to other", () -> self.sendAfter(SECOND, NAME, null));
      calls.put("startTimer(delay, …)", () -> self.startTimer(null, Msg.Say::new));
      calls.put("startTimer(…, toMessage)", () -> self.startTimer(SECOND, null));
      calls.put("startTimer(…, target, …)", () -> self.startTimer(SECOND, null, Msg.Say::new));
      calls.put("startTimer(…, toMessage) to other", () -> self.startTimer(SECOND, NAME, null));
      calls.put("sendEvery(pause, …)", () -> self.sendEvery(null, say));
      calls.put("sendEvery(…, message)", () -> self.sendEvery(SECOND, null));
      calls.put("sendAtFixedRate(period, …)", () -> self.sendAtFixedRate(null, say));
      calls.put("sendAtFixedRate(…, message)", () -> self.sendAtFixedRate(SECOND, null));
      calls.put("spawn(body)", () -> self.spawn((Body<Msg>) null));
      calls.put("spawn(behavior)", () -> self.spawn((Behavior<Msg>) null));
      calls.put("spawn(…, options) of body", () -> self.spawn(BODY, null));
      calls.put("spawn(…, options) of behavior", () -> self.spawn(BEHAVIOR, null));
      calls.put("spawnLink(body)", () -> self.spawnLink((Body<Msg>) null));
      calls.put("spawnLink(behavior)", () -> self.spawnLink((Behavior<Msg>) null));
      calls.put("spawnMonitor(body)", () -> self.spawnMonitor((Body<Msg>) null, Msg.GotDown::new));
      calls.put(
          "spawnMonitor(behavior)",
          () -> self.spawnMonitor((Behavior<Msg>) null, Msg.GotDown::new));
      calls.put("spawnMonitor(…, toMessage) of body", () -> self.spawnMonitor(BODY, null));
      calls.put("spawnMonitor(…, toMessage) of behavior", () -> self.spawnMonitor(BEHAVIOR, null));
      calls.put(
          "spawnMonitor(…, options) of body",
          () -> self.spawnMonitor(BODY, Msg.GotDown::new, null));
      calls.put(
          "spawnMonitor(…, options) of behavior",
          () -> self.spawnMonitor(BEHAVIOR, Msg.GotDown::new, null));
      AliasOptions aliasOptions = AliasOptions.defaults();
      calls.put(
          "request(target, …)", () -> self.request(null, MisuseTest::ask, SECOND, Msg.Say::new));
      calls.put(
          "request(…, request, …)", () -> self.request(other.pid(), null, SECOND, Msg.Say::new));
      calls.put(
          "request(…, timeout, …)",
          () -> self.request(other.pid(), MisuseTest::ask, null, Msg.Say::new));
      calls.put(
          "request(…, toMessage)", () -> self.request(other.pid(), MisuseTest::ask, SECOND, null));
      calls.put("alias(options, …)", () -> self.alias(null, Msg.Say::new));
      calls.put("alias(…, toMessage)", () -> self.alias(aliasOptions, null));
      calls.put("unalias", () -> self.unalias(null));
      calls.put(
          "monitorWithAlias(target, …)",
          () -> self.monitorWithAlias(null, Msg.GotDown::new, aliasOptions, Msg.Say::new));
      calls.put(
          "monitorWithAlias(…, toMessage, …)",
          () -> self.monitorWithAlias(other.pid(), null, aliasOptions, Msg.Say::new));
      calls.put(
          "monitorWithAlias(…, options, …)",
          () -> self.monitorWithAlias(other.pid(), Msg.GotDown::new, null, Msg.Say::new));
      calls.put(
          "monitorWithAlias(…, fromAlias)",
          () -> self.monitorWithAlias(other.pid(), Msg.GotDown::new, aliasOptions, null));
      Alias<Msg> alias = self.alias();
      calls.put("alias.send", () -> alias.send(null));
      calls.put("alias.sendPriority", () -> alias.sendPriority(null));
      assertNullRefused(calls);
    });
    probe.assertQuiet();
    assertThat(node.stats()).isEqualTo(before);
  }

  private static Msg ask(ReplyTo<Object> replyTo) {
    return new Msg.Ask("?", replyTo);
  }

  private static void assertNullRefused(Map<String, ThrowingCallable> calls) {
    assertThat(calls)
        .allSatisfy((name, call) -> assertThatNullPointerException().as(name).isThrownBy(call));
  }

  @Test
  void null_asReply_isRefusedAtTheCall() {
    Probe probe = Probe.start(kind, node);
    Probe caller = Probe.start(kind, node);
    var reply = caller.start(_ -> probe.ask("?", Duration.ofSeconds(10)));
    var replyTo = probe.nextAsked().replyTo();
    assertThatNullPointerException().isThrownBy(() -> replyTo.send(null));
    replyTo.send("good"); // the refused one was none
    assertThat(reply).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("good");
  }

  @Test
  void negativeDuration_isRefusedAtTheCall() {
    Duration negative = Duration.ofNanos(-1);
    Probe probe = Probe.start(kind, node);
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("close", () -> node.close(negative));
    calls.put("call", () -> probe.ask("?", negative));
    calls.put("callAsync", () -> probe.pid().callAsync(MisuseTest::ask, negative));
    calls.put("closeTimeout", () -> NodeOptions.defaults().withCloseTimeout(negative));
    calls.put("longHandler", () -> NodeOptions.defaults().withLongHandler(negative));
    calls.put("longest negative", () -> node.close(Duration.ofSeconds(Long.MIN_VALUE)));
    assertThat(calls)
        .allSatisfy((name, call) -> assertThatIllegalArgumentException().as(name).isThrownBy(call));
    probe.act(self ->
        assertThatIllegalArgumentException()
            .isThrownBy(() -> self.sendAfter(negative, new Msg.Say(""))));
    probe.act(self ->
        assertThatIllegalArgumentException()
            .isThrownBy(() -> self.request(probe.pid(), MisuseTest::ask, negative, Msg.Say::new)));
    probe.assertQuiet();
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void numbers_outOfRange_areRefused() {
    NodeOptions options = NodeOptions.defaults();
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("no workers", () -> options.withWorkers(0));
    calls.put("too many workers", () -> options.withWorkers(1025));
    calls.put("no mark", () -> Marks.at(0));
    calls.put("negative mark", () -> Marks.at(-1));
    calls.put("low mark as high as the high", () -> new Marks(5, 5, 5, Duration.ofSeconds(1)));
    calls.put("negative low mark", () -> new Marks(5, -1, 5, Duration.ofSeconds(1)));
    calls.put("no message of a handler", () -> Marks.defaults().withMost(0));
    calls.put("no time to be held back", () -> Marks.defaults().withBound(Duration.ZERO));
    calls.put("no turn", () -> options.withTurn(0));
    calls.put("no long handler", () -> options.withLongHandler(Duration.ZERO));
    calls.put("blank node name", () -> options.withName(" "));
    calls.put("blank name", () -> Name.of(" "));
    calls.put("reserved name", () -> Name.of("undefined"));
    assertThat(calls)
        .allSatisfy((name, call) -> assertThatIllegalArgumentException().as(name).isThrownBy(call));
  }

  @Test
  void spawnWithLink_fromNode_isRefused() {
    SpawnOptions<Msg> linked = OPTIONS.named(NAME).linked();
    assertThatIllegalArgumentException().isThrownBy(() -> node.spawn(BODY, linked));
    assertThatIllegalArgumentException().isThrownBy(() -> node.spawn(BEHAVIOR, linked));
    assertThat(node.stats())
        .isEqualTo(new NodeStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(node.whereis(NAME)).isEmpty();
  }

  @Test
  void spawnWithTakenName_isRefusedAndLeavesNothingBehind() {
    Probe holder = Probe.start(kind, node, OPTIONS.named(NAME));
    Probe parent = Probe.trapping(kind, node);
    AtomicReference<String> ran = new AtomicReference<>();
    parent.act(self -> {
      Body<Msg> body = _ -> ran.set("body");
      Behavior<Msg> setup =
          Behavior.setup(_ -> {
            ran.set("setup");
            return Behavior.stop();
          });
      SpawnOptions<Msg> options = OPTIONS.named(NAME).linked();
      assertThatIllegalStateException().isThrownBy(() -> self.spawn(body, options));
      assertThatIllegalStateException().isThrownBy(() -> self.spawn(setup, options));
      assertThatIllegalStateException()
          .isThrownBy(() -> self.spawnMonitor(body, Msg.GotDown::new, options));
      assertThatIllegalStateException()
          .isThrownBy(() -> self.spawnMonitor(setup, Msg.GotDown::new, options));
    });
    assertThatIllegalStateException().isThrownBy(() -> node.spawn(BODY, OPTIONS.named(NAME)));
    assertThat(node.stats().processes()).isEqualTo(2);
    assertThat(node.whereis(NAME)).contains(holder.pid());
    parent.assertQuiet(); // no exit and no down of a process that never was
    assertThat(ran).hasNullValue();
    assertThat(node.stats().crashed()).isZero();
  }

  @Test
  void self_usedByAnotherThread_isRefused() {
    Probe probe = Probe.start(kind, node);
    MonitorRef monitor = probe.run(self -> self.monitor(self.pid(), Msg.GotDown::new));
    Self<Msg> stolen = probe.run(self -> self);
    assertRefused(stolen, probe.pid(), monitor);
    assertThat(probe.answers()).isTrue();
    probe.pid().kill();
    probe.awaitEnd();
    assertRefused(stolen, probe.pid(), monitor); // after the end, too
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void self_usedByAnotherProcess_isRefused() {
    Node narrow = restart(options(NodeOptions.defaults()).withWorkers(1));
    Probe victim = Probe.start(kind, narrow);
    Probe thief = Probe.start(kind, narrow);
    MonitorRef monitor = victim.run(self -> self.monitor(self.pid(), Msg.GotDown::new));
    Self<Msg> stolen = victim.run(self -> self);
    NodeStats before = narrow.stats();
    thief.act(_ -> assertRefused(stolen, victim.pid(), monitor));
    assertThat(narrow.stats()).isEqualTo(before);
    thief.pid().kill();
    assertThat(victim.answers()).isTrue(); // and is not linked
    victim.assertQuiet();
  }

  @Test
  void self_usedByThreadThatItsProcessStarted_isRefused() {
    Probe probe = Probe.start(kind, node);
    MonitorRef monitor = probe.run(self -> self.monitor(self.pid(), Msg.GotDown::new));
    probe.act(self -> {
      AtomicReference<Throwable> outcome = new AtomicReference<>();
      Thread.ofVirtual()
          .start(() -> {
            try {
              assertRefused(self, self.pid(), monitor);
            } catch (Throwable t) { // told below
              outcome.set(t);
            }
          })
          .join();
      assertThat(outcome).hasNullValue();
    });
  }

  private static void assertRefused(Self<Msg> self, Pid<Msg> pid, MonitorRef monitor) {
    assertThat(SelfCalls.all(pid, monitor))
        .allSatisfy((name, call) ->
            assertThatIllegalStateException().as(name).isThrownBy(() -> call.make(self)));
  }
}
