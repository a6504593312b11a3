package io.selvage.examples;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.otp.FirstStep;
import io.selvage.otp.Next;
import io.selvage.otp.Server;
import io.selvage.otp.Sys;
import java.time.Duration;

/** A server: a thermostat that remembers what it measured, and heats. */
public final class Thermostat {
  private Thermostat() {}

  sealed interface Msg {
    record Measured(double celsius) implements Msg {}

    record Heating(ReplyTo<Boolean> replyTo) implements Msg {}

    record NoNews() implements Msg {}
  }

  record State(double celsius, boolean heating) {}

  record Room(double wanted) implements Server<State, Msg> {
    @Override
    public FirstStep<State, Msg> init(Self<Msg> self) {
      return Next.with(new State(wanted, false));
    }

    @Override
    public Next<State, Msg> onMessage(Self<Msg> self, State state, Msg message) {
      return switch (message) {
        case Msg.Measured(double celsius) ->
            Next.idle(
                new State(celsius, celsius < wanted), Duration.ofMinutes(10), new Msg.NoNews());
        case Msg.Heating(var replyTo) -> {
          replyTo.send(state.heating());
          yield Next.same();
        }
        case Msg.NoNews() -> Next.with(new State(state.celsius(), false));
      };
    }

    @Override
    public void terminate(Self<Msg> self, State state, ExitReason reason) {
      System.out.println("the heating is off: " + reason);
    }
  }

  /**
   * Runs it.
   *
   * @param args none
   */
  public static void main(String[] args) {
    try (Node node = Node.start()) {
      Pid<Msg> room = Server.start(node, new Room(20.5)).orThrow().pid();
      room.send(new Msg.Measured(18));
      System.out.println(room.<Boolean>call(Msg.Heating::new, Duration.ofSeconds(1)));

      System.out.println(Sys.state(room, Duration.ofSeconds(1)));
      State warm =
          Sys.replaceState(
              room, State.class, state -> new State(21, state.heating()), Duration.ofSeconds(1));
      System.out.println(warm);
      Sys.stop(room, ExitReason.shutdown(), Duration.ofSeconds(1));

      Pid<Msg> cellar =
          Server.start(
                  node,
                  new Room(12),
                  SpawnOptions.<Msg>defaults().labelled("cellar").onVirtualThread())
              .orThrow()
              .pid();
      Sys.stop(cellar, ExitReason.normal(), Duration.ofSeconds(1));
    }
  }
}
