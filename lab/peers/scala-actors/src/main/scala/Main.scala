package io.selvage.peers.scala_actors

import io.selvage.peers.{Arrivals, Lab, Programs}

/** Runs one of the programs of Scala Actors: the experiment, then its parameters. */
object Main {
  private val Name = "Scala Actors"

  def main(args: Array[String]): Unit = {
    Lab.startup(args, getClass, Name, new Startup)
    new Lab(getClass, Name, new Lab.Start { def run(): Unit = () })
      .spawn(new Programs.Spawn {
        def open(processes: Int, kind: String, arrivals: Arrivals): Programs.Crowd =
          new Spawn(processes, arrivals)
      })
      .tasks(Tasks)
      .ring(Ring)
      .pipeline(Pipeline)
      .pingpong(PingPong)
      .fanin(FanIn)
      .skynet(Skynet)
      .main(args)
  }
}
