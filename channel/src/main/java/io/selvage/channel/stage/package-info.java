/**
 * Stages: processes that take items from producers and give items to consumers, as many as were
 * asked for.
 *
 * <p>Read {@link io.selvage.channel.stage.Stage} first, then {@link
 * io.selvage.channel.stage.SubscribeOptions} and {@link io.selvage.channel.stage.Dispatch}; {@link
 * io.selvage.channel.stage.Pipeline} puts several stages together. How a stage works inside is in
 * {@code StageLoop}.
 *
 * <p>What happens before a stage emits an item is seen by the one that handles it.
 *
 * <p>Missing on purpose: a selection of items by each consumer of a broadcast (a stage between the
 * two does it), and giving an item again that was lost with its consumer. Source: Elixir's {@code
 * GenStage}, from which the default mode differs; see {@link
 * io.selvage.channel.stage.SubscribeOptions.Mode}.
 */
package io.selvage.channel.stage;
