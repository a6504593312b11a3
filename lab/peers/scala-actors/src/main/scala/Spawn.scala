package io.selvage.peers.scala_actors

import io.selvage.peers.{Arrivals, Programs, Tally}
import scala.actors.Actor
import scala.actors.Actor._

/** Actors that each wait for a message. */
class Spawn(processes: Int, arrivals: Arrivals) extends Programs.Crowd {
  private case object Stop

  private val actors = new Array[Actor](processes)
  private val ended = new Tally

  def create(): Unit = {
    for (i <- 0 until processes) {
      actors(i) = actor {
        arrivals.arrive()
        react {
          case Stop => ended.increment()
        }
      }
    }
    arrivals.await(processes)
  }

  def end(): Long = {
    for (i <- 0 until processes) {
      actors(i) ! Stop
      actors(i) = null
    }
    ended.await(processes)
  }

  override def close(): Unit = ()
}
