package io.selvage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.selvage.lab.Result;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command in a JVM of its own that is sent signals. */
class InterruptionTest {
  private static final int SIGINT = 2;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void lab_interrupted_showsWhatItHasAndLeavesNothingRunning(String signal, int exitCode)
      throws Exception {
    ensureNotIgnored(signal);
    Path json = folder.resolve("results.json");
    Process lab =
        start(
            "lab",
            "tasks",
            "tasks=10",
            "wait=1ms",
            "--runtime=selvage-event,java-virtual",
            "--repeat=1000",
            "--json=" + json,
            "--markdown=" + folder.resolve("tables.md"),
            "--report=" + folder.resolve("report"));
    List<ProcessHandle> programs;
    try (BufferedReader progress = lab.errorReader()) {
      String line = "";
      while (line != null && !line.contains("3/2000]")) {
        line = progress.readLine();
      }
      programs = lab.descendants().toList();
      send(signal, lab);
      assertThat(lab.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      lab.destroyForcibly();
    }
    assertThat(lab.exitValue()).isEqualTo(exitCode);
    assertThat(programs).noneMatch(ProcessHandle::isAlive);
    List<Result> written = Files.readAllLines(json).stream().map(Result::fromJson).toList();
    assertThat(written).hasSizeBetween(3, 1999).allMatch(Result::ok);
    assertThat(Files.readString(output()))
        .contains("selvage-event", "java-virtual", "peak memory")
        .contains(
            "INTERRUPTED after " + written.size() + " of 2000 runs; medians of what there is.");
    String interrupted = "INTERRUPTED after " + written.size() + " of 2000 runs.";
    assertThat(folder.resolve("tables.md")).content().contains(interrupted);
    assertThat(folder.resolve("report").resolve("index.html")).content().contains(interrupted);
  }

  @Test
  void lab_interruptedInItsFirstProgram_saysThatThereIsNothing() throws Exception {
    Process lab = start("lab", "tasks", "tasks=1", "wait=1h", "--runtime=selvage-event");
    try (BufferedReader progress = lab.errorReader()) {
      while (lab.descendants().findAny().isEmpty()) {
        assertThat(lab.isAlive()).isTrue();
        Thread.onSpinWait();
      }
      List<ProcessHandle> programs = lab.descendants().toList();
      send("TERM", lab);
      assertThat(lab.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(programs).noneMatch(ProcessHandle::isAlive);
      assertThat(progress.lines()).contains("Interrupted before anything was measured.");
    } finally {
      lab.destroyForcibly();
    }
    assertThat(output()).isEmptyFile();
  }

  private Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(classPath());
    command.add(Main.class.getName());
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectOutput(output().toFile()).start();
  }

  /** What the command was asked for; a stream would be closed when the command is destroyed. */
  private Path output() {
    return folder.resolve("output");
  }

  private static String classPath() {
    ModuleLayer layer = Main.class.getModule().getLayer();
    return layer == null
        ? System.getProperty("java.class.path")
        : layer.configuration().modules().stream()
            .map(module -> module.reference().location())
            .flatMap(Optional::stream)
            .filter(location -> location.getScheme().equals("file"))
            .map(location -> Path.of(location).toString())
            .collect(Collectors.joining(File.pathSeparator));
  }

  private static void send(String signal, Process process) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  /** A build in the background of a shell ignores Ctrl-C, and its JVMs inherit that. */
  private static void ensureNotIgnored(String signal) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (signal.equals("INT") && Files.isReadable(status)) {
      long ignored =
          Files.readAllLines(status).stream()
              .filter(line -> line.startsWith("SigIgn:"))
              .map(line -> line.substring("SigIgn:".length()).strip())
              .mapToLong(mask -> Long.parseUnsignedLong(mask, 16))
              .findFirst()
              .orElse(0);
      assumeFalse(((ignored >> (SIGINT - 1)) & 1) == 1, "this build runs where Ctrl-C is ignored");
    }
  }
}
