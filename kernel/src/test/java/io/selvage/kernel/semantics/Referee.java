package io.selvage.kernel.semantics;

import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Story;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A process that runs a race again and again and judges each round: {@link #round} starts one, and
 * whoever learns its end calls {@link #over}. Several referees run side by side, so that the
 * workers have enough to steal from each other: a race between two processes that are run by one
 * worker after the other is none.
 */
abstract class Referee implements Story<Msg> {
  private static final int LANES = 8;
  private static final Duration LIMIT = Duration.ofSeconds(110);

  private static final Msg NODE_CLOSES = new Msg.GotExit(new Exit(null, ExitReason.shutdown()));

  private final CompletableFuture<Boolean> finished = new CompletableFuture<>();
  private int rounds;

  /** Changes the timing from round to round. */
  protected final SplittableRandom random = new SplittableRandom(4711);

  /**
   * The number of the present round; from 1. Written by the referee, read by the report of a hang.
   */
  protected volatile int present;

  /** Runs a race. */
  static void run(Node node, Kind kind, int rounds, Supplier<Referee> maker) {
    List<Referee> referees = new ArrayList<>();
    for (int i = 0; i < LANES; i++) {
      Referee referee = maker.get();
      referee.rounds = Math.max(1, rounds / LANES);
      referees.add(referee);
      Pid<Msg> _ =
          kind.spawn(node, referee, SpawnOptions.<Msg>defaults().trappingExits(Msg.GotExit::new));
    }
    for (Referee each : referees) {
      boolean _ =
          Await.result(
              "the rounds of a race: " + referees.stream().map(r -> r.present).toList(),
              each.finished,
              LIMIT);
    }
  }

  /** Starts a round. */
  abstract void round(Self<Msg> self) throws Exception;

  /** Something said. */
  void said(Self<Msg> self, Object what) throws Exception {
    throw new AssertionError("round " + present + ": unexpected: " + what);
  }

  /** A trapped exit. */
  void exited(Self<Msg> self, Exit exit) throws Exception {
    throw new AssertionError("round " + present + ": unexpected: " + exit);
  }

  /** A monitor's answer. */
  void down(Self<Msg> self, Down down) throws Exception {
    throw new AssertionError("round " + present + ": unexpected: " + down);
  }

  /** Ends the round and starts the next. */
  final void over(Self<Msg> self) throws Exception {
    if (present >= rounds) {
      finished.complete(true);
    } else {
      int next = present + 1;
      present = next;
      round(self);
    }
  }

  /** Says something to itself: comes after all that is in the mailbox now. */
  final void mark(Self<Msg> self) {
    self.pid().send(new Msg.Say(present));
  }

  /** Passes a moment of random length. */
  final void dawdle() {
    dawdle(random.nextInt(200));
  }

  static void dawdle(int spins) {
    for (int i = 0; i < spins; i++) {
      Thread.onSpinWait();
    }
  }

  final void check(boolean condition, Object what) {
    if (!condition) {
      throw new AssertionError("round " + present + ": " + what);
    }
  }

  @Override
  public final void start(Self<Msg> self) throws Exception {
    guarded(() -> over(self));
  }

  @Override
  public final void on(Self<Msg> self, Msg message) throws Exception {
    if (message.equals(NODE_CLOSES)) {
      throw new ExitException(ExitReason.shutdown());
    }
    guarded(() -> {
      switch (message) {
        case Msg.Say(Object what) -> said(self, what);
        case Msg.GotExit(Exit exit) -> exited(self, exit);
        case Msg.GotDown(Down down) -> down(self, down);
        case Msg.Do _, Msg.Ask _ -> throw new AssertionError(message);
      }
    });
  }

  private interface Action {
    void run() throws Exception;
  }

  private void guarded(Action action) throws Exception {
    try {
      action.run();
    } catch (Throwable t) { // the test is told
      finished.completeExceptionally(
          t instanceof AssertionError ? t : new AssertionError("round " + present, t));
      throw t;
    }
  }
}
