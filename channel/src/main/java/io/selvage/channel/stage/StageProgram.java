package io.selvage.channel.stage;

import io.selvage.kernel.ExitReason;

/**
 * The code of a stage with the hooks that this package needs beside those of {@link StageCode}.
 *
 * @param <I> the items it takes
 * @param <O> the items it gives
 */
interface StageProgram<I, O> extends StageCode<I, O> {
  /** Runs first. */
  default void begin(StageLoop<I, O> stage) throws Exception {}

  @Override
  default void onItem(I item, Output<O> out) throws Exception {
    throw new IllegalStateException(
        "a source was given the item " + item + ", but it takes none: send to another stage");
  }

  /**
   * Emits one item, or completes. Somebody has asked for it.
   *
   * @return false if there is none now; then the program has seen to it that the stage gets an
   *     {@link StageSignal.Awaited} when there is
   */
  default boolean feed(StageLoop<I, O> stage) throws Exception {
    return false;
  }

  /** The stage fails, and not by its own code. */
  default void failed(ExitReason reason) {}

  /** A program of code that has no more to it. */
  static <I, O> StageProgram<I, O> of(StageCode<I, O> code) {
    return code instanceof StageProgram<I, O> program ? program : new OfCode<>(code);
  }

  /** Somebody's code. */
  record OfCode<I, O>(StageCode<I, O> code) implements StageProgram<I, O> {
    @Override
    public void onItem(I item, Output<O> out) throws Exception {
      code.onItem(item, out);
    }

    @Override
    public void onEnd(Output<O> out) throws Exception {
      code.onEnd(out);
    }
  }
}
