package io.selvage.channel.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.channel.Overflow;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.support.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Demand is exact, whoever is slow, and items go where the rule says. */
class StageDemandTest extends StageTestBase {
  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  @ParameterizedTest
  @EnumSource
  void items_goThroughInOrder_andAllComplete(Form form) {
    Gate<String> gate = Gate.open();
    var source = start(form, Stage.from(range(0, 1000)));
    var middle = start(form, Stage.<Integer, String>through(i -> "n" + i));
    var sink = start(form, Stage.sink(gate));
    List<CompletableFuture<ExitReason>> ends = List.of(endOf(source), endOf(middle), endOf(sink));
    Stage.subscribe(sink, middle, SubscribeOptions.demand(3, 7));
    Stage.subscribe(middle, source, SubscribeOptions.demand(0, 1));
    for (CompletableFuture<ExitReason> each : ends) {
      assertThat(reason(each)).isEqualTo(ExitReason.normal());
    }
    assertThat(gate.all()).isEqualTo(range(0, 1000).stream().map(i -> "n" + i).toList());
  }

  @ParameterizedTest
  @EnumSource
  void manualDemand_isServedExactly(Form form) {
    Counting numbers = new Counting(100);
    Gate<Integer> gate = Gate.open();
    var source = start(form, Stage.from(numbers));
    var sink = start(form, Stage.sink(gate));
    StageSubscription subscription = Stage.subscribe(sink, source, SubscribeOptions.manual());
    Await.until("the consumer to join", () -> stats(source).consumers() == 1);
    assertThat(numbers.made).hasValue(0);
    subscription.ask(3);
    gate.awaitTaken(3);
    subscription.ask(1);
    gate.awaitTaken(4);
    assertThat(stats(source)).isEqualTo(new StageStats(0, 4, 0, 0, 0, 0, 0, 1));
    assertThat(stats(sink)).isEqualTo(new StageStats(4, 0, 0, 0, 0, 0, 1, 0));
    assertThat(numbers.made).hasValue(4);
    subscription.ask(1000);
    gate.awaitTaken(100);
    assertThat(gate.all()).isEqualTo(range(0, 100));
  }

  @ParameterizedTest
  @EnumSource
  void slowConsumer_stopsTheSource_whichAsksAgainAtTheMinimum(Form form) {
    Counting numbers = new Counting(1000);
    Gate<Integer> gate = new Gate<>(0);
    var source = start(form, Stage.from(numbers));
    var sink = start(form, Stage.sink(gate));
    Stage.subscribe(sink, source, SubscribeOptions.demand(6, 10));
    for (int round = 0; round < 20; round++) {
      int made = 10 + 4 * round;
      Await.until(made + " to be made", () -> numbers.made.get() == made);
      gate.permits.release(3);
      gate.awaitTaken(4 * round + 3);
      // The fourth has to be handled before more is asked for.
      assertThat(stats(source).emitted()).isEqualTo(made);
      gate.permits.release(1);
    }
    gate.permits.release(1000);
    gate.awaitTaken(1000);
    assertThat(gate.all()).isEqualTo(range(0, 1000));
  }

  @ParameterizedTest
  @EnumSource
  void waitingStages_doNothing(Form form) {
    Counting numbers = new Counting(1000);
    Gate<Integer> gate = new Gate<>(0);
    var source = start(form, Stage.from(numbers));
    var middle = start(form, Stage.<Integer, Integer>through(i -> i));
    var sink = start(form, Stage.sink(gate));
    Stage.subscribe(sink, middle, SubscribeOptions.demand(0, 1));
    Stage.subscribe(middle, source, SubscribeOptions.demand(1, 2));
    Await.until("the source to be stopped", () -> numbers.made.get() == 3);
    // One before the sink, and two on the desk, one of which was replaced.
    Await.until("all to rest", () -> stats(middle).handled() == 1 && stats(middle).waiting() == 2);
    long before = handledBy(source) + handledBy(middle);
    for (int i = 0; i < 1000; i++) {
      Thread.onSpinWait();
    }
    stats(source);
    stats(middle);
    // Only the two questions, and the answers' ways.
    assertThat(handledBy(source) + handledBy(middle) - before).isLessThanOrEqualTo(4);
    assertThat(numbers.made).hasValue(3);
    gate.permits.release(1000);
    gate.awaitTaken(1000);
  }

  private long handledBy(Pid<?> pid) {
    return node.info(pid).orElseThrow().handled();
  }

  @ParameterizedTest
  @EnumSource
  void millionItems_throughThreeStages_neverMoreThanAskedFor(Form form) {
    int all = 1_000_000;
    AtomicInteger made = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicLong sum = new AtomicLong();
    AtomicInteger taken = new AtomicInteger();
    Stage<Void, Integer> numbers =
        Stage.generating(() -> made.get() < all ? made.getAndIncrement() : null);
    Stage<Integer, Void> adding =
        Stage.sink(i -> {
          int inFlight = made.get() - taken.getPlain();
          if (inFlight > most.getPlain()) {
            most.setPlain(inFlight);
          }
          taken.setPlain(taken.getPlain() + 1);
          sum.setPlain(sum.getPlain() + i);
        });
    var source = start(form, numbers);
    var middle = start(form, Stage.<Integer, Integer>through(i -> i + 1));
    var sink = start(form, adding);
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(sink, middle, SubscribeOptions.demand(250, 500));
    Stage.subscribe(middle, source, SubscribeOptions.demand(500, 1000));
    assertThat(Await.result("the end", end, Await.LIMIT.multipliedBy(6)))
        .isEqualTo(ExitReason.normal());
    assertThat(sum.get()).isEqualTo((long) all * (all + 1) / 2);
    assertThat(most.get()).as("made and not taken").isLessThanOrEqualTo(1500);
  }

  @ParameterizedTest
  @EnumSource
  void items_goToWhoAskedForMost(Form form) {
    Gate<Integer> a = Gate.open();
    Gate<Integer> b = Gate.open();
    var source = start(form, Stage.<Integer>inbox());
    StageSubscription first =
        Stage.subscribe(start(form, Stage.sink(a)), source, SubscribeOptions.manual());
    Await.until("a to join", () -> stats(source).consumers() == 1);
    StageSubscription second =
        Stage.subscribe(start(form, Stage.sink(b)), source, SubscribeOptions.manual());
    first.ask(5);
    second.ask(2);
    Await.until("the demand", () -> stats(source).demand() == 7);
    for (int i = 0; i < 9; i++) {
      source.send(StageMessage.item(i));
    }
    a.awaitTaken(5);
    b.awaitTaken(2);
    assertThat(a.all()).isEqualTo(List.of(0, 1, 2, 4, 6));
    assertThat(b.all()).isEqualTo(List.of(3, 5));
    assertThat(stats(source)).isEqualTo(new StageStats(7, 7, 0, 2, 0, 0, 0, 2));
  }

  @ParameterizedTest
  @EnumSource
  void manyConsumersOfManyProducers_getEachItemOnce_andTheSlowOneIsSpared(Form form) {
    Gate<Integer> slow = new Gate<>(0);
    Gate<Integer> quick = new Gate<>(0);
    var one = start(form, Stage.from(range(0, 500)));
    var two = start(form, Stage.from(range(500, 1000)));
    List<CompletableFuture<ExitReason>> ends = new ArrayList<>();
    for (Gate<Integer> each : List.of(slow, quick)) {
      // In one go, since the slow one does not come to a second subscription after its first item.
      Stage<Integer, Void> sink =
          Stage.<Integer>sink(each)
              .subscribedTo(one, SubscribeOptions.demand(5, 10))
              .subscribedTo(two, SubscribeOptions.demand(5, 10));
      ends.add(endOf(start(form, sink)));
      int consumers = ends.size();
      for (var source : List.of(one, two)) {
        Await.until("it to join", () -> stats(source).consumers() == consumers);
      }
    }
    quick.permits.release(1000);
    assertThat(reason(ends.get(1))).isEqualTo(ExitReason.normal());
    assertThat(quick.taken.size()).isBetween(980, 1000);
    slow.permits.release(1000);
    assertThat(reason(ends.get(0))).isEqualTo(ExitReason.normal());
    List<Integer> all = new ArrayList<>(slow.all());
    all.addAll(quick.all());
    all.sort(null);
    assertThat(all).isEqualTo(range(0, 1000));
  }

  @ParameterizedTest
  @EnumSource
  void broadcast_goesToAllInLockstep(Form form) {
    Gate<Integer> a = Gate.open();
    Gate<Integer> b = Gate.open();
    Counting numbers = new Counting(1000);
    var source = start(form, Stage.<Integer>from(numbers).dispatching(Dispatch.broadcast(2)));
    StageSubscription first =
        Stage.subscribe(start(form, Stage.sink(a)), source, SubscribeOptions.manual());
    first.ask(10);
    Await.until("a to ask", () -> stats(source).demand() == 10);
    assertThat(numbers.made).as("nothing goes before the second").hasValue(0);
    var sinkB = start(form, Stage.sink(b));
    StageSubscription second = Stage.subscribe(sinkB, source, SubscribeOptions.manual());
    second.ask(3);
    a.awaitTaken(3);
    b.awaitTaken(3);
    assertThat(stats(source).demand()).isEqualTo(7);
    assertThat(numbers.made).hasValue(3);
    second.ask(1);
    a.awaitTaken(4);
    b.awaitTaken(4);
    // When the slow one has gone, the other gets what it has asked for.
    sinkB.kill();
    a.awaitTaken(10);
    assertThat(a.all()).isEqualTo(range(0, 10));
    assertThat(b.all()).isEqualTo(range(0, 4));
    assertThat(numbers.made).hasValue(10);
  }

  @ParameterizedTest
  @EnumSource
  void partitions_keepTheOrderOfEachKey(Form form) {
    int partitions = 4;
    var source =
        start(
            form,
            Stage.from(range(0, 2000)).dispatching(Dispatch.byKey(partitions, i -> "k" + i % 17)));
    Map<String, List<Integer>> byKey = new ConcurrentHashMap<>();
    Map<String, Integer> owners = new ConcurrentHashMap<>();
    List<CompletableFuture<ExitReason>> ends = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      int own = p;
      var sink =
          start(
              form,
              Stage.<Integer>sink(i -> {
                String key = "k" + i % 17;
                byKey.computeIfAbsent(key, _ -> new ArrayList<>()).add(i);
                Integer before = owners.put(key, own);
                assertThat(before).isIn(null, own);
              }));
      ends.add(endOf(sink));
      Stage.subscribe(sink, source, SubscribeOptions.demand(2, 5).inPartition(p));
    }
    for (CompletableFuture<ExitReason> each : ends) {
      assertThat(reason(each)).isEqualTo(ExitReason.normal());
    }
    assertThat(byKey).hasSize(17);
    assertThat(new TreeMap<>(owners).values()).as("they are spread").contains(0, 1, 2, 3);
    byKey.values().forEach(items -> assertThat(items).isSorted());
    assertThat(byKey.values().stream().mapToInt(List::size).sum()).isEqualTo(2000);
  }

  @ParameterizedTest
  @EnumSource
  void partitionWithoutConsumer_holdsUpTheOthers_andLosesNothing(Form form) {
    Counting numbers = new Counting(10);
    Gate<Integer> even = Gate.open();
    Gate<Integer> odd = Gate.open();
    var source =
        start(form, Stage.<Integer>from(numbers).dispatching(Dispatch.partition(2, i -> i % 2)));
    Stage.subscribe(
        start(form, Stage.sink(even)), source, SubscribeOptions.demand(5, 10).inPartition(0));
    even.awaitTaken(1);
    assertThat(stats(source).held()).isEqualTo(1);
    assertThat(numbers.made).hasValue(2);
    Stage.subscribe(
        start(form, Stage.sink(odd)), source, SubscribeOptions.demand(5, 10).inPartition(1));
    even.awaitTaken(5);
    odd.awaitTaken(5);
    assertThat(even.all()).isEqualTo(List.of(0, 2, 4, 6, 8));
    assertThat(odd.all()).isEqualTo(List.of(1, 3, 5, 7, 9));
  }

  @ParameterizedTest
  @EnumSource
  void stageWithCodeOfItsOwn_emitsNoneOrMany_andSomethingAtTheEnd(Form form) {
    Gate<String> gate = new Gate<>(0);
    Counting numbers = new Counting(6);
    Stage<Integer, String> code =
        Stage.of(() ->
            new StageCode<Integer, String>() {
              private int seen;

              @Override
              public void onItem(Integer item, Output<String> out) {
                seen++;
                for (int i = 0; i < item; i++) {
                  out.emit(item + "." + i);
                }
              }

              @Override
              public void onEnd(Output<String> out) {
                out.emit(seen + " seen");
              }
            });
    var source = start(form, Stage.<Integer>from(numbers));
    var middle = start(form, code);
    var sink = start(form, Stage.sink(gate));
    CompletableFuture<ExitReason> end = endOf(sink);
    Stage.subscribe(sink, middle, SubscribeOptions.demand(0, 1));
    Stage.subscribe(middle, source, SubscribeOptions.demand(0, 1));
    gate.permits.release(1);
    Await.until("something to be held", () -> stats(middle).held() == 1);
    assertThat(numbers.made).as("no item is handled while another is held").hasValueLessThan(5);
    gate.permits.release(100);
    assertThat(reason(end)).isEqualTo(ExitReason.normal());
    assertThat(gate.all()).hasSize(16).startsWith("1.0", "2.0", "2.1").endsWith("5.4", "6 seen");
  }

  @ParameterizedTest
  @EnumSource
  void finish_deliversWhatWasEmitted_andEndsBothWays(Form form) {
    Counting numbers = new Counting(Integer.MAX_VALUE);
    Gate<Integer> gate = Gate.open();
    Stage<Integer, Integer> firstThree =
        Stage.of(() ->
            (item, out) -> {
              out.emit(item);
              if (item == 2) {
                out.finish();
              }
            });
    var source = start(form, Stage.<Integer>from(numbers).endingWithConsumers());
    var middle = start(form, firstThree);
    var sink = start(form, Stage.sink(gate));
    List<CompletableFuture<ExitReason>> ends = List.of(endOf(source), endOf(middle), endOf(sink));
    Stage.subscribe(sink, middle, SubscribeOptions.demand(1, 2));
    Stage.subscribe(middle, source, SubscribeOptions.demand(5, 10));
    for (CompletableFuture<ExitReason> each : ends) {
      assertThat(reason(each)).isEqualTo(ExitReason.normal());
    }
    assertThat(gate.all()).isEqualTo(range(0, 3));
  }

  @ParameterizedTest
  @EnumSource
  void unaskedItems_waitAsFarAsThereIsRoom_andAreCounted(Form form) {
    for (Overflow rule : List.of(Overflow.dropOldest(), Overflow.dropNewest())) {
      Gate<Integer> gate = Gate.open();
      var box = start(form, Stage.<Integer>inbox().buffering(3, rule));
      for (int i = 0; i < 10; i++) {
        box.send(StageMessage.item(i));
      }
      assertThat(stats(box)).isEqualTo(new StageStats(0, 0, 7, 3, 0, 0, 0, 0));
      box.send(StageMessage.end());
      box.send(StageMessage.item(10));
      assertThat(stats(box).dropped()).isEqualTo(8);
      var sink = start(form, Stage.sink(gate));
      CompletableFuture<ExitReason> end = endOf(sink);
      Stage.subscribe(sink, box, SubscribeOptions.defaults());
      assertThat(reason(end)).isEqualTo(ExitReason.normal());
      assertThat(gate.all())
          .isEqualTo(rule.equals(Overflow.dropOldest()) ? range(7, 10) : range(0, 3));
    }
  }

  @Test
  void handledOnes_areNotAskedForTwice_byASinkThatIsSentOthers() {
    Gate<Integer> gate = Gate.open();
    Counting numbers = new Counting(100);
    var source = start(Form.EVENT, Stage.<Integer>from(numbers));
    var sink = start(Form.EVENT, Stage.sink(gate));
    for (int i = 0; i < 50; i++) {
      sink.send(StageMessage.item(-1));
    }
    gate.awaitTaken(50);
    StageSubscription subscription = Stage.subscribe(sink, source, SubscribeOptions.manual());
    subscription.ask(1);
    gate.awaitTaken(51);
    assertThat(stats(source).emitted()).isEqualTo(1);
  }
}
