package io.selvage.peers.kilim;

import io.selvage.peers.Programs;
import kilim.Mailbox;
import kilim.Pausable;
import kilim.Task;

/** A task that answers one question, and the scheduler that it runs on. */
final class Startup implements Programs.Startup {
  private static final Integer QUESTION = 1;
  private static final Integer ANSWER = 2;

  private static final class Answering extends Task<Void> {
    private final Mailbox<Integer> questions;
    private final Mailbox<Integer> replies;

    Answering(Mailbox<Integer> questions, Mailbox<Integer> replies) {
      this.questions = questions;
      this.replies = replies;
    }

    @Override
    public void execute() throws Pausable {
      if (questions.get().equals(QUESTION)) {
        replies.put(ANSWER);
      }
    }
  }

  @Override
  public int answers() {
    Main.chooseScheduler();
    Mailbox<Integer> questions = new Mailbox<>();
    Mailbox<Integer> replies = new Mailbox<>();
    new Answering(questions, replies).start();
    questions.putb(QUESTION);
    int answers = replies.getb().equals(ANSWER) ? 1 : 0;
    Task.idledown();
    return answers;
  }
}
