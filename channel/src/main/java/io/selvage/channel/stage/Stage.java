package io.selvage.channel.stage;

import io.selvage.channel.Channel;
import io.selvage.channel.Overflow;
import io.selvage.channel.Overflow.Reaction;
import io.selvage.channel.Source;
import io.selvage.kernel.Address;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a stage does: it takes items from producers, gives items to consumers, and makes only as
 * many as were asked for. A value; each {@link #start} makes a process of it. Processes are
 * subscribed to each other by {@link #subscribe}, or whenever they start ({@link #subscribedTo}),
 * or by a {@link Pipeline}.
 *
 * <pre>{@code
 * var numbers = Stage.from(List.of(1, 2, 3)).start(node);
 * var printer = Stage.<Integer>sink(System.out::println).start(node);
 * Stage.subscribe(printer, numbers, SubscribeOptions.demand(5, 10));
 * }</pre>
 *
 * <p>A supervisor starts what {@link #code} answers. A process that is started again has fresh
 * code: a {@link #from(Iterable)} begins anew, a {@link #from(Iterator)} goes on.
 *
 * <p>A stage is an event process, whose code may block; with {@link SpawnOptions#onVirtualThread}
 * it has a thread of its own. It completes with {@code normal}; what its code throws ends it with
 * {@link io.selvage.kernel.ExitReason.Crash}, and its consumers, unless they are subscribed in
 * another mode, with the same reason.
 *
 * <p>Immutable: each method that changes something answers a changed copy. Source: Elixir's {@code
 * GenStage}.
 *
 * @param <I> the items it takes; {@code Void} for a source
 * @param <O> the items it gives; {@code Void} for a sink
 */
public final class Stage<I, O> {
  private static final int DEFAULT_CAPACITY = 10_000;

  /** A subscription of each process that is started. */
  record Planned(Address<?> producer, SubscribeOptions options) {}

  private final Supplier<? extends StageCode<I, O>> newCode;
  private final boolean gives;
  private final Dispatch<O> dispatch;
  private final int capacity;
  private final Overflow overflow;
  private final boolean endsWithConsumers;
  private final List<Planned> subscriptions;

  /** How many consumers it waits for at first. */
  private final int awaited;

  private Stage(
      Supplier<? extends StageCode<I, O>> newCode,
      boolean gives,
      Dispatch<O> dispatch,
      int capacity,
      Overflow overflow,
      boolean endsWithConsumers,
      List<Planned> subscriptions,
      int awaited) {
    this.newCode = newCode;
    this.gives = gives;
    this.dispatch = dispatch;
    this.capacity = capacity;
    this.overflow = overflow;
    this.endsWithConsumers = endsWithConsumers;
    this.subscriptions = subscriptions;
    this.awaited = awaited;
  }

  private static <I, O> Stage<I, O> giving(Supplier<? extends StageCode<I, O>> newCode) {
    return new Stage<>(
        newCode,
        true,
        Dispatch.toDemand(),
        DEFAULT_CAPACITY,
        Overflow.dropOldest(),
        false,
        List.of(),
        0);
  }

  private static <I> Stage<I, Void> taking(Supplier<? extends StageCode<I, Void>> newCode) {
    return new Stage<>(
        newCode,
        false,
        Dispatch.toDemand(),
        DEFAULT_CAPACITY,
        Overflow.dropOldest(),
        false,
        List.of(),
        0);
  }

  // ---------------------------------------------------------------- sources

  /**
   * A source of the elements of a collection, or of anything else that can be gone through. Each
   * process begins at its beginning.
   *
   * @param items the items; none may be null
   * @param <T> the items
   * @return the stage
   */
  public static <T> Stage<Void, T> from(Iterable<? extends T> items) {
    Objects.requireNonNull(items, "items");
    return giving(() -> new Sources.OfIterator<>(items.iterator()));
  }

  /**
   * A source of what is left in an iterator. A process that is started again goes on where its
   * predecessor was. Start one process at a time: they share the iterator.
   *
   * @param items the items; none may be null
   * @param <T> the items
   * @return the stage
   */
  public static <T> Stage<Void, T> from(Iterator<? extends T> items) {
    Objects.requireNonNull(items, "items");
    return giving(() -> new Sources.OfIterator<>(items));
  }

  /**
   * A source that has each item made when it is wanted.
   *
   * @param items makes an item, or answers null when there are no more; runs in the process
   * @param <T> the items
   * @return the stage
   */
  public static <T> Stage<Void, T> generating(Supplier<? extends @Nullable T> items) {
    Objects.requireNonNull(items, "items");
    return giving(() -> new Sources.OfSupplier<>(items));
  }

  /**
   * A source of what comes out of a channel; it completes when that is closed and empty. It takes
   * an item when one is wanted, and the channel keeps the others: so senders to a bounded channel
   * are slowed.
   *
   * @param channel the channel; others may receive from it, too
   * @param <T> the items
   * @return the stage
   */
  public static <T> Stage<Void, T> fromChannel(Source<? extends T> channel) {
    Objects.requireNonNull(channel, "channel");
    return giving(() -> new Sources.OfChannel<>(channel));
  }

  /**
   * A source of what a publisher publishes. Each process subscribes to it, and cancels when it
   * ends. It completes with the publisher, and fails with a {@link
   * io.selvage.kernel.ExitReason.Crash} of the publisher's failure.
   *
   * @param publisher the publisher
   * @param ahead how many items are taken from it before they are wanted; 1 or more
   * @param <T> the items
   * @return the stage
   * @throws IllegalArgumentException if {@code ahead} is less than 1
   */
  public static <T> Stage<Void, T> fromPublisher(Flow.Publisher<T> publisher, int ahead) {
    Objects.requireNonNull(publisher, "publisher");
    if (ahead < 1) {
      throw new IllegalArgumentException(
          ahead + " items were to be taken from " + publisher + " ahead: give 1 or more");
    }
    return giving(() -> new Sources.OfPublisher<>(publisher, ahead));
  }

  // ---------------------------------------------------------------- in between

  /**
   * A function of an item.
   *
   * @param <I> the items it takes
   * @param <O> the items it gives
   */
  @FunctionalInterface
  public interface Step<I, O> {
    /**
     * Makes an item of another.
     *
     * @param item the item
     * @return the other; not null
     * @throws Exception to end the stage with a failure
     */
    O apply(I item) throws Exception;
  }

  /**
   * A stage that makes one item of each; runs in the process, and may block.
   *
   * @param step makes it; several processes of this stage share it
   * @param <I> the items it takes
   * @param <O> the items it gives
   * @return the stage
   */
  public static <I, O> Stage<I, O> through(Step<? super I, ? extends O> step) {
    Objects.requireNonNull(step, "step");
    return giving(() -> (item, out) -> out.emit(step.apply(item)));
  }

  /**
   * A stage with code of its own: one that makes none or many of an item, or has a state.
   *
   * @param newCode makes the code of each process that is started; runs in it
   * @param <I> the items it takes
   * @param <O> the items it gives
   * @return the stage
   */
  public static <I, O> Stage<I, O> of(Supplier<? extends StageCode<I, O>> newCode) {
    return giving(Objects.requireNonNull(newCode, "newCode"));
  }

  /**
   * A stage that takes what is sent to it ({@link StageMessage#item}) and gives it to those who
   * ask; see {@link #buffering}.
   *
   * @param <T> the items
   * @return the stage
   */
  public static <T> Stage<T, T> inbox() {
    return through(item -> item);
  }

  /**
   * A stage that collects items into lists. A list is given when it is full, when its first item
   * has waited for a time, and at the end. What is in a list that is not full counts as handled, so
   * that the demand may be less than the size of a list.
   *
   * @param size how many items make a list full; 1 or more
   * @param time how long an item waits at most; more than zero
   * @param <T> the items
   * @return the stage
   * @throws IllegalArgumentException if {@code size} is less than 1, or {@code time} not more than
   *     zero
   */
  public static <T> Stage<T, List<T>> batches(int size, Duration time) {
    if (size < 1) {
      throw new IllegalArgumentException("a batch was to be of " + size + " items: give 1 or more");
    }
    if (!time.isPositive()) {
      throw new IllegalArgumentException(
          "a batch was to wait for " + time + " at most: give more than zero");
    }
    return giving(() -> new Batching<>(size, time));
  }

  // ---------------------------------------------------------------- sinks

  /**
   * What a sink does with an item.
   *
   * @param <I> the items it takes
   */
  @FunctionalInterface
  public interface Taking<I> {
    /**
     * Handles an item.
     *
     * @param item the item
     * @throws Exception to end the stage with a failure
     */
    void accept(I item) throws Exception;
  }

  /**
   * A sink: it gives nothing. Runs in the process, and may block.
   *
   * @param taking handles each item; several processes of this stage share it
   * @param <I> the items it takes
   * @return the stage
   */
  public static <I> Stage<I, Void> sink(Taking<? super I> taking) {
    Objects.requireNonNull(taking, "taking");
    return taking(() -> (item, _) -> taking.accept(item));
  }

  /**
   * A sink that sends each item to a channel, waiting for room as the channel says. When the sink
   * has completed it closes the channel; if it fails the channel stays open, for its successor. If
   * the channel is closed by others, the sink ends.
   *
   * @param channel the channel
   * @param <I> the items it takes
   * @return the stage
   */
  public static <I> Stage<I, Void> toChannel(Channel<? super I> channel) {
    Objects.requireNonNull(channel, "channel");
    return taking(() -> new Sinks.ToChannel<>(channel));
  }

  /**
   * A sink that gives each item to a subscriber when that has asked for it. The subscriber
   * completes with the sink; if that fails it gets an {@link io.selvage.kernel.ExitException} with
   * the reason, and a {@link java.util.concurrent.CancellationException} if the sink was ended by
   * an exit signal: when it has asked for one more than there are. If the subscriber cancels, the
   * sink ends with the next item.
   *
   * @param subscriber the subscriber; for one process
   * @param <I> the items it takes
   * @return the stage
   */
  public static <I> Stage<I, Void> toSubscriber(Flow.Subscriber<? super I> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    return taking(() -> new Sinks.ToSubscriber<>(subscriber));
  }

  /**
   * A sink that sends each item to a process, and ends with it: as completed if that ends in order,
   * else with the same reason. The mailbox of the process has no limit: with a {@linkplain
   * SubscribeOptions#manual manual} subscription the process itself asks for more.
   *
   * @param process the process
   * @param <I> the items it takes
   * @return the stage
   */
  public static <I> Stage<I, Void> toProcess(Pid<? super I> process) {
    Objects.requireNonNull(process, "process");
    return taking(() -> new Sinks.ToProcess<>(process));
  }

  // ---------------------------------------------------------------- changed copies

  /**
   * Changes who gets an item; {@link Dispatch#toDemand} if this is never called.
   *
   * @param rule the rule
   * @return a changed copy
   */
  @SuppressWarnings("unchecked") // a rule only looks at items
  public Stage<I, O> dispatching(Dispatch<? super O> rule) {
    Objects.requireNonNull(rule, "rule");
    return new Stage<>(
        newCode,
        gives,
        (Dispatch<O>) rule,
        capacity,
        overflow,
        endsWithConsumers,
        subscriptions,
        awaited);
  }

  /**
   * Changes how many items wait that were sent to the stage without being asked for, and which is
   * dropped when there are more. 10,000 and the oldest if this is never called. Items that come by
   * subscriptions are never dropped.
   *
   * @param newCapacity how many; 1 or more
   * @param rule {@link Overflow#dropOldest} or {@link Overflow#dropNewest}
   * @return a changed copy
   * @throws IllegalArgumentException if {@code newCapacity} is less than 1, or the rule is another
   */
  public Stage<I, O> buffering(int newCapacity, Overflow rule) {
    if (newCapacity < 1) {
      throw new IllegalArgumentException(
          "a stage was to keep " + newCapacity + " items that nobody asked for: give 1 or more");
    }
    boolean drops =
        rule.reaction() == Reaction.DROP_OLDEST || rule.reaction() == Reaction.DROP_NEWEST;
    if (!drops || !rule.timeout().isZero()) {
      throw new IllegalArgumentException(
          "a stage cannot let the senders of messages wait, nor tell them: "
              + rule
              + " is none of dropOldest() and dropNewest(); use a channel and fromChannel(…)");
    }
    return new Stage<>(
        newCode, gives, dispatch, newCapacity, rule, endsWithConsumers, subscriptions, awaited);
  }

  /**
   * Ends each process when its last consumer has ended or cancelled: with the reason of the
   * consumer's failure, or as completed. What was not given is dropped.
   *
   * @return a changed copy
   */
  public Stage<I, O> endingWithConsumers() {
    return new Stage<>(newCode, gives, dispatch, capacity, overflow, true, subscriptions, awaited);
  }

  /**
   * Subscribes each process to a producer when it starts. May be called several times.
   *
   * @param producer a pid, or a name: then whoever holds it at the start
   * @param options how
   * @return a changed copy
   * @throws IllegalArgumentException if the options say to subscribe anew, and {@code producer} is
   *     no name
   */
  public Stage<I, O> subscribedTo(
      Address<? extends StageMessage<?, ? extends I>> producer, SubscribeOptions options) {
    StageSubscription _ = new StageSubscription(null, producer, options); // checks the two
    List<Planned> more = new ArrayList<>(subscriptions);
    more.add(new Planned(producer, options));
    return new Stage<>(
        newCode,
        gives,
        dispatch,
        capacity,
        overflow,
        endsWithConsumers,
        List.copyOf(more),
        awaited);
  }

  /** Makes nothing, and does not complete, before so many consumers have subscribed. */
  Stage<I, O> awaitingConsumers(int consumers) {
    return new Stage<>(
        newCode, gives, dispatch, capacity, overflow, endsWithConsumers, subscriptions, consumers);
  }

  // ---------------------------------------------------------------- running

  /**
   * What starts a process of this stage: for supervisors, and for starts with a handshake. The
   * process is ready when it has subscribed as {@link #subscribedTo} says.
   *
   * @return the code, which may be started any number of times
   */
  public Init<StageMessage<I, O>, Pid<StageMessage<I, O>>> code() {
    return Init.behavior((self, ack) -> {
      Behavior<StageMessage<I, O>> first = StageLoop.start(this, self);
      ack.ready(self.pid());
      return first;
    });
  }

  /**
   * Starts a process of this stage.
   *
   * @param spawner the node, or the process that starts it
   * @return its pid
   */
  public Pid<StageMessage<I, O>> start(Spawner spawner) {
    return start(spawner, SpawnOptions.defaults());
  }

  /**
   * Starts a process of this stage.
   *
   * @param spawner the node, or the process that starts it
   * @param options its name, whether it is linked, or runs {@linkplain SpawnOptions#onVirtualThread
   *     on a virtual thread}
   * @return its pid
   */
  public Pid<StageMessage<I, O>> start(Spawner spawner, SpawnOptions<StageMessage<I, O>> options) {
    return spawner.spawn(Behavior.setup(self -> StageLoop.start(this, self)), options);
  }

  /**
   * Subscribes a consumer to a producer. Any thread; returns at once. What is wrong with the two
   * together, such as a partition that is taken, ends the subscription with a {@link StageRefusal};
   * a producer that is not there, with {@code noproc}.
   *
   * @param consumer takes the items
   * @param producer gives the items; a pid, or a name: then whoever holds it
   * @param options how
   * @param <T> the items
   * @return the subscription
   * @throws IllegalArgumentException if the two are the same, or if the options say to subscribe
   *     anew and {@code producer} is no name
   */
  public static <T> StageSubscription subscribe(
      Pid<? extends StageMessage<? super T, ?>> consumer,
      Address<? extends StageMessage<?, T>> producer,
      SubscribeOptions options) {
    StageSubscription subscription = new StageSubscription(consumer, producer, options);
    subscription.begin();
    return subscription;
  }

  // ---------------------------------------------------------------- for the process

  StageCode<I, O> newCode() {
    return Objects.requireNonNull(newCode.get(), "the code of a stage, made by its supplier");
  }

  boolean gives() {
    return gives;
  }

  Dispatch<O> dispatch() {
    return dispatch;
  }

  int capacity() {
    return capacity;
  }

  Overflow overflow() {
    return overflow;
  }

  boolean endsWithConsumers() {
    return endsWithConsumers;
  }

  int awaited() {
    return awaited;
  }

  List<Planned> subscriptions() {
    return subscriptions;
  }
}
