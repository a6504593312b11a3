package io.selvage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.lab.Contenders;
import io.selvage.lab.Experiments;
import io.selvage.lab.Plan;
import io.selvage.lab.Result;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
  private static final Plan PLAN =
      new Plan(
          List.of(
              new Plan.Measurement(
                  Experiments.named("tasks"),
                  Experiments.named("tasks").settings(List.of()),
                  List.of(Contenders.named("selvage-event")))),
          1);

  private static final String HEADING = "[1/1] tasks  selvage-event         ";

  private final StringWriter text = new StringWriter();

  @Test
  void terminal_showsOneLineThatCounts() {
    show(true, result(null, null), 200, 999, 1000, 1200, 2000);
    assertThat(text.toString())
        .isEqualTo(
            ("\r\033[K" + HEADING)
                + ("\r\033[K" + HEADING + "  running for 1 s")
                + ("\r\033[K" + HEADING + "  running for 2 s")
                + ("\r\033[K" + HEADING + "  peak memory 135 MB" + System.lineSeparator())
                + "\r\033[K");
  }

  @Test
  void file_getsALineEveryTenSeconds() {
    show(false, result(null, null), 1000, 9999, 10_000, 12_000, 20_000);
    assertThat(text.toString().lines())
        .containsExactly(
            HEADING + "  running for 10 s",
            HEADING + "  running for 20 s",
            HEADING + "  peak memory 135 MB");
  }

  @Test
  void build_isShownFromItsStart() {
    ProgressLines lines = new ProgressLines(new PrintWriter(text, true), false);
    for (long millis : new long[] {0, 200, 9999, 10_000, 12_000}) {
      lines.building(Contenders.named("selvage-event"), Duration.ofMillis(millis));
    }
    assertThat(text.toString().lines())
        .containsExactly(
            "Building the programs of selvage-event (first use, or sources changed)…",
            "Building the programs of selvage-event…  10 s");
  }

  @Test
  void run_thatHasAForerunner_tellsHowMuchTimeIsLeft() {
    List<Plan.Step> steps = new Plan(PLAN.measurements(), 2).steps();
    try (ProgressLines progress = new ProgressLines(new PrintWriter(text), false)) {
      progress.planned(steps);
      progress.started(steps.getFirst());
      progress.running(steps.getFirst(), Duration.ofSeconds(10));
      progress.ended(steps.getFirst(), result(null, null));
      progress.started(steps.getLast());
      progress.running(steps.getLast(), Duration.ofSeconds(10));
    }
    assertThat(text.toString().lines())
        .containsExactly(
            "[1/2] tasks  selvage-event           running for 10 s",
            "[1/2] tasks  selvage-event           peak memory 135 MB",
            "[2/2] tasks  selvage-event           running for 10 s, about 1 s left");
  }

  @Test
  void failuresAndRefusals_areToldInWords() {
    show(false, result("hung", null));
    show(false, result(null, "too many"));
    assertThat(text.toString().lines())
        .containsExactly(HEADING + "  FAILED: hung", HEADING + "  refused: too many");
  }

  private void show(boolean terminal, Result result, long... millis) {
    Plan.Step step = PLAN.steps().getFirst();
    try (ProgressLines progress = new ProgressLines(new PrintWriter(text), terminal)) {
      progress.started(step);
      for (long elapsed : millis) {
        progress.running(step, Duration.ofMillis(elapsed));
      }
      progress.ended(step, result);
    }
  }

  private static Result result(@Nullable String error, @Nullable String refused) {
    return new Result(
        "tasks",
        "selvage-event",
        "1",
        Map.of(),
        Map.of("peak_rss_bytes", 135e6),
        Map.of(),
        1,
        error == null && refused == null,
        error,
        refused);
  }
}
