package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The runner with programs of real JVMs that hang, crash, lie and talk nonsense. */
class RunnerTest {
  private static final Experiment RING = Experiments.named("ring");
  private static final Settings HUNDRED = RING.settings(List.of("processes=10", "rounds=10"));

  private final List<String> progress = new CopyOnWriteArrayList<>();
  private final Stop stop = new Stop();

  @Test
  void program_thatDoesItsWork_isMeasured() throws IOException {
    Result result = run("good");
    assertThat(result.ok()).isTrue();
    assertThat(result.error()).isNull();
    assertThat(result.metrics()).containsEntry("ns_per_message", 27.5);
    assertThat(result.environment()).containsKeys("cpu", "cores", "os", "jdk", "flags");
    assertThat(result.params()).containsEntry("rounds", 10L);
    assertThat(progress).containsExactly("1/1 good started", "1/1 good ended");
  }

  @Test
  void startup_isMeasuredFromOutside_whateverTheProgramSays() throws IOException {
    Experiment startup = Experiments.named("startup");
    Plan plan =
        new Plan(
            List.of(
                new Plan.Measurement(
                    startup, startup.settings(List.of()), List.of(new FakeContender("slow")))),
            1);
    Result result = runner().run(plan, ignored -> {}).getFirst();
    assertThat(result.ok()).isTrue();
    assertThat(result.metrics().get("ms")).isBetween(300.0, 60_000.0);
    assertThat(result.metrics()).doesNotContainKey("peak_rss_bytes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "losing|delivered 99 instead of 100: some are missing",
        "nonsense|ended with exit code 0 and no report; its first words: I am fine, thank you.",
        "half-a-report|ended with exit code 0 and no report; its first words:"
            + " {\"metrics\":{\"messages\":1",
        "no-numbers|ended with exit code 0 and no report; its first words:"
            + " {\"metrics\":{\"messages\":\"many\"}}",
        "silent|ended with exit code 0 and no report; its first words: it printed nothing",
        "exit-3|ended with exit code 3 and no report; its first words: I give up",
        "good-but-exit-4|ended with exit code 4; its first words: {\"metrics\":{\"messages\":100}}",
        "failing|failed: java.lang.IllegalStateException: ouch",
        "hungry|ran out of heap; give fewer processes, or more heap such as --jvm-flags \"-Xmx8g\"",
        "threadless|was not given as many threads by the operating system; give fewer processes",
      })
  void program_thatGoesWrong_isReportedInWords(String program, String error) throws IOException {
    Result result = run(program);
    assertThat(result.ok()).isFalse();
    assertThat(result.error()).isEqualTo(error);
    assertThat(result.refused()).isNull();
  }

  @Test
  void program_withAnEndlessLine_isCutShort() throws IOException {
    assertThat(run("endless-line").error())
        .startsWith("ended with exit code 0 and no report; its first words: and so on,")
        .endsWith("…");
  }

  @Test
  void program_thatIsNotThere_isReported() throws IOException {
    assertThat(run("not-there").error()).startsWith("could not be started: ");
  }

  @Test
  void program_thatHangs_isKilledAndReported() throws IOException {
    Result result =
        new Runner(
                Machine.here(), List.of(), Optional.of(Duration.ofSeconds(1)), new Recorder(), stop)
            .run(plan(1, "hanging"), ignored -> {})
            .getFirst();
    assertThat(result.ok()).isFalse();
    assertThat(result.error()).startsWith("did not end within 1s and was killed");
    assertThat(ProcessHandle.current().descendants()).isEmpty();
    assertThat(progress).contains("1/1 hanging running");
  }

  @Test
  void program_thatDeclines_isRefusedAndNotFailed() throws IOException {
    for (String program : List.of("declining", "refusing", "absent")) {
      Result result = run(program);
      assertThat(result.ok()).isFalse();
      assertThat(result.error()).isNull();
      assertThat(result.refused())
          .isIn(
              "this JVM has no such flag",
              "it does not like rings",
              "absent: it is not installed: apt install absent");
    }
  }

  @Test
  void programs_repeated_runInTurn() throws IOException {
    List<Result> results = runner().run(plan(2, "good", "exit-3", "refusing"), ignored -> {});
    assertThat(results)
        .extracting(result -> result.runtime() + result.repeat())
        .containsExactly("good1", "exit-31", "refusing1", "good2", "exit-32", "refusing2");
  }

  @Test
  void plan_whoseSinkFails_ends() {
    assertThatIOException()
        .isThrownBy(() ->
            runner()
                .run(
                    plan(1, "refusing", "good"),
                    result -> {
                      throw new IOException("the disk is full");
                    }))
        .withMessage("the disk is full");
    assertThat(progress).containsExactly("1/2 refusing started", "1/2 refusing ended");
  }

  @Test
  void plan_thatIsStopped_killsWhatRunsAndKeepsWhatWasMeasured() throws IOException {
    Thread stopper =
        new Thread(() -> {
          while (!progress.contains("2/3 hanging running")) {
            Thread.onSpinWait();
          }
          stop.request();
        });
    stopper.start();
    List<Result> results = runner().run(plan(1, "good", "hanging", "good"), ignored -> {});
    assertThat(results).extracting(Result::runtime).containsExactly("good");
    assertThat(ProcessHandle.current().children()).isEmpty();
    assertThat(progress)
        .containsExactly(
            "1/3 good started", "1/3 good ended", "2/3 hanging started", "2/3 hanging running");
    assertThat(runner().run(plan(1, "good"), ignored -> {})).isEmpty();
  }

  private Runner runner() {
    return new Runner(Machine.here(), List.of(), Optional.empty(), new Recorder(), stop);
  }

  private Result run(String program) throws IOException {
    return runner().run(plan(1, program), result -> {}).getFirst();
  }

  private static Plan plan(int repeats, String... programs) {
    List<Contender> contenders = new ArrayList<>();
    for (String program : programs) {
      contenders.add(new FakeContender(program));
    }
    return new Plan(List.of(new Plan.Measurement(RING, HUNDRED, contenders)), repeats);
  }

  /** Writes down what it is told; of what is still running, only the first time. */
  private final class Recorder implements Progress {
    @Override
    public void started(Plan.Step step) {
      add(step, "started");
    }

    @Override
    public void running(Plan.Step step, Duration elapsed) {
      if (step.contender().name().equals("hanging") && progress.getLast().endsWith("started")) {
        add(step, "running");
      }
    }

    @Override
    public void ended(Plan.Step step, Result result) {
      add(step, "ended");
    }

    private void add(Plan.Step step, String what) {
      progress.add(step.number() + "/" + step.of() + " " + step.contender().name() + " " + what);
    }
  }
}
