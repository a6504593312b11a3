package io.selvage.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.support.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/** The bridges to {@code java.util.concurrent.Flow}, and the rules of Reactive Streams. */
class FlowTest {
  /** The publisher under the rules. */
  public static final class PublisherRules extends FlowPublisherVerification<Integer> {
    /** With times for a loaded machine. */
    public PublisherRules() {
      super(new TestEnvironment(1000, 100));
    }

    @Override
    public Flow.Publisher<Integer> createFlowPublisher(long elements) {
      Channel<Integer> channel = Channel.unbounded();
      for (int i = 0; i < elements; i++) {
        channel.trySend(i);
      }
      channel.close();
      return channel.publisher();
    }

    @Override
    public Flow.Publisher<Integer> createFailedFlowPublisher() {
      return null; // a channel does not fail
    }

    @Override
    public long maxElementsFromPublisher() {
      return 10_000;
    }
  }

  /** The subscriber under the rules. */
  public static final class SubscriberRules extends FlowSubscriberBlackboxVerification<Integer> {
    /** With times for a loaded machine. */
    public SubscriberRules() {
      super(new TestEnvironment(1000, 100));
    }

    @Override
    public Flow.Subscriber<Integer> createFlowSubscriber() {
      return Channel.<Integer>unbounded().subscriber(_ -> {});
    }

    @Override
    public Integer createElement(int element) {
      return element;
    }
  }

  private static void assertObeys(Class<?> rules, int atLeast) {
    TestNG runner = new TestNG(false);
    TestListenerAdapter results = new TestListenerAdapter();
    runner.setTestClasses(new Class<?>[] {rules});
    runner.addListener(results);
    runner.setVerbose(0);
    runner.run();
    assertThat(results.getFailedTests().stream().map(t -> t.getName() + ": " + t.getThrowable()))
        .isEmpty();
    assertThat(results.getConfigurationFailures()).isEmpty();
    assertThat(results.getPassedTests()).hasSizeGreaterThanOrEqualTo(atLeast);
  }

  @Test
  void publisher_obeysTheRules() {
    assertObeys(PublisherRules.class, 20);
  }

  @Test
  void subscriber_obeysTheRules() {
    assertObeys(SubscriberRules.class, 10);
  }

  @Test
  void publisherToChannel_andBack_keepsOrderAndClosing() throws Exception {
    Channel<Integer> in = Channel.bounded(2);
    Channel<Integer> out = Channel.bounded(1);
    SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>();
    publisher.subscribe(in.subscriber(_ -> {}));
    in.publisher().subscribe(out.subscriber(_ -> {}));
    Thread feeder =
        Thread.startVirtualThread(() -> {
          IntStream.range(0, 1000).forEach(publisher::submit);
          publisher.close();
        });
    List<Integer> all = new ArrayList<>();
    out.receiveEach(Intake.untilClosed(), all::add);
    feeder.join();
    assertThat(all).isEqualTo(IntStream.range(0, 1000).boxed().toList());
    assertThat(in.isClosed()).isTrue();
  }

  @Test
  void channelThatFails_isTold_andEndsTheSubscription() throws Exception {
    Channel<Integer> channel = Channel.bounded(1, Overflow.fail());
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
      publisher.subscribe(channel.subscriber(told::complete));
      publisher.submit(1);
      publisher.submit(2);
      assertThat(Await.result("the failure", told)).isInstanceOf(ChannelFullException.class);
      Await.until("the subscription to end", () -> !publisher.hasSubscribers());
      Await.until("the channel to close", channel::isClosed);
      assertThat(channel.receive()).isEqualTo(1);
      assertThat(channel.receiveOrClosed()).isEqualTo(new Received.Closed<>());
    }
  }

  @Test
  void failureOfThePublisher_isTold_andClosesTheChannel() throws Exception {
    Channel<Integer> channel = Channel.bounded(2);
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    Exception failure = new Exception("for a test");
    try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>()) {
      publisher.subscribe(channel.subscriber(told::complete));
      publisher.submit(1);
      assertThat(channel.receive()).isEqualTo(1);
      publisher.closeExceptionally(failure);
      assertThat(Await.result("the failure", told)).isSameAs(failure);
      assertThat(channel.receiveOrClosed()).isEqualTo(new Received.Closed<>());
    }
  }
}
