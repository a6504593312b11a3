package io.selvage.peers.kotlin

import io.selvage.peers.Programs
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** Many coroutines send to one. */
fun fanIn(senders: Int, messages: Int): Programs.Waiting {
    val scope = CoroutineScope(Dispatchers.Default)
    val numbers = Channel<Int>(Channel.UNLIMITED)
    val start = CompletableDeferred<Unit>()

    val receiver = scope.async {
        var count = 0L
        var sum = 0L
        for (number in numbers) {
            count++
            sum += number
        }
        Programs.Received(count, sum)
    }
    val all = List(senders) {
        scope.launch {
            start.await()
            for (number in 0 until messages) numbers.send(number)
        }
    }
    return Programs.Waiting {
        start.complete(Unit)
        runBlocking(Dispatchers.Default) {
            all.joinAll()
            numbers.close()
            receiver.await()
        }
    }
}
