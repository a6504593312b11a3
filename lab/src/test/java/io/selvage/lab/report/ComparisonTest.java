package io.selvage.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.lab.Experiment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  @TempDir private Path folder;

  @Test
  void figures_ofBothRuns_standSideBySideWithAVerdict() throws IOException {
    Comparison comparison =
        compare(
            new Samples()
                .measured("ring", "", "go", 200)
                .measured("ring", "", "erlang", 300)
                .measured("ring", "", "node", 100, 120)
                .measured("ring", "", "elixir", 300),
            new Samples()
                .measured("ring", "", "go", 100)
                .measured("ring", "", "erlang", 450)
                .measured("ring", "", "node", 119, 140)
                .measured("ring", "", "elixir", 309));
    assertThat(comparison.rows())
        .containsExactly(
            new Comparison.Row("ring", "go", "a message", "200 ns", "100 ns", "0.50", "better"),
            new Comparison.Row("ring", "erlang", "a message", "300 ns", "450 ns", "1.50", "worse"),
            new Comparison.Row(
                "ring", "node", "a message", "110 ns", "130 ns", "1.18", "within the spread"),
            new Comparison.Row(
                "ring", "elixir", "a message", "300 ns", "309 ns", "1.03", "about the same"));
    assertThat(comparison.notes()).isEmpty();
    assertThat(comparison.render().lines())
        .contains("ring  erlang  a message  300 ns  450 ns        1.50  worse");
  }

  @Test
  void runs_ofOtherMachinesVersionsAndSettings_sayThatTheyDiffer() throws IOException {
    Comparison comparison =
        compare(
            new Samples()
                .measured("ring", "", "go", 200)
                .measured("tasks", "tasks=10", "go", 200)
                .measured("ring", "", "rust-tokio", 200)
                .measured("ring", "", "node", 200),
            new Samples()
                .on("Another machine")
                .version("2")
                .measured("ring", "", "go", 100)
                .measured("ring", "rounds=5", "erlang", 100)
                .failed("ring", "", "node", "hung"));
    assertThat(comparison.rows()).extracting(Comparison.Row::runtime).containsExactly("go");
    assertThat(comparison.notes())
        .containsExactlyInAnyOrder(
            "The machines differ, so that the ratios tell nothing of the programs: before Made-up"
                + " 9000, 2 cores, 25.3 GB of memory, Linux 6.18; now Another machine, 2 cores,"
                + " 25.3 GB of memory, Linux 6.18.",
            "The versions of go differ: before 1; now 2.",
            "The versions of node differ: before 1; now 2.",
            "node in ring processes=3000 rounds=1000, before: measured; now: FAILED: hung",
            "ring processes=3000 rounds=5 was measured now, and not in the earlier run, on erlang.",
            "ring processes=3000 rounds=1000 was measured in the earlier run, and not now, on"
                + " rust-tokio.",
            "tasks tasks=10 wait=10s was measured in the earlier run, and not now, on go.");
  }

  @Test
  void runs_withNothingInCommon_saySo() throws IOException {
    Comparison comparison =
        compare(
            new Samples().measured("ring", "", "go", 200),
            new Samples().measured("spawn", "", "go", 200));
    assertThat(comparison.render())
        .contains("Nothing was measured with the same settings in both.");
  }

  private Comparison compare(Samples before, Samples now) throws IOException {
    return Comparison.of(
        before.findings(folder), now.findings(folder), ComparisonTest::firstFigure);
  }

  private static List<String> firstFigure(Experiment experiment) {
    return List.of(experiment.metrics().getFirst().name());
  }
}
