package io.selvage.peers.kotlin

import io.selvage.peers.Arrivals
import io.selvage.peers.Programs
import io.selvage.peers.Tally
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

private object Stop

/** Coroutines that each wait for a message in a channel of their own. */
class Spawn(private val processes: Int, private val arrivals: Arrivals) : Programs.Crowd {
    private val scope = CoroutineScope(Dispatchers.Default)
    private val ended = Tally()
    private val mailboxes = arrayOfNulls<Channel<Stop>>(processes)
    private val jobs = arrayOfNulls<Job>(processes)

    override fun create() {
        for (i in 0 until processes) {
            val mailbox = Channel<Stop>()
            mailboxes[i] = mailbox
            jobs[i] = scope.launch {
                arrivals.arrive()
                mailbox.receive()
                ended.increment()
            }
        }
        arrivals.await(processes)
    }

    override fun end(): Long = runBlocking(Dispatchers.Default) {
        for (i in 0 until processes) {
            mailboxes[i]!!.send(Stop)
            mailboxes[i] = null
        }
        for (i in 0 until processes) {
            jobs[i]!!.join()
            jobs[i] = null
        }
        ended.await(processes.toLong())
    }
}
