package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers: their start, their answers, and their end. */
class ServerTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;

  sealed interface Msg {
    record Add(long more) implements Msg {}

    record Get(ReplyTo<Long> replyTo) implements Msg {}

    record Do(Server<Long, Msg> what) implements Msg {}

    record Note(String text) implements Msg {}
  }

  /** What a server of the test was told, in order. */
  private final List<String> told = new CopyOnWriteArrayList<>();

  /** A server whose callbacks a test can replace. */
  private abstract class Sum implements Server<Long, Msg> {
    @Override
    public FirstStep<Long, Msg> init(Self<Msg> self) throws Exception {
      return Next.with(0L);
    }

    @Override
    public Next<Long, Msg> onMessage(Self<Msg> self, Long state, Msg message) throws Exception {
      return switch (message) {
        case Msg.Add(long more) -> Next.with(state + more);
        case Msg.Get(var replyTo) -> {
          replyTo.send(state);
          yield Next.same();
        }
        case Msg.Do(var what) -> what.onMessage(self, state, message);
        case Msg.Note(var text) -> {
          told.add(text);
          yield Next.same();
        }
      };
    }

    @Override
    public void terminate(Self<Msg> self, Long state, ExitReason reason) throws Exception {
      told.add("terminate " + state + " " + reason);
    }
  }

  private final class Plain extends Sum {}

  private Pid<Msg> start(Form form) {
    return Server.start(node, new Plain(), form.<Msg>options()).orThrow().pid();
  }

  @ParameterizedTest
  @EnumSource
  void messages_areHandledInOrderWithTheStateOfTheOneBefore(Form form) {
    Pid<Msg> sum = start(form);
    sum.send(new Msg.Add(2));
    sum.send(new Msg.Add(3));
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource
  void init_thatIgnores_endsNormallyAndTellsSo(Form form) {
    StartResult<Msg, Pid<Msg>> result =
        Server.start(
            node,
            new Sum() {
              @Override
              public FirstStep<Long, Msg> init(Self<Msg> self) {
                return FirstStep.ignore();
              }
            },
            form.<Msg>options());
    assertThat(result)
        .isInstanceOfSatisfying(
            StartResult.Ended.class, ended -> assertThat(ended.reason()).isEqualTo(new Ignored()));
    assertThat(told).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void stop_runsTerminateAndEndsWithTheReason(Form form) {
    Pid<Msg> sum = start(form);
    sum.send(new Msg.Add(2));
    Sys.stop(sum, ExitReason.shutdown(), SOON);
    assertThat(told).containsExactly("terminate 2 shutdown");
    assertThat(sum.isAlive()).isFalse();
    assertThatThrownBy(() -> Sys.stop(sum, ExitReason.shutdown(), SOON))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("ended before");
  }

  @ParameterizedTest
  @EnumSource
  void parentsExit_endsATrappingServerInOrder_evenIfItTrapsWithItsOwnFunction(Form form) {
    Probe parent = Probe.start(Kind.EVENT, node);
    Pid<Msg> sum =
        parent.run(self ->
            Server.start(
                    self,
                    new Plain(),
                    form.<Msg>options()
                        .linked()
                        .trappingExits(exit -> new Msg.Note("exit " + exit.reason())))
                .orThrow()
                .pid());
    Probe other = Probe.start(Kind.EVENT, node);
    other.act(self -> self.link(sum));
    other.pid().exit(new ExitReason.Shutdown("other"));
    Await.until("the exit of the other is told", () -> told.contains("exit shutdown(other)"));
    parent.pid().exit(ExitReason.shutdown());
    Await.until("the server ends", () -> !sum.isAlive());
    assertThat(told).containsExactly("exit shutdown(other)", "terminate 0 shutdown");
  }

  @ParameterizedTest
  @EnumSource
  void failure_runsTerminateOnceAndEndsWithIt(Form form) {
    Pid<Msg> sum = start(form);
    sum.send(
        new Msg.Do(
            new Sum() {
              @Override
              public Next<Long, Msg> onMessage(Self<Msg> self, Long state, Msg message) {
                throw new ExitException(new ExitReason.Shutdown("enough"));
              }
            }));
    Await.until("the server ends", () -> !sum.isAlive());
    assertThat(told).containsExactly("terminate 0 shutdown(enough)");
  }

  @ParameterizedTest
  @EnumSource
  void suspended_holdsMessagesBackUntilResumed(Form form) {
    Pid<Msg> sum = start(form);
    Sys.suspend(sum, SOON);
    sum.send(new Msg.Note("one"));
    sum.send(new Msg.Note("two"));
    assertThat(Sys.status(sum, SOON).suspended()).isTrue();
    assertThat(told).isEmpty();
    Sys.resume(sum, SOON);
    sum.send(new Msg.Note("three"));
    assertThat(sum.<Long>call(Msg.Get::new, SOON)).isZero();
    assertThat(told).containsExactly("one", "two", "three");
  }
}
