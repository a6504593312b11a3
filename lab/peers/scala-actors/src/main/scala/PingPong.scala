package io.selvage.peers.scala_actors

import io.selvage.peers.Programs
import java.util.concurrent.CompletableFuture
import scala.actors.Actor
import scala.actors.Actor._

/** Two actors that send a counter to and fro. */
object PingPong extends Programs.PingPong {
  private case class Ping(count: Int)
  private case class Pong(count: Int)
  private case object Stop

  private class Ponger(pinged: CompletableFuture[java.lang.Long]) extends Actor {
    private var count = 0L

    def act(): Unit = loop {
      react {
        case Ping(i) =>
          count += 1
          sender ! Pong(i)
        case Stop =>
          pinged.complete(count)
          exit()
      }
    }
  }

  private class Pinger(rounds: Int, ponger: Actor, ponged: CompletableFuture[java.lang.Long])
      extends Actor {
    private var count = 0

    def act(): Unit = {
      ponger ! Ping(0)
      loop {
        react {
          case Pong(i) if i == count =>
            count += 1
            if (count < rounds) ponger ! Ping(count)
            else {
              ponger ! Stop
              ponged.complete(count.toLong)
              exit()
            }
        }
      }
    }
  }

  def run(rounds: Int): Long = {
    val pinged = new CompletableFuture[java.lang.Long]
    val ponged = new CompletableFuture[java.lang.Long]
    val ponger = new Ponger(pinged)
    ponger.start()
    new Pinger(rounds, ponger, ponged).start()
    ponged.get + pinged.get
  }
}
