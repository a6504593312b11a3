package io.selvage.kernel.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own, for what this one cannot be: one with few modules, or with a log to read. */
public final class ChildJvm {
  /** Where the kernel's classes are. */
  public static final String CLASSES = Path.of("target", "classes").toAbsolutePath().toString();

  /** Where the tests' classes are. */
  public static final String TESTS = Path.of("target", "test-classes").toAbsolutePath().toString();

  /** Both. */
  public static final String CLASS_PATH = CLASSES + System.getProperty("path.separator") + TESTS;

  private ChildJvm() {}

  /** Runs a JVM until it ends, which it must well; answers the lines that it wrote, errors too. */
  public static List<String> run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(command + " ended with " + process.exitValue() + ": " + out);
      }
      return out.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
