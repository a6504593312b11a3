package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a handler does to its thread is gone when the next message is handled. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class LeakTest extends KernelTest {
  private static final ThreadLocal<String> LOCAL = new ThreadLocal<>();
  private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    // One worker, so that all event processes share a thread.
    return kind.configure(defaults).withWorkers(1);
  }

  @Test
  void interruptStatus_leftByHandler_isNotSeenByAnotherProcess() {
    Probe careless = Probe.start(kind, node);
    Probe other = Probe.start(kind, node);
    for (int i = 0; i < 100; i++) {
      careless.act(_ -> Thread.currentThread().interrupt());
      assertThat(other.<Boolean>run(_ -> Thread.currentThread().isInterrupted())).isFalse();
    }
  }

  @Test
  void interruptStatus_leftByEventHandler_isNotSeenByTheNext() {
    assumeThat(kind.isDirect()).as("a body is one piece of code").isFalse();
    Probe careless = Probe.start(kind, node);
    for (int i = 0; i < 100; i++) {
      careless.act(_ -> Thread.currentThread().interrupt());
      assertThat(careless.<Boolean>run(_ -> Thread.currentThread().isInterrupted())).isFalse();
    }
    // Both in the mailbox at once: they may be handled in one turn.
    careless.tell(_ -> Thread.currentThread().interrupt());
    careless.tell(self -> self.pid().send(new Msg.Say(Thread.currentThread().isInterrupted())));
    assertThat(careless.nextSaid()).isEqualTo(false);
  }

  @Test
  void interruptStatus_leftByHandlerThatCrashes_isNotSeenByAnother() {
    Probe other = Probe.start(kind, node);
    for (int i = 0; i < 20; i++) {
      Probe crashing = Probe.start(kind, node);
      crashing.tell(_ -> {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("planned");
      });
      crashing.awaitEnd();
      assertThat(other.<Boolean>run(_ -> Thread.currentThread().isInterrupted())).isFalse();
    }
  }

  @Test
  void interruptOfExitSignal_isNotSeenByAnotherProcess() {
    Probe other = Probe.start(kind, node);
    for (int i = 0; i < 200; i++) {
      Probe ended = Probe.start(kind, node);
      ended.tell(_ -> {
        for (int k = 0; k < 50; k++) {
          Thread.onSpinWait();
        }
      });
      ended.pid().exit(Reasons.DIE);
      assertThat(other.<Boolean>run(_ -> Thread.currentThread().isInterrupted())).isFalse();
      ended.awaitEnd();
      assertThat(other.<Boolean>run(_ -> Thread.currentThread().isInterrupted())).isFalse();
    }
  }

  @Test
  void threadLocal_setByHandler_isNotSeenByAnotherProcess() {
    assumeThreadLocalsCanBeErased();
    Probe careless = Probe.start(kind, node);
    Probe other = Probe.start(kind, node);
    for (int i = 0; i < 10; i++) {
      careless.act(_ -> {
        LOCAL.set("left behind");
        INHERITED.set("left behind");
      });
      assertThat(other.<String>run(_ -> LOCAL.get())).isNull();
      assertThat(other.<String>run(_ -> INHERITED.get())).isNull();
      Probe fresh = Probe.start(kind, node);
      assertThat(fresh.<String>run(_ -> LOCAL.get())).isNull();
    }
  }

  @Test
  void threadLocal_setByEventHandler_isNotSeenByTheNext() {
    assumeThat(kind).isEqualTo(Kind.EVENT);
    assumeThreadLocalsCanBeErased();
    Probe careless = Probe.start(kind, node);
    careless.tell(_ -> {
      LOCAL.set("left behind");
      INHERITED.set("left behind");
    });
    // In the mailbox at once, so perhaps in the same turn.
    careless.tell(self -> self.pid().send(new Msg.Say(String.valueOf(LOCAL.get()))));
    careless.tell(self -> self.pid().send(new Msg.Say(String.valueOf(INHERITED.get()))));
    assertThat(careless.nextSaid()).isEqualTo("null");
    assertThat(careless.nextSaid()).isEqualTo("null");
  }

  @Test
  void threadLocal_ofBody_staysWithItsProcess() {
    assumeThat(kind.isDirect()).isTrue();
    Probe probe = Probe.start(kind, node);
    probe.act(_ -> LOCAL.set("mine"));
    assertThat(probe.<String>run(_ -> LOCAL.get())).isEqualTo("mine");
  }

  private void assumeThreadLocalsCanBeErased() {
    if (kind == Kind.EVENT) {
      assumeThat(Object.class.getModule().isOpen("java.lang", Node.class.getModule()))
          .as("run with --add-opens java.base/java.lang=io.selvage.kernel")
          .isTrue();
    }
  }
}
