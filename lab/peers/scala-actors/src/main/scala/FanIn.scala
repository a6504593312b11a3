package io.selvage.peers.scala_actors

import io.selvage.peers.{Programs, Tally}
import java.util.concurrent.CompletableFuture
import scala.actors.Actor
import scala.actors.Actor._

/** Many actors send to one. */
object FanIn extends Programs.FanIn {
  private case object Start

  private class Receiver(expected: Long, result: CompletableFuture[Programs.Received])
      extends Actor {
    private var count = 0L
    private var sum = 0L

    def act(): Unit = loopWhile(count < expected) {
      react {
        case number: Int =>
          count += 1
          sum += number
          if (count == expected) result.complete(new Programs.Received(count, sum))
      }
    }
  }

  def open(senders: Int, messages: Int): Programs.Waiting = {
    val result = new CompletableFuture[Programs.Received]
    val waiting = new Tally
    val receiver = new Receiver(senders.toLong * messages, result)
    receiver.start()
    val all = for (_ <- 0 until senders) yield actor {
      waiting.increment()
      react {
        case Start => for (number <- 0 until messages) receiver ! number
      }
    }
    waiting.await(senders)
    new Programs.Waiting {
      def go(): Programs.Received = {
        all.foreach(_ ! Start)
        result.get
      }
    }
  }
}
