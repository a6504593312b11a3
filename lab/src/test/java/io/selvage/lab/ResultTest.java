package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultTest {
  private static final Result GOOD =
      new Result(
          "ring",
          "selvage-event",
          "1.0",
          Map.of("processes", 3),
          Map.of("ns_per_message", 27.5, "messages", 3_000_000.0),
          Map.of("cpu", "Abacus \"9\"", "cores", 2, "flags", List.of("-Xmx4g")),
          1,
          true,
          null,
          null);

  private static final Result REFUSED =
      new Result(
          "ring", "java-threads", "25", Map.of(), Map.of(), Map.of(), 2, false, null, "too many");

  private static final Result FAILED =
      new Result(
          "ring", "java-threads", "25", Map.of(), Map.of(), Map.of(), 3, false, "hung", null);

  @Test
  void json_writtenAndRead_isTheSame() {
    for (Result result : List.of(GOOD, REFUSED, FAILED)) {
      assertThat(Result.fromJson(result.toJson())).isEqualTo(result);
      assertThat(result.toJson()).doesNotContain("\n");
    }
  }

  @Test
  void json_ofCounts_hasNoFraction() {
    assertThat(GOOD.toJson())
        .startsWith("{\"experiment\":\"ring\",\"runtime\":\"selvage-event\",\"version\":\"1.0\",")
        .contains("\"messages\":3000000", "\"ns_per_message\":27.5", "\"repeat\":1,\"ok\":true")
        .doesNotContain("error", "refused");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "hello", "[]", "{}", "{\"experiment\":1}"})
  void json_ofSomethingElse_isRefused(String line) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> Result.fromJson(line));
  }

  @Test
  void file_withResults_hasOneLineEach(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("results.json");
    Files.writeString(path, "what was there before, and was longer than what comes now".repeat(99));
    try (ResultFile file = ResultFile.open(path)) {
      file.add(GOOD);
      assertThat(Files.readAllLines(path)).containsExactly(GOOD.toJson());
      file.add(FAILED);
    }
    assertThat(Files.readAllLines(path)).containsExactly(GOOD.toJson(), FAILED.toJson());
  }

  @Test
  void file_thatCannotBeWritten_isRefusedBeforeAnythingRuns(@TempDir Path folder) {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> ResultFile.open(folder))
        .withMessage("--json " + folder + " cannot be written: it is a folder; name a file in it.");
    Path nowhere = folder.resolve("nowhere");
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> ResultFile.open(nowhere.resolve("results.json")))
        .withMessage(
            "--json "
                + nowhere.resolve("results.json")
                + " cannot be written: there is no folder "
                + nowhere
                + "; make it, or name another file.");
  }

  @Test
  void file_onAFullDisk_saysSo() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "this machine has no /dev/full");
    try (ResultFile file = ResultFile.open(full)) {
      assertThatIOException()
          .isThrownBy(() -> file.add(GOOD))
          .withMessageStartingWith("the results cannot be written to /dev/full any more: ");
    }
  }
}
