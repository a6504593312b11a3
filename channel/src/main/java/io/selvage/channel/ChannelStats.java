package io.selvage.channel;

/**
 * How much a channel is used, at one moment. Always {@code sent == received + dropped + size}.
 *
 * @param size how many items are inside
 * @param waitingSenders how many wait for room
 * @param waitingReceivers how many wait for an item
 * @param sent how many items it has taken, those included that it dropped
 * @param received how many items went to receivers
 * @param dropped how many items it dropped, when it was full or closed
 * @param refused how many items it left to their senders, because it was full
 */
public record ChannelStats(
    int size,
    int waitingSenders,
    int waitingReceivers,
    long sent,
    long received,
    long dropped,
    long refused) {}
