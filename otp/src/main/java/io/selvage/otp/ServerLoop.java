package io.selvage.otp;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.Timer;
import io.selvage.kernel.spi.SystemMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@link Server} that runs. */
final class ServerLoop<S, M> extends Loop<M> {
  /** The idle time is over. */
  private record IdleTimeout(Timer timer) implements SystemMessage {}

  /** What the server waits for: no message until the timer has gone off. */
  private record Idling<S, M>(Timer timer, Next<S, M> step) {}

  private final Server<S, M> server;
  private S state;

  private ServerLoop(Server<S, M> server, S state) {
    this.server = server;
    this.state = state;
  }

  // ---------------------------------------------------------------- the start

  private record Program<S, M>(Server<S, M> server)
      implements Init.Setup<M, Pid<M>>, SystemMessage.Program {
    @Override
    public Class<?> code() {
      return server.getClass();
    }

    @Override
    public Behavior<M> start(Self<M> self, Ack<Pid<M>> ack) throws Exception {
      FirstStep<S, M> first =
          Objects.requireNonNull(
              server.init(self),
              "init answered null instead of a first step, such as Next.with(…)");
      return switch (first) {
        case FirstStep.NotStarted<S, M>(var reason, var exit) -> throw ack.fail(reason, exit);
        case Next<S, M> next -> {
          S state = next.state;
          if (state == null) {
            throw new IllegalArgumentException(
                "init answered Next.same(), but there is no state yet: answer Next.with(state)");
          }
          if (next.reason != null) {
            throw ack.fail(next.reason);
          }
          ServerLoop<S, M> loop = new ServerLoop<>(server, state);
          ack.ready(self.pid());
          yield loop.begin(self, next);
        }
      };
    }
  }

  static <S, M> Init<M, Pid<M>> program(Server<S, M> server) {
    return Init.behavior(new Program<>(Objects.requireNonNull(server, "server")));
  }

  // ---------------------------------------------------------------- the loop

  @Override
  Behavior<M> onUser(Self<M> self, M message) throws Exception {
    Idling<S, M> ended = idling();
    if (ended != null) {
      ended.timer().cancel();
      waitFor(null);
    }
    return apply(self, server.onMessage(self, state, message));
  }

  @Override
  Behavior<M> onOwn(Self<M> self, SystemMessage message) throws Exception {
    Idling<S, M> over = idling();
    if (over == null || !(message instanceof IdleTimeout(Timer timer)) || timer != over.timer()) {
      return this; // of a wait that a message has ended
    }
    waitFor(null);
    M timeout = Objects.requireNonNull(over.step().message);
    tell(self, timeout);
    return apply(self, server.onMessage(self, state, timeout));
  }

  /** The first step, of which {@code init} is over: what fails now is a failure of a callback. */
  private Behavior<M> begin(Self<M> self, Next<S, M> first) throws Exception {
    return guarded(self, () -> apply(self, first));
  }

  private Behavior<M> apply(Self<M> self, @Nullable Next<S, M> answer) throws Exception {
    Next<S, M> next = answer;
    while (true) {
      if (next == null) {
        throw new NullPointerException(
            "onMessage answered null instead of what comes next, such as Next.same()");
      }
      if (next.state != null) {
        state = next.state;
      }
      switch (next.how) {
        case WAIT, SAME -> {
          return this;
        }
        case CONTINUE -> {
          M message = Objects.requireNonNull(next.message);
          tell(self, message);
          next = server.onMessage(self, state, message);
        }
        case IDLE -> {
          idle(self, next);
          return this;
        }
        case HIBERNATE -> {
          self.hibernate();
          return this;
        }
        case STOP -> {
          return stop(self, Objects.requireNonNull(next.reason));
        }
      }
    }
  }

  @SuppressWarnings("unchecked") // the loop takes system messages beside those of the user
  private void idle(Self<M> self, Next<S, M> step) {
    Timer timer =
        self.startTimer(
            Objects.requireNonNull(step.timeout), set -> (M) (Object) new IdleTimeout(set));
    waitFor(new Idling<>(timer, step));
  }

  @SuppressWarnings("unchecked") // it waits for nothing else
  private @Nullable Idling<S, M> idling() {
    return (Idling<S, M>) waiting();
  }

  @Override
  void beforeSystemRequest(Self<M> self) {
    Idling<S, M> present = idling();
    if (present != null) {
      present.timer().cancel();
      idle(self, present.step());
    }
  }

  // ---------------------------------------------------------------- what others see

  @Override
  void terminate(Self<M> self, ExitReason reason) throws Exception {
    server.terminate(self, state, reason);
  }

  @Override
  String behaviour() {
    return "server";
  }

  @Override
  Class<?> code() {
    return server.getClass();
  }

  @Override
  Object state() {
    return state;
  }

  @Override
  @SuppressWarnings("unchecked") // whoever replaces it knows what it is
  void replaceState(Object next) {
    state = (S) next;
  }

  @Override
  public Object shownState() {
    return server.shown(state);
  }
}
