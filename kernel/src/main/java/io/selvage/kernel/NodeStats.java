package io.selvage.kernel;

/**
 * Counters of a node since its start.
 *
 * @param processes processes alive now
 * @param spawned processes ever started
 * @param ended processes that ended
 * @param crashed processes that ended otherwise than normal or shutdown
 * @param undelivered messages that reached nobody: sent to a process that had ended, or unread when
 *     it ended
 * @param lateReplies replies that reached nobody: their caller had given up, ended, or been
 *     answered already
 * @param timers timers set now
 */
public record NodeStats(
    long processes,
    long spawned,
    long ended,
    long crashed,
    long undelivered,
    long lateReplies,
    long timers) {}
