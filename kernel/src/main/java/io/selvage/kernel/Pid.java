package io.selvage.kernel;

import io.selvage.kernel.internal.process.LocalProcess;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The typed address of one process. A pid never changes its process and is never reused: once the
 * process has ended, everything sent here is dropped and counted.
 *
 * <p>Pids are immutable and may be shared between threads. Every method may be called from any
 * thread: a process, another process's handler, or a thread that is no process at all.
 *
 * <p>Memory effects: what a thread did before {@code send} is seen by the process when it handles
 * that message. A message that was handed over must not be changed afterwards.
 *
 * <p>Source: Erlang's pid, made typed.
 *
 * @param <M> what the process accepts
 */
public sealed interface Pid<M> extends Address<M> permits LocalProcess {

  /**
   * Sends a message. Messages and all other signals from one sender to one receiver arrive in the
   * order sent. A message to a process that has ended is dropped and counted ({@link
   * NodeStats#undelivered()}); the sender learns of it only by a monitor or a {@linkplain #call
   * call}.
   *
   * <p>While the mailbox is over its high mark, whoever goes on sending is held back until it has
   * been worked off, for a second at a time at most: a direct process, or a thread that is no
   * process, waits here; an event process pauses after its handler. The message is delivered in any
   * case. See {@link Marks}.
   *
   * <p>Cost: one small object and one compare-and-set; a receiver that waited is also scheduled.
   * Source: Erlang's {@code !}.
   *
   * @param message the message
   * @throws NullPointerException if {@code message} is null
   */
  void send(M message);

  /**
   * Sends a message if there is room for it, and never waits. Departures from {@link #send}: a
   * mailbox over its high mark refuses the message, the sender is never held back, and the answer
   * tells what became of it.
   *
   * <p>A message that is refused has gone nowhere: it is the sender's still, and is counted ({@link
   * NodeStats#refused()}).
   *
   * @param message the message
   * @return what became of it
   * @throws NullPointerException if {@code message} is null
   */
  SendResult trySend(M message);

  /**
   * Sends an exit signal. A process that does not trap exits ends with {@code reason}, unless the
   * reason is {@link ExitReason.Normal} and the signal comes from somebody else, which has no
   * effect. A process that traps exits gets an {@link Exit} message. {@link ExitReason.Kill} cannot
   * be trapped: the process ends with {@link ExitReason.Killed}.
   *
   * <p>The signal acts as soon as the process fetches it, before any message still unread. A
   * process that runs is ended at its next kernel call or between messages; one that blocks in
   * foreign code is interrupted. Code that neither returns, blocks nor calls the kernel cannot be
   * ended. A signal to a process that has ended is ignored.
   *
   * <p>Source: {@code erlang:exit/2}.
   *
   * @param reason why
   */
  void exit(ExitReason reason);

  /**
   * Sends the exit signal {@link ExitReason.Kill}, which cannot be trapped. Same as {@code
   * exit(ExitReason.kill())}.
   */
  default void kill() {
    exit(ExitReason.kill());
  }

  /**
   * Whether the process has not ended. When this is false its names are free and its end is on the
   * way to those who watch it.
   *
   * @return true while the process runs; the answer may be out of date when it is read
   */
  boolean isAlive();

  /**
   * Sends a request that carries a reply address and waits for the reply. The process is watched
   * while the caller waits, so its end, or its absence, fails the call at once. A reply that comes
   * too late is dropped and counted.
   *
   * <p>A calling process can be ended by exit signals while it waits; its other messages stay in
   * its mailbox. A thread that is no process may be interrupted, which fails the call and keeps the
   * interrupt status set.
   *
   * <p>An event process may call too: its worker hands its other work over while it waits. That
   * costs a wake-up of another thread, 10 to 20 microseconds; {@link Self#request} costs about as
   * much as two messages. Code that calls often and waits long is better off as a direct process.
   *
   * <pre>{@code
   * long cents = account.call(Msg.Balance::new, Duration.ofSeconds(1));
   * }</pre>
   *
   * <p>Source: {@code gen_server:call/3}.
   *
   * @param request makes the request from the reply address; often a record's constructor
   * @param timeout how long to wait; zero or more, of any length
   * @param <R> the reply
   * @return the reply
   * @throws CallException if the process ended or was not there ({@link CallException#reason()}),
   *     if it calls itself, or if the caller was interrupted
   * @throws CallTimeoutException if no reply came in time
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  <R> R call(Function<? super ReplyTo<R>, ? extends M> request, Duration timeout);

  // ---------------------------------------------------------------- asynchronous calls

  /**
   * Sends a request that carries a reply address, like {@link #call}, and answers at once with the
   * reply to come. The process is watched: its end, or its absence, completes the stage with a
   * {@link CallException}, and {@code timeout} with a {@link CallTimeoutException}. A process that
   * calls itself gets a stage that has failed, as it might wait for it.
   *
   * <p>The stage is always completed by a virtual thread that does nothing else: what depends on it
   * may block, and is never run by the timer, by the called process or by a worker. If it is
   * cancelled ({@code stage.toCompletableFuture().cancel(true)}), the call is given up, and a reply
   * is dropped and counted.
   *
   * <p>For code that is no process, and for bridges to other libraries. A process is better off
   * with {@link Self#request}: the outcome comes as a message, which costs a twentieth and ends
   * with the process.
   *
   * <p>Cost: a timer, two objects and a start of a virtual thread (about a microsecond).
   *
   * @param request makes the request from the reply address; often a record's constructor
   * @param timeout how long the reply may take; zero or more, of any length
   * @param <R> the reply
   * @return the reply to come
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  <R> CompletionStage<R> callAsync(
      Function<? super ReplyTo<R>, ? extends M> request, Duration timeout);
}
