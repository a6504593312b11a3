package io.selvage.peers.kotlin

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.runBlocking

/** Two coroutines that send a counter to and fro. */
fun pingPong(rounds: Int): Long = runBlocking(Dispatchers.Default) {
    val pings = Channel<Int>()
    val pongs = Channel<Int>()

    val ponger = async {
        var count = 0L
        for (ping in pings) {
            count++
            pongs.send(ping)
        }
        count
    }
    val pinger = async {
        var count = 0
        repeat(rounds) {
            pings.send(count)
            if (pongs.receive() == count) count++
        }
        pings.close()
        count
    }
    ponger.await() + pinger.await()
}
