package io.selvage.kernel;

import java.time.Duration;

/**
 * Starts processes. Given a {@link Body}, the process is <em>direct</em>: it runs on a virtual
 * thread of its own. Given a {@link Behavior}, it is an <em>event</em> process: it is called for
 * each message. All else is the same for both.
 *
 * <p>A lambda with one parameter is a body, one with two is a behavior:
 *
 * <pre>{@code
 * Pid<String> direct = node.spawn(self -> System.out.println(self.receive()));
 * Pid<String> event = node.spawn((self, line) -> { System.out.println(line); return Behavior.stop(); });
 * }</pre>
 *
 * <p>A {@link Node} starts processes from any thread; a {@link Self} starts them from its own
 * process, which becomes their parent and may be linked to them.
 */
public sealed interface Spawner permits Node, Self {
  /**
   * Starts a direct process. Returns at once; the body may not have begun yet.
   *
   * <p>Cost: a virtual thread and about 150 bytes.
   *
   * @param body its code
   * @param <M> the messages it accepts
   * @return its pid
   * @throws IllegalStateException if the node is closing or closed
   */
  default <M> Pid<M> spawn(Body<M> body) {
    return spawn(body, SpawnOptions.defaults());
  }

  /**
   * Starts a direct process with options; see {@link #spawn(Body)}.
   *
   * @param body its code
   * @param options its options
   * @param <M> the messages it accepts
   * @return its pid
   * @throws AlreadyRegisteredException if the name or the key in the options is taken; the code
   *     will not run
   * @throws IllegalStateException if the node is closing or closed
   * @throws IllegalArgumentException if the options ask for a link and the spawner is a node
   */
  <M> Pid<M> spawn(Body<M> body, SpawnOptions<M> options);

  /**
   * Starts an event process. Returns at once.
   *
   * <p>Cost: one object of about 60 bytes and a slot in the process table.
   *
   * @param behavior its code
   * @param <M> the messages it accepts
   * @return its pid
   * @throws IllegalStateException if the node is closing or closed
   */
  default <M> Pid<M> spawn(Behavior<M> behavior) {
    return spawn(behavior, SpawnOptions.defaults());
  }

  /**
   * Starts an event process with options; see {@link #spawn(Behavior)}. With {@link
   * SpawnOptions#onVirtualThread()} the behavior runs on a virtual thread of its own, where it may
   * block for long.
   *
   * @param behavior its code
   * @param options its options
   * @param <M> the messages it accepts
   * @return its pid
   * @throws AlreadyRegisteredException if the name or the key in the options is taken; the code
   *     will not run
   * @throws IllegalStateException if the node is closing or closed
   * @throws IllegalArgumentException if the options ask for a link and the spawner is a node
   */
  <M> Pid<M> spawn(Behavior<M> behavior, SpawnOptions<M> options);

  // ---------------------------------------------------------------- starting with a handshake

  /**
   * Starts a process and waits until it says that it is ready, or fails; see {@link Init}. A start
   * that fails leaves nothing behind: no name, no link, and no message (but that of a monitor, if
   * one was asked for). A process that is not ready in time is killed.
   *
   * <p>Blocks like a {@linkplain Pid#call call}: a process can be ended meanwhile, and then the new
   * one, unless linked, goes on; a thread that is no process can be interrupted, which kills the
   * new process. After a timeout the new process has one second to end; only one whose code can
   * neither be ended nor interrupted still runs after that, and has lost its name and its link.
   *
   * <p>Cost: a spawn, an object of about 40 bytes, a timer, and the hand-over to another thread and
   * back, which takes microseconds. Source: {@code proc_lib:start}.
   *
   * @param init its code
   * @param timeout how long it may take to be ready; zero or more, of any length
   * @param options its options; a name that is taken makes the start fail with {@link
   *     StartResult.AlreadyStarted}
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return its pid and what it told, or why it was not started
   * @throws IllegalStateException if the node is closing or closed
   * @throws IllegalArgumentException if {@code timeout} is negative, or if the options ask for a
   *     link and the spawner is a node
   */
  <M, A> StartResult<M, A> start(Init<M, A> init, Duration timeout, SpawnOptions<M> options);

  /**
   * Starts a process with default options and waits until it is ready; see {@link #start(Init,
   * Duration, SpawnOptions)}.
   *
   * @param init its code
   * @param timeout how long it may take to be ready
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return its pid and what it told, or why it was not started
   */
  default <M, A> StartResult<M, A> start(Init<M, A> init, Duration timeout) {
    return start(init, timeout, SpawnOptions.defaults());
  }

  /**
   * Starts a process and waits until its {@linkplain Behavior#setup setup} has answered a behavior;
   * what it tells is its pid. If the setup throws, or answers {@link Behavior#stop()}, the start
   * fails. A behavior without a setup is ready at once, which costs no more than a spawn. See
   * {@link #start(Init, Duration, SpawnOptions)} for all else.
   *
   * @param behavior its code
   * @param timeout how long it may take to be ready
   * @param options its options
   * @param <M> the messages it accepts
   * @return its pid, or why it was not started
   */
  <M> StartResult<M, Pid<M>> start(Behavior<M> behavior, Duration timeout, SpawnOptions<M> options);

  /**
   * Starts a process with default options and waits until its setup has answered a behavior; see
   * {@link #start(Behavior, Duration, SpawnOptions)}.
   *
   * @param behavior its code
   * @param timeout how long it may take to be ready
   * @param <M> the messages it accepts
   * @return its pid, or why it was not started
   */
  default <M> StartResult<M, Pid<M>> start(Behavior<M> behavior, Duration timeout) {
    return start(behavior, timeout, SpawnOptions.defaults());
  }
}
