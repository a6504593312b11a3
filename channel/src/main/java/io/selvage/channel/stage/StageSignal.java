package io.selvage.channel.stage;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import java.util.List;

/**
 * What stages are told.
 *
 * <pre>
 *   consumer                                   producer
 *      │ ── Joined(line, demand) ──────────────► │
 *      │ ◄──────────────────── Items(line, …) ── │   never more than was asked for
 *      │ ── Asked(line, number) ───────────────► │   when so many were handled
 *      │ ── Left(line) ────────────────────────► │   cancelled
 *      │ ◄────────────────── Ended(line, why) ── │   completed, left or refused; or the monitor's news
 * </pre>
 *
 * <p>What one sends to the other arrives in order, and the news of an end after all that was sent
 * before: so nothing comes after {@code Ended}.
 */
sealed interface StageSignal<I, O> extends StageMessage<I, O> {
  // ---------------------------------------------------------------- from outside

  record Sent<I, O>(I item) implements StageSignal<I, O> {}

  record NoMore<I, O>() implements StageSignal<I, O> {}

  record Stats<I, O>(ReplyTo<StageStats> replyTo) implements StageSignal<I, O> {}

  record Subscribe<I, O>(StageSubscription subscription) implements StageSignal<I, O> {}

  record AskByHand<I, O>(StageSubscription subscription, int items) implements StageSignal<I, O> {}

  record CancelByHand<I, O>(StageSubscription subscription) implements StageSignal<I, O> {}

  // ---------------------------------------------------------------- to the consumer

  record Items<I, O>(Line<I> line, List<I> items) implements StageSignal<I, O> {}

  record Ended<I, O>(Line<I> line, ExitReason reason) implements StageSignal<I, O> {}

  // ---------------------------------------------------------------- to the producer

  record Joined<I, O>(Line<O> line, int demand) implements StageSignal<I, O> {}

  record Asked<I, O>(Line<O> line, int items) implements StageSignal<I, O> {}

  record Left<I, O>(Line<O> line) implements StageSignal<I, O> {}

  record ConsumerEnded<I, O>(Line<O> line, ExitReason reason) implements StageSignal<I, O> {}

  /** Those of a pipeline that will subscribe. Before any of them does. */
  record Expects<I, O>(List<Pid<?>> consumers) implements StageSignal<I, O> {}

  // ---------------------------------------------------------------- to itself

  /** One that was expected has ended, and had not subscribed. */
  record Absent<I, O>(Pid<?> consumer, ExitReason reason) implements StageSignal<I, O> {}

  /** There is more to do; others had their turn. */
  record GoOn<I, O>() implements StageSignal<I, O> {}

  /** Time to subscribe anew. */
  record Again<I, O>(StageSubscription subscription) implements StageSignal<I, O> {}

  /** Something that the code of the stage has waited for. */
  record Awaited<I, O>(Work<I, O> work) implements StageSignal<I, O> {}

  /** What to do then, in the stage. */
  @FunctionalInterface
  interface Work<I, O> {
    void run(StageLoop<I, O> stage) throws Exception;
  }
}
