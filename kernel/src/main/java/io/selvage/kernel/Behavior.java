package io.selvage.kernel;

import io.selvage.kernel.internal.process.Behaviors;

/**
 * The code of an <em>event</em> process: called once for each message, and answering with the
 * behavior for the next one. Between messages the process holds no thread. A record whose fields
 * are the state of the process is often all it takes:
 *
 * <pre>{@code
 * record Account(long cents) implements Behavior<Msg> {
 *   public Behavior<Msg> onMessage(Self<Msg> self, Msg message) {
 *     return switch (message) {
 *       case Msg.Deposit(long c) -> new Account(cents + c);
 *       case Msg.Balance(var replyTo) -> { replyTo.send(cents); yield this; }
 *       case Msg.AuditorDown _ -> Behavior.stop();
 *     };
 *   }
 * }
 * }</pre>
 *
 * <p>A handler may block without hanging the node, but code that blocks for long is better as a
 * {@link Body}. A behavior object is used by one process at a time if its author does not share it;
 * a shared one (a lambda without state) is called by many at once.
 *
 * @param <M> the messages the process accepts
 */
@FunctionalInterface
public interface Behavior<M> {
  /**
   * Handles one message.
   *
   * @param self the process, as its own code sees it; good only inside this call
   * @param message the message
   * @return the behavior for the next message: {@code this} or {@link #same()} to stay, another to
   *     become it, {@link #stop()} to end. Null is an error and ends the process with {@link
   *     ExitReason.Crash}.
   * @throws Exception to end the process with {@link ExitReason.Crash}, or with the reason of an
   *     {@link ExitException}
   */
  Behavior<M> onMessage(Self<M> self, M message) throws Exception;

  /**
   * Stay as you are.
   *
   * @param <M> the messages the process accepts
   * @return a marker that keeps the present behavior
   */
  static <M> Behavior<M> same() {
    return Behaviors.same();
  }

  /**
   * End with {@link ExitReason.Normal}.
   *
   * @param <M> the messages the process accepts
   * @return a marker that ends the process
   */
  static <M> Behavior<M> stop() {
    return Behaviors.stop(ExitReason.normal());
  }

  /**
   * End with a reason.
   *
   * @param reason the reason
   * @param <M> the messages the process accepts
   * @return a marker that ends the process
   */
  static <M> Behavior<M> stop(ExitReason reason) {
    return Behaviors.stop(reason);
  }

  /**
   * A behavior that is made inside the new process, before its first message: the place to monitor
   * others, trap exits or set timers.
   *
   * @param setup runs first; its answer is the first behavior
   * @param <M> the messages the process accepts
   * @return what to give to {@code spawn}; it cannot be returned from a handler
   */
  static <M> Behavior<M> setup(Setup<M> setup) {
    return Behaviors.setup(setup);
  }

  /**
   * What a process does before its first message.
   *
   * @param <M> the messages the process accepts
   */
  @FunctionalInterface
  interface Setup<M> {
    /**
     * Runs in the new process.
     *
     * @param self the process, as its own code sees it; good only inside this call
     * @return the first behavior, or {@link Behavior#stop()}
     * @throws Exception to end the process with {@link ExitReason.Crash}, or with the reason of an
     *     {@link ExitException}
     */
    Behavior<M> start(Self<M> self) throws Exception;
  }
}
