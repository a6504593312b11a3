package io.selvage.channel.stage;

import io.selvage.kernel.ReplyTo;
import java.util.Objects;

/**
 * What the process of a {@link Stage} accepts. Most of it is what stages tell each other; what
 * others may send are the messages made here.
 *
 * <p>The type of a pid tells what a stage takes and gives: {@code Pid<StageMessage<Letter, Void>>}
 * is one that takes letters and gives nothing.
 *
 * @param <I> the items it takes; {@code Void} for a source
 * @param <O> the items it gives; {@code Void} for a sink
 */
public sealed interface StageMessage<I, O> permits StageSignal {
  /**
   * An item that nobody has asked for. It waits in the stage until it can be handled; see {@link
   * Stage#buffering}.
   *
   * @param item the item; must not be changed after it was sent
   * @param <I> the items it takes
   * @param <O> the items it gives
   * @return what to send to the stage
   */
  static <I, O> StageMessage<I, O> item(I item) {
    return new StageSignal.Sent<>(Objects.requireNonNull(item, "item"));
  }

  /**
   * No more items: the stage handles those it has, and completes. Items that come later are dropped
   * and counted.
   *
   * @param <I> the items it takes
   * @param <O> the items it gives
   * @return what to send to the stage
   */
  static <I, O> StageMessage<I, O> end() {
    return new StageSignal.NoMore<>();
  }

  /**
   * A request for the counters of a stage.
   *
   * <pre>{@code
   * long dropped = stage.<StageStats>call(StageMessage::stats, Duration.ofSeconds(1)).dropped();
   * }</pre>
   *
   * @param replyTo where to reply
   * @param <I> the items it takes
   * @param <O> the items it gives
   * @return what to send to the stage
   */
  static <I, O> StageMessage<I, O> stats(ReplyTo<StageStats> replyTo) {
    return new StageSignal.Stats<>(Objects.requireNonNull(replyTo, "replyTo"));
  }
}
