package io.selvage.peers.scala_actors

import io.selvage.peers.Programs
import java.util.concurrent.CompletableFuture
import scala.actors.{Actor, OutputChannel}
import scala.actors.Actor._

/** A tree of actors; each sends its parent its number or the sum of its children. */
object Skynet extends Programs.Skynet {
  private val Children = 10

  private class Node(parent: OutputChannel[Any], number: Long, leaves: Int) extends Actor {
    private var sum = 0L
    private var missing = Children

    def act(): Unit =
      if (leaves == 1) parent ! number
      else {
        val each = leaves / Children
        for (i <- 0 until Children) new Node(this, number + i.toLong * each, each).start()
        loopWhile(missing > 0) {
          react {
            case part: Long =>
              sum += part
              missing -= 1
              if (missing == 0) parent ! sum
          }
        }
      }
  }

  def sum(leaves: Int): Long = {
    val result = new CompletableFuture[java.lang.Long]
    actor {
      new Node(self, 0, leaves).start()
      react {
        case sum: Long => result.complete(sum)
      }
    }
    result.get
  }
}
