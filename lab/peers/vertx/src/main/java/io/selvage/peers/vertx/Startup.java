package io.selvage.peers.vertx;

import io.selvage.peers.Programs;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;

/** A verticle that answers a request, and the instance of Vert.x that it runs in. */
final class Startup implements Programs.Startup {
  private static final String QUESTIONS = "questions";
  private static final Integer QUESTION = 1;
  private static final Integer ANSWER = 2;

  private static final class Answering extends VerticleBase {
    @Override
    public Future<?> start() {
      return vertx.eventBus().localConsumer(QUESTIONS, Answering::answer).completion();
    }

    private static void answer(Message<Integer> question) {
      question.reply(ANSWER);
    }
  }

  @Override
  public int answers() {
    Bus.await(Bus.VERTX.deployVerticle(new Answering()));
    Message<Integer> reply = Bus.await(Bus.EVENTS.request(QUESTIONS, QUESTION));
    Bus.await(Bus.VERTX.close());
    return reply.body().equals(ANSWER) ? 1 : 0;
  }
}
