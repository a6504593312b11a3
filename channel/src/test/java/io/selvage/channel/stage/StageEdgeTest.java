package io.selvage.channel.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.channel.Channel;
import io.selvage.channel.Intake;
import io.selvage.channel.Received;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches, pipelines, and the ends that are no stages: channels, publishers, processes. */
class StageEdgeTest extends StageTestBase {
  private static final Duration LONG = Duration.ofHours(1);

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  // ---------------------------------------------------------------- batches

  @ParameterizedTest
  @EnumSource
  void batches_areGivenWhenFull_andAtTheEnd(Form form) {
    Gate<List<Integer>> gate = Gate.open();
    var source = start(form, Stage.from(range(0, 10)));
    var batches = start(form, Stage.<Integer>batches(4, LONG));
    var sink = start(form, Stage.sink(gate));
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(sink, batches, SubscribeOptions.defaults());
    Stage.subscribe(batches, source, SubscribeOptions.demand(0, 1)); // less than a batch
    assertThat(reason(end)).isEqualTo(ExitReason.normal());
    assertThat(gate.all()).isEqualTo(List.of(range(0, 4), range(4, 8), range(8, 10)));
  }

  @ParameterizedTest
  @EnumSource
  void batches_areGivenWhenTheirTimeIsOver(Form form) {
    ManualClock clock = new ManualClock();
    restart(NodeOptions.defaults().withClock(clock));
    Gate<List<Integer>> gate = Gate.open();
    var batches = start(form, Stage.<Integer>batches(3, Duration.ofMillis(100)));
    var sink = start(form, Stage.sink(gate));
    Stage.subscribe(sink, batches, SubscribeOptions.defaults());
    for (int i : List.of(0, 1)) {
      batches.send(StageMessage.item(i));
    }
    Await.until("both to be there", () -> stats(batches).handled() == 2);
    clock.advance(Duration.ofMillis(90));
    assertThat(stats(batches).emitted()).isZero();
    clock.advance(Duration.ofMillis(12));
    gate.awaitTaken(1);
    for (int i : List.of(2, 3, 4, 5)) {
      batches.send(StageMessage.item(i));
    }
    gate.awaitTaken(2);
    Await.until("the sixth", () -> stats(batches).handled() == 6);
    clock.advance(Duration.ofMillis(102));
    gate.awaitTaken(3);
    assertThat(gate.all()).isEqualTo(List.of(List.of(0, 1), List.of(2, 3, 4), List.of(5)));
  }

  // ---------------------------------------------------------------- channels

  @ParameterizedTest
  @EnumSource
  void channelToChannel_keepsOrderAndClosing_andSlowsTheSender(Form form) throws Exception {
    Channel<Integer> in = Channel.bounded(2);
    Channel<Integer> out = Channel.bounded(1);
    var source = start(form, Stage.<Integer>fromChannel(in));
    var sink = start(form, Stage.<Integer>toChannel(out));
    CompletableFuture<ExitReason> end = endOf(source);
    Stage.subscribe(sink, source, SubscribeOptions.demand(1, 3));
    Thread feeder =
        Thread.startVirtualThread(() -> {
          try {
            for (int i = 0; i < 1000; i++) {
              in.send(i);
            }
            in.close();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    // 2 are in the one channel, 1 is in the other, and 2 are with the sink, which asks for more
    // when
    // it has handled another. The sender has the next.
    Await.until(
        "the sender to wait", () -> in.stats().sent() == 5 && in.stats().waitingSenders() == 1);
    assertThat(stats(source).emitted()).isEqualTo(3);
    List<Integer> all = new ArrayList<>();
    out.receiveEach(Intake.untilClosed(), all::add);
    feeder.join();
    assertThat(all).isEqualTo(range(0, 1000));
    assertThat(reason(end)).isEqualTo(ExitReason.normal());
  }

  @ParameterizedTest
  @EnumSource
  void channelThatIsEmpty_isNotLookedAtAgainAndAgain(Form form) throws Exception {
    Channel<Integer> in = Channel.bounded(2);
    Gate<Integer> gate = Gate.open();
    var source = start(form, Stage.<Integer>fromChannel(in));
    var sink = start(form, Stage.sink(gate));
    StageSubscription subscription = Stage.subscribe(sink, source, SubscribeOptions.manual());
    assertThat(in.stats().waitingReceivers()).as("nobody has asked").isZero();
    subscription.ask(2);
    Await.until("it to wait", () -> in.stats().waitingReceivers() == 1);
    in.send(1);
    gate.awaitTaken(1);
    Await.until("it to wait again", () -> in.stats().waitingReceivers() == 1);
    in.send(2);
    gate.awaitTaken(2);
    in.send(3);
    assertThat(stats(source).emitted()).isEqualTo(2);
    assertThat(in.stats().size()).isEqualTo(1);
    CompletableFuture<ExitReason> end = endOf(source);
    source.kill();
    assertThat(reason(end)).isEqualTo(ExitReason.killed());
    assertThat(in.receive()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void closedTarget_endsTheSink_andFailedSinkLeavesItOpen(Form form) throws Exception {
    Channel<Integer> out = Channel.rendezvous();
    var source = start(form, Stage.from(new Counting(Integer.MAX_VALUE)).endingWithConsumers());
    var sink = start(form, Stage.<Integer>toChannel(out));
    CompletableFuture<ExitReason> sourceEnd = endOf(source);
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(sink, source, SubscribeOptions.demand(1, 2));
    assertThat(out.receive()).isEqualTo(0);
    out.close();
    assertThat(reason(end)).isEqualTo(ExitReason.normal());
    assertThat(reason(sourceEnd)).isEqualTo(ExitReason.normal());

    Channel<Integer> kept = Channel.bounded(5);
    var killed = start(form, Stage.<Integer>toChannel(kept));
    CompletableFuture<ExitReason> killedEnd = endOf(killed);
    killed.kill();
    assertThat(reason(killedEnd)).isEqualTo(ExitReason.killed());
    assertThat(kept.isClosed()).isFalse();
  }

  // ---------------------------------------------------------------- Flow

  /** Asks for what the test says, and keeps what it is told. */
  private static final class Keeping implements Flow.Subscriber<Integer> {
    final List<Integer> items = Collections.synchronizedList(new ArrayList<>());
    final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    final CompletableFuture<Boolean> complete = new CompletableFuture<>();

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription.complete(given);
    }

    @Override
    public void onNext(Integer item) {
      items.add(item);
    }

    @Override
    public void onError(Throwable reason) {
      failure.complete(reason);
    }

    @Override
    public void onComplete() {
      complete.complete(true);
    }

    Flow.Subscription subscription() {
      return Await.result("the subscription", subscription);
    }

    void awaitItems(int number) {
      Await.until(number + " items", () -> items.size() >= number);
    }
  }

  @ParameterizedTest
  @EnumSource
  void publisherToSubscriber_keepsOrderDemandAndCompletion(Form form) {
    Keeping subscriber = new Keeping();
    try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
      var source = start(form, Stage.fromPublisher(publisher, 4));
      var sink = start(form, Stage.<Integer>toSubscriber(subscriber));
      Stage.subscribe(sink, source, SubscribeOptions.demand(1, 2));
      Await.until("the source to subscribe", publisher::hasSubscribers);
      for (int i = 0; i < 100; i++) {
        publisher.submit(i);
      }
      subscriber.subscription().request(3);
      subscriber.awaitItems(3);
      subscriber.subscription().request(40);
      subscriber.awaitItems(43);
    }
    assertThat(subscriber.complete).isNotDone();
    subscriber.subscription().request(Long.MAX_VALUE);
    assertThat(Await.result("the completion", subscriber.complete)).isTrue();
    assertThat(subscriber.items).isEqualTo(range(0, 100));
  }

  @ParameterizedTest
  @EnumSource
  void failureOfAPublisher_reachesTheSubscriber_asExitReason(Form form) {
    Keeping subscriber = new Keeping();
    Exception fault = new Exception("for a test");
    try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
      var source = start(form, Stage.fromPublisher(publisher, 4));
      var sink = start(form, Stage.<Integer>toSubscriber(subscriber));
      Stage.subscribe(sink, source, SubscribeOptions.demand(1, 2));
      Await.until("the source to subscribe", publisher::hasSubscribers);
      subscriber.subscription().request(10);
      publisher.submit(1);
      subscriber.awaitItems(1);
      publisher.closeExceptionally(fault);
    }
    Throwable told = Await.result("the failure", subscriber.failure);
    assertThat(told).isInstanceOf(ExitException.class);
    assertThat(((ExitException) told).reason()).isEqualTo(new ExitReason.Crash(fault));
  }

  @ParameterizedTest
  @EnumSource
  void killedSink_failsItsSubscriber_andKilledSourceCancels(Form form) {
    Keeping subscriber = new Keeping();
    var sink = start(form, Stage.<Integer>toSubscriber(subscriber));
    subscriber.subscription().request(1);
    sink.kill();
    assertThat(Await.result("the failure", subscriber.failure))
        .isInstanceOf(CancellationException.class);
    try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
      var source = start(form, Stage.fromPublisher(publisher, 4));
      Await.until("the source to subscribe", publisher::hasSubscribers);
      source.kill();
      Await.until(
          "the source to cancel",
          () -> {
            publisher.offer(1, null); // a channel that is closed cancels with the next item
            return !publisher.hasSubscribers();
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancellingSubscriber_endsTheSink(Form form) {
    Keeping subscriber = new Keeping();
    var source = start(form, Stage.from(new Counting(Integer.MAX_VALUE)));
    var sink = start(form, Stage.<Integer>toSubscriber(subscriber));
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(sink, source, SubscribeOptions.demand(1, 2));
    subscriber.subscription().request(2);
    subscriber.awaitItems(2);
    subscriber.subscription().cancel();
    assertThat(reason(end)).isEqualTo(ExitReason.normal());
    assertThat(subscriber.complete).isNotDone();
    assertThat(subscriber.failure).isNotDone();
  }

  // ---------------------------------------------------------------- processes

  @ParameterizedTest
  @EnumSource
  void process_getsWhatItAsksFor_andItsEndEndsTheSink(Form form) {
    Probe process = Probe.start(Kind.EVENT, node);
    Counting numbers = new Counting(Integer.MAX_VALUE);
    Stage<Integer, Msg> saying = Stage.through(Msg.Say::new);
    var source = start(form, Stage.from(numbers));
    var middle = start(form, saying);
    var sink = start(form, Stage.<Msg>toProcess(process.pid()));
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(middle, source, SubscribeOptions.demand(0, 1));
    StageSubscription subscription = Stage.subscribe(sink, middle, SubscribeOptions.manual());
    for (int i = 0; i < 3; i++) {
      subscription.ask(1);
      assertThat(process.nextSaid()).isEqualTo(i);
      process.assertQuiet();
    }
    process.pid().kill();
    assertThat(reason(end)).isEqualTo(ExitReason.killed());
  }

  // ---------------------------------------------------------------- pipelines

  private List<List<Pid<?>>> start(Form form, Pipeline.Complete pipeline) {
    return form == Form.EVENT ? pipeline.start(node) : pipeline.startOnVirtualThreads(node);
  }

  @ParameterizedTest
  @EnumSource
  void pipeline_handlesAll_andAllEnd(Form form) {
    Gate<Integer> gate = Gate.open();
    Pipeline.Complete pipeline =
        Pipeline.from(Stage.from(range(0, 10_000)))
            .via(Stage.<Integer, Integer>through(i -> i + 1), 3)
            .demanding(5, 10)
            .via(Stage.<Integer, Integer>through(i -> i - 1))
            .to(Stage.sink(gate), 2);
    List<List<Pid<?>>> pids = start(form, pipeline);
    assertThat(pids).extracting(List::size).containsExactly(1, 3, 1, 2);
    pids.forEach(stage -> stage.forEach(pid -> Await.until(pid + " to end", () -> !pid.isAlive())));
    List<Integer> all = new ArrayList<>(gate.all());
    all.sort(null);
    assertThat(all).isEqualTo(range(0, 10_000));
  }

  @ParameterizedTest
  @EnumSource
  void pipeline_byKey_keepsTheOrderOfEachKey_andBroadcastGivesAll(Form form) {
    Gate<Integer> keyed = Gate.open();
    start(
            form,
            Pipeline.from(Stage.from(range(0, 5000)))
                .viaKeyed(Stage.<Integer, Integer>through(i -> i), 4, i -> i % 7)
                .to(Stage.sink(keyed)))
        .getLast()
        .forEach(pid -> Await.until("the sink to end", () -> !pid.isAlive()));
    assertThat(keyed.taken).hasSize(5000);
    for (int key = 0; key < 7; key++) {
      int own = key;
      assertThat(keyed.all().stream().filter(i -> i % 7 == own).toList()).isSorted();
    }
    Gate<Integer> copies = Gate.open();
    start(
            form,
            Pipeline.from(Stage.from(range(0, 1000)).dispatching(Dispatch.broadcast()))
                .to(Stage.sink(copies), 3))
        .getLast()
        .forEach(pid -> Await.until("a sink to end", () -> !pid.isAlive()));
    assertThat(copies.taken).hasSize(3000);
  }

  @ParameterizedTest
  @EnumSource
  void shortPipeline_waitsForAllItsProcesses(Form form) {
    for (int round = 0; round < 200; round++) {
      Gate<Integer> gate = Gate.open();
      List<CompletableFuture<ExitReason>> ends = new ArrayList<>();
      Stage<Integer, Integer> middle = Stage.through(i -> i);
      Stage<Integer, Integer> box = Stage.inbox();
      List<List<Pid<?>>> pids = start(form, Pipeline.from(box).via(middle, 4).to(Stage.sink(gate)));
      pids.forEach(stage -> stage.forEach(pid -> ends.add(endOf(pid))));
      @SuppressWarnings("unchecked")
      Pid<StageMessage<Integer, Integer>> first =
          (Pid<StageMessage<Integer, Integer>>) pids.getFirst().getFirst();
      first.send(StageMessage.item(round));
      first.send(StageMessage.end());
      for (CompletableFuture<ExitReason> each : ends) {
        assertThat(reason(each)).isEqualTo(ExitReason.normal());
      }
      assertThat(gate.all()).isEqualTo(List.of(round));
    }
  }

  @ParameterizedTest
  @EnumSource
  void shortSource_waitsForAllItsConsumers(Form form) {
    for (int round = 0; round < 200; round++) {
      Channel<Integer> out = Channel.unbounded();
      Stage<Integer, Integer> middle = Stage.through(i -> i);
      start(form, Pipeline.from(Stage.from(List.of(1))).via(middle, 4).to(Stage.toChannel(out)))
          .forEach(stage -> stage.forEach(pid -> Await.until("the end", () -> !pid.isAlive())));
      assertThat(out.tryReceiveOrClosed()).isEqualTo(new Received.Item<>(1));
      assertThat(out.isClosed()).as("closed by a sink that has completed").isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void pipeline_failsAsAWhole(Form form) {
    Counting numbers = new Counting(Integer.MAX_VALUE);
    List<List<Pid<?>>> pids =
        start(
            form,
            Pipeline.from(Stage.from(numbers))
                .via(Stage.<Integer, Integer>through(i -> i), 2)
                .to(
                    Stage.sink(i -> {
                      if (i == 5000) {
                        throw new IllegalStateException("for a test");
                      }
                    })));
    pids.forEach(stage -> stage.forEach(pid -> Await.until(pid + " to end", () -> !pid.isAlive())));
  }

  /** A stage of which the first processes fail while they start, before they subscribe. */
  private static Stage<Integer, Integer> failingAtStart(AtomicInteger failures) {
    return Stage.of(() -> {
      if (failures.getAndDecrement() > 0) {
        throw new IllegalStateException("for a test");
      }
      return (item, out) -> out.emit(item);
    });
  }

  @ParameterizedTest
  @EnumSource
  void pipeline_whoseProcessesFailBeforeTheySubscribe_ends(Form form) {
    Counting numbers = new Counting(Integer.MAX_VALUE);
    Stage<Integer, Integer> box = Stage.inbox();
    for (Pipeline<Integer> first :
        List.of(
            Pipeline.from(Stage.from(numbers)),
            Pipeline.from(box),
            Pipeline.from(Stage.from(numbers).dispatching(Dispatch.broadcast())))) {
      start(form, first.via(failingAtStart(new AtomicInteger(3)), 3).to(Stage.sink(_ -> {})))
          .forEach(
              stage -> stage.forEach(pid -> Await.until(pid + " to end", () -> !pid.isAlive())));
    }
    assertThat(numbers.made).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource
  void planned_goesOn_withoutAConsumerThatEndsBeforeItSubscribes(Form form) {
    for (Dispatch<Integer> rule :
        List.of(Dispatch.<Integer>toDemand(), Dispatch.<Integer>broadcast(2))) {
      Gate<Integer> gate = Gate.open();
      Stage<Void, Integer> numbers = Stage.from(range(0, 1000));
      Pid<StageMessage<Void, Integer>> source =
          start(form, numbers.dispatching(rule).endingWithConsumers().awaitingConsumers(2));
      CompletableFuture<ExitReason> end = endOf(source);
      Pid<StageMessage<Integer, Void>> lost = start(form, Stage.<Integer>sink(_ -> {}));
      Pid<StageMessage<Integer, Void>> sink = start(form, Stage.sink(gate));
      source.send(new StageSignal.Expects<>(List.of(lost, sink)));
      Stage.subscribe(sink, source, SubscribeOptions.defaults());
      Await.until("it to subscribe", () -> stats(source).consumers() == 1);
      assertThat(gate.all()).isEmpty();
      lost.kill();
      assertThat(reason(end)).isEqualTo(ExitReason.normal());
      Await.until("the sink to end", () -> !sink.isAlive());
      assertThat(gate.all()).isEqualTo(range(0, 1000));
    }
  }

  /** One has come and gone, and another is still to come: somebody is there to work for. */
  @ParameterizedTest
  @EnumSource
  void planned_waitsForThoseToCome_whenTheFirstHasLeft(Form form) {
    Gate<Integer> gate = Gate.open();
    Stage<Void, Integer> numbers = Stage.from(range(0, 1000));
    Pid<StageMessage<Void, Integer>> source =
        start(form, numbers.endingWithConsumers().awaitingConsumers(2));
    CompletableFuture<ExitReason> end = endOf(source);
    Pid<StageMessage<Integer, Void>> first = start(form, Stage.<Integer>sink(_ -> {}));
    Pid<StageMessage<Integer, Void>> sink = start(form, Stage.sink(gate));
    source.send(new StageSignal.Expects<>(List.of(first, sink)));
    Stage.subscribe(first, source, SubscribeOptions.defaults());
    Await.until("it to subscribe", () -> stats(source).consumers() == 1);
    first.kill();
    Await.until("it to leave", () -> stats(source).consumers() == 0);
    Stage.subscribe(sink, source, SubscribeOptions.defaults());
    assertThat(reason(end)).isEqualTo(ExitReason.normal());
    Await.until("the sink to end", () -> !sink.isAlive());
    assertThat(gate.all()).isEqualTo(range(0, 1000));
  }

  @Test
  void pipeline_refusesWhatDoesNotFit() {
    Pipeline<Integer> two =
        Pipeline.from(Stage.from(range(0, 1)).dispatching(Dispatch.partition(2, i -> i % 2)));
    Stage<Integer, Void> sink = Stage.sink(_ -> {});
    assertThatThrownBy(() -> two.to(sink, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 partitions");
    assertThatThrownBy(() -> two.to(sink, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> two.demanding(3, 3)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void received_isNotLost_whenTheConsumerHasGone() {
    Channel<Integer> in = Channel.bounded(2);
    Gate<Integer> gate = Gate.open();
    var source = start(Form.EVENT, Stage.<Integer>fromChannel(in));
    var first = start(Form.EVENT, Stage.<Integer>sink(_ -> {}));
    Stage.subscribe(first, source, SubscribeOptions.manual()).ask(1);
    Await.until("it to wait", () -> in.stats().waitingReceivers() == 1);
    first.kill();
    Await.until("it to leave", () -> stats(source).consumers() == 0);
    assertThat(in.trySendOrClosed(7)).isNotNull();
    Await.until("it to be held", () -> stats(source).held() == 1);
    Stage.subscribe(start(Form.EVENT, Stage.sink(gate)), source, SubscribeOptions.defaults());
    gate.awaitTaken(1);
    assertThat(gate.all()).isEqualTo(List.of(7));
    in.close();
    Await.until("the source to end", () -> !source.isAlive());
    assertThat(in.tryReceiveOrClosed()).isEqualTo(new Received.Closed<>());
  }
}
