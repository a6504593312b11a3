package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;

/**
 * A process with a state that answers messages one by one, starts with a handshake, stops in order,
 * and can be looked at while it runs. Implement {@link #init} and {@link #onMessage}; the state is
 * an immutable value that each callback gets and answers.
 *
 * <pre>{@code
 * record Account(long opening) implements Server<Long, Account.Msg> {
 *   sealed interface Msg {
 *     record Deposit(long cents) implements Msg {}
 *     record Balance(ReplyTo<Long> replyTo) implements Msg {}
 *   }
 *
 *   public FirstStep<Long, Msg> init(Self<Msg> self) {
 *     return Next.with(opening);
 *   }
 *
 *   public Next<Long, Msg> onMessage(Self<Msg> self, Long cents, Msg message) {
 *     return switch (message) {
 *       case Msg.Deposit(long more) -> Next.with(cents + more);
 *       case Msg.Balance(var replyTo) -> {
 *         replyTo.send(cents);
 *         yield Next.same();
 *       }
 *     };
 *   }
 * }
 *
 * Pid<Account.Msg> account = Server.start(node, new Account(0)).orThrow().pid();
 * account.send(new Account.Msg.Deposit(100));
 * long cents = account.call(Account.Msg.Balance::new, Duration.ofSeconds(1));
 * }</pre>
 *
 * <p>Requests, casts, timers and the process's own signals are all messages of one protocol. A
 * request is answered by its {@link io.selvage.kernel.ReplyTo}: now, later, or from elsewhere.
 *
 * <p>One server object may be the code of many processes, and a supervisor starts it again and
 * again: what changes belongs into the state. Its callbacks run in the process, one at a time.
 *
 * <p>Cost: a message costs what it costs a bare process, and a few nanoseconds. Source: {@code
 * gen_server}.
 *
 * @param <S> the state
 * @param <M> the messages
 */
public interface Server<S, M> {
  /**
   * Makes the first state. The start waits for it.
   *
   * @param self the process, as its own code sees it; good only inside this call
   * @return a {@link Next} with a state, or {@link FirstStep#ignore}, {@link FirstStep#stop} or
   *     {@link FirstStep#fail}
   * @throws Exception to fail the start and end the process with {@link ExitReason.Crash}, or with
   *     the reason of an {@link io.selvage.kernel.ExitException}
   */
  FirstStep<S, M> init(Self<M> self) throws Exception;

  /**
   * Handles one message.
   *
   * @param self the process, as its own code sees it; good only inside this call
   * @param state the present state
   * @param message the message
   * @return the next state, and how to go on
   * @throws Exception to end the process with {@link ExitReason.Crash}, or with the reason of an
   *     {@link io.selvage.kernel.ExitException}; {@link #terminate} runs before
   */
  Next<S, M> onMessage(Self<M> self, S state, M message) throws Exception;

  /**
   * Runs before the process ends, if it ends by {@link Next#stop}, {@link Sys#stop}, a failure in a
   * callback, or the exit of its parent while it traps exits. Does not run if it is killed, or
   * ended by an exit signal that it does not trap: what must be released in any case belongs to a
   * process that is linked or monitors.
   *
   * @param self the process, as its own code sees it; good only inside this call
   * @param state the last state
   * @param reason why it ends
   * @throws Exception to end the process with {@link ExitReason.Crash} instead
   */
  default void terminate(Self<M> self, S state, ExitReason reason) throws Exception {}

  /**
   * The state as people may see it, in crash reports and {@link Sys#status}: the place to leave out
   * what is secret or long.
   *
   * @param state the state
   * @return anything with a good {@code toString}
   */
  default Object shown(S state) {
    return state;
  }

  /**
   * The code of a server process, to be given to any {@code start} of the kernel.
   *
   * @param server the callbacks
   * @param <S> the state
   * @param <M> the messages
   * @return what to start; any number of times
   */
  static <S, M> Init<M, Pid<M>> of(Server<S, M> server) {
    return ServerLoop.program(server);
  }

  /**
   * Starts a server and waits until its {@link #init} has answered.
   *
   * @param spawner the node, or the process that starts it
   * @param server the callbacks
   * @param options the options of its process: its name, whether it is linked, or runs {@linkplain
   *     SpawnOptions#onVirtualThread on a virtual thread} because it blocks for long
   * @param <S> the state
   * @param <M> the messages
   * @return its pid, or why it was not started
   */
  static <S, M> StartResult<M, Pid<M>> start(
      Spawner spawner, Server<S, M> server, SpawnOptions<M> options) {
    return spawner.start(of(server), Sys.FOREVER, options);
  }

  /**
   * Starts a server with default options and waits until its {@link #init} has answered.
   *
   * @param spawner the node, or the process that starts it
   * @param server the callbacks
   * @param <S> the state
   * @param <M> the messages
   * @return its pid, or why it was not started
   */
  static <S, M> StartResult<M, Pid<M>> start(Spawner spawner, Server<S, M> server) {
    return start(spawner, server, SpawnOptions.defaults());
  }
}
