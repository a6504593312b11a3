package io.selvage.kernel;

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
}
