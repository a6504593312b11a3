package io.selvage.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.selvage.lab.BadInputException;
import io.selvage.lab.Plan;
import io.selvage.lab.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordingsTest {
  @TempDir private Path folder;

  @Test
  void files_ofALongMeasurement_areTakenTogether() throws IOException {
    Path first =
        new Samples()
            .measured("tasks", "tasks=10 wait=2s", "go", 1e6)
            .measured("ring", "", "go", 190)
            .write(folder.resolve("first"));
    Path second =
        new Samples()
            .measured("ring", "", "go", 210)
            .measured("ring", "", "erlang", 320)
            .write(folder.resolve("second"));
    Findings findings = Recordings.read(List.of(first, second));
    assertThat(findings.plan().measurements())
        .extracting(measurement -> measurement.experiment().name() + " " + measurement.settings())
        .containsExactly("ring processes=3000 rounds=1000", "tasks tasks=10 wait=2s");
    assertThat(findings.plan().measurements())
        .extracting(Plan.Measurement::contenders)
        .satisfies(contenders -> assertThat(contenders.getFirst()).hasSize(2));
    assertThat(findings.results()).hasSize(4).allMatch(Result::ok);
    assertThat(findings.runs()).isEqualTo("Medians of 1 to 2 runs of each program.");
    assertThat(findings.isInterrupted()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "hello| line 1 is no result of the lab: \"hello\"; name a file that `./selvage lab --json`"
            + " has written, or delete the line.",
        "{\"experiment\":\"ring\"| line 1 is no result of the lab: \"{\"experiment\":\"ring\"\";"
            + " name a file that `./selvage lab --json` has written, or delete the line.",
        "[1]| line 1 is no result of the lab: \"[1]\"; name a file that `./selvage lab --json` has"
            + " written, or delete the line.",
        "~ ~| holds no results: name a file that `./selvage lab --json` has written.",
      })
  void file_thatHoldsNoResults_isRefusedByItsLine(String text, String sentence) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), text);
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Recordings.read(List.of(file)))
        .withMessage(file + " " + sentence);
  }

  @Test
  void file_cutOffInTheMiddle_isRefusedByTheLineThatIsNotWhole() throws IOException {
    String whole =
        Files.readString(
            new Samples().measured("ring", "", "go", 1, 2).write(folder.resolve("whole")));
    Path file = Files.writeString(folder.resolve("half"), whole.substring(0, whole.length() - 40));
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Recordings.read(List.of(file)))
        .withMessageStartingWith(file + " line 2 is no result of the lab: ");
  }

  @Test
  void file_ofAnUnknownExperimentOrSetting_isRefused() throws IOException {
    String line =
        Files.readString(new Samples().measured("ring", "", "go", 1).write(folder.resolve("good")));
    Path experiment =
        Files.writeString(folder.resolve("experiment"), line.replace("\"ring\"", "\"rign\""));
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Recordings.read(List.of(experiment)))
        .withMessageStartingWith(
            experiment + " line 1: there is no experiment \"rign\". Did you mean \"ring\"?");
    Path setting =
        Files.writeString(
            folder.resolve("setting"), line.replace("\"rounds\":1000", "\"rounds\":0"));
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Recordings.read(List.of(setting)))
        .withMessageStartingWith(setting + " line 1: rounds=0 is too small");
  }

  @Test
  void file_thatIsNoneOrNamedTwice_isRefused() throws IOException {
    Path missing = folder.resolve("missing");
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Recordings.read(List.of(missing)))
        .withMessage(
            "there is no file " + missing + ": name one that `./selvage lab --json` has written.");
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Recordings.read(List.of(folder)))
        .withMessage(folder + " is a folder: name the files in it.");
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Recordings.read(List.of(binary)))
        .withMessageStartingWith(binary + " is no text");
    Path good = new Samples().measured("ring", "", "go", 1).write(folder.resolve("good"));
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> Recordings.read(List.of(good, folder.resolve(".").resolve("good"))))
        .withMessageContaining("is named twice");
  }
}
