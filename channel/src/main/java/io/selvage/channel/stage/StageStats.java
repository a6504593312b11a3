package io.selvage.channel.stage;

/**
 * How much a stage has done, at one moment.
 *
 * @param handled how many items it has taken and handled; zero for a source
 * @param emitted how many items it has emitted; zero for a sink
 * @param dropped how many items that were sent to it were dropped
 * @param waiting how many items have come and are not handled yet
 * @param held how many items it has emitted for which nobody has asked yet
 * @param demand how many items its consumers have asked for and not got yet, together
 * @param producers how many subscriptions it has
 * @param consumers how many subscriptions others have to it
 */
public record StageStats(
    long handled,
    long emitted,
    long dropped,
    int waiting,
    int held,
    long demand,
    int producers,
    int consumers) {}
