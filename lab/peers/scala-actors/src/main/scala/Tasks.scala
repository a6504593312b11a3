package io.selvage.peers.scala_actors

import io.selvage.peers.Programs
import scala.actors.{Actor, TIMEOUT}
import scala.actors.Actor._

/** Actors that each wait for a message that nobody sends, for a while. */
object Tasks extends Programs.Tasks {
  def start(tasks: Int, millis: Long, completed: Runnable): Unit =
    for (_ <- 0 until tasks) {
      actor {
        reactWithin(millis) {
          case TIMEOUT => completed.run()
        }
      }
    }
}
