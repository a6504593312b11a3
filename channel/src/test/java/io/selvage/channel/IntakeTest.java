package io.selvage.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.channel.IntakeResult.End;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.ManualClock;
import io.selvage.kernel.support.Probe;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Receiving many items: counts, times, and other ends. */
class IntakeTest extends KernelTest {
  private static final Duration NOW = Duration.ZERO;
  private static final Intake ALL = Intake.untilClosed();

  private final List<Integer> seen = new CopyOnWriteArrayList<>();

  private boolean even(int item) {
    seen.add(item);
    return item % 2 == 0;
  }

  private static Channel<Integer> numbers(int last) {
    Channel<Integer> channel = Channel.unbounded();
    for (int i = 1; i <= last; i++) {
      channel.trySend(i);
    }
    return channel;
  }

  @Test
  void handling_countsWhatIsHandledAlone() throws Exception {
    Channel<Integer> channel = numbers(10);
    assertThat(channel.receiveEach(ALL.handling(3), this::even))
        .isEqualTo(new IntakeResult(6, 3, End.HANDLED));
    assertThat(seen).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(channel.stats().size()).isEqualTo(4);
  }

  @Test
  void extracting_countsWhatIsTaken() throws Exception {
    Channel<Integer> channel = numbers(10);
    assertThat(channel.receiveEach(ALL.extracting(3), this::even))
        .isEqualTo(new IntakeResult(3, 1, End.EXTRACTED));
    assertThat(channel.stats().size()).isEqualTo(7);
  }

  @Test
  void stopOn_isAskedAfterEachItem() throws Exception {
    Channel<Integer> channel = numbers(10);
    assertThat(channel.receiveEach(ALL.stopOn(() -> seen.contains(4)), this::even))
        .isEqualTo(new IntakeResult(4, 2, End.STOPPED));
  }

  @Test
  void emptyTimeout_endsWhenNothingComes() throws Exception {
    Channel<Integer> channel = numbers(3);
    assertThat(channel.receiveEach(ALL.emptyTimeout(Duration.ofMillis(5)), this::even))
        .isEqualTo(new IntakeResult(3, 1, End.EMPTY));
    assertThat(channel.receiveEach(ALL.emptyTimeout(NOW), this::even))
        .isEqualTo(new IntakeResult(0, 0, End.EMPTY));
  }

  @Test
  void totalTime_endsIt_howeverMuchComes() throws Exception {
    Channel<Integer> channel = Channel.bounded(1);
    Thread feeder =
        Thread.startVirtualThread(() -> {
          try {
            for (int i = 0; ; i++) {
              channel.send(i);
            }
          } catch (InterruptedException | ChannelClosedException e) {
            return; // enough
          }
        });
    Intake intake = ALL.totalTime(Duration.ofMillis(20)).emptyTimeout(Await.LIMIT);
    assertThat(channel.receiveEach(intake, this::even).end()).isEqualTo(End.TIME_OVER);
    channel.close();
    feeder.join();
    assertThat(numbers(1).receiveEach(ALL.totalTime(NOW), this::even))
        .isEqualTo(new IntakeResult(0, 0, End.TIME_OVER));
  }

  @Test
  void close_endsIt_onceEmpty() throws Exception {
    Channel<Integer> channel = numbers(3);
    channel.close();
    assertThat(channel.receiveEach(ALL, this::even)).isEqualTo(new IntakeResult(3, 1, End.CLOSED));
  }

  @Test
  void handlerThatThrows_hasTakenItsItem() {
    Channel<Integer> channel = numbers(3);
    assertThatThrownBy(() ->
            channel.receiveEach(
                ALL,
                item -> {
                  throw new IOException("item " + item);
                }))
        .isInstanceOf(IOException.class)
        .hasMessage("item 1");
    assertThat(channel.stats().size()).isEqualTo(2);
  }

  @Test
  void badNumbersAndTimes_areRefused() {
    assertThatThrownBy(() -> ALL.handling(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
    assertThatThrownBy(() -> ALL.extracting(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ALL.emptyTimeout(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ALL.totalTime(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "EVENT"})
  void times_followTheClockOfTheNode(Kind kind) {
    ManualClock clock = new ManualClock();
    restart(io.selvage.kernel.NodeOptions.defaults().withClock(clock));
    Channel<Integer> channel = Channel.bounded(1);
    Probe process = Probe.start(kind, node);
    Intake intake = ALL.totalTime(Duration.ofHours(1)).emptyTimeout(Duration.ofMinutes(40));
    var result = process.start(_ -> channel.receiveEach(intake, this::even));
    Await.until("it to wait", () -> channel.stats().waitingReceivers() == 1);
    clock.advance(Duration.ofMinutes(30));
    channel.trySend(1);
    Await.until(
        "it to wait again",
        () ->
            seen.size() == 1
                && channel.stats().waitingReceivers() == 1
                && node.stats().timers() == 1);
    clock.advance(Duration.ofMinutes(29));
    assertThat(result).isNotDone();
    clock.advance(Duration.ofMinutes(2));
    assertThat(Await.result("the receiving", result))
        .isEqualTo(new IntakeResult(1, 0, End.TIME_OVER));
  }
}
