package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Marks;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import io.selvage.kernel.support.Step;
import io.selvage.kernel.support.Story;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever leaves the code of a process ends that process and nothing else. */
@ParameterizedClass(name = "{0}")
@EnumSource(Kind.class)
class ThrowableTest extends KernelTest {
  /** Neither an exception nor an error. */
  private static final class Odd extends Throwable {
    private static final long serialVersionUID = 1L;
  }

  /** Like {@code ThreadDeath}, which is deprecated. */
  private static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** One whose methods throw. */
  private static final class Nasty extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("from getMessage");
    }

    @Override
    public String toString() {
      throw new IllegalStateException("from toString");
    }
  }

  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  static Stream<Throwable> throwables() {
    return Stream.of(
        new IllegalStateException("planned"),
        new IOException("planned"),
        new Error("planned"),
        new AssertionError("planned"),
        new NoClassDefFoundError("planned"),
        new Odd(),
        new Death(),
        new InterruptedException("planned"),
        new StackOverflowError("planned"),
        new OutOfMemoryError("planned"));
  }

  @SuppressWarnings("unchecked") // erased: anything can be thrown
  private static <E extends Throwable> RuntimeException sneak(Throwable t) throws E {
    throw (E) t;
  }

  /** The bystanders that must not notice: some of each kind. */
  private List<Probe> bystanders() {
    List<Probe> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(Probe.start(i % 2 == 0 ? Kind.DIRECT : Kind.EVENT, node));
    }
    return all;
  }

  private static void assertUntouched(List<Probe> bystanders) {
    assertThat(bystanders).allSatisfy(Probe::assertQuiet);
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void throwable_ofHandler_endsItsProcessAlone(Throwable thrown) {
    List<Probe> bystanders = bystanders();
    Probe probe = Probe.start(kind, node);
    Fate fate = Fate.of(node, probe);
    probe.tell(_ -> {
      throw ThrowableTest.<RuntimeException>sneak(thrown);
    });
    assertThat(fate.reason())
        .isInstanceOfSatisfying(
            ExitReason.Crash.class, crash -> assertThat(crash.cause()).isSameAs(thrown));
    assertUntouched(bystanders);
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void throwable_ofBeginning_endsItsProcessAlone(Throwable thrown) {
    Probe parent = Probe.trapping(kind, node);
    Pid<Msg> child =
        parent.run(self ->
            kind.spawnLink(
                self,
                Story.<Msg>beginning(_ -> {
                  throw ThrowableTest.<RuntimeException>sneak(thrown);
                })));
    Exit exit = parent.nextExit();
    assertThat(exit.from()).isEqualTo(child);
    assertThat(((ExitReason.Crash) exit.reason()).cause()).isSameAs(thrown);
    parent.assertQuiet();
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void throwable_ofFunctionThatMapsExits_endsItsProcessAlone(Throwable thrown) {
    Probe probe =
        Probe.start(
            kind,
            node,
            SpawnOptions.<Msg>defaults()
                .trappingExits(exit -> {
                  if (exit.reason().equals(Reasons.DIE)) {
                    throw ThrowableTest.<RuntimeException>sneak(thrown);
                  }
                  return new Msg.GotExit(exit);
                }));
    Fate fate = Fate.of(node, probe);
    probe.pid().exit(Reasons.DIE);
    assertThat(((ExitReason.Crash) fate.reason()).cause()).isSameAs(thrown);
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void throwable_ofFunctionThatMapsDowns_endsItsProcessAlone(Throwable thrown) {
    Probe target = Probe.start(kind, node);
    Probe probe = Probe.start(kind, node);
    Fate fate = Fate.of(node, probe);
    probe.act(self ->
        self.monitor(
            target.pid(),
            _ -> {
              throw ThrowableTest.<RuntimeException>sneak(thrown);
            }));
    target.pid().kill();
    assertThat(((ExitReason.Crash) fate.reason()).cause()).isSameAs(thrown);
  }

  @Test
  void null_ofMappingFunctions_crashes() {
    Probe traps = Probe.start(kind, node, SpawnOptions.<Msg>defaults().trappingExits(_ -> null));
    Fate ofTraps = Fate.of(node, traps);
    traps.pid().exit(Reasons.DIE);
    assertThat(ofTraps.reason()).isInstanceOf(ExitReason.Crash.class);
    Probe monitors = Probe.start(kind, node);
    Fate ofMonitors = Fate.of(node, monitors);
    monitors.act(self -> self.monitor(traps.pid(), _ -> null));
    assertThat(ofMonitors.reason()).isInstanceOf(ExitReason.Crash.class);
  }

  @Test
  void throwable_whoseMethodsThrow_endsItsProcessAlone() {
    List<Probe> bystanders = bystanders();
    Probe probe = Probe.start(kind, node);
    Fate fate = Fate.of(node, probe);
    Nasty nasty = new Nasty();
    probe.tell(_ -> {
      throw nasty;
    });
    assertThat(((ExitReason.Crash) fate.reason()).cause()).isSameAs(nasty);
    assertUntouched(bystanders);
  }

  @Test
  void throwables_manyInARow_leaveTheNodeWhole() {
    List<Probe> bystanders = bystanders();
    List<Supplier<Throwable>> makers = List.of(Odd::new, Death::new, Error::new, IOException::new);
    int crashes = kind == Kind.DIRECT_ON_PLATFORM_THREAD ? 200 : 2_000;
    for (int i = 0; i < crashes; i++) {
      Throwable thrown = makers.get(i % makers.size()).get();
      Probe.start(kind, node)
          .tell(_ -> {
            throw ThrowableTest.<RuntimeException>sneak(thrown);
          });
    }
    Await.until("all crashes", () -> node.stats().crashed() == crashes);
    Await.until("all ends", () -> node.stats().processes() == bystanders.size());
    assertUntouched(bystanders);
  }

  @Test
  void outOfMemory_byHugeArray_endsItsProcessAlone() {
    List<Probe> bystanders = bystanders();
    Probe probe = Probe.start(kind, node);
    Fate fate = Fate.of(node, probe);
    probe.tell(_ -> {
      long[][] hoard = new long[100][];
      for (int i = 0; i < hoard.length; i++) {
        hoard[i] = new long[Integer.MAX_VALUE - 8];
      }
      throw new IllegalStateException("this machine has too much memory: " + hoard.length);
    });
    assertThat(((ExitReason.Crash) fate.reason()).cause()).isInstanceOf(OutOfMemoryError.class);
    assertUntouched(bystanders);
  }

  @Test
  void stackOverflow_byDeepRecursion_endsItsProcessAlone() {
    List<Probe> bystanders = bystanders();
    for (int i = 0; i < 20; i++) {
      Probe probe = Probe.start(kind, node);
      Fate fate = Fate.of(node, probe);
      probe.tell(_ -> assertThat(deep(1)).isNegative());
      assertThat(((ExitReason.Crash) fate.reason()).cause()).isInstanceOf(StackOverflowError.class);
    }
    assertUntouched(bystanders);
  }

  @SuppressWarnings("InfiniteRecursion") // that is the point
  private static int deep(int level) {
    return deep(level + 1) + 1;
  }

  /** Receives numbers and remembers how far they came without a gap. */
  private static final class Gauge implements Step<Integer> {
    private volatile int last;
    private volatile boolean gap;

    @Override
    public void on(Self<Integer> self, Integer number) {
      if (number != last + 1) {
        gap = true;
      }
      last = number;
    }
  }

  /** Sends at each level of a recursion that does not end, to each target in turn. */
  private static final class Diver {
    private final List<Pid<Integer>> targets;
    private int begun;
    private int done;

    Diver(List<Pid<Integer>> targets) {
      this.targets = targets;
    }

    int dive(int frame) {
      int next = done;
      begun = next + 1;
      targets.get(next % targets.size()).send(next / targets.size() + 1);
      done = next + 1;
      return frame > 0 ? wide(frame) : dive(frame) + 1;
    }

    /** Frames of another size, so that the stack ends elsewhere. */
    private int wide(long a) {
      long b = a * 3;
      long c = b ^ a;
      return dive((int) a) + (int) (b + c);
    }
  }

  // A stack that ends inside send either has sent or has not, and nobody is left asleep or half
  // awake.
  @Test
  void stackOverflow_inRecursionThatSends_sendsWhollyOrNotAtAll() {
    // A virtual thread that waits leaves the depth of its stack in the heap, and has a new one.
    node.marks(Marks.off());
    for (int round = 0; round < 40; round++) {
      List<Gauge> gauges = new ArrayList<>();
      List<Pid<Integer>> targets = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Gauge gauge = new Gauge();
        gauges.add(gauge);
        targets.add((i % 2 == 0 ? Kind.EVENT : Kind.DIRECT).spawn(node, gauge));
      }
      Diver diver = new Diver(targets);
      int frame = round % 3;
      int pad = round;
      Probe probe = Probe.start(kind, node);
      Fate fate = Fate.of(node, probe);
      probe.tell(_ -> assertThat(padded(pad, () -> diver.dive(frame))).isNegative());
      assertThat(((ExitReason.Crash) fate.reason()).cause()).isInstanceOf(StackOverflowError.class);
      for (int i = 0; i < targets.size(); i++) {
        Gauge gauge = gauges.get(i);
        int count = targets.size();
        int least = (diver.done - i + count - 1) / count;
        int most = (diver.begun - i + count - 1) / count;
        // Each is told one number more, which finds out whether it was left asleep.
        Await.until(
            () -> "number " + least + " of a target: " + gauge.last,
            () -> gauge.last >= least,
            Await.LIMIT);
        assertThat(gauge.last).isBetween(least, most);
        int next = gauge.last + 1;
        targets.get(i).send(next);
        Await.until(
            () -> "number " + next + " of a target: " + gauge.last,
            () -> gauge.last >= next,
            Await.LIMIT);
        assertThat(gauge.gap).isFalse();
        targets.get(i).kill();
      }
    }
    assertThat(node.stats().undelivered()).isZero();
  }

  private static int padded(int frames, Supplier<Integer> rest) {
    return frames == 0 ? rest.get() : padded(frames - 1, rest);
  }

  @Test
  void stackOverflow_inRecursionThatSpawnsLinksAndSetsTimers_leavesTheNodeWhole() {
    List<Probe> bystanders = bystanders();
    AtomicInteger heard = new AtomicInteger();
    for (int round = 0; round < 10; round++) {
      int pad = round;
      Probe probe = Probe.start(kind, node);
      Fate fate = Fate.of(node, probe);
      probe.tell(self -> assertThat(padded(pad, () -> busyDive(self, heard, 0))).isNegative());
      assertThat(((ExitReason.Crash) fate.reason()).cause()).isInstanceOf(StackOverflowError.class);
      Await.until(
          () -> "linked children to end: " + node.stats(),
          () -> node.stats().processes() == bystanders.size(),
          Await.LIMIT);
      assertThat(node.stats().timers()).isZero();
    }
    assertUntouched(bystanders);
  }

  @SuppressWarnings("InfiniteRecursion") // that is the point
  private static int busyDive(Self<Msg> self, AtomicInteger heard, int level) {
    switch (level % 64) {
      case 0 -> {
        Pid<Msg> child = Kind.EVENT.spawnLink(self, (_, _) -> heard.incrementAndGet());
        child.send(new Msg.Say(level));
      }
      case 16 -> self.monitor(self.spawnLink(s -> s.receive()), Msg.GotDown::new);
      case 32 -> self.sendAfter(java.time.Duration.ofDays(1), new Msg.Say(level));
      case 48 -> self.demonitorFlush(self.monitor(self.pid(), Msg.GotDown::new));
      default -> {}
    }
    return busyDive(self, heard, level + 1) + 1;
  }
}
