package io.selvage.channel.stage;

/**
 * Where a {@link StageCode} puts what it makes. Good only on the thread that runs the stage, inside
 * the call that it was given to.
 *
 * @param <O> the items
 */
public sealed interface Output<O> permits StageLoop {
  /**
   * Gives an item to the consumers. It is sent when the stage pauses; what nobody has asked for is
   * held until somebody does, and the stage handles nothing more meanwhile.
   *
   * @param item the item; must not be changed afterwards
   */
  void emit(O item);

  /**
   * The stage has done enough: what was emitted until now is delivered, then it completes. Nothing
   * more is handled, {@link StageCode#onEnd} is not called, and its subscriptions end with it.
   */
  void finish();
}
