package io.selvage.peers.kotlin

import io.selvage.peers.Lab

/** Runs one of the programs of Kotlin's coroutines: the experiment, then its parameters. */
fun main(args: Array<String>) {
    val lab = Lab(object {}.javaClass, "Kotlin") {}
    lab.spawn({ processes, _ -> Spawn(processes) })
        .tasks(::tasks)
        .ring(::ring)
        .pipeline(::pipeline)
        .pingpong(::pingPong)
        .fanin(::fanIn)
        .skynet(::skynet)
        .main(args)
}
