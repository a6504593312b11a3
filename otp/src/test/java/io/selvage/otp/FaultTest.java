package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Functions of the user's that a behaviour runs for somebody else, and which throw what is no
 * exception: that somebody is told, and the behaviour goes on.
 */
class FaultTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;

  /** What they throw. */
  @SuppressWarnings("TypeParameterUnusedInFormals") // nothing is answered
  enum Thrown {
    EXCEPTION {
      @Override
      <R> R now() {
        throw new IllegalStateException("thrown by the test");
      }
    },
    ASSERTION {
      @Override
      <R> R now() {
        throw new AssertionError("thrown by the test");
      }
    },
    LINKAGE {
      @Override
      <R> R now() {
        throw new NoClassDefFoundError("thrown by the test");
      }
    },
    FULL_STACK {
      @Override
      @SuppressWarnings("InfiniteRecursion") // that is the point
      <R> R now() {
        return this.<R>now();
      }
    };

    abstract <R> R now();
  }

  record Ask(ReplyTo<Boolean> replyTo) {}

  /** A server that cannot be shown. */
  private record Hidden(Thrown thrown) implements Server<Integer, Ask> {
    @Override
    public FirstStep<Integer, Ask> init(Self<Ask> self) {
      return Next.with(0);
    }

    @Override
    public Next<Integer, Ask> onMessage(Self<Ask> self, Integer state, Ask message) {
      message.replyTo().send(true);
      return Next.same();
    }

    @Override
    public Object shown(Integer state) {
      return thrown.now();
    }
  }

  private static void answers(Pid<Ask> server) {
    assertThat(server.<Boolean>call(Ask::new, SOON)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void serverThatCannotBeShown_saysSo_andGoesOn(Thrown thrown) {
    for (Form form : Form.values()) {
      Pid<Ask> server = Server.start(node, new Hidden(thrown), form.<Ask>options()).orThrow().pid();
      assertThat(Sys.status(server, SOON).state().toString())
          .startsWith("not shown: showing it threw java.lang.");
      answers(server);
      Fate fate = Fate.of(node, server);
      Sys.stop(server, ExitReason.shutdown(), SOON);
      assertThat(fate.reason()).isEqualTo(ExitReason.shutdown());
    }
  }

  /** The report of its crash shows it, too. */
  @ParameterizedTest
  @EnumSource
  void serverThatCannotBeShown_endsWithTheReasonOfItsOwnFault(Thrown thrown) {
    for (Form form : Form.values()) {
      Pid<Ask> server = Server.start(node, new Hidden(thrown), form.<Ask>options()).orThrow().pid();
      Fate fate = Fate.of(node, server);
      server.send(new Ask(null));
      assertThat(fate.reason())
          .isInstanceOfSatisfying(
              ExitReason.Crash.class,
              crash -> assertThat(crash.cause()).isInstanceOf(NullPointerException.class));
    }
  }

  @ParameterizedTest
  @EnumSource
  void sinkOfATrace_thatFails_isToldNoMore(Thrown thrown) {
    for (Form form : Form.values()) {
      Pid<Ask> server = Server.start(node, new Hidden(thrown), form.<Ask>options()).orThrow().pid();
      Sys.trace(server, _ -> thrown.now(), SOON);
      answers(server);
      answers(server);
    }
  }

  @ParameterizedTest
  @EnumSource
  void changeOfAState_thatFails_isTheAskersFault(Thrown thrown) {
    for (Form form : Form.values()) {
      Pid<Ask> server = Server.start(node, new Hidden(thrown), form.<Ask>options()).orThrow().pid();
      assertThatIllegalStateException()
          .isThrownBy(() -> Sys.replaceState(server, Integer.class, _ -> thrown.now(), SOON))
          .withMessageContaining("was not replaced");
      answers(server);
    }
  }

  // ---------------------------------------------------------------- supervisors

  @ParameterizedTest
  @EnumSource
  void functionThatStartsAChild_andFails_isAFailedStart(Thrown thrown) {
    for (Form form : Form.values()) {
      ChildSpec<Ask, Pid<Ask>> spec = ChildSpec.startedBy("a", (_, _) -> thrown.now());
      Supervisor supervisor =
          Supervisor.start(node, SupervisorSpec.oneForOne(), form.options()).orThrow().value();
      assertThat(supervisor.startChild(spec)).isInstanceOf(StartChildResult.Failed.class);
      assertThat(supervisor.countChildren().specs()).isZero();
      DynamicSupervisor dynamic =
          DynamicSupervisor.start(node, DynamicSpec.defaults(), form.options()).orThrow().value();
      assertThat(dynamic.startChild(spec)).isInstanceOf(StartChildResult.Failed.class);
      assertThat(dynamic.countChildren().specs()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void functionThatStartsAChildAgain_andFails_isTriedAgain(Thrown thrown) {
    for (Form form : Form.values()) {
      AtomicInteger starts = new AtomicInteger();
      Supervisor supervisor =
          Supervisor.start(
                  node,
                  SupervisorSpec.oneForOne(
                          ChildSpec.startedBy(
                              "a",
                              (spawner, _) ->
                                  starts.incrementAndGet() == 2
                                      ? thrown.now()
                                      : Server.start(
                                          spawner,
                                          new Hidden(thrown),
                                          form.<Ask>options().linked())))
                      .withIntensity(2, SOON), // the restart that fails, and the one after it
                  form.options())
              .orThrow()
              .value();
      supervisor.whichChildren().getFirst().pid().orElseThrow().kill();
      Await.until(
          "the child to be there again",
          () -> starts.get() == 3 && supervisor.countChildren().active() == 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void listenerOfASupervisor_thatFails_isToldNoMore(Thrown thrown) {
    for (Form form : Form.values()) {
      AtomicInteger told = new AtomicInteger();
      Supervisor supervisor =
          Supervisor.start(
                  node,
                  SupervisorSpec.oneForOne(
                          ChildSpec.of("a", Server.of(new Hidden(thrown)), form.<Ask>options()))
                      .withIntensity(10, SOON)
                      .reportingTo(_ -> {
                        told.incrementAndGet();
                        thrown.now();
                      }),
                  form.options())
              .orThrow()
              .value();
      Pid<?> first = supervisor.whichChildren().getFirst().pid().orElseThrow();
      first.kill();
      Await.until(
          "the child to be there again",
          () ->
              supervisor
                  .whichChildren()
                  .getFirst()
                  .pid()
                  .filter(now -> !now.equals(first))
                  .isPresent());
      assertThat(told).hasValue(1);
    }
  }

  // ---------------------------------------------------------------- pools and applications

  @ParameterizedTest
  @EnumSource
  void functionsOfAPool_thatFail_failOneRequestAlone(Thrown thrown) {
    for (Form form : Form.values()) {
      AtomicReference<Boolean> keyFails = new AtomicReference<>(true);
      Pool<Ask> pool =
          node.start(
                  Pool.of(
                      spawner -> Server.start(spawner, new Hidden(thrown), form.<Ask>options()),
                      PoolOptions.<Ask>of(2)
                          .routed(
                              new PoolOptions.Routing.Hashed<>(
                                  _ -> keyFails.get() ? thrown.now() : 1))),
                  SOON,
                  form.<Ask>options())
              .orThrow()
              .value();
      pool.send(new Ask(null));
      assertFails(() -> pool.<Boolean>call(Ask::new, SOON));
      keyFails.set(false);
      assertFails(() -> pool.<Boolean>call(_ -> thrown.now(), SOON));
      assertThat(pool.<Boolean>call(Ask::new, SOON)).isTrue();
      assertNotHurt(pool.status(), 2);
    }
  }

  private static void assertFails(ThrowingCallable call) {
    assertThatExceptionOfType(CallException.class)
        .isThrownBy(call)
        .satisfies(told -> assertThat(told.reason()).isInstanceOf(ExitReason.Crash.class));
  }

  private static void assertNotHurt(Pool.Status status, int size) {
    assertThat(status.size()).isEqualTo(size);
    assertThat(status.replaced()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void functionThatStartsAWorkerAgain_andFails_isTriedAgain(Thrown thrown) {
    for (Form form : Form.values()) {
      AtomicInteger starts = new AtomicInteger();
      AtomicReference<Pid<Ask>> worker = new AtomicReference<>();
      Pool<Ask> pool =
          node.start(
                  Pool.of(
                      spawner -> {
                        if (starts.incrementAndGet() == 2) {
                          return thrown.now();
                        }
                        StartResult<Ask, Pid<Ask>> result =
                            Server.start(spawner, new Hidden(thrown), form.<Ask>options());
                        worker.set(result.orThrow().pid());
                        return result;
                      },
                      PoolOptions.of(1)),
                  SOON,
                  form.<Ask>options())
              .orThrow()
              .value();
      worker.get().kill();
      Await.until(
          "the worker to be there again", () -> starts.get() == 3 && pool.status().idle() == 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void applicationThatFailsToStart_isReported_andTheOthersStop(Thrown thrown) {
    AtomicReference<Pid<Ask>> first = new AtomicReference<>();
    StartResult<?, Applications> result =
        Applications.start(
            node,
            Applications.Options.defaults(),
            Application.of(
                "a",
                (spawner, _) -> {
                  StartResult<Ask, Pid<Ask>> started = Server.start(spawner, new Hidden(thrown));
                  first.set(started.orThrow().pid());
                  return started;
                }),
            Application.of("b", (_, _) -> thrown.now()).after("a"));
    assertThat(result)
        .isInstanceOfSatisfying(
            StartResult.Failed.class,
            failed ->
                assertThat(failed.reason())
                    .isInstanceOfSatisfying(
                        Applications.NotStarted.class,
                        why -> assertThat(why.application()).isEqualTo("b")));
    assertThat(first.get().isAlive()).isFalse();
  }

  @Test
  void nullState_isNotShown() {
    Server<Integer, Ask> server =
        new Server<>() {
          @Override
          public FirstStep<Integer, Ask> init(Self<Ask> self) {
            return Next.with(0);
          }

          @Override
          public Next<Integer, Ask> onMessage(Self<Ask> self, Integer state, Ask message) {
            return Next.same();
          }

          @Override
          public Object shown(Integer state) {
            return null;
          }
        };
    assertThat(Sys.status(Server.start(node, server).orThrow().pid(), SOON).state().toString())
        .startsWith("not shown: ");
  }
}
