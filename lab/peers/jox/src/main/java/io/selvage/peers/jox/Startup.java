package io.selvage.peers.jox;

import com.softwaremill.jox.Channel;
import io.selvage.peers.Programs;

/** A virtual thread that answers one question. */
final class Startup implements Programs.Startup {
  private enum Answer {
    ANSWER
  }

  private record Question(Channel<Answer> reply) {}

  private static void answer(Channel<Question> questions) {
    try {
      questions.receive().reply().send(Answer.ANSWER);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts who answers", e);
    }
  }

  @Override
  public int answers() throws InterruptedException {
    Channel<Question> questions = Channel.newBufferedDefaultChannel();
    Thread answering = Thread.startVirtualThread(() -> answer(questions));
    Question question = new Question(Channel.newBufferedDefaultChannel());
    questions.send(question);
    int answers = question.reply().receive() == Answer.ANSWER ? 1 : 0;
    answering.join();
    return answers;
  }
}
