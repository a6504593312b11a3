package io.selvage.kernel.support;

import io.selvage.kernel.Self;

/**
 * A {@link Step} with a beginning: {@code start} runs inside the new process before its first
 * message.
 *
 * @param <M> the messages the process accepts
 */
public interface Story<M> extends Step<M> {
  /** Runs first. */
  void start(Self<M> self) throws Exception;

  /** A story that is over once it has begun, or that ignores its messages. */
  static <M> Story<M> beginning(Start<M> start) {
    return new Story<>() {
      @Override
      public void start(Self<M> self) throws Exception {
        start.run(self);
      }

      @Override
      public void on(Self<M> self, M message) {}
    };
  }

  /** The beginning alone. */
  @FunctionalInterface
  interface Start<M> {
    /** Runs first. */
    void run(Self<M> self) throws Exception;
  }
}
