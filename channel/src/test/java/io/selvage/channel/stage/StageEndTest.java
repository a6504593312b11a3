package io.selvage.channel.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.channel.Channel;
import io.selvage.channel.Overflow;
import io.selvage.channel.stage.SubscribeOptions.Mode;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Name;
import io.selvage.kernel.Pid;
import io.selvage.kernel.support.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How subscriptions and stages end, and what that means for the others. */
class StageEndTest extends StageTestBase {
  private static final Duration PAUSE = Duration.ofMillis(1);

  /** A stage that goes on when the others end. */
  private <T> Pid<StageMessage<T, Void>> staying(Form form, Gate<T> gate) {
    return start(form, Stage.sink(gate));
  }

  private static void awaitProducers(Pid<? extends StageMessage<?, ?>> stage, int number) {
    Await.until(number + " producers", () -> statsOf(stage).producers() == number);
  }

  @SuppressWarnings("unchecked")
  private static StageStats statsOf(Pid<? extends StageMessage<?, ?>> stage) {
    return stats((Pid<StageMessage<Object, Object>>) (Pid<?>) stage);
  }

  @ParameterizedTest
  @CsvSource({
    "EVENT, TRANSIENT, COMPLETED, normal",
    "EVENT, TRANSIENT, SHUTDOWN, normal",
    "EVENT, TRANSIENT, FAILED, killed",
    "EVENT, PERMANENT, COMPLETED, normal",
    "EVENT, PERMANENT, SHUTDOWN, shutdown",
    "EVENT, PERMANENT, FAILED, killed",
    "EVENT, TEMPORARY, COMPLETED,",
    "EVENT, TEMPORARY, SHUTDOWN,",
    "EVENT, TEMPORARY, FAILED,",
    "ON_VIRTUAL_THREAD, TRANSIENT, SHUTDOWN, normal",
    "ON_VIRTUAL_THREAD, PERMANENT, SHUTDOWN, shutdown",
    "ON_VIRTUAL_THREAD, PERMANENT, FAILED, killed",
    "ON_VIRTUAL_THREAD, TEMPORARY, FAILED,",
  })
  void endOfTheProducer_meansWhatTheModeSays(Form form, Mode mode, String how, String expected) {
    Gate<Integer> gate = Gate.open();
    var box = start(form, Stage.<Integer>inbox());
    var sink = staying(form, gate);
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(sink, box, SubscribeOptions.defaults().ending(mode));
    box.send(StageMessage.item(1));
    gate.awaitTaken(1);
    switch (how) {
      case "COMPLETED" -> box.send(StageMessage.end());
      case "SHUTDOWN" -> box.exit(ExitReason.shutdown());
      default -> box.kill();
    }
    if (expected == null) {
      awaitProducers(sink, 0);
      sink.send(StageMessage.item(2));
      gate.awaitTaken(2);
      assertThat(end).isNotDone();
    } else {
      assertThat(reason(end)).hasToString(expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void transientConsumer_completesWithItsLastProducer_permanentWithTheFirst(Form form) {
    for (Mode mode : List.of(Mode.TRANSIENT, Mode.PERMANENT)) {
      Gate<Integer> gate = Gate.open();
      var one = start(form, Stage.<Integer>inbox());
      var two = start(form, Stage.<Integer>inbox());
      var sink = staying(form, gate);
      CompletableFuture<ExitReason> end = endOf(sink);
      Stage.subscribe(sink, one, SubscribeOptions.defaults().ending(mode));
      Stage.subscribe(sink, two, SubscribeOptions.defaults().ending(mode));
      awaitProducers(sink, 2);
      one.send(StageMessage.end());
      if (mode == Mode.TRANSIENT) {
        awaitProducers(sink, 1);
        two.send(StageMessage.item(1));
        gate.awaitTaken(1);
        two.send(StageMessage.end());
      }
      assertThat(reason(end)).isEqualTo(ExitReason.normal());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatWasOnItsWay_isHandledBeforeTheEnd(Form form) {
    Gate<Integer> gate = new Gate<>(0);
    var source = start(form, Stage.from(IntStream.range(0, 20).boxed().toList()));
    var middle = start(form, Stage.<Integer, Integer>through(i -> i));
    var sink = staying(form, gate);
    CompletableFuture<ExitReason> sourceEnd = endOf(source);
    CompletableFuture<ExitReason> middleEnd = endOf(middle);
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(sink, middle, SubscribeOptions.demand(1, 2));
    Stage.subscribe(middle, source, SubscribeOptions.demand(99, 100));
    assertThat(reason(sourceEnd)).isEqualTo(ExitReason.normal());
    assertThat(middleEnd).isNotDone();
    gate.permits.release(20);
    assertThat(reason(middleEnd)).isEqualTo(ExitReason.normal());
    assertThat(reason(end)).isEqualTo(ExitReason.normal());
    assertThat(gate.all()).hasSize(20).isSorted();
  }

  @ParameterizedTest
  @EnumSource
  void failure_travelsDownward_asExitReason(Form form) {
    IllegalStateException fault = new IllegalStateException("for a test");
    var source = start(form, Stage.from(List.of(1, 2, 3)));
    var middle =
        start(
            form,
            Stage.<Integer, Integer>through(i -> {
              if (i == 2) {
                throw fault;
              }
              return i;
            }));
    var sink = staying(form, Gate.open());
    CompletableFuture<ExitReason> sourceEnd = endOf(source);
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(sink, middle, SubscribeOptions.defaults());
    Stage.subscribe(middle, source, SubscribeOptions.demand(0, 1));
    assertThat(reason(end)).isEqualTo(new ExitReason.Crash(fault));
    assertThat(sourceEnd).isNotDone();
    Gate<Integer> successor = Gate.open();
    Stage.subscribe(staying(form, successor), source, SubscribeOptions.defaults());
    assertThat(reason(sourceEnd)).isEqualTo(ExitReason.normal());
    successor.awaitTaken(1);
    assertThat(successor.all()).isEqualTo(List.of(3));
  }

  @ParameterizedTest
  @EnumSource
  void endingWithConsumers_endsWithTheLast_forTheSameReason(Form form) {
    var source = start(form, Stage.from(new Counting(Integer.MAX_VALUE)).endingWithConsumers());
    var a = staying(form, Gate.<Integer>open());
    var b = staying(form, new Gate<Integer>(0));
    CompletableFuture<ExitReason> end = endOf(source);
    Stage.subscribe(a, source, SubscribeOptions.defaults());
    Stage.subscribe(b, source, SubscribeOptions.defaults());
    Await.until("two to join", () -> stats(source).consumers() == 2);
    a.exit(ExitReason.shutdown());
    Await.until("one to leave", () -> stats(source).consumers() == 1);
    assertThat(end).isNotDone();
    b.kill();
    assertThat(reason(end)).isEqualTo(ExitReason.killed());
  }

  @ParameterizedTest
  @EnumSource
  void cancel_losesNothing_andIsACompletion(Form form) {
    Counting numbers = new Counting(Integer.MAX_VALUE);
    Gate<Integer> gate = Gate.open();
    var source = start(form, Stage.from(numbers));
    var sink = staying(form, gate);
    CompletableFuture<ExitReason> end = endOf(sink);
    StageSubscription subscription = Stage.subscribe(sink, source, SubscribeOptions.demand(5, 10));
    gate.awaitTaken(100);
    subscription.cancel();
    subscription.cancel();
    assertThat(reason(end)).isEqualTo(ExitReason.normal());
    assertThat(stats(source).consumers()).isZero();
    assertThat(gate.all()).hasSize(numbers.made.get()).isSorted();
    assertThat(stats(source).held()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void cancelOfATemporarySubscription_allowsAnother(Form form) {
    Counting numbers = new Counting(Integer.MAX_VALUE);
    Gate<Integer> gate = Gate.open();
    var source = start(form, Stage.from(numbers));
    var sink = staying(form, gate);
    StageSubscription subscription =
        Stage.subscribe(sink, source, SubscribeOptions.manual().ending(Mode.TEMPORARY));
    subscription.ask(2);
    gate.awaitTaken(2);
    subscription.cancel();
    subscription.ask(2);
    awaitProducers(sink, 0);
    StageSubscription again = Stage.subscribe(sink, source, SubscribeOptions.manual());
    again.ask(2);
    gate.awaitTaken(4);
    assertThat(stats(source).emitted()).isEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void killedConsumer_losesNoMoreThanItHadAskedFor(Form form) {
    int all = 3000;
    int max = 50;
    Counting numbers = new Counting(all);
    Gate<Integer> survivor = Gate.open();
    var source = start(form, Stage.from(numbers));
    List<Gate<Integer>> killed = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Gate<Integer> gate = new Gate<>(7);
      killed.add(gate);
      var sink = staying(form, gate);
      CompletableFuture<ExitReason> end = endOf(sink);
      Stage.subscribe(sink, source, SubscribeOptions.demand(25, max));
      gate.awaitTaken(7);
      sink.kill();
      assertThat(reason(end)).isEqualTo(ExitReason.killed());
    }
    Await.until("the source to know", () -> stats(source).consumers() == 0);
    assertThat(stats(source).demand()).isZero();
    var last = staying(form, survivor);
    CompletableFuture<ExitReason> end = endOf(last);
    Stage.subscribe(last, source, SubscribeOptions.demand(25, max));
    assertThat(reason(end)).isEqualTo(ExitReason.normal());
    assertThat(survivor.all()).isSorted().doesNotHaveDuplicates();
    int handled = survivor.taken.size() + killed.stream().mapToInt(g -> g.taken.size()).sum();
    assertThat(handled).isBetween(all - 10 * (max - 7), all);
    assertThat(survivor.all()).endsWith(all - 1);
  }

  @ParameterizedTest
  @EnumSource
  void retrying_subscribesToTheSuccessor_ofTheSameName(Form form) {
    Name<StageMessage<Void, Integer>> name = Name.of("numbers");
    Counting numbers = new Counting(Integer.MAX_VALUE);
    Stage<Void, Integer> counting = Stage.from(numbers);
    Gate<Integer> gate = Gate.open();
    Stage<Integer, Void> waiting =
        Stage.<Integer>sink(gate)
            .subscribedTo(name, SubscribeOptions.demand(5, 10).retrying(PAUSE));
    var sink = start(form, waiting); // before there is a producer
    for (int i = 1; i <= 5; i++) {
      var source =
          counting.start(
              node, StageTestBase.<StageMessage<Void, Integer>>options(form).named(name));
      gate.awaitTaken(100 * i);
      CompletableFuture<ExitReason> end = endOf(source);
      source.kill();
      assertThat(reason(end)).isEqualTo(ExitReason.killed());
    }
    assertThat(sink.isAlive()).isTrue();
    assertThat(stats(sink).producers()).as("one that it waits for").isEqualTo(1);
    assertThat(gate.all()).isSorted().doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void retrying_keepsTheDemand_whateverIsLeftOfThePredecessor(Form form) {
    Name<StageMessage<Void, Integer>> name = Name.of("numbers");
    Counting numbers = new Counting(Integer.MAX_VALUE);
    Stage<Void, Integer> counting = Stage.from(numbers);
    Gate<Integer> gate = new Gate<>(3);
    start(
        form,
        Stage.<Integer>sink(gate)
            .subscribedTo(name, SubscribeOptions.demand(5, 10).retrying(PAUSE)));
    var first =
        counting.start(node, StageTestBase.<StageMessage<Void, Integer>>options(form).named(name));
    Await.until("all to be made", () -> numbers.made.get() == 10);
    gate.awaitTaken(3);
    CompletableFuture<ExitReason> end = endOf(first);
    first.kill();
    assertThat(reason(end)).isEqualTo(ExitReason.killed());
    counting.start(node, StageTestBase.<StageMessage<Void, Integer>>options(form).named(name));
    gate.permits.release(1);
    // It looks for the successor when the fourth is handled, with six left.
    for (int taken = 4; taken < 200; taken++) {
      gate.awaitTaken(taken);
      assertThat(numbers.made.get() - taken).isLessThanOrEqualTo(10);
      gate.permits.release(1);
    }
    gate.permits.release(1_000_000);
  }

  // ---------------------------------------------------------------- what cannot be

  @ParameterizedTest
  @CsvSource({"0, 0", "5, 5", "6, 5", "-1, 5", "0, -1"})
  void wrongDemand_isRefused(int min, int max) {
    assertThatThrownBy(() -> SubscribeOptions.demand(min, max))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give");
  }

  @Test
  void wrongArguments_areRefused() {
    var source = start(Form.EVENT, Stage.from(List.of(1)));
    var box = start(Form.EVENT, Stage.<Integer>inbox());
    var sink = start(Form.EVENT, Stage.<Integer>sink(_ -> {}));
    StageSubscription byItself = Stage.subscribe(sink, box, SubscribeOptions.defaults());
    assertThatThrownBy(() -> byItself.ask(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("manual()");
    assertThatThrownBy(() -> byItself.ask(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Stage.subscribe(box, box, SubscribeOptions.defaults()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("itself");
    SubscribeOptions retrying = SubscribeOptions.defaults().retrying(PAUSE);
    assertThatThrownBy(() -> Stage.subscribe(sink, source, retrying))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name");
    assertThatThrownBy(() -> Stage.<Integer>inbox().subscribedTo(source, retrying))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SubscribeOptions.defaults().retrying(PAUSE.negated()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SubscribeOptions.defaults().inPartition(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Dispatch.broadcast(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Dispatch.partition(0, _ -> 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Stage.<Integer>inbox().buffering(0, Overflow.dropOldest()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Stage.<Integer>inbox().buffering(1, Overflow.block()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fromChannel");
    assertThatThrownBy(() -> Stage.batches(0, PAUSE)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Stage.batches(1, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Stage.fromPublisher(Channel.<Integer>unbounded().publisher(), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private String refusal(Pid<StageMessage<Void, Integer>> source, SubscribeOptions options) {
    var sink = start(Form.EVENT, Stage.<Integer>sink(_ -> {}));
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(sink, source, options);
    return reason(end) instanceof StageRefusal(String why) ? why : "not refused";
  }

  @Test
  void secondSubscription_isRefused_withWords() {
    var source = start(Form.EVENT, Stage.<Integer>from(new Counting(Integer.MAX_VALUE)));
    var sink = start(Form.EVENT, Stage.<Integer>sink(_ -> {}));
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(sink, source, SubscribeOptions.manual());
    Stage.subscribe(sink, source, SubscribeOptions.manual().ending(Mode.TEMPORARY));
    awaitProducers(sink, 1);
    Stage.subscribe(sink, source, SubscribeOptions.manual());
    assertThat(reason(end)).isInstanceOf(StageRefusal.class).asString().contains("already");
    assertThat(source.isAlive()).isTrue();
    assertThat(refusal(source, SubscribeOptions.defaults().inPartition(0))).contains("has none");
  }

  @Test
  void wrongPartition_isRefused_withWords() {
    var source =
        start(
            Form.EVENT,
            Stage.<Integer>from(new Counting(Integer.MAX_VALUE))
                .dispatching(Dispatch.partition(2, i -> i % 2)));
    var owner = start(Form.EVENT, Stage.<Integer>sink(_ -> {}));
    Stage.subscribe(owner, source, SubscribeOptions.manual().inPartition(1));
    Await.until("the owner to join", () -> stats(source).consumers() == 1);
    assertThat(refusal(source, SubscribeOptions.defaults().inPartition(1))).contains("belongs to");
    assertThat(refusal(source, SubscribeOptions.defaults().inPartition(2))).contains("from 0 to 1");
    assertThat(refusal(source, SubscribeOptions.defaults())).contains("no partition");
    Stage.subscribe(owner, source, SubscribeOptions.manual().inPartition(0)); // may have both
    Await.until("both to be owned", () -> stats(source).consumers() == 2);
    owner.kill();
    Await.until("the partitions to be free", () -> stats(source).consumers() == 0);
    var next = start(Form.EVENT, Stage.<Integer>sink(_ -> {}));
    Stage.subscribe(next, source, SubscribeOptions.manual().inPartition(1));
    Await.until("the next to join", () -> stats(source).consumers() == 1);
  }

  @Test
  void partitionOutOfRange_isTheFaultOfTheFunction() {
    var source =
        start(Form.EVENT, Stage.from(List.of(5)).dispatching(Dispatch.partition(2, i -> i)));
    CompletableFuture<ExitReason> end = endOf(source);
    Stage.subscribe(
        start(Form.EVENT, Stage.<Integer>sink(_ -> {})),
        source,
        SubscribeOptions.defaults().inPartition(0));
    assertThat(reason(end)).asString().contains("the partition of 5 is 5");
  }

  @ParameterizedTest
  @EnumSource
  void deadProducer_isNoProc(Form form) {
    var source = start(form, Stage.from(List.of(1)));
    CompletableFuture<ExitReason> gone = endOf(source);
    source.kill();
    assertThat(reason(gone)).isEqualTo(ExitReason.killed());
    var sink = staying(form, Gate.<Integer>open());
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(sink, source, SubscribeOptions.defaults());
    assertThat(reason(end)).isEqualTo(ExitReason.noProc());
    var tolerant = staying(form, Gate.<Integer>open());
    Stage.subscribe(tolerant, source, SubscribeOptions.defaults().ending(Mode.TEMPORARY));
    Name<StageMessage<Void, Integer>> nobody = Name.of("nobody");
    Stage.subscribe(tolerant, nobody, SubscribeOptions.defaults().ending(Mode.TEMPORARY));
    awaitProducers(tolerant, 0);
    assertThat(tolerant.isAlive()).isTrue();
  }

  @Test
  void sink_hasNoConsumers() {
    var sink = start(Form.EVENT, Stage.<Integer>sink(_ -> {}));
    var source = start(Form.EVENT, Stage.<Integer>from(List.of(1)));
    CompletableFuture<ExitReason> end = endOf(source);
    Stage.subscribe(source, sink, SubscribeOptions.defaults());
    assertThat(reason(end)).asString().contains("is a sink");
    assertThat(sink.isAlive()).isTrue();
  }
}
