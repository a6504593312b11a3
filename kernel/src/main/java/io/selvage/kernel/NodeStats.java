package io.selvage.kernel;

/**
 * Counters of a node since its start. They are read one after the other, while the node goes on:
 * each is right, but a sum of two may be off by what happened in between.
 *
 * @param processes processes alive now
 * @param spawned processes ever started
 * @param ended processes that ended
 * @param crashed processes that ended otherwise than normal or shutdown
 * @param undelivered messages that reached nobody: sent to a process that had ended, unread when it
 *     ended, without room under its {@link Limits}, or requests that had expired or waited too long
 * @param unread those of the undelivered that were in a mailbox when its process ended
 * @param lateReplies replies that reached nobody: their caller had given up, ended, or been
 *     answered already
 * @param timers timers set now
 * @param names names held now
 * @param subscriptions subscriptions to events and trace sessions open now
 * @param lostNews events and trace entries that subscribers have lost, since they were too slow or
 *     too many came in a second
 * @param refused messages that {@link Pid#trySend} did not send
 * @param expired those of the undelivered that were requests whose callers had given up or ended
 *     before they were handled
 * @param overloaded those of the undelivered that were requests refused since they had waited too
 *     long; see {@link Admission}
 * @param mutes how often a sender was held back by a receiver whose mailbox was too long
 * @param pressures how often the heap has become nearly full, so that the {@link HeapGuard} has
 *     begun to hold senders back earlier
 * @param heapMark the high mark that the guard holds all mailboxes to now; 0 if the heap is not
 *     nearly full
 */
public record NodeStats(
    long processes,
    long spawned,
    long ended,
    long crashed,
    long undelivered,
    long unread,
    long lateReplies,
    long timers,
    long names,
    long subscriptions,
    long lostNews,
    long refused,
    long expired,
    long overloaded,
    long mutes,
    long pressures,
    int heapMark) {}
