package io.selvage.kernel;

import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.spi.KernelEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

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
   * @throws AlreadyRegisteredException if the name is taken, also by the process itself
   * @throws IllegalStateException if the process has a name already, or has ended
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
   * Who holds a name. The process was alive when this looked: a name is freed before its process
   * counts as dead.
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
   * The names that are held now. Names that come or go meanwhile may be in it or not.
   *
   * <p>Cost: a walk over all names; it stops nobody. Source: {@code erlang:registered/0}.
   *
   * @return the names, in no order
   */
  List<Name<?>> registered();

  /**
   * When a mailbox of this node is too long, where its process has no marks of its own.
   *
   * @return the marks
   */
  Marks marks();

  /**
   * Changes when a mailbox is too long. Senders see it with their next message; whoever is held
   * back stays so until his receiver is down to its new low mark.
   *
   * @param marks the new marks
   */
  void marks(Marks marks);

  /**
   * Gives a process marks of its own; see {@link SpawnOptions#withMarks}. Nothing happens if it has
   * ended.
   *
   * @param pid the process
   * @param marks its marks
   * @throws IllegalArgumentException if the process lives at another node
   */
  void marks(Pid<?> pid, Marks marks);

  /**
   * The limits of a process: how much of each type of message may wait in its mailbox.
   *
   * @param pid the process
   * @param <M> the messages it accepts
   * @return its limits; empty ones if it has none, or has ended
   * @throws IllegalArgumentException if the process lives at another node
   */
  <M> Limits<M> limits(Pid<M> pid);

  /**
   * Gives a process limits, in place of those that it has. They count what is sent from now on:
   * what waits already counts for none of them. Who waits for room under the old ones tries again
   * under the new. Nothing happens if the process has ended.
   *
   * @param pid the process
   * @param limits its limits; {@link Limits#none} for none
   * @param <M> the messages it accepts
   * @throws IllegalArgumentException if the process lives at another node
   */
  <M> void limits(Pid<M> pid, Limits<M> limits);

  /**
   * The process groups of this node.
   *
   * @return the groups
   */
  Groups groups();

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
   * The time of this node's {@linkplain io.selvage.kernel.spi.Clock clock}, which its timers
   * follow: for code that measures, and must be testable with a clock moved by hand.
   *
   * @return nanoseconds from an arbitrary start; only differences have a meaning, and they may wrap
   *     around
   */
  long nanoTime();

  /**
   * Whether {@link #close} has been called: nothing can be spawned any more, and every process has
   * been sent the exit signal {@code shutdown}, or will be. Code that was refused a spawn, or whose
   * child has ended, finds out by this that there is nothing to repeat or to report. Any thread;
   * costs one volatile read.
   *
   * @return whether the node is closing or closed; once true it stays so, and whoever was refused a
   *     spawn because of it finds it true
   */
  boolean isClosing();

  /**
   * The counters of this node, without stopping anything.
   *
   * @return the counters now
   */
  NodeStats stats();

  /**
   * Where the messages went that reached nobody, of the ten kinds that have most; see {@link
   * #deadLetters(int)}.
   *
   * @return the counts now
   */
  default DeadLetterStats deadLetters() {
    return deadLetters(10);
  }

  /**
   * Where the messages went that reached nobody: how many there were for each cause, and of those
   * kinds (receiver, class of the message, cause) that have most. A node tells about a thousand
   * kinds apart; when more come, those with the lowest counts are forgotten. What is not listed is
   * still part of the total.
   *
   * <p>Cost: one walk over the kinds. It stops nobody. To count a dead letter takes well under a
   * microsecond and no memory that stays, but for the first of a kind. Source: Akka's dead letters,
   * which are a stream and log entries alone; the counters are Selvage's.
   *
   * @param most how many kinds at most; zero or more
   * @return the counts now
   * @throws IllegalArgumentException if {@code most} is negative
   */
  DeadLetterStats deadLetters(int most);

  // ---------------------------------------------------------------- watching: what there is

  /** How many processes {@link #top} can rank at most. */
  int MOST_RANKED = 10_000;

  /**
   * All processes alive now: each that was there during the whole look, and perhaps some that came
   * or went meanwhile. Nobody is stopped.
   *
   * <p>Cost: one walk over the table of processes, and a reference for each. Source: {@code
   * erlang:processes/0}.
   *
   * @return the processes, in no particular order
   */
  List<Pid<?>> processes();

  /**
   * What is known of a process, with at most 100 of its links and of its monitors of each
   * direction; see {@link #info(Pid, int)}.
   *
   * @param pid the process
   * @return what is known, or empty if it has ended
   * @throws IllegalArgumentException if the process lives at another node
   */
  default Optional<ProcessInfo> info(Pid<?> pid) {
    return info(pid, 100);
  }

  /**
   * What is known of a process. The process is neither stopped nor asked, so this answers at once
   * for one that is stuck, too, and its mailbox is not walked.
   *
   * <p>Cost: some reads, and an entry for each link and monitor that is named; it does not grow
   * with what the process holds. Source: {@code erlang:process_info/1}.
   *
   * @param pid the process
   * @param most how many links, and monitors of each direction, to name at most; they are counted
   *     in any case
   * @return what is known, or empty if it has ended
   * @throws IllegalArgumentException if the process lives at another node, or {@code most} is
   *     negative
   */
  Optional<ProcessInfo> info(Pid<?> pid, int most);

  /**
   * Of what the mailbox of a process consists: who has sent most of it, of which classes it is, and
   * how long the oldest request has waited. The process is neither stopped nor asked, so this
   * answers at once for one that is stuck, too.
   *
   * <p>Cost: a walk over the mailbox, of 20,000 messages at most, and constant memory. Nothing is
   * added to a send.
   *
   * @param pid the process
   * @return what there is, or empty if it has ended
   * @throws IllegalArgumentException if the process lives at another node
   */
  Optional<Backlog> backlog(Pid<?> pid);

  /**
   * Where the code of a process is, from the innermost call outwards. For a direct process its
   * thread's stack; for an event process that of the handler that runs just now, if there is one.
   *
   * <p>Cost: the JVM stops that one thread while it copies the stack. Source: {@code
   * process_info(Pid, current_stacktrace)}.
   *
   * @param pid the process
   * @return the frames; empty if the process runs no code now, or has ended
   * @throws IllegalArgumentException if the process lives at another node
   */
  List<StackTraceElement> stack(Pid<?> pid);

  /**
   * The processes with the greatest value of a counter, greatest first. Those with zero are left
   * out.
   *
   * <p>Cost: one walk over all processes, which reads a counter of each; memory for {@code most}
   * entries, however many processes there are. Source: {@code recon:proc_count/2}.
   *
   * @param counter what to compare by
   * @param most how many at most; 1 to {@link #MOST_RANKED}
   * @return the processes and their values
   * @throws IllegalArgumentException if {@code most} is out of its range
   */
  List<Ranked> top(Counter counter, int most);

  /**
   * Notes a counter of every process, to find out later whose has grown most.
   *
   * <p>Cost: one walk over all processes, and 16 bytes for each.
   *
   * @param counter what to note
   * @return the counters now
   */
  Baseline baseline(Counter counter);

  /**
   * Subscribes a function to events of this node. It runs on a thread of its own, one event after
   * the other, and may take its time: nobody waits for it. Events that come while {@link
   * EventFilter#capacity} others wait are lost and counted, and a {@link KernelEvent.EventsLost}
   * tells how many.
   *
   * <p>What the function throws goes to its thread's handler of uncaught exceptions. Closing the
   * node ends the subscription, after the function was given what waits.
   *
   * <p>Cost: a platform thread. While nobody subscribes, a spawn, an end, a link, a name and a dead
   * letter read one word to find that out; a message that arrives does not even that.
   *
   * @param filter which events
   * @param function takes them
   * @return the subscription
   * @throws IllegalStateException if the node is closing or closed
   */
  Subscription subscribe(EventFilter filter, Consumer<? super KernelEvent> function);

  /**
   * Opens a trace session whose entries are given to a function, on a thread of its own. Nothing is
   * traced until {@link TraceSession#trace} chooses a process.
   *
   * @param options its limits
   * @param function takes the entries
   * @return the session
   * @throws IllegalStateException if the node is closing or closed
   */
  TraceSession trace(TraceOptions options, Consumer<? super TraceEvent> function);

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
