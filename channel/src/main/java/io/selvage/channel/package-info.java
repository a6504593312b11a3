/**
 * Queues owned by nobody, with which processes of both kinds and threads hand things to each other.
 *
 * <p>Read {@link io.selvage.channel.Channel} first; {@link io.selvage.channel.Sink} and {@link
 * io.selvage.channel.Source} are its two ends. Verbs mean the same everywhere: {@code send} and
 * {@code receive} may wait, {@code try…} never does; {@code …OrClosed} answers that the channel is
 * closed as a value, where the others throw {@link io.selvage.channel.ChannelClosedException};
 * {@code request…} lets the outcome come as a message. {@link io.selvage.channel.Select} waits for
 * several things at once.
 *
 * <p>What happens before an item is sent is seen by who receives it; what happens before a channel
 * is closed, by who finds it closed.
 */
package io.selvage.channel;
