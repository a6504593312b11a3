package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.Backlog;
import io.selvage.kernel.HeapGuard;
import io.selvage.kernel.Marks;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.spi.HeapGauge;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.ChildJvm;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.LargeMessagesProgram;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Probe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A heap that is nearly full of messages, though no mailbox is long. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#core")
class HeapGuardTest extends KernelTest {
  private static final long MAX = 1_000;
  private static final int MANY = 400;
  private static final Marks MARKS = Marks.defaults().withBound(Duration.ofDays(1));

  /** A heap that is as full as a test says. */
  private static final class Gauge implements HeapGauge {
    private final List<Consumer<? super Reading>> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Reading untold;

    @Override
    public void watch(Consumer<? super Reading> listener) {
      listeners.add(listener);
    }

    @Override
    public void unwatch(Consumer<? super Reading> listener) {
      listeners.remove(listener);
    }

    @Override
    public @Nullable Reading untold() {
      return untold;
    }

    private void aboutToTell(int percent) {
      untold = new Reading(percent * MAX / 100, MAX, false);
    }

    private void collected(int percent, boolean old) {
      untold = null;
      listeners.forEach(each -> each.accept(new Reading(percent * MAX / 100, MAX, old)));
    }
  }

  @Parameter Pair pair;

  private final Gauge gauge = new Gauge();
  private final CountDownLatch gate = new CountDownLatch(1);

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults).withMarks(MARKS).withHeapGauge(gauge);
  }

  /** One that keeps what it is told, and does nothing until the gate opens. */
  private Probe closedReceiver(SpawnOptions<Msg> options) {
    Probe receiver = Probe.start(pair.other(), node, options);
    receiver.hold(gate);
    return receiver;
  }

  private Probe closedReceiver() {
    return closedReceiver(SpawnOptions.defaults());
  }

  private static void say(Probe receiver, int times) {
    IntStream.range(0, times).forEach(receiver::say);
  }

  private ProcessInfo.State state(Pid<?> pid) {
    return node.info(pid, 0).orElseThrow().state();
  }

  private void awaitMuted(Pid<?> sender) {
    Await.until("the sender to be muted", () -> state(sender) == ProcessInfo.State.MUTED);
  }

  private long length(Probe receiver) {
    return node.info(receiver.pid(), 0).orElseThrow().mailbox();
  }

  private void assertMark(int mark, long pressures) {
    assertThat(node.stats().heapMark()).isEqualTo(mark);
    assertThat(node.stats().pressures()).isEqualTo(pressures);
  }

  @Test
  void fullHeap_holdsBackWhoSendsToTheLongest_andTellsOfIt() {
    Probe receiver = closedReceiver();
    Probe other = closedReceiver();
    Probe much = Probe.start(pair.one(), node);
    much.act(_ -> say(receiver, 100));
    say(other, 3);
    gauge.collected(79, true);
    assertMark(0, 0);
    gauge.collected(80, true);
    assertMark(50, 1);
    KernelEvent.HeapPressure told = events.of(KernelEvent.HeapPressure.class).getFirst();
    assertThat(told.used()).isEqualTo(800);
    assertThat(told.max()).isEqualTo(MAX);
    assertThat(told.mark()).isEqualTo(50);
    assertThat(told.count()).isEqualTo(1);
    assertThat(told.longest()).extracting(Backlog::pid).startsWith(receiver.pid(), other.pid());
    assertThat(told.longest().getFirst().senders())
        .containsExactly(new Backlog.Sender(much.pid(), 100, 0));
    Pid<Integer> sender = pair.counter(node, receiver.pid(), MANY);
    awaitMuted(sender);
    assertThat(length(receiver)).isBetween(101L, 103L);
    Probe free = Probe.start(pair.one(), node);
    free.act(_ -> say(other, 20)); // under the mark, so it is not held back
    assertThat(free.answers()).isTrue();
    gate.countDown();
    for (int i = 0; i < 100 + MANY; i++) {
      receiver.nextSaid();
    }
    receiver.assertQuiet();
  }

  @Test
  void heapWithRoomAgain_hasTheMarksOfBefore() {
    Probe receiver = closedReceiver();
    say(receiver, 100);
    gauge.collected(90, true);
    gauge.collected(66, true);
    assertMark(50, 1);
    Pid<Integer> sender = pair.counter(node, receiver.pid(), MANY);
    awaitMuted(sender);
    gauge.collected(65, false);
    assertMark(0, 1);
    assertThat(events.of(KernelEvent.HeapRelieved.class))
        .singleElement()
        .satisfies(event -> assertThat(event.used()).isEqualTo(650));
    assertThat(node.info(receiver.pid()).orElseThrow().marks()).isEqualTo(MARKS);
    Pid<Integer> second = pair.counter(node, receiver.pid(), MANY);
    Await.until("the second to send all", () -> length(receiver) >= 100 + MANY);
    assertThat(state(second)).isNotEqualTo(ProcessInfo.State.MUTED);
    gate.countDown();
    for (int i = 0; i < 100 + 2 * MANY; i++) {
      receiver.nextSaid();
    }
    receiver.assertQuiet();
  }

  @Test
  void heapThatStaysFull_hasLowerAndLowerMarks() {
    Probe receiver = closedReceiver();
    say(receiver, 12);
    for (int mark : List.of(6, 3, 1, 1)) {
      gauge.collected(95, true);
      assertMark(mark, 1);
      gauge.collected(95, false); // may be garbage
      assertMark(mark, 1);
    }
    assertThat(events.of(KernelEvent.HeapPressure.class))
        .extracting(KernelEvent.HeapPressure::count)
        .containsExactly(1L, 2L, 3L, 4L);
    gate.countDown();
  }

  @Test
  void heapThatMayBeFullOfGarbage_isNotToldOf() {
    Probe receiver = closedReceiver();
    say(receiver, 12);
    gauge.collected(95, false);
    gauge.collected(96, false);
    assertMark(6, 1);
    gauge.collected(20, true);
    assertMark(0, 1);
    gauge.collected(95, false);
    assertMark(6, 2);
    assertThat(events.of(KernelEvent.HeapPressure.class)).isEmpty();
    assertThat(events.of(KernelEvent.HeapRelieved.class)).isEmpty();
    gauge.collected(95, true); // it was none
    assertMark(6, 2);
    assertThat(events.of(KernelEvent.HeapPressure.class)).hasSize(1);
    gate.countDown();
  }

  @Test
  void heapThatGrowsFast_isFullBeforeItIs() {
    Probe receiver = closedReceiver();
    say(receiver, 12);
    gauge.collected(50, true);
    gauge.collected(64, true);
    assertMark(0, 0);
    gauge.collected(73, true); // and would be 82 % next time
    assertMark(6, 1);
    assertThat(events.of(KernelEvent.HeapPressure.class)).isEmpty();
    gauge.collected(64, true);
    assertMark(0, 1);
    gate.countDown();
  }

  /** The gauge's thread may get no processor while senders fill what is left. */
  @Test
  void senderThatIsFasterThanTheGauge_isHeldBackBeforeTheGaugeTells() {
    Probe receiver = closedReceiver();
    gauge.aboutToTell(80);
    Pid<Integer> sender = pair.counter(node, receiver.pid(), MANY);
    awaitMuted(sender);
    assertThat(length(receiver)).isBetween(16L, 40L);
    assertThat(node.stats().heapMark()).isBetween(8, 20);
    assertThat(node.stats().pressures()).isZero(); // the gauge has the last word
    assertThat(events.of(KernelEvent.HeapPressure.class)).isEmpty();
    int longest = (int) length(receiver);
    gauge.collected(80, true);
    assertMark(longest / 2, 1);
    assertThat(events.of(KernelEvent.HeapPressure.class)).hasSize(1);
    gate.countDown();
    for (int i = 0; i < MANY; i++) {
      receiver.nextSaid();
    }
    receiver.assertQuiet();
  }

  @Test
  void gaugeThatTellsOfRoom_takesAwayTheMarkOfASender() {
    Probe receiver = closedReceiver();
    gauge.aboutToTell(80);
    awaitMuted(pair.counter(node, receiver.pid(), MANY));
    gauge.collected(66, false);
    assertMark(0, 0);
    assertThat(events.of(KernelEvent.HeapRelieved.class)).isEmpty();
    gate.countDown();
  }

  @Test
  void senderThatFindsRoom_orAMailboxWithoutMarks_isNotHeldBack() {
    Probe receiver = closedReceiver();
    Probe off = closedReceiver(SpawnOptions.<Msg>defaults().withMarks(Marks.off()));
    gauge.aboutToTell(79);
    pair.counter(node, receiver.pid(), MANY);
    Await.until("all to be sent", () -> length(receiver) >= MANY);
    assertMark(0, 0);
    gauge.aboutToTell(80);
    pair.counter(node, off.pid(), MANY);
    Await.until("all to be sent", () -> length(off) >= MANY);
    assertMark(0, 0);
    gate.countDown();
  }

  @Test
  void marksOfAProcess_countIfTheyAreLowerOrOff() {
    Probe usual = closedReceiver();
    Probe low = closedReceiver(SpawnOptions.<Msg>defaults().withMarks(Marks.at(4)));
    Probe high = closedReceiver(SpawnOptions.<Msg>defaults().withMarks(Marks.at(5_000)));
    Probe off = closedReceiver(SpawnOptions.<Msg>defaults().withMarks(Marks.off()));
    say(usual, 20);
    say(off, 100);
    gauge.collected(80, true);
    assertThat(node.stats().heapMark()).isEqualTo(10); // half of 20: the other is left alone
    assertThat(marks(usual).high()).isEqualTo(10);
    assertThat(marks(usual).most()).isEqualTo(10);
    assertThat(marks(low)).isEqualTo(Marks.at(4));
    assertThat(marks(high).high()).isEqualTo(10);
    assertThat(marks(off)).isEqualTo(Marks.off());
    Marks lower = Marks.at(7).withBound(MARKS.bound());
    node.marks(lower);
    assertThat(marks(usual)).isEqualTo(lower);
    Probe another = closedReceiver();
    awaitMuted(pair.counter(node, another.pid(), MANY));
    assertThat(length(another)).isBetween(8L, 10L); // by the mark of the heap it is 11 at least
    node.marks(Marks.off());
    assertThat(marks(usual)).isEqualTo(Marks.off());
    Probe sender = Probe.start(pair.one(), node);
    sender.act(_ -> say(off, 20)); // and does not wait
    gate.countDown();
  }

  private Marks marks(Probe probe) {
    return node.info(probe.pid()).orElseThrow().marks();
  }

  @Test
  void guardThatIsOff_doesNotLook_norOneOfANodeThatIsClosed() {
    assertThat(gauge.listeners).hasSize(1);
    node.close();
    assertThat(gauge.listeners).isEmpty();
    restart(options(NodeOptions.defaults()).withHeapGuard(HeapGuard.off()));
    assertThat(gauge.listeners).isEmpty();
  }

  @Test
  void badArguments_areRefused() {
    HeapGuard guard = HeapGuard.defaults();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> guard.withShares(80, 65))
        .withMessageContaining("80.0");
    assertThatIllegalArgumentException().isThrownBy(() -> guard.withShares(Double.NaN, 0.5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> guard.withShares(0.5, 0.5))
        .withMessageContaining("0.5");
    assertThatIllegalArgumentException().isThrownBy(() -> guard.withShares(0.5, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> guard.withReported(0))
        .withMessageContaining("1 to 100");
  }

  /** What the guard is for: 900 messages of 200 kB are not many, and do not fit into 64 MB. */
  @Test
  void nodeWithLargeMessages_livesWithTheGuard_andDiesWithout() throws Exception {
    String kind = pair.other().isDirect() ? "DIRECT" : "EVENT";
    assertThat(run(kind, true)).contains("handled 900", "pressed true");
    assertThatThrownBy(() -> run(kind, false))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("OutOfMemoryError");
  }

  private static List<String> run(String kind, boolean guarded) throws Exception {
    return ChildJvm.run(
        "-Xmx64m",
        "-XX:+ExitOnOutOfMemoryError",
        "-cp",
        ChildJvm.CLASS_PATH,
        LargeMessagesProgram.class.getName(),
        kind,
        Boolean.toString(guarded));
  }
}
