package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events in the JDK's flight recorder: made while a recording wants them, and only then. */
class FlightRecorderTest extends KernelTest {
  private static final String SPAWN = "io.selvage.Spawn";
  private static final String EXIT = "io.selvage.Exit";
  private static final String RESTART = "io.selvage.Restart";
  private static final String DELAY = "io.selvage.MailboxDelay";
  private static final String HANDLER = "io.selvage.Handler";

  /** The default of the two that have one. */
  private static final Duration THRESHOLD = Duration.ofMillis(20);

  /** Longer than the default threshold, by the recorder's clock, which may be another than ours. */
  private static final Duration LONG = Duration.ofMillis(60);

  @TempDir private Path folder;

  private static Recording start(String... events) {
    Recording recording = new Recording();
    for (String event : events) {
      recording.enable(event);
    }
    recording.start();
    return recording;
  }

  /** What a recording has of this test's processes of a node. */
  private List<RecordedEvent> stop(Recording recording, Node of) throws IOException {
    recording.stop();
    Path file = Files.createTempFile(folder, "test", ".jfr");
    recording.dump(file);
    recording.close();
    return RecordingFile.readAllEvents(file).stream()
        .filter(e -> e.getEventType().getName().startsWith("io.selvage."))
        .filter(e -> e.getString("process").startsWith("<" + of.name() + "."))
        .toList();
  }

  private static List<RecordedEvent> of(String type, List<RecordedEvent> events) {
    return events.stream().filter(e -> e.getEventType().getName().equals(type)).toList();
  }

  private static RecordedEvent only(String type, Probe process, List<RecordedEvent> events) {
    List<RecordedEvent> found =
        of(type, events).stream()
            .filter(e -> e.getString("process").equals(process.pid().toString()))
            .toList();
    assertThat(found).as("%s of %s in %s", type, process.pid(), events).hasSize(1);
    return found.getFirst();
  }

  @ParameterizedTest
  @EnumSource
  void lifeOfAProcess_isRecorded(Kind kind) throws IOException {
    restart(kind.configure(NodeOptions.defaults()));
    Recording recording = start(SPAWN, EXIT, RESTART);
    Probe parent = Probe.start(kind, node);
    Probe first =
        parent.run(self -> Probe.start(kind, self, SpawnOptions.<Msg>defaults().labelled("first")));
    CountDownLatch latch = new CountDownLatch(1);
    first.tell(_ -> {
      latch.await();
      throw new IllegalStateException("on purpose");
    });
    first.say("unread");
    latch.countDown();
    first.awaitEnd();
    Probe second =
        Probe.start(
            kind, node, SpawnOptions.<Msg>defaults().labelled("second").restartOf(first.pid()));
    second.pid().exit(ExitReason.shutdown());
    node.close(); // waits until all ends were told
    List<RecordedEvent> events = stop(recording, node);

    RecordedEvent spawn = only(SPAWN, first, events);
    assertThat(spawn.getString("parent")).isEqualTo(parent.pid().toString());
    assertThat(spawn.getString("label")).isEqualTo("first");
    assertThat(only(SPAWN, parent, events).getString("parent")).isNull();

    RecordedEvent crash = only(EXIT, first, events);
    assertThat(crash.getString("label")).isEqualTo("first");
    assertThat(crash.getString("reason")).isEqualTo("Crash");
    assertThat(crash.getBoolean("orderly")).isFalse();
    assertThat(crash.getLong("unread")).isEqualTo(1);
    RecordedEvent shutdown = only(EXIT, second, events);
    assertThat(shutdown.getString("reason")).isEqualTo("Shutdown");
    assertThat(shutdown.getBoolean("orderly")).isTrue();
    assertThat(shutdown.getLong("unread")).isZero();

    assertThat(of(RESTART, events)).hasSize(1);
    RecordedEvent restart = only(RESTART, second, events);
    assertThat(restart.getString("predecessor")).isEqualTo(first.pid().toString());
    assertThat(restart.getString("label")).isEqualTo("second");
    assertThat(of(DELAY, events)).isEmpty();
    assertThat(of(HANDLER, events)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void longWaitAndLongHandler_areRecorded_nothingBelowTheThreshold(Kind kind) throws IOException {
    restart(kind.configure(NodeOptions.defaults()));
    Probe probe = Probe.start(kind, node, SpawnOptions.<Msg>defaults().labelled("slow"));
    Probe quick = Probe.start(kind, node);
    Recording recording = start(DELAY, HANDLER);
    long begin = System.nanoTime();
    probe.tell(_ -> spend(LONG));
    probe.say("has to wait");
    probe.barrier();
    long took = System.nanoTime() - begin;
    for (int i = 0; i < 20; i++) {
      quick.barrier();
    }
    List<RecordedEvent> events = stop(recording, node);

    assertThat(events) // whatever else a busy machine has made long
        .allSatisfy(e -> assertThat(e.getDuration()).isGreaterThanOrEqualTo(THRESHOLD));
    assertThat(of(HANDLER, events))
        .anySatisfy(handler -> {
          assertThat(handler.getString("process")).isEqualTo(probe.pid().toString());
          assertThat(handler.getString("label")).isEqualTo("slow");
          assertThat(handler.getClass("message").getName()).isEqualTo(Msg.Do.class.getName());
          assertThat(handler.getDuration())
              .isBetween(LONG.dividedBy(2), Duration.ofNanos(2 * took));
        });
    for (Class<?> type : List.of(Msg.Say.class, Msg.Do.class)) {
      assertThat(of(DELAY, events))
          .anySatisfy(delay -> {
            assertThat(delay.getString("process")).isEqualTo(probe.pid().toString());
            assertThat(delay.getString("label")).isEqualTo("slow");
            assertThat(delay.getClass("message").getName()).isEqualTo(type.getName());
          });
    }
  }

  private static void spend(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      Thread.interrupted();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyMessage_isRecorded_withoutThreshold_ofProcessesThreadsAndCalls(Kind kind)
      throws IOException {
    restart(kind.configure(NodeOptions.defaults()));
    Probe sender = Probe.start(kind, node);
    Probe receiver = Probe.start(kind, node);
    Recording recording = startWithoutThreshold();
    sender.act(_ -> receiver.say("from a process"));
    receiver.say("from a thread");
    CompletableFuture<Object> call =
        CompletableFuture.supplyAsync(() -> receiver.ask("by a call", Await.LIMIT));
    assertThat(receiver.nextSaid()).isEqualTo("from a process");
    assertThat(receiver.nextSaid()).isEqualTo("from a thread");
    receiver.nextAsked().replyTo().send("done");
    assertThat(Await.result("the call", call)).isEqualTo("done");
    receiver.barrier();
    node.close();
    List<RecordedEvent> events = stop(recording, node);
    assertThat(messages(DELAY, receiver, events))
        .containsExactlyInAnyOrder(Msg.Say.class, Msg.Say.class, Msg.Ask.class, Msg.Do.class);
    assertThat(messages(HANDLER, receiver, events))
        .containsExactlyInAnyOrder(Msg.Say.class, Msg.Say.class, Msg.Ask.class, Msg.Do.class);
  }

  private static Recording startWithoutThreshold() {
    Recording recording = new Recording();
    recording.enable(DELAY).withoutThreshold();
    recording.enable(HANDLER).withoutThreshold();
    recording.start();
    return recording;
  }

  private static List<Class<?>> messages(String type, Probe of, List<RecordedEvent> events) {
    List<Class<?>> classes = new ArrayList<>();
    for (RecordedEvent event : of(type, events)) {
      if (event.getString("process").equals(of.pid().toString())) {
        String name = event.getClass("message").getName();
        classes.add(
            Stream.of(Msg.class.getPermittedSubclasses())
                .filter(c -> c.getName().equals(name))
                .findFirst()
                .orElseThrow());
      }
    }
    return classes;
  }

  @ParameterizedTest
  @EnumSource
  void recordingSwitchedOffAndOnWithinAHandler_doesNotCountTheTimeBetween(Kind kind)
      throws IOException {
    restart(kind.configure(NodeOptions.defaults()));
    Probe probe = Probe.start(kind, node);
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Recording first = startWithoutThreshold();
    probe.tell(_ -> {
      began.countDown();
      end.await();
    });
    awaitLatch(began);
    List<RecordedEvent> before = stop(first, node);
    assertThat(messages(DELAY, probe, before)).containsExactly(Msg.Do.class);
    assertThat(messages(HANDLER, probe, before)).isEmpty();

    probe.say("sent while nothing is recorded");
    Recording second = startWithoutThreshold();
    end.countDown();
    probe.barrier();
    node.close();
    List<RecordedEvent> after = stop(second, node);
    assertThat(messages(DELAY, probe, after)).containsExactly(Msg.Do.class);
    assertThat(messages(HANDLER, probe, after))
        .containsExactlyInAnyOrder(Msg.Say.class, Msg.Do.class);
  }

  private static void awaitLatch(CountDownLatch latch) {
    Await.until("the latch", () -> latch.getCount() == 0);
  }

  @Test
  void recordingsOnAndOff_whileMessagesFlow_harmNobody() throws IOException {
    Probe[] probes = new Probe[4];
    AtomicBoolean over = new AtomicBoolean();
    for (int i = 0; i < probes.length; i++) {
      probes[i] = Probe.start(i % 2 == 0 ? Kind.EVENT : Kind.DIRECT, node);
    }
    for (int i = 0; i < probes.length; i++) {
      pass(probes, i, over);
    }
    for (int round = 0; round < 20; round++) {
      Recording recording = startWithoutThreshold();
      recording.enable(SPAWN);
      Probe child = Probe.start(Kind.EVENT, node);
      child.barrier();
      recording.stop();
      recording.close();
    }
    over.set(true);
    for (Probe probe : probes) {
      assertThat(probe.answers()).isTrue();
    }
  }

  private static void pass(Probe[] probes, int i, AtomicBoolean over) {
    probes[i].tell(_ -> {
      if (!over.get()) {
        pass(probes, (i + 1) % probes.length, over);
      }
    });
  }

  @Test
  void twoNodes_areRecordedEach_oneThatClosesLeavesTheOther() throws IOException {
    Node other = start(NodeOptions.defaults());
    Recording recording = start(SPAWN);
    Node late = start(NodeOptions.defaults());
    Probe a = Probe.start(Kind.EVENT, node);
    Probe b = Probe.start(Kind.DIRECT, other);
    other.close();
    Probe c = Probe.start(Kind.EVENT, late);
    Probe d = Probe.start(Kind.EVENT, node);
    recording.stop();
    Path file = folder.resolve("two.jfr");
    recording.dump(file);
    recording.close();
    List<String> spawned =
        RecordingFile.readAllEvents(file).stream()
            .filter(e -> e.getEventType().getName().equals(SPAWN))
            .map(e -> e.getString("process"))
            .toList();
    assertThat(spawned)
        .containsExactlyInAnyOrder(
            a.pid().toString(), b.pid().toString(), c.pid().toString(), d.pid().toString());

    Recording again = start(SPAWN);
    Probe e = Probe.start(Kind.EVENT, node);
    List<RecordedEvent> events = stop(again, node);
    assertThat(events).hasSize(1);
    RecordedEvent _ = only(SPAWN, e, events);
  }

  @Test
  void disabledEvents_areNotRecorded() throws IOException {
    Recording recording = start(HANDLER);
    Probe probe = Probe.start(Kind.EVENT, node);
    probe.tell(_ -> spend(LONG));
    probe.say("waits");
    probe.barrier();
    node.close();
    assertThat(stop(recording, node))
        .isNotEmpty()
        .allSatisfy(e -> assertThat(e.getEventType().getName()).isEqualTo(HANDLER));
  }
}
