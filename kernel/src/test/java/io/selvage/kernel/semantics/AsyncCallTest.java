package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls whose outcome completes a stage. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class AsyncCallTest extends KernelTest {
  private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration LONG = Duration.ofHours(1);

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  private Probe probe() {
    return Probe.start(kind, node);
  }

  private static CompletableFuture<Object> ask(Probe callee, Object what, Duration limit) {
    return callee
        .pid()
        .<Object>callAsync(replyTo -> new Msg.Ask(what, replyTo), limit)
        .toCompletableFuture();
  }

  @Test
  void stage_isCompletedByTheReply() {
    Probe callee = probe();
    CompletableFuture<Object> fromThread = ask(callee, "?", LONG);
    CompletableFuture<Object> fromProcess = probe().run(_ -> ask(callee, "?", FOREVER));
    assertThat(fromThread).isNotDone();
    for (int i = 0; i < 2; i++) {
      callee.nextAsked().replyTo().send("reply");
    }
    assertThat(Await.result("the reply", fromThread)).isEqualTo("reply");
    assertThat(Await.result("the reply", fromProcess)).isEqualTo("reply");
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void stages_many_getTheirOwnReplies() {
    Probe callee = probe();
    List<CompletableFuture<Object>> stages = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      stages.add(ask(callee, i, LONG));
    }
    for (int i = 0; i < 1_000; i++) {
      Msg.Ask ask = callee.nextAsked();
      ask.replyTo().send(ask.what());
    }
    for (int i = 0; i < 1_000; i++) {
      assertThat(Await.result("a reply", stages.get(i))).isEqualTo(i);
    }
    assertThat(node.stats().timers()).isZero();
  }

  @Test
  void stage_withoutReplyInTime_failsAndTheLateReplyIsCounted() {
    Probe callee = probe();
    for (Duration limit : List.of(Duration.ZERO, Duration.ofMillis(20))) {
      CompletableFuture<Object> stage = ask(callee, "?", limit);
      assertThatExceptionOfType(CallTimeoutException.class)
          .isThrownBy(() -> Await.result("the timeout", stage));
      callee.nextAsked().replyTo().send("too late");
    }
    assertThat(node.stats().lateReplies()).isEqualTo(2);
  }

  @Test
  void stage_whoseCalleeIsGoneOrEnds_failsWithItsReason() {
    Probe callee = probe();
    CompletableFuture<Object> stage = ask(callee, "?", FOREVER);
    callee.tell(_ -> {
      throw new ExitException(Reasons.DIE);
    });
    assertThatExceptionOfType(CallException.class)
        .isThrownBy(() -> Await.result("the end", stage))
        .extracting(CallException::reason)
        .isEqualTo(Reasons.DIE);
    callee.awaitEnd();
    assertThatExceptionOfType(CallException.class)
        .isThrownBy(() -> Await.result("no process", ask(callee, "?", FOREVER)))
        .extracting(CallException::reason)
        .isEqualTo(ExitReason.noProc());
    assertThat(node.stats().timers()).isZero();
  }

  // 68
  @Test
  void stage_ofCallToItself_failsAtOnce() {
    Probe probe = probe();
    probe.act(_ ->
        assertThatExceptionOfType(CallException.class)
            .isThrownBy(() -> Await.result("the failure", ask(probe, "?", FOREVER)))
            .withCauseInstanceOf(IllegalStateException.class));
    probe.assertQuiet();
  }

  @Test
  void dependents_runOnVirtualThreadsThatAreNobodyElses() {
    Probe callee = probe();
    CompletableFuture<Boolean> blocked = new CompletableFuture<>();
    List<CompletableFuture<Boolean>> virtual = new ArrayList<>();
    for (Duration limit : List.of(LONG, Duration.ofMillis(1))) {
      virtual.add(
          ask(callee, "?", limit)
              .handle((_, _) -> {
                boolean _ = blocked.join(); // keeps neither the timer nor the callee
                return Thread.currentThread().isVirtual();
              }));
    }
    callee.act(_ -> callee.nextAsked().replyTo().send("reply"));
    assertThat(callee.answers()).isTrue();
    assertThatExceptionOfType(CallTimeoutException.class)
        .isThrownBy(() -> callee.ask("?", Duration.ofMillis(1))); // the timer goes on
    assertThat(virtual).noneMatch(CompletableFuture::isDone);
    blocked.complete(true);
    virtual.forEach(each -> assertThat(Await.result("a dependent", each)).isTrue());
  }

  @Test
  void stage_cancelled_givesTheCallUp() {
    Probe callee = probe();
    CompletableFuture<Object> stage = ask(callee, "?", LONG);
    assertThat(node.stats().timers()).isOne();
    callee.barrier(); // a request that is abandoned before it is taken would be skipped
    assertThat(stage.cancel(true)).isTrue();
    assertThat(node.stats().timers()).isZero();
    callee.nextAsked().replyTo().send("too late");
    assertThat(node.stats().lateReplies()).isOne();
  }

  @Test
  void stage_completedBySomebodyElse_countsTheReply() {
    Probe callee = probe();
    CompletableFuture<Object> stage = ask(callee, "?", LONG);
    stage.complete("guess");
    callee.nextAsked().replyTo().send("reply");
    assertThat(stage.join()).isEqualTo("guess");
    Await.until("the reply to be counted", () -> node.stats().lateReplies() == 1);
  }

  @Test
  void stage_ofProcessThatHasEnded_isCompletedNevertheless() {
    Probe callee = probe();
    Probe caller = probe();
    CompletableFuture<Object> stage = caller.run(_ -> ask(callee, "?", LONG));
    caller.pid().kill();
    caller.awaitEnd();
    callee.nextAsked().replyTo().send("reply");
    assertThat(Await.result("the reply", stage)).isEqualTo("reply");
  }

  @Test
  void requestFunction_thatThrows_sendsNothing() {
    Probe callee = probe();
    IllegalStateException planned = new IllegalStateException("planned");
    assertThatThrownBy(() ->
            callee
                .pid()
                .callAsync(
                    _ -> {
                      throw planned;
                    },
                    LONG))
        .isSameAs(planned);
    callee.assertQuiet();
    assertThat(node.stats().timers()).isZero();
  }
}
