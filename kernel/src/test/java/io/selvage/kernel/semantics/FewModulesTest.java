package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.support.SmallProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A JVM that has {@code java.base} alone, as jlink makes them, runs the kernel. */
class FewModulesTest {
  private static final String MODULE = "io.selvage.kernel";
  private static final String PROGRAM = SmallProgram.class.getName();
  private static final String CLASSES = Path.of("target", "classes").toAbsolutePath().toString();
  private static final String TESTS = Path.of("target", "test-classes").toAbsolutePath().toString();

  @Test
  void classPath_withoutFlightRecorder_works() throws Exception {
    String path = CLASSES + System.getProperty("path.separator") + TESTS;
    assertThat(run("--limit-modules", "java.base", "-cp", path, PROGRAM))
        .containsExactly("jdk.jfr false", "42");
  }

  @Test
  void modulePath_withoutFlightRecorder_works() throws Exception {
    assertThat(
            run(
                "--limit-modules",
                "java.base",
                "--module-path",
                CLASSES,
                "--patch-module",
                MODULE + "=" + TESTS,
                "--module",
                MODULE + "/" + PROGRAM))
        .containsExactly("jdk.jfr false", "42");
  }

  /** An image made for the kernel alone has no jdk.jfr; one that names it has. */
  @Test
  void modulePath_withFlightRecorderNamed_findsIt() throws Exception {
    assertThat(
            run(
                "--add-modules",
                "jdk.jfr",
                "--module-path",
                CLASSES,
                "--patch-module",
                MODULE + "=" + TESTS,
                "--module",
                MODULE + "/" + PROGRAM))
        .containsExactly("jdk.jfr true", "42");
  }

  private static List<String> run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(out).isZero();
      return out.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
