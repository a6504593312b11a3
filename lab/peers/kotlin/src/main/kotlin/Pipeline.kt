package io.selvage.peers.kotlin

import io.selvage.peers.Rewrites
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.channels.SendChannel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** Rewrites what comes until the channel is closed, and then closes the next. */
private suspend fun stage(stage: Int, from: ReceiveChannel<String>, to: SendChannel<String>) {
    for (item in from) to.send(Rewrites.rewrite(stage, item))
    to.close()
}

/** A manager and three stages, with channels that hold as much as is sent: nobody waits to send. */
fun pipeline(items: Int): Int = runBlocking(Dispatchers.Default) {
    val requested = Channel<String>(Channel.UNLIMITED)
    val downloaded = Channel<String>(Channel.UNLIMITED)
    val indexed = Channel<String>(Channel.UNLIMITED)

    launch { stage(0, requested, downloaded) }
    launch { stage(1, downloaded, indexed) }
    val writer = async {
        val written = Rewrites.Written()
        for (item in indexed) written.add(Rewrites.rewrite(Rewrites.STAGES - 1, item))
        written.items()
    }

    for (item in 0 until items) requested.send(Rewrites.request(item))
    requested.close()
    writer.await()
}
