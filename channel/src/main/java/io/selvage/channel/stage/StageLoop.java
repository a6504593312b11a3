package io.selvage.channel.stage;

import io.selvage.channel.Overflow.Reaction;
import io.selvage.kernel.Address;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Name;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.Timer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Stage} that runs.
 *
 * <p><b>Demand.</b> A consumer asks for {@code max} items when it joins, and for as many as it has
 * handled when those are {@code max - min} or more. A producer sends a line what it was asked for
 * and no more, so at each moment at most {@code max} items of a line are asked for, on their way or
 * unhandled. A stage with consumers handles an item only if one of them wants something and nothing
 * is held: what is held is therefore what came of one item (or of the end, or of what the code has
 * waited for), never more. That is the whole of back-pressure; nobody looks again and again.
 *
 * <p><b>Turns.</b> After each message the stage does what can be done, for a while; see {@link
 * #work}. Then it sends what was emitted, one message for each consumer, and a {@link
 * StageSignal.GoOn} to itself if there is more.
 *
 * <pre>
 *   RUNNING ── no subscription left, one of them completed; end() ──────► DRAINING
 *   RUNNING ── a permanent subscription completed; a source is empty ───► DRAINING
 *   DRAINING ── all that came is handled, onEnd was called ─────────────► DELIVERING
 *   RUNNING, DRAINING ── the code, or the last consumer, has enough ────► DELIVERING
 *   DELIVERING ── nothing is held: consumers are told, in order ────────► ended
 *   any ── a failure ───────────────────────────────────────────────────► ended, with its reason
 * </pre>
 *
 * <p>All fields belong to the process of the stage.
 *
 * @param <I> the items it takes
 * @param <O> the items it gives
 */
final class StageLoop<I, O> implements Behavior<StageMessage<I, O>>, Output<O> {
  /** How many items are handled at once, before others are let in and what was made is sent. */
  private static final int TURN_ITEMS = 256;

  /**
   * How long a turn may last, if items are slow: what was made should not wait for those to come.
   */
  private static final long TURN_NANOS = 100_000;

  private enum State {
    RUNNING,
    DRAINING,
    DELIVERING
  }

  /** Items of one line. */
  private record Chunk<T>(Line<T> line, List<T> items) {}

  /** A subscription of this stage. */
  private static final class Input<T> {
    /** Null between two attempts. */
    @Nullable Line<T> line;

    @Nullable Timer retry;
    boolean cancelled;
  }

  private final Stage<I, O> stage;
  private final StageProgram<I, O> program;
  private final Dispatcher<O> consumers;
  private final Map<StageSubscription, Input<I>> inputs = new LinkedHashMap<>();
  private State state = State.RUNNING;

  /** Why it ends when it has completed. */
  private ExitReason endReason = ExitReason.normal();

  /** A subscription that is not temporary has completed. */
  private boolean someCompleted;

  /** All the consumers have come, or have ended, for which it had to wait. */
  private boolean allJoined;

  /** Those for which it still waits, with what watches them until they come. */
  private final Map<Pid<?>, MonitorRef> expected = new HashMap<>();

  /** What must end it now. */
  private @Nullable ExitReason failure;

  /** Emitted, and not asked for. */
  private final ArrayDeque<O> held = new ArrayDeque<>();

  /** Came by subscriptions, and not handled; of the first chunk {@code chunkIndex} items are. */
  private final ArrayDeque<Chunk<I>> chunks = new ArrayDeque<>();

  private int chunkIndex;
  private int unhandled;

  /** Came from others, and not handled. */
  private final ArrayDeque<I> sent = new ArrayDeque<>();

  /** Whether the next one is taken from {@link #sent}, if there are both kinds. */
  private boolean sentNext;

  private boolean goOnSent;
  private long handledItems;
  private long emittedItems;
  private long droppedItems;

  /** The process; good inside a turn. */
  private Self<StageMessage<I, O>> self;

  private StageLoop(Stage<I, O> stage, Self<StageMessage<I, O>> self) {
    this.stage = stage;
    this.program = StageProgram.of(stage.newCode());
    this.consumers = Dispatcher.of(stage.dispatch());
    this.self = self;
    this.allJoined = stage.awaited() == 0;
  }

  /** Begins to run a stage in a process. */
  static <I, O> Behavior<StageMessage<I, O>> start(Stage<I, O> stage, Self<StageMessage<I, O>> self)
      throws Exception {
    StageLoop<I, O> loop = new StageLoop<>(stage, self);
    loop.program.begin(loop);
    for (Stage.Planned planned : stage.subscriptions()) {
      loop.subscribe(new StageSubscription(self.pid(), planned.producer(), planned.options()));
    }
    return loop;
  }

  // ---------------------------------------------------------------- for its program

  Self<StageMessage<I, O>> self() {
    return self;
  }

  /** A message to this stage that lets it do something. */
  static <I, O> StageMessage<I, O> awaited(StageSignal.Work<I, O> work) {
    return new StageSignal.Awaited<>(work);
  }

  /** What feeds it has no more. */
  void complete() {
    if (state == State.RUNNING) {
      state = State.DRAINING;
    }
  }

  /** Ends it when this turn is over. */
  void fail(ExitReason reason) {
    if (failure == null) {
      failure = reason;
      program.failed(reason);
    }
  }

  @Override
  public void finish() {
    state = State.DELIVERING;
    chunks.clear();
    unhandled = 0;
    droppedItems += sent.size();
    sent.clear();
  }

  @Override
  public void emit(O item) {
    Objects.requireNonNull(item, "item");
    emittedItems++;
    if (!held.isEmpty() || !consumers.give(item)) {
      held.add(item);
    }
  }

  // ---------------------------------------------------------------- messages

  @Override
  public Behavior<StageMessage<I, O>> onMessage(
      Self<StageMessage<I, O>> process, StageMessage<I, O> message) throws Exception {
    self = process;
    switch ((StageSignal<I, O>) message) {
      case StageSignal.Items<I, O>(var line, var items) -> arrived(line, items);
      case StageSignal.Asked<I, O>(var line, int items) -> consumers.ask(line, items);
      case StageSignal.GoOn<I, O> _ -> goOnSent = false;
      case StageSignal.Sent<I, O>(I item) -> sent(item);
      case StageSignal.NoMore<I, O> _ -> complete();
      case StageSignal.Stats<I, O>(var replyTo) -> replyTo.send(stats());
      case StageSignal.Subscribe<I, O>(var subscription) -> subscribe(subscription);
      case StageSignal.AskByHand<I, O>(var subscription, int items) -> ask(subscription, items);
      case StageSignal.CancelByHand<I, O>(var subscription) -> cancel(subscription);
      case StageSignal.Again<I, O>(var subscription) -> again(subscription);
      case StageSignal.Ended<I, O>(var line, var reason) -> ended(line, reason);
      case StageSignal.Joined<I, O>(var line, int demand) -> joined(line, demand);
      case StageSignal.Expects<I, O>(var pids) -> expect(pids);
      case StageSignal.Absent<I, O>(var consumer, var reason) -> absent(consumer, reason);
      case StageSignal.Left<I, O>(var line) -> {
        if (line.joined) {
          line.flush();
          line.consumer.send(new StageSignal.Ended<>(line, ExitReason.normal()));
          consumerLeft(line, ExitReason.normal());
        }
      }
      case StageSignal.ConsumerEnded<I, O>(var line, var reason) -> consumerLeft(line, reason);
      case StageSignal.Awaited<I, O>(var work) -> work.run(this);
    }
    return turn();
  }

  // ---------------------------------------------------------------- a turn

  private Behavior<StageMessage<I, O>> turn() throws Exception {
    deliverHeld();
    boolean more = failure == null && work();
    if (failure == null
        && state == State.DRAINING
        && allJoined
        && chunks.isEmpty()
        && sent.isEmpty()) {
      state = State.DELIVERING;
      program.onEnd(this);
    }
    consumers.flush();
    if (failure != null) {
      return Behavior.stop(failure);
    }
    if (state == State.DELIVERING && held.isEmpty()) {
      for (Line<O> each : consumers.lines) {
        each.consumer.send(new StageSignal.Ended<>(each, endReason));
      }
      return Behavior.stop(endReason);
    }
    if (more && !goOnSent) {
      goOnSent = true;
      self.pid().send(new StageSignal.GoOn<>());
    }
    return this;
  }

  private void deliverHeld() {
    while (!held.isEmpty() && consumers.give(held.peek())) {
      held.poll();
    }
  }

  /**
   * Handles items. The clock is looked at after 1, 2, 4, 8 … of them: so fast ones pay nothing for
   * that, and what comes of slow ones does not wait for more than as many again.
   *
   * @return whether there may be more to do
   */
  private boolean work() throws Exception {
    long start = 0;
    for (int done = 1; step(); done++) {
      if ((done & (done - 1)) == 0) {
        long now = System.nanoTime();
        if (done == 1) {
          start = now;
        }
        if (done >= TURN_ITEMS || now - start > TURN_NANOS) {
          return true;
        }
      }
    }
    return false;
  }

  /** Handles one item, or has one made. Answers false if there is none, or nobody wants any. */
  private boolean step() throws Exception {
    if (failure != null || state == State.DELIVERING) {
      return false;
    }
    if (stage.gives() && (!allJoined || !held.isEmpty() || !consumers.wants())) {
      return false;
    }
    if (!sent.isEmpty() && (sentNext || chunks.isEmpty())) {
      sentNext = false;
      handle(sent.remove());
      return true;
    }
    Chunk<I> chunk = chunks.peek();
    if (chunk == null) {
      return state == State.RUNNING && program.feed(this);
    }
    sentNext = true;
    I item = chunk.items().get(chunkIndex++);
    unhandled--;
    if (chunkIndex == chunk.items().size()) {
      chunks.remove();
      chunkIndex = 0;
    }
    handle(item);
    handledOf(chunk.line());
    return true;
  }

  /**
   * An item was handled, which makes room for another: on the same line, or on the one that has
   * taken its place.
   */
  private void handledOf(Line<I> line) {
    if (state != State.RUNNING) {
      return;
    }
    Line<I> present = line;
    if (!line.open) {
      Input<I> input = inputs.get(line.subscription);
      present = input == null ? null : input.line;
    }
    if (present != null) {
      present.handledOne();
    }
  }

  private void handle(I item) throws Exception {
    handledItems++;
    program.onItem(item, this);
  }

  // ---------------------------------------------------------------- as a consumer

  private void arrived(Line<I> line, List<I> items) {
    if (state != State.DELIVERING) {
      chunks.add(new Chunk<>(line, items));
      unhandled += items.size();
    }
  }

  private void sent(I item) {
    if (state == State.RUNNING && sent.size() < stage.capacity()) {
      sent.add(item);
      return;
    }
    droppedItems++;
    if (state == State.RUNNING && stage.overflow().reaction() == Reaction.DROP_OLDEST) {
      sent.remove();
      sent.add(item);
    }
  }

  private void subscribe(StageSubscription subscription) {
    if (state == State.RUNNING) {
      Input<I> input = new Input<>();
      inputs.put(subscription, input);
      connect(subscription, input);
    }
  }

  private void connect(StageSubscription subscription, Input<I> input) {
    Pid<StageMessage<Object, I>> producer = resolve(subscription.producer());
    if (producer == null) {
      over(subscription, input, ExitReason.noProc());
      return;
    }
    Line<I> line = new Line<>(own(self.pid()), producer, subscription);
    input.line = line;
    line.producerMonitor =
        self.monitor(producer, down -> new StageSignal.Ended<>(line, down.reason()));
    producer.send(new StageSignal.Joined<>(line, firstDemand(subscription)));
  }

  /** All that it may ask for, but for what has come on an earlier line and is not handled yet. */
  private int firstDemand(StageSubscription subscription) {
    int left = 0;
    for (Chunk<I> each : chunks) {
      if (each.line().subscription == subscription) {
        left += each.items().size() - (each == chunks.peek() ? chunkIndex : 0);
      }
    }
    return Math.max(0, subscription.options().max() - left);
  }

  @SuppressWarnings("unchecked") // whoever subscribed has checked that the items fit
  private @Nullable Pid<StageMessage<Object, I>> resolve(Address<?> address) {
    return switch (address) {
      case Pid<?> pid -> (Pid<StageMessage<Object, I>>) pid;
      case Name<?> name -> (Pid<StageMessage<Object, I>>) self.node().whereis(name).orElse(null);
    };
  }

  /** What a producer sends here says nothing of what this stage gives. */
  @SuppressWarnings("unchecked")
  private static <I, O> Pid<StageMessage<I, Object>> own(Pid<StageMessage<I, O>> pid) {
    return (Pid<StageMessage<I, Object>>) (Pid<?>) pid;
  }

  private void ask(StageSubscription subscription, int items) {
    Input<I> input = inputs.get(subscription);
    if (input != null && input.line != null) {
      input.line.producer.send(new StageSignal.Asked<>(input.line, items));
    }
  }

  private void cancel(StageSubscription subscription) {
    Input<I> input = inputs.get(subscription);
    if (input == null || input.cancelled) {
      return;
    }
    input.cancelled = true;
    Line<I> line = input.line;
    if (line != null) {
      line.open = false; // asks for no more
      line.producer.send(new StageSignal.Left<>(line));
    } else {
      if (input.retry != null) {
        input.retry.cancel();
      }
      over(subscription, input, ExitReason.normal());
    }
  }

  private void again(StageSubscription subscription) {
    Input<I> input = inputs.get(subscription);
    if (input != null && input.line == null) {
      connect(subscription, input);
    }
  }

  /** A producer has ended a line, or has ended itself. */
  private void ended(Line<I> line, ExitReason reason) {
    line.open = false;
    if (line.producerMonitor != null) {
      self.demonitorFlush(line.producerMonitor);
    }
    Input<I> input = inputs.get(line.subscription);
    if (input != null && input.line == line) {
      input.line = null;
      over(line.subscription, input, reason);
    }
  }

  private void over(StageSubscription subscription, Input<I> input, ExitReason reason) {
    SubscribeOptions options = subscription.options();
    boolean completed = reason.isOrderly();
    if (!completed
        && !input.cancelled
        && options.retry() != null
        && !(reason instanceof StageRefusal)) {
      input.retry = self.sendAfter(options.retry(), new StageSignal.Again<>(subscription));
      return;
    }
    inputs.remove(subscription);
    switch (options.mode()) {
      case TEMPORARY -> {}
      case TRANSIENT -> {
        if (completed) {
          someCompleted = true;
        } else {
          fail(reason);
        }
      }
      case PERMANENT -> {
        if (completed && state == State.RUNNING) {
          endReason = reason;
          complete();
        } else if (!completed) {
          fail(reason);
        }
      }
    }
    if (someCompleted && inputs.isEmpty()) {
      complete();
    }
  }

  // ---------------------------------------------------------------- as a producer

  private void joined(Line<O> line, int demand) {
    String wrong =
        stage.gives()
            ? consumers.add(line)
            : line.producer + " is a sink, which gives nothing: subscribe to another stage";
    if (wrong != null) {
      line.consumer.send(new StageSignal.Ended<>(line, new StageRefusal(wrong)));
      return;
    }
    line.consumerMonitor =
        self.monitor(line.consumer, down -> new StageSignal.ConsumerEnded<>(line, down.reason()));
    consumers.ask(line, demand);
    MonitorRef watched = expected.get(line.consumer);
    if (watched != null) {
      self.demonitorFlush(watched);
      expectNoMore(line.consumer);
    }
  }

  /**
   * Which consumers will come. They are watched from now on: one that ends before it has subscribed
   * would be waited for in vain.
   */
  private void expect(List<Pid<?>> pids) {
    for (Pid<?> consumer : pids) {
      expected.put(
          consumer,
          self.monitor(consumer, down -> new StageSignal.Absent<>(consumer, down.reason())));
    }
  }

  private void absent(Pid<?> consumer, ExitReason reason) {
    if (expected.containsKey(consumer)) {
      expectNoMore(consumer);
      endWithConsumers(reason);
    }
  }

  private void expectNoMore(Pid<?> consumer) {
    expected.remove(consumer);
    if (expected.isEmpty()) {
      allJoined = true;
      consumers.start();
    }
  }

  private void consumerLeft(Line<O> line, ExitReason reason) {
    if (line.consumerMonitor != null) {
      self.demonitor(line.consumerMonitor);
    }
    if (consumers.remove(line)) {
      endWithConsumers(reason);
    }
  }

  /** A consumer has left, or will not come: perhaps nobody is left to work for. */
  private void endWithConsumers(ExitReason reason) {
    if (stage.endsWithConsumers() && consumers.lines.isEmpty() && expected.isEmpty()) {
      if (reason.isOrderly()) {
        finish();
        held.clear();
      } else {
        fail(reason);
      }
    }
  }

  /** For crash reports. */
  @Override
  public String toString() {
    return state + ", " + stats();
  }

  private StageStats stats() {
    return new StageStats(
        handledItems,
        emittedItems,
        droppedItems,
        unhandled + sent.size(),
        held.size(),
        consumers.demand(),
        inputs.size(),
        consumers.lines.size());
  }
}
