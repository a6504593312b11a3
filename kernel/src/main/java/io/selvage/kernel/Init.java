package io.selvage.kernel;

import io.selvage.kernel.internal.process.Inits;

/**
 * The code of a process that is started with a handshake: it gets an {@link Ack} with which it says
 * that it is ready, and tells a value.
 *
 * <pre>{@code
 * Init<Msg, Integer> listener = Init.body((self, ack) -> {
 *   ServerSocket socket = new ServerSocket(0);
 *   ack.ready(socket.getLocalPort());
 *   …
 * });
 * int port = node.start(listener, Duration.ofSeconds(5)).orThrow().value();
 * }</pre>
 *
 * <p>A {@link Behavior} can be started without an {@code Init}: it is ready once its setup has
 * answered.
 *
 * @param <M> the messages the process accepts
 * @param <A> what it tells when it is ready
 */
public sealed interface Init<M, A> permits Inits.OfBody, Inits.OfBehavior {
  /**
   * A direct process that says itself when it is ready.
   *
   * @param code its code
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return what to give to {@code start}
   */
  static <M, A> Init<M, A> body(Code<M, A> code) {
    return new Inits.OfBody<>(code);
  }

  /**
   * An event process that says itself when it is ready: in its setup, or later in a handler.
   *
   * @param setup runs first; its answer is the first behavior
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return what to give to {@code start}
   */
  static <M, A> Init<M, A> behavior(Setup<M, A> setup) {
    return new Inits.OfBehavior<>(setup);
  }

  /**
   * A {@link Body} that says when it is ready.
   *
   * @param <M> the messages the process accepts
   * @param <A> what it tells when it is ready
   */
  @FunctionalInterface
  interface Code<M, A> {
    /**
     * Runs the process.
     *
     * @param self the process, as its own code sees it
     * @param ack tells whoever waits for the start
     * @throws Exception to end the process, which fails the start if {@code ack} has not been used
     */
    void run(DirectSelf<M> self, Ack<A> ack) throws Exception;
  }

  /**
   * A {@link Behavior.Setup} that says when it is ready.
   *
   * @param <M> the messages the process accepts
   * @param <A> what it tells when it is ready
   */
  @FunctionalInterface
  interface Setup<M, A> {
    /**
     * Runs in the new process before its first message.
     *
     * @param self the process, as its own code sees it; good only inside this call
     * @param ack tells whoever waits for the start; good in later handlers, too
     * @return the first behavior, or {@link Behavior#stop()}
     * @throws Exception to end the process, which fails the start if {@code ack} has not been used
     */
    Behavior<M> start(Self<M> self, Ack<A> ack) throws Exception;
  }
}
