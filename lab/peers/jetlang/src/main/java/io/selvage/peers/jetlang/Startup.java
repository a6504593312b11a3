package io.selvage.peers.jetlang;

import io.selvage.peers.Programs;
import java.util.concurrent.CompletableFuture;
import org.jetlang.channels.Channel;
import org.jetlang.channels.MemoryChannel;
import org.jetlang.fibers.Fiber;

/** A fiber that answers one question, and the pool that it runs on. */
final class Startup implements Programs.Startup {
  private enum Answer {
    ANSWER
  }

  private record Question(CompletableFuture<Answer> reply) {}

  private static void answer(Question question) {
    question.reply().complete(Answer.ANSWER);
  }

  @Override
  public int answers() throws Exception {
    Channel<Question> questions = new MemoryChannel<>();
    Fiber answering = Fibers.started();
    questions.subscribe(answering, Startup::answer);
    Question question = new Question(new CompletableFuture<>());
    questions.publish(question);
    int answers = question.reply().get() == Answer.ANSWER ? 1 : 0;
    answering.dispose();
    Fibers.stop();
    return answers;
  }
}
