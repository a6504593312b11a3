package io.selvage.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkdownTest {
  @TempDir private Path folder;

  @Test
  void tables_areRankedAndTellWhatFailed() throws IOException {
    Findings findings =
        new Samples()
            .measured("tasks", "", "go", 2e9, 2.1e9)
            .measured("tasks", "", "selvage-event", 130e6)
            .failed("tasks", "", "node", "said |no| to <b>*this*</b>\nand died")
            .refused("tasks", "", "csharp", "absent: install it")
            .findings(folder);
    assertThat(Markdown.of(findings, Optional.empty()).lines())
        .contains(
            "**tasks**: tasks that each wait; the program ends when all have; peak memory of the"
                + " whole program",
            "| runtime | peak memory (lower is better) | time (lower is better) | starting all"
                + " (lower is better) | completed |",
            "| --- | ---: | ---: | ---: | ---: |",
            "| node | FAILED |  |  |  |",
            "* node FAILED: said \\|no\\| to &lt;b>\\*this\\*&lt;/b> and died",
            "* csharp is absent: install it")
        .anyMatch(line -> line.startsWith("| go | 2,050 MB<br><sub>2,000–2,100 MB</sub> | "))
        .anyMatch(line ->
            line.startsWith(
                "`./selvage lab tasks tasks=1000000 wait=10s --runtime go,selvage-event,node --repeat 2 "));
    assertThat(Markdown.of(findings, Optional.empty()))
        .containsSubsequence("| selvage-event |", "| go |");
  }

  @Test
  void comparison_isATableOfItsOwn() throws IOException {
    Findings before = new Samples().measured("ring", "", "go", 200).findings(folder);
    Findings now = new Samples().measured("ring", "", "go", 100).findings(folder);
    assertThat(
            Markdown.of(
                    now,
                    Optional.of(Comparison.of(before, now, experiment -> experiment.headlines())))
                .lines())
        .contains("| ring | go | a message | 200 ns | 100 ns | 0.50 | better |");
  }
}
