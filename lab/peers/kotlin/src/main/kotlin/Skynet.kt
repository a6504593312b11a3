package io.selvage.peers.kotlin

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.runBlocking

private const val CHILDREN = 10

/** A node of the tree: its number, or the sum of its children. */
private suspend fun node(number: Long, leaves: Int): Long =
    if (leaves == 1) {
        number
    } else {
        coroutineScope {
            val each = leaves / CHILDREN
            val children = List(CHILDREN) { i -> async { node(number + i * each, each) } }
            children.sumOf { it.await() }
        }
    }

fun skynet(leaves: Int): Long = runBlocking(Dispatchers.Default) { node(0, leaves) }
