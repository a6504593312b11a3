package io.selvage.channel;

import io.selvage.kernel.Self;
import io.selvage.kernel.spi.Expected;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A process that does not wait, but expects a message. Who serves it puts the message into the
 * mailbox; the action of the case runs in the process when that is taken.
 *
 * @param <R> what the actions answer
 */
final class MessageWait<R> extends Wait implements ChannelRequest {
  private final SelectAttempt<R> attempt;
  private final Expected<Supplier<R>> expected;

  private <M> MessageWait(
      SelectAttempt<R> attempt, Self<M> self, Function<? super R, ? extends M> toMessage) {
    this.attempt = attempt;
    this.expected =
        Expected.by(
            self, chosen -> toMessage.apply(chosen.get()), MessageWait::letter, this::ownerEnded);
  }

  static <M, R> MessageWait<R> start(
      SelectAttempt<R> attempt,
      int turn,
      Self<M> self,
      Function<? super R, ? extends M> toMessage) {
    MessageWait<R> wait = new MessageWait<>(attempt, self, toMessage);
    boolean stands = false;
    try {
      Supplier<R> chosen = attempt.look(turn, wait);
      stands = true;
      if (chosen != null) {
        boolean _ = wait.giveUp(); // nothing can be cancelled any more
        wait.expected.deliver(chosen);
      }
    } finally {
      if (!stands) {
        wait.expected.callOff();
      }
    }
    return wait;
  }

  @Override
  void wake() {
    Supplier<R> chosen = attempt.served(this);
    expected.deliver(chosen);
    attempt.leave();
  }

  @Override
  public boolean cancel() {
    if (!giveUp()) {
      return false;
    }
    expected.callOff();
    attempt.leave();
    return true;
  }

  /** What reached nobody, if the process has ended: the item, where there is one. */
  private static Object letter(Supplier<?> chosen) {
    return switch (chosen) {
      case SelectCase.Served(var _, Received.Item<?>(var item)) -> item;
      case SelectCase.Served(var _, var what) -> what;
      default -> chosen;
    };
  }

  private void ownerEnded() {
    if (giveUp()) {
      attempt.leave();
    }
  }
}
