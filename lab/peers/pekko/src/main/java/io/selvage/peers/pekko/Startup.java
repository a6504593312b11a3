package io.selvage.peers.pekko;

import io.selvage.peers.Programs;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor system whose guardian asks one actor, and ends the system when it has the answer. */
final class Startup implements Programs.Startup {
  private record Question(ActorRef<Answer> replyTo) {}

  private enum Answer {
    ANSWER
  }

  private int answers; // the guardian's, until the system has ended

  private static Behavior<Question> answering() {
    return Behaviors.receiveMessage(question -> {
      question.replyTo().tell(Answer.ANSWER);
      return Behaviors.same();
    });
  }

  private Behavior<Answer> guardian() {
    return Behaviors.setup(context -> {
      context.spawn(answering(), "answering").tell(new Question(context.getSelf()));
      return Behaviors.receiveMessage(answer -> {
        answers++;
        return Behaviors.stopped();
      });
    });
  }

  @Override
  public int answers() throws Exception {
    ActorSystem.create(guardian(), "startup").getWhenTerminated().toCompletableFuture().get();
    return answers;
  }
}
