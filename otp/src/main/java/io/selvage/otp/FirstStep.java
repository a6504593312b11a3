package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import java.util.Objects;

/**
 * What a behaviour answers from its {@code init}: a first state, as a {@link Next}, or that it will
 * not run.
 *
 * <p>Immutable. Source: the results of {@code gen_server:init}.
 *
 * @param <S> the state
 * @param <M> the messages
 */
public sealed interface FirstStep<S, M> permits Next, FirstStep.NotStarted {
  /**
   * The process will not run.
   *
   * @param reason what its start tells
   * @param exit why the process ends
   * @param <S> the state
   * @param <M> the messages
   */
  record NotStarted<S, M>(ExitReason reason, ExitReason exit) implements FirstStep<S, M> {
    /** Checks that both are there. */
    public NotStarted {
      Objects.requireNonNull(reason, "reason");
      Objects.requireNonNull(exit, "exit");
    }
  }

  /**
   * Do not run, and let nobody take it for a fault: the start tells {@link Ignored}, the process
   * ends normally, and a supervisor goes on without it.
   *
   * @param <S> the state
   * @param <M> the messages
   * @return what to answer from {@code init}
   */
  static <S, M> FirstStep<S, M> ignore() {
    return new NotStarted<>(Ignored.INSTANCE, ExitReason.normal());
  }

  /**
   * Do not run because something failed: the start fails with this reason, and the process ends
   * with it, which is reported if it is no orderly one.
   *
   * @param reason why
   * @param <S> the state
   * @param <M> the messages
   * @return what to answer from {@code init}
   */
  static <S, M> FirstStep<S, M> stop(ExitReason reason) {
    return new NotStarted<>(reason, reason);
  }

  /**
   * Do not run because something failed that whoever starts this will deal with: the start fails
   * with this reason, and the process ends normally, without a report.
   *
   * @param reason why
   * @param <S> the state
   * @param <M> the messages
   * @return what to answer from {@code init}
   */
  static <S, M> FirstStep<S, M> fail(ExitReason reason) {
    return new NotStarted<>(reason, ExitReason.normal());
  }
}
