package io.selvage.kernel;

import io.selvage.kernel.internal.node.LocalNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One running Selvage runtime: the processes, the threads that run them, their names and their
 * clock. Several nodes may live in one JVM; they share nothing.
 *
 * <pre>{@code
 * try (Node node = Node.start()) {
 *   record Greet(String name, ReplyTo<String> replyTo) {}
 *   Pid<Greet> greeter =
 *       node.spawn((self, greet) -> { greet.replyTo().send("Hello, " + greet.name()); return Behavior.same(); });
 *   String greeting = greeter.call(replyTo -> new Greet("world", replyTo), Duration.ofSeconds(1));
 * }
 * }</pre>
 *
 * <p>A node keeps the JVM running until it is closed.
 *
 * <p>All methods may be called from any thread. Source: Erlang's node.
 */
public sealed interface Node extends Spawner, AutoCloseable permits LocalNode {
  /**
   * Starts a node with default options.
   *
   * @return the node
   */
  static Node start() {
    return start(NodeOptions.defaults());
  }

  /**
   * Starts a node. Workers start when there is work; an idle node uses no processor time.
   *
   * @param options how
   * @return the node
   */
  static Node start(NodeOptions options) {
    return LocalNode.start(options);
  }

  /**
   * The name of this node, which begins the text of its pids.
   *
   * @return the name
   */
  String name();

  /**
   * Registers a process under a name.
   *
   * @param name the name
   * @param pid the process
   * @param <M> what processes of this name accept
   * @throws IllegalStateException if the name is taken, the process has a name already, or has
   *     ended
   * @throws IllegalArgumentException if the process lives at another node
   */
  <M> void register(Name<M> name, Pid<M> pid);

  /**
   * Frees a name. Messages sent by it before may still arrive.
   *
   * @param name the name
   * @throws IllegalArgumentException if nobody holds it
   */
  void unregister(Name<?> name);

  /**
   * Who holds a name. The process was alive when this looked.
   *
   * @param name the name
   * @param <M> what processes of this name accept
   * @return the process, or empty
   */
  <M> Optional<Pid<M>> whereis(Name<M> name);

  /**
   * Sends a message to whoever holds a name.
   *
   * @param name the name
   * @param message the message
   * @param <M> what processes of this name accept
   * @throws IllegalArgumentException if nobody holds the name
   */
  <M> void send(Name<M> name, M message);

  /**
   * Sends a message to a process, or to whoever holds a name, after a time; from any thread, no
   * process needed.
   *
   * <p>A timer to a pid belongs to that process: it ends with it, and the message is counted
   * ({@link NodeStats#undelivered()}); so it is at once if the process has ended already. A timer
   * to a name belongs to this node. The name is looked up when the timer fires; if nobody holds it
   * then, the message is dropped and counted.
   *
   * @param delay how long; zero or more, of any length
   * @param target where to
   * @param message the message
   * @param <T> the messages the target accepts
   * @return the timer
   * @throws IllegalArgumentException if {@code delay} is negative
   */
  <T> Timer sendAfter(Duration delay, Address<T> target, T message);

  /**
   * The counters of this node, without stopping anything.
   *
   * @return the counters now
   */
  NodeStats stats();

  /**
   * Ends every process and stops the node, within {@link NodeOptions#closeTimeout()}; see {@link
   * #close(Duration)}. Processes that did not end are reported as an event.
   */
  @Override
  void close();

  /**
   * Ends every process and stops the node. First each process gets an exit signal with {@link
   * ExitReason.Shutdown}; those alive at half of the time are killed; at its end the node stops
   * without those that still run foreign code. Nothing can be spawned from the moment this is
   * called. Closing twice waits for the first.
   *
   * <p>Called by a process of this node, it does not wait, since it would wait for itself.
   *
   * @param timeout how long; zero or more
   * @return the processes that had not ended in time
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  List<Pid<?>> close(Duration timeout);
}
