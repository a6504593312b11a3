package io.selvage.channel.stage;

import io.selvage.kernel.Pid;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Several stages in a row. A value; {@link Complete#start} makes the processes and subscribes them,
 * the last ones first, so that no item goes before all are there.
 *
 * <pre>{@code
 * Pipeline.from(Stage.from(orders))
 *     .via(Stage.through(Shop::priced), 4)
 *     .to(Stage.sink(ledger::add))
 *     .start(node);
 * }</pre>
 *
 * <p>When the source has completed and all its items are handled, all processes have ended. When
 * one of them fails, those after it end with the same reason, and those before it too when nobody
 * is left who takes their items; with several processes of one stage that is when the last of them
 * has ended. One that fails before it has subscribed, or while it starts, counts as one that has
 * failed.
 *
 * <p>Immutable: each method answers a longer pipeline. Source: Elixir's {@code Flow}.
 *
 * @param <T> the items that come out at its present end
 */
public final class Pipeline<T> {
  /** A stage of it, and how its processes are subscribed to those of the stage before. */
  private record Part(Stage<?, ?> stage, int number, SubscribeOptions options, boolean keyed) {}

  private final List<Part> parts;
  private final SubscribeOptions options;

  private Pipeline(List<Part> parts, SubscribeOptions options) {
    this.parts = parts;
    this.options = options;
  }

  /**
   * A pipeline that begins with a stage.
   *
   * @param source gives the items; most often a source, or an {@link Stage#inbox}
   * @param <T> the items
   * @return the pipeline
   */
  public static <T> Pipeline<T> from(Stage<?, T> source) {
    Objects.requireNonNull(source, "source");
    SubscribeOptions options = SubscribeOptions.defaults();
    return new Pipeline<>(List.of(new Part(source, 1, options, false)), options);
  }

  private List<Part> with(Part part) {
    List<Part> more = new ArrayList<>(parts);
    more.add(part);
    return List.copyOf(more);
  }

  /**
   * Changes the demand of the stages that are added after this: 500 to 1000 items if it is never
   * called.
   *
   * @param min each asks for more when no more than so many are left; 0 or more
   * @param max how many it asks for at first, and has to handle at most; more than {@code min}
   * @return the pipeline
   * @throws IllegalArgumentException if the two do not fit; see {@link SubscribeOptions#demand}
   */
  public Pipeline<T> demanding(int min, int max) {
    return new Pipeline<>(parts, SubscribeOptions.demand(min, max));
  }

  /**
   * Adds a stage.
   *
   * @param stage takes the items
   * @param <R> what it gives
   * @return the pipeline
   */
  public <R> Pipeline<R> via(Stage<? super T, R> stage) {
    return via(stage, 1);
  }

  /**
   * Adds several processes of a stage, which share the items by the rule of the stage before: by
   * demand, if it has none, and then their order is lost. With {@link Dispatch#broadcast} each gets
   * all of them.
   *
   * @param stage takes the items
   * @param number how many processes; 1 or more
   * @param <R> what it gives
   * @return the pipeline
   * @throws IllegalArgumentException if {@code number} is less than 1, or the stage before has
   *     another number of partitions
   */
  public <R> Pipeline<R> via(Stage<? super T, R> stage, int number) {
    Objects.requireNonNull(stage, "stage");
    ensurePositive(number);
    Dispatch<?> before = parts.getLast().stage().dispatch();
    boolean partitioned = before instanceof Dispatch.Partition<?>;
    if (before instanceof Dispatch.Partition<?>(int partitions, _) && partitions != number) {
      throw new IllegalArgumentException(
          "there are "
              + partitions
              + " partitions, but there were to be "
              + number
              + " processes for them: give as many");
    }
    Pipeline<T> ready =
        before instanceof Dispatch.Broadcast<?> ? dispatching(Dispatch.broadcast(number)) : this;
    return new Pipeline<>(ready.with(new Part(stage, number, options, partitioned)), options);
  }

  /**
   * Adds several processes of a stage, which share the items by a key: what has the same key, and
   * comes from one process, is handled by one process, in order.
   *
   * @param stage takes the items
   * @param number how many processes; 1 or more
   * @param keyOf tells the key of an item; not null
   * @param <R> what it gives
   * @return the pipeline
   * @throws IllegalArgumentException if {@code number} is less than 1
   */
  public <R> Pipeline<R> viaKeyed(
      Stage<? super T, R> stage, int number, Function<? super T, ?> keyOf) {
    return dispatching(Dispatch.byKey(ensurePositive(number), keyOf)).via(stage, number);
  }

  /** Replaces the last stage by one with another rule. */
  @SuppressWarnings("unchecked") // its present end gives T
  private Pipeline<T> dispatching(Dispatch<T> rule) {
    Part last = parts.getLast();
    List<Part> changed = new ArrayList<>(parts);
    changed.set(
        changed.size() - 1,
        new Part(
            ((Stage<Object, T>) last.stage()).dispatching(rule),
            last.number(),
            last.options(),
            last.keyed()));
    return new Pipeline<>(List.copyOf(changed), options);
  }

  /**
   * Ends the pipeline with a sink.
   *
   * @param sink takes the items
   * @return what can be started
   */
  public Complete to(Stage<? super T, Void> sink) {
    return to(sink, 1);
  }

  /**
   * Ends the pipeline with several processes of a sink, which share the items by the rule of the
   * stage before.
   *
   * @param sink takes the items
   * @param number how many processes; 1 or more
   * @return what can be started
   * @throws IllegalArgumentException as {@link #via(Stage, int)}
   */
  public Complete to(Stage<? super T, Void> sink, int number) {
    return new Complete(via(sink, number).parts);
  }

  private static int ensurePositive(int number) {
    if (number < 1) {
      throw new IllegalArgumentException(
          "there were to be " + number + " processes of a stage: give 1 or more");
    }
    return number;
  }

  /** A pipeline from its source to its sink. */
  public static final class Complete {
    private final List<Part> parts;

    private Complete(List<Part> parts) {
      this.parts = parts;
    }

    /**
     * Starts it with event processes.
     *
     * @param spawner the node, or the process that starts it
     * @return the processes, those of each stage together, the source first
     */
    public List<List<Pid<?>>> start(Spawner spawner) {
      return start(spawner, false);
    }

    /**
     * Starts it with a virtual thread for each process.
     *
     * @param spawner the node, or the process that starts it
     * @return the processes, those of each stage together, the source first
     */
    public List<List<Pid<?>>> startOnVirtualThreads(Spawner spawner) {
      return start(spawner, true);
    }

    private List<List<Pid<?>>> start(Spawner spawner, boolean onVirtualThreads) {
      List<List<Pid<StageMessage<Object, Object>>>> running = new ArrayList<>();
      for (int i = 0; i < parts.size(); i++) {
        boolean isLast = i == parts.size() - 1;
        int consumers = isLast ? 0 : parts.get(i + 1).number();
        Stage<Object, Object> stage = prepared(parts.get(i).stage(), consumers);
        List<Pid<StageMessage<Object, Object>>> processes = new ArrayList<>();
        for (int n = 0; n < parts.get(i).number(); n++) {
          SpawnOptions<StageMessage<Object, Object>> options = SpawnOptions.defaults();
          processes.add(
              stage.start(spawner, onVirtualThreads ? options.onVirtualThread() : options));
        }
        running.add(processes);
      }
      for (int i = parts.size() - 1; i > 0; i--) {
        expect(running.get(i - 1), running.get(i));
        subscribe(running.get(i), running.get(i - 1), parts.get(i));
      }
      List<List<Pid<?>>> pids = new ArrayList<>();
      running.forEach(processes -> pids.add(List.copyOf(processes)));
      return List.copyOf(pids);
    }

    @SuppressWarnings("unchecked") // the parts fit: the methods that added them have seen to that
    private static Stage<Object, Object> prepared(Stage<?, ?> stage, int consumers) {
      Stage<Object, Object> prepared = (Stage<Object, Object>) stage;
      return consumers == 0
          ? prepared
          : prepared.endingWithConsumers().awaitingConsumers(consumers);
    }

    /** Says who will come before any does, so that nobody is waited for in vain. */
    private static void expect(
        List<Pid<StageMessage<Object, Object>>> producers,
        List<Pid<StageMessage<Object, Object>>> consumers) {
      List<Pid<?>> all = List.copyOf(consumers);
      producers.forEach(producer -> producer.send(new StageSignal.Expects<>(all)));
    }

    private static void subscribe(
        List<Pid<StageMessage<Object, Object>>> consumers,
        List<Pid<StageMessage<Object, Object>>> producers,
        Part part) {
      for (int n = 0; n < consumers.size(); n++) {
        SubscribeOptions options = part.keyed() ? part.options().inPartition(n) : part.options();
        for (Pid<StageMessage<Object, Object>> producer : producers) {
          Stage.subscribe(consumers.get(n), producer, options);
        }
      }
    }
  }
}
