package io.selvage.peers.scala_actors

import io.selvage.peers.{Programs, Rewrites}
import java.util.concurrent.CompletableFuture
import scala.actors.Actor
import scala.actors.Actor._

/** A manager and three stages, which are actors. */
object Pipeline extends Programs.Pipeline {
  private case object Last

  private class Stage(stage: Int, next: Actor) extends Actor {
    def act(): Unit = loop {
      react {
        case item: String => next ! Rewrites.rewrite(stage, item)
        case Last =>
          next ! Last
          exit()
      }
    }
  }

  private class LastStage(result: CompletableFuture[Integer]) extends Actor {
    private val written = new Rewrites.Written

    def act(): Unit = loop {
      react {
        case item: String => written.add(Rewrites.rewrite(Rewrites.STAGES - 1, item))
        case Last =>
          result.complete(written.items)
          exit()
      }
    }
  }

  def run(items: Int): Int = {
    val result = new CompletableFuture[Integer]
    val writer = new LastStage(result)
    val indexer = new Stage(1, writer)
    val downloader = new Stage(0, indexer)
    for (stage <- List(writer, indexer, downloader)) stage.start()
    actor {
      for (item <- 0 until items) downloader ! Rewrites.request(item)
      downloader ! Last
    }
    result.get
  }
}
