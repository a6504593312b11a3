package io.selvage.peers.fibry;

import eu.lucaventuri.fibry.Actor;
import eu.lucaventuri.fibry.ActorSystem;
import eu.lucaventuri.fibry.CreationStrategy;
import io.selvage.peers.Programs;
import java.util.concurrent.ExecutionException;

/** An actor that answers one message. */
final class Startup implements Programs.Startup {
  private enum Question {
    QUESTION
  }

  private enum Answer {
    ANSWER
  }

  @Override
  public int answers() throws InterruptedException, ExecutionException {
    Actor<Question, Answer, Void> answering =
        ActorSystem.anonymous()
            .strategy(CreationStrategy.FIBER)
            .newActorWithReturn(question -> Answer.ANSWER);
    Answer answer = answering.sendMessageReturn(Question.QUESTION).get();
    answering.askExit();
    answering.waitForExit();
    return answer == Answer.ANSWER ? 1 : 0;
  }
}
