package io.selvage.peers.scala_actors

import io.selvage.peers.{Programs, Tally}
import scala.actors.Actor
import scala.actors.Actor._

/** Actors that each wait for a message. */
class Spawn(processes: Int) extends Programs.Crowd {
  private case object Stop

  private val actors = new Array[Actor](processes)
  private val waiting = new Tally
  private val ended = new Tally

  def create(): Unit = {
    for (i <- 0 until processes) {
      actors(i) = actor {
        waiting.increment()
        react {
          case Stop => ended.increment()
        }
      }
    }
    waiting.await(processes)
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
