package io.selvage.peers.kotlin

import io.selvage.peers.Load
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch

/** A coroutine that consumes, and others that send to it: through a channel of the default kind, or without limits. */
fun overload(load: Load, producers: Int) {
    val scope = CoroutineScope(Dispatchers.Default)
    val unlimited = System.getProperty("peer.runtime") == "kotlin-unlimited"
    val numbers = if (unlimited) Channel<Long>(Channel.UNLIMITED) else Channel<Long>()
    scope.launch { for (number in numbers) load.take() }
    repeat(producers) { producer ->
        scope.launch {
            var number = load.next(producer)
            while (number >= 0) {
                numbers.send(number)
                number = load.next(producer)
            }
            load.ended()
        }
    }
}
