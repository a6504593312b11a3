package io.selvage.peers.kotlin

import io.selvage.peers.Programs.RingRun
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.channels.SendChannel
import kotlinx.coroutines.runBlocking

private object Token

/**
 * A member of the ring; the last one says when all rounds are done. Closing a channel goes round
 * once at the end.
 */
private suspend fun member(
    mailbox: ReceiveChannel<Token>,
    next: SendChannel<Token>,
    lastAfter: Int = Int.MAX_VALUE,
    onLast: () -> Unit = {},
): Int {
    var count = 0
    for (token in mailbox) {
        count++
        if (count < lastAfter) next.send(token) else onLast()
    }
    next.close()
    return count
}

fun ring(processes: Int, rounds: Int): RingRun = runBlocking(Dispatchers.Default) {
    val ranAllRounds = Channel<Long>(1)

    val start = System.nanoTime()
    val first = Channel<Token>(1)
    var mailbox = first
    val members = List(processes) { i ->
        val mine = mailbox
        if (i < processes - 1) {
            val next = Channel<Token>(1)
            mailbox = next
            async { member(mine, next) }
        } else {
            async { member(mine, first, rounds) { ranAllRounds.trySend(System.nanoTime()) } }
        }
    }
    val ready = System.nanoTime()

    first.send(Token)
    val end = ranAllRounds.receive()

    first.close()
    RingRun(ready - start, end - ready, members.awaitAll().sumOf { it.toLong() })
}
