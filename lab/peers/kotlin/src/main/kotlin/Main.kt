package io.selvage.peers.kotlin

import io.selvage.peers.Lab

private const val NAME = "Kotlin"

/** Runs one of the programs of Kotlin's coroutines: the experiment, then its parameters. */
fun main(args: Array<String>) {
    val main = object {}.javaClass
    Lab.startup(args, main, NAME, Startup())
    val lab = Lab(main, NAME) {}
    lab.spawn({ processes, _, arrivals -> Spawn(processes, arrivals) })
        .tasks(::tasks)
        .ring(::ring)
        .pipeline(::pipeline)
        .pingpong(::pingPong)
        .fanin(::fanIn)
        .overload(::overload)
        .skynet(::skynet)
        .main(args)
}
