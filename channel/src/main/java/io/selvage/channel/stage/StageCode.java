package io.selvage.channel.stage;

/**
 * What a stage does with its items. Runs in the process of the stage, one call at a time; it may
 * keep a state of its own and may block. One that only looks at an item is a lambda.
 *
 * <pre>{@code
 * Stage<String, String> words = Stage.of(() -> (line, out) -> line.split(" ").forEach(out::emit));
 * }</pre>
 *
 * @param <I> the items it takes
 * @param <O> the items it gives
 */
@FunctionalInterface
public interface StageCode<I, O> {
  /**
   * Handles an item.
   *
   * @param item the item
   * @param out takes what comes of it: nothing, one item, or many
   * @throws Exception to end the stage with {@link io.selvage.kernel.ExitReason.Crash}, or with the
   *     reason of an {@link io.selvage.kernel.ExitException}; the item is lost
   */
  void onItem(I item, Output<O> out) throws Exception;

  /**
   * There will be no more items, and all that came are handled. The stage completes when what it
   * has emitted has been asked for. Not called if the stage fails.
   *
   * @param out takes what is still to be given
   * @throws Exception to end the stage with a failure
   */
  default void onEnd(Output<O> out) throws Exception {}
}
