package io.selvage.peers.scala_actors

import io.selvage.peers.{Programs, Tally}
import java.util.concurrent.CompletableFuture
import scala.actors.Actor
import scala.actors.Actor._

/** One token round a ring of actors. */
object Ring extends Programs.Ring {
  private case object Token
  private case object Stop

  /** Closes the ring: the last member is told who comes after it. */
  private case class Next(next: Actor)

  private class Run(val rounds: Int) {
    val ranAllRounds = new CompletableFuture[java.lang.Long]
    val deliveries = new Tally
    val stopped = new Tally
  }

  private class Member(run: Run, var next: Actor) extends Actor {
    private val last = next == null
    private var count = 0

    def act(): Unit = loop {
      react {
        case Token =>
          count += 1
          if (last && count == run.rounds) run.ranAllRounds.complete(System.nanoTime())
          else next ! Token
        case Next(first) =>
          next = first
        case Stop =>
          run.deliveries.add(count)
          if (!last) next ! Stop
          run.stopped.increment()
          exit()
      }
    }
  }

  def run(processes: Int, rounds: Int): Programs.RingRun = {
    val ring = new Run(rounds)

    val start = System.nanoTime()
    val last = new Member(ring, null)
    last.start()
    var first: Actor = last
    for (_ <- 1 until processes) {
      first = new Member(ring, first)
      first.start()
    }
    last ! Next(first)
    val ready = System.nanoTime()

    first ! Token
    val end = ring.ranAllRounds.get

    first ! Stop
    ring.stopped.await(processes)
    new Programs.RingRun(ready - start, end - ready, ring.deliveries.sum)
  }
}
