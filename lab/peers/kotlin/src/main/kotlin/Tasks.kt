package io.selvage.peers.kotlin

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch

/** Coroutines that each delay themselves. */
fun tasks(tasks: Int, millis: Long, completed: Runnable) {
    val scope = CoroutineScope(Dispatchers.Default)
    repeat(tasks) {
        scope.launch {
            delay(millis)
            completed.run()
        }
    }
}
