package io.selvage.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTest {
  @TempDir private Path folder;

  @Test
  void places_ofThree_areToldWithHowFarTheyAreApart() throws IOException {
    Summary summary =
        summary(
            new Samples()
                .measured("ring", "", "go", 190, 192)
                .measured("ring", "", "selvage-event", 20, 21)
                .measured("ring", "", "erlang", 320, 310, 330));
    assertThat(summary.places())
        .containsExactly(
            new Summary.Place(
                "ring",
                " (a message, lower is better): selvage-event came first with 20.5 ns, ahead of go"
                    + " with 191 ns (9.32 times as much) and erlang with 320 ns (16 times as"
                    + " much)."));
    assertThat(summary.overview())
        .isEqualTo(
            "1 experiment on 3 runtimes, measured on Made-up 9000, 2 cores, 25.3 GB of memory,"
                + " Linux 6.18, JDK Made-up 25. Medians of 2 to 3 runs of each program.");
  }

  @Test
  void places_whoseRepeatsOverlap_sayThatTheyDo() throws IOException {
    Summary summary =
        summary(
            new Samples()
                .measured("ring", "", "go", 100, 110)
                .measured("ring", "", "erlang", 108, 112));
    assertThat(summary.places().getFirst().words())
        .endsWith("(nearly the same; within the spread of the one before).");
  }

  @Test
  void places_ofMoreThanASentenceHolds_nameTheFirstAndTheLast() throws IOException {
    Samples samples = new Samples();
    for (int i = 1; i <= 9; i++) {
      samples.measured("ring", "", "runtime-" + i, i * 100);
    }
    assertThat(summary(samples).places().getFirst().words())
        .contains("runtime-1 came first with 100 ns, ahead of runtime-2 ")
        .contains("and runtime-4 with 400 ns (4.00 times as much); last of 9, with 4 between,")
        .endsWith(" runtime-9 with 900 ns (9.00 times as much).")
        .doesNotContain("runtime-5");
  }

  @Test
  void places_ofOtherSettings_areNotMixed() throws IOException {
    Summary summary =
        summary(
            new Samples()
                .measured("tasks", "tasks=1", "go", 3e6)
                .measured("tasks", "tasks=1000000", "go", 2e9)
                .measured("tasks", "tasks=1000000", "selvage-event", 130e6));
    assertThat(summary.places())
        .extracting(Summary.Place::trial)
        .containsExactly("tasks tasks=1", "tasks tasks=1000000");
    assertThat(summary.places().getFirst().words())
        .isEqualTo(" (peak memory, lower is better): only go was measured, with 3.00 MB.");
  }

  @Test
  void places_byARate_putTheGreatestFirst() throws IOException {
    Summary summary =
        summary(
            new Samples()
                .measured("fanin", "", "go", 5e6)
                .measured("fanin", "", "selvage-event", 20e6));
    assertThat(summary.places().getFirst().words())
        .isEqualTo(
            " (messages a second, higher is better): selvage-event came first with 20.0 M/s, ahead"
                + " of go with 5.00 M/s (4.00 times less).");
  }

  @Test
  void failuresAndAbsences_areToldOnceEach() throws IOException {
    Summary summary =
        summary(
            new Samples()
                .measured("ring", "", "go", 190)
                .failed("ring", "", "node", "hung")
                .refused("ring", "", "java-threads", "too many")
                .refused("ring", "", "csharp", "absent: install it")
                .refused("spawn", "", "csharp", "absent: install it"));
    assertThat(summary.failures())
        .containsExactly("node in ring FAILED: hung", "java-threads in ring refused: too many");
    assertThat(summary.absences()).containsExactly("csharp is absent: install it");
    assertThat(summary.places()).hasSize(1);
  }

  @Test
  void warnings_tellOfNoiseAndOfSeveralMachines() throws IOException {
    Summary summary =
        summary(
            new Samples()
                .measured("ring", "", "go", 100, 190)
                .on("Another machine")
                .measured("ring", "", "erlang", 300));
    assertThat(summary.warnings())
        .anyMatch(
            warning -> warning.startsWith("NOISY: repeats of one figure differ by up to 62 %"))
        .anyMatch(warning -> warning.startsWith("The results come from 2 machines"));
    assertThat(summary(new Samples().measured("ring", "", "go", 100, 101)).warnings()).isEmpty();
  }

  private Summary summary(Samples samples) throws IOException {
    return Summary.of(samples.findings(folder));
  }
}
