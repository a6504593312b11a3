package io.selvage.otp;

import io.selvage.kernel.Outcome;
import io.selvage.kernel.Self;
import io.selvage.kernel.Spawner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Many {@link Task}s at once: those that run already, and one for each element of a collection.
 *
 * <p>Source: {@code Task.await_many}, {@code yield_many} and {@code async_stream} of Elixir.
 */
public final class Tasks {
  private Tasks() {}

  // ---------------------------------------------------------------- those that run

  /**
   * Waits for the results of all. If one of them ends without a result, or there are not all in
   * time, those that still run are ended.
   *
   * @param tasks the tasks, all owned by the caller
   * @param timeout how long to wait for all together; zero or more, of any length
   * @param <R> the result
   * @return the results, in the order of the tasks
   * @throws io.selvage.kernel.CallException if a task ended without a result
   * @throws io.selvage.kernel.CallTimeoutException if there are not all in time
   * @throws IllegalStateException if the caller is not the owner of one
   */
  public static <R> List<R> awaitMany(Collection<Task<R>> tasks, Duration timeout) {
    Deadline deadline = Deadline.in(timeout);
    List<R> results = new ArrayList<>(tasks.size());
    for (Task<R> task : tasks) {
      Outcome<R> outcome =
          task.poll(deadline.left()).orElseGet(() -> new Outcome.TimedOut<>(task.pid(), timeout));
      if (!(outcome instanceof Outcome.Replied<R>(R result))) {
        tasks.forEach(Task::giveUp);
        results.add(outcome.orThrow());
        break;
      }
      results.add(result);
    }
    return results;
  }

  /**
   * Waits for the outcomes of all, and leaves those running that have none in time.
   *
   * @param tasks the tasks, all owned by the caller
   * @param timeout how long to wait for all together; zero or more, of any length
   * @param <R> the result
   * @return a reply, a failure, or empty for one that still runs, in the order of the tasks
   * @throws IllegalStateException if the caller is not the owner of one
   */
  public static <R> List<Optional<Outcome<R>>> pollMany(
      Collection<Task<R>> tasks, Duration timeout) {
    Deadline deadline = Deadline.in(timeout);
    List<Optional<Outcome<R>>> outcomes = new ArrayList<>(tasks.size());
    for (Task<R> task : tasks) {
      outcomes.add(task.poll(deadline.left()));
    }
    return outcomes;
  }

  // ---------------------------------------------------------------- one for each element

  /**
   * What is done with each element.
   *
   * @param <T> the element
   * @param <R> the result
   */
  @FunctionalInterface
  public interface Step<T, R> {
    /**
     * Runs in a task of its own.
     *
     * @param self the task's process
     * @param input the element
     * @return the result; not null
     * @throws Exception to end this task, which is this element's outcome
     */
    R run(Self<?> self, T input) throws Exception;
  }

  /**
   * What came of one element.
   *
   * @param input the element
   * @param outcome the result; or why there is none
   * @param <T> the element
   * @param <R> the result
   */
  public record Element<T, R>(T input, Outcome<R> outcome) {
    /** Checks that there is an outcome. */
    public Element {
      Objects.requireNonNull(outcome, "outcome");
    }
  }

  /** What an element that takes too long brings about. */
  public enum OnTimeout {
    /** The stream ends: all its tasks are ended, and whoever reads it gets the exception. */
    EXIT,
    /** Its task is killed, and {@link Outcome.TimedOut} is its outcome. */
    KILL
  }

  /**
   * How to go through a collection. Immutable: each method answers a changed copy.
   *
   * @param concurrency how many tasks run at once at most; 1 or more
   * @param ordered whether outcomes come in the order of the elements, or as they are there
   * @param timeout how long one element may take; zero or more, of any length
   * @param onTimeout what happens then
   */
  public record StreamOptions(
      int concurrency, boolean ordered, Duration timeout, OnTimeout onTimeout) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public StreamOptions {
      Objects.requireNonNull(onTimeout, "onTimeout");
      if (concurrency < 1) {
        throw new IllegalArgumentException(
            "the concurrency is " + concurrency + ", so no task could run: give 1 or more");
      }
      if (timeout.isNegative()) {
        throw new IllegalArgumentException(
            "the timeout of an element is " + timeout + ", but it is a time: give zero or more");
      }
    }

    /**
     * As many tasks as there are processors, in the order of the elements, with five seconds for
     * each, after which the stream ends.
     *
     * @return the defaults
     */
    public static StreamOptions defaults() {
      return new StreamOptions(
          Runtime.getRuntime().availableProcessors(), true, Duration.ofSeconds(5), OnTimeout.EXIT);
    }

    /**
     * How many tasks run at once at most.
     *
     * @param tasks the number; 1 or more
     * @return a changed copy
     */
    public StreamOptions atOnce(int tasks) {
      return new StreamOptions(tasks, ordered, timeout, onTimeout);
    }

    /**
     * Outcomes come as they are there.
     *
     * @return a changed copy
     */
    public StreamOptions unordered() {
      return new StreamOptions(concurrency, false, timeout, onTimeout);
    }

    /**
     * How long one element may take.
     *
     * @param limit the time; zero or more, of any length
     * @param then what happens then
     * @return a changed copy
     */
    public StreamOptions within(Duration limit, OnTimeout then) {
      return new StreamOptions(concurrency, ordered, limit, then);
    }
  }

  /**
   * Does something with each element of a collection, in tasks of which no more than a number run
   * at once.
   *
   * <pre>{@code
   * try (var pages = Tasks.stream(self, urls, (_, url) -> fetch(url), StreamOptions.defaults())) {
   *   pages.forEach(page -> show(page.input(), page.outcome()));
   * }
   * }</pre>
   *
   * <p>The stream is lazy: tasks are started while somebody waits for an outcome, so the collection
   * may be endless. It belongs to whoever made it, who alone may read it. A task that fails is an
   * outcome, and harms nobody. All tasks end with the stream, whether it is read to its end,
   * closed, or its owner, a process, ends. A stream that is not read to its end must be closed;
   * that waits for the end of its tasks, up to a second.
   *
   * <p>Cost: one event process for the stream, and a direct process for each element.
   *
   * @param owner the process that reads it, by its {@code self}; or the node: then the calling
   *     thread
   * @param collection the elements; its iterator is used by the reader
   * @param step what to do with each
   * @param options how
   * @param <T> the element
   * @param <R> the result
   * @return what came of each
   */
  public static <T, R> Stream<Element<T, R>> stream(
      Spawner owner,
      Iterable<? extends T> collection,
      Step<? super T, ? extends R> step,
      StreamOptions options) {
    return stream(Task.Owner.of(owner, false), null, collection, step, options);
  }

  /** A stream whose tasks are children of a supervisor, if there is one. */
  static <T, R> Stream<Element<T, R>> stream(
      Task.Owner owner,
      @Nullable TaskSupervisor supervisor,
      Iterable<? extends T> collection,
      Step<? super T, ? extends R> step,
      StreamOptions options) {
    Objects.requireNonNull(step, "step");
    Objects.requireNonNull(options, "options");
    TaskStreamReader<T, R> reader =
        new TaskStreamReader<>(owner, supervisor, collection.iterator(), step::run, options);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(
                reader, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE),
            false)
        .onClose(reader::close);
  }
}
