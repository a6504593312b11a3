package io.selvage.otp;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.ProcessEndedError;
import io.selvage.kernel.Self;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What all behaviours have in common: between the mailbox and the code of a behaviour it answers
 * system messages, holds messages back while the process is suspended, and sees to it that {@code
 * terminate} runs before the process ends in order.
 *
 * <pre>
 *   message ──► system request? ── yes ──► answered here, also while suspended
 *                    │ no
 *                    ├── own message (a timeout, a request to a supervisor) ──► onOwn ──┐
 *                    └── message of the user ──► onUser ───────────────────────────────┤
 *                                                                                       ├──► goes on
 *              suspended: both wait in the stash until resumed                          └──► stop / failure ──► terminate ──► end
 * </pre>
 *
 * <p>All fields are those of the process's own code. At rest a loop is one object. What only few
 * need shares one field: what the behaviour {@linkplain #waiting() waits for}, or a {@link Watch},
 * which then holds that, too.
 *
 * @param <M> the messages of the user
 */
abstract class Loop<M> implements Behavior<M>, SystemMessage.Receiver {
  /** Of those who are suspended, counted or traced. */
  private static final class Watch {
    boolean suspended;

    /** When counting began, by the node's clock; meaningless unless counting. */
    long since;

    boolean counting;
    long messages;
    @Nullable Consumer<? super SystemEvent> sink;

    /** What the behaviour waits for, or null. */
    @Nullable Object waiting;

    boolean isNeeded() {
      return suspended || counting || sink != null;
    }
  }

  /** A {@link Watch}, what the behaviour waits for, or null. */
  private @Nullable Object rare;

  /** {@link #terminate} has been called: once, whatever it does. */
  private boolean terminated;

  // ---------------------------------------------------------------- what a behaviour has to say

  /** Handles a message of the user; answers {@code this}, or a stop from {@link #stop}. */
  abstract Behavior<M> onUser(Self<M> self, M message) throws Exception;

  /** Handles a message of the behaviour's own, such as its timeouts. */
  Behavior<M> onOwn(Self<M> self, SystemMessage message) throws Exception {
    throw new IllegalStateException(behaviour() + " was sent " + message + ", which it never is");
  }

  /** Releases what the process holds; the user's {@code terminate}, if there is one. */
  abstract void terminate(Self<M> self, ExitReason reason) throws Exception;

  /** What it is, in words. */
  abstract String behaviour();

  /** The user's code. */
  abstract Class<?> code();

  /** The state, for who may see all of it. */
  abstract Object state();

  /**
   * Another state.
   *
   * @throws RuntimeException to keep the state as it is
   */
  abstract void replaceState(Object state);

  /** The state for reports. */
  @Override
  public abstract Object shownState();

  /** How many messages it has put aside itself. */
  int postponed() {
    return 0;
  }

  /** A system request has come, which takes its time: waits of the behaviour begin anew. */
  void beforeSystemRequest(Self<M> self) {}

  /**
   * Asked to end in order, by {@link Sys#stop} or the parent's end. A behaviour that must wait for
   * something first answers {@code this}, and {@link #stop} when it is done.
   */
  Behavior<M> stopRequested(Self<M> self, ExitReason reason) throws Exception {
    return stop(self, reason);
  }

  /** Whether the process waits for something before it ends, and then does. */
  boolean isEnding() {
    return false;
  }

  /** The supervisor above has so much time left to stop its tree. */
  void treeDeadline(Self<M> self, Duration left) {}

  // ---------------------------------------------------------------- the loop

  @Override
  public final Behavior<M> onMessage(Self<M> self, M message) throws Exception {
    Behavior<M> answer;
    Object something = message;
    try {
      if (something instanceof SystemMessage own) {
        if (own instanceof SystemRequest request) {
          return onSystem(self, request);
        }
        if (holdsBack(self, message)) {
          return this;
        }
        answer = onOwn(self, own);
      } else {
        if (rare != null && holdsBack(self, message)) {
          return this;
        }
        answer = onUser(self, message);
      }
    } catch (Throwable failure) {
      throw failed(self, failure);
    }
    return rare == null ? answer : tellContinued(self, answer);
  }

  /**
   * Whether the process is suspended, so that a message must wait; not for long if the node closes,
   * since whoever traps exits must see that it has to end. Else it is about to handle it.
   */
  private boolean holdsBack(Self<M> self, M message) {
    Watch w = watch();
    if (w == null) {
      return false;
    }
    if (w.suspended) {
      self.stash(message);
      if (self.node().isClosing()) {
        resume(self);
      }
      return true;
    }
    if (!((Object) message instanceof SystemMessage)) {
      tell(self, message);
    }
    return false;
  }

  /** Tells the trace and the statistics of what is about to be handled. */
  final void tell(Self<M> self, Object message) {
    Watch w = watch();
    if (w != null) {
      w.messages++;
      if (w.sink != null) {
        trace(new SystemEvent.Received(self.pid(), message));
      }
    }
  }

  private Behavior<M> tellContinued(Self<M> self, Behavior<M> answer) {
    Watch w = watch();
    if (w != null && w.sink != null && answer == this) {
      trace(new SystemEvent.Continued(self.pid(), state()));
    }
    return answer;
  }

  /** A sink that fails is a fault of whoever watches, not of this process: it is taken away. */
  private void trace(SystemEvent event) {
    Watch w = watch();
    if (w != null && w.sink != null) {
      try {
        w.sink.accept(event);
      } catch (Throwable thrown) {
        Throwable fault = Fault.survivable(thrown);
        w.sink = null;
        System.getLogger("io.selvage.otp")
            .log(
                System.Logger.Level.WARNING,
                "the sink of the trace of " + event.pid() + " failed and is told no more",
                fault);
      }
    }
  }

  // ---------------------------------------------------------------- the end

  /**
   * Ends the process in order.
   *
   * @return what to answer from the handler
   */
  final Behavior<M> stop(Self<M> self, ExitReason reason) throws Exception {
    terminated = true;
    terminate(self, reason);
    trace(new SystemEvent.Stopped(self.pid(), reason));
    return Behavior.stop(reason);
  }

  /** What the code of a behaviour does outside the loop, at its start. */
  @FunctionalInterface
  interface Step<M> {
    Behavior<M> run() throws Exception;
  }

  /** Runs a step; if it fails, the process ends as if a message had made it fail. */
  final Behavior<M> guarded(Self<M> self, Step<M> step) throws Exception {
    try {
      return step.run();
    } catch (Throwable failure) {
      throw failed(self, failure);
    }
  }

  /** Ends the process because its code failed; answers what to throw. */
  private Exception failed(Self<M> self, Throwable failure) throws Exception {
    if (failure instanceof ProcessEndedError ended) {
      throw ended; // by a signal that it does not trap: nothing of it runs any more
    }
    ExitReason reason =
        failure instanceof ExitException exit ? exit.reason() : new ExitReason.Crash(failure);
    if (!terminated) {
      stop(self, reason);
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return (Exception) failure;
  }

  @Override
  public final SystemMessage onParentExit(Exit exit) {
    return new SystemRequest.ParentExited(exit);
  }

  /**
   * Traps exits, for a behaviour that has children. A signal of no process is obeyed as the
   * parent's is, though the behaviour be suspended: the node closes, or a thread that is no process
   * ends it.
   *
   * @param ofAnother makes a message of a signal of another process
   */
  @SuppressWarnings("unchecked") // the loop takes system messages beside those of the user
  static <M> void trapExits(Self<M> self, Function<? super Exit, SystemMessage> ofAnother) {
    self.trapExits(exit ->
        (M)
            (Object)
                (exit.from() == null
                    ? new SystemRequest.ParentExited(exit)
                    : ofAnother.apply(exit)));
  }

  // ---------------------------------------------------------------- system requests

  private Behavior<M> onSystem(Self<M> self, SystemRequest request) throws Exception {
    beforeSystemRequest(self); // before the answer: whoever gets that finds them begun
    switch (request) {
      case SystemRequest.State(var replyTo) -> replyTo.send(state());
      case SystemRequest.ReplaceState(var change, var replyTo) -> replyTo.send(replaced(change));
      case SystemRequest.Suspend(var replyTo) -> {
        if (isEnding()) {
          return this; // the end, which must not wait, is the answer
        }
        watching().suspended = true;
        self.stashCapacity(Integer.MAX_VALUE); // what waits is the mailbox, only elsewhere
        replyTo.send(true);
      }
      case SystemRequest.Resume(var replyTo) -> {
        resume(self);
        replyTo.send(true);
      }
      case SystemRequest.StatusOf(var replyTo) -> replyTo.send(status(self));
      case SystemRequest.Count(var what, var replyTo) -> replyTo.send(count(self, what));
      case SystemRequest.Trace(var sink, var replyTo) -> {
        watching().sink = sink.orElse(null);
        forgetWatch();
        replyTo.send(true);
      }
      case SystemRequest.Stop(var reason, _) -> {
        resume(self);
        return stopRequested(self, reason);
      }
      case SystemRequest.ParentExited(Exit(_, var reason)) -> {
        resume(self);
        return stopRequested(self, reason);
      }
      case SystemRequest.TreeDeadline(var left) -> treeDeadline(self, left);
    }
    return this;
  }

  private SystemRequest.Replaced replaced(UnaryOperator<Object> change) {
    try {
      Object next = change.apply(state());
      if (next == null) {
        throw new NullPointerException("the new state is null");
      }
      replaceState(next);
      return new SystemRequest.Replaced(Optional.of(next), Optional.empty());
    } catch (Throwable failure) { // of the asker's code: it is told, and no more
      return new SystemRequest.Replaced(Optional.empty(), Optional.of(Fault.survivable(failure)));
    }
  }

  private @Nullable Watch watch() {
    return rare instanceof Watch w ? w : null;
  }

  private Watch watching() {
    Watch w = watch();
    if (w == null) {
      w = new Watch();
      w.waiting = rare;
      rare = w;
    }
    return w;
  }

  private void forgetWatch() {
    if (rare instanceof Watch w && !w.isNeeded()) {
      rare = w.waiting;
    }
  }

  /** What the behaviour waits for, beside its messages; null if it does not. */
  final @Nullable Object waiting() {
    return rare instanceof Watch w ? w.waiting : rare;
  }

  /** From now on the behaviour waits for something else, or for nothing. */
  final void waitFor(@Nullable Object what) {
    if (rare instanceof Watch w) {
      w.waiting = what;
    } else {
      rare = what;
    }
  }

  private void resume(Self<M> self) {
    Watch w = watch();
    if (w != null && w.suspended) {
      w.suspended = false;
      forgetWatch();
      self.unstashAll();
    }
  }

  private SystemStatus status(Self<M> self) {
    return new SystemStatus(
        self.pid(),
        behaviour(),
        code(),
        self.ancestors(),
        isSuspended(),
        statistics(self),
        shown());
  }

  /** For a status; code that cannot show it is no reason to end. */
  private Object shown() {
    try {
      return Objects.requireNonNull(shownState(), "it was shown as null");
    } catch (Throwable failure) {
      return "not shown: showing it threw " + Fault.survivable(failure).getClass().getName();
    }
  }

  private boolean isSuspended() {
    Watch w = watch();
    return w != null && w.suspended;
  }

  private Optional<Statistics> statistics(Self<M> self) {
    Watch w = watch();
    return w == null || !w.counting
        ? Optional.empty()
        : Optional.of(
            new Statistics(
                Duration.ofNanos(self.node().nanoTime() - w.since),
                w.messages,
                postponed() + self.stashed()));
  }

  private Optional<Statistics> count(Self<M> self, SystemRequest.Counting what) {
    Optional<Statistics> until = statistics(self);
    switch (what) {
      case BEGIN -> {
        Watch w = watching();
        w.counting = true;
        w.messages = 0;
        w.since = self.node().nanoTime();
      }
      case END -> {
        watching().counting = false;
        forgetWatch();
      }
      case ASK -> {}
    }
    return until;
  }
}
