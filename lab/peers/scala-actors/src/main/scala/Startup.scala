package io.selvage.peers.scala_actors

import io.selvage.peers.Programs
import scala.actors.Actor._

/** An actor that answers one message, and so ends. */
class Startup extends Programs.Startup {
  private case object Question
  private case object Answer

  def answers(): Int = {
    val answering = actor {
      react {
        case Question => reply(Answer)
      }
    }
    if ((answering !? Question) == Answer) 1 else 0
  }
}
