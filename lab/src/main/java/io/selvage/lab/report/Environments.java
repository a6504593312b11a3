package io.selvage.lab.report;

import io.selvage.lab.Result;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads what results tell of the machine and the flags. */
final class Environments {
  private static final String UNKNOWN = "unknown";

  private Environments() {}

  /** The machines that results come from, each once. */
  static List<String> machines(Findings findings) {
    return findings.results().stream().map(Environments::machine).distinct().toList();
  }

  /** All machines, and the JDK that the lab ran on. */
  static String describe(Findings findings) {
    List<String> jdks = jdks(findings);
    return Words.list(machines(findings)) + (jdks.isEmpty() ? "" : ", JDK " + Words.list(jdks));
  }

  static List<String> jdks(Findings findings) {
    return findings.results().stream()
        .map(result -> text(result, "jdk"))
        .filter(jdk -> !jdk.equals(UNKNOWN))
        .distinct()
        .toList();
  }

  /** Processor, cores, memory and operating system. */
  static String machine(Result result) {
    Map<String, Object> environment = result.environment();
    StringBuilder text = new StringBuilder(text(result, "cpu"));
    if (environment.get("cores") instanceof Number cores) {
      text.append(", ").append(Words.count(cores.intValue(), "core"));
    }
    if (environment.get("memory") instanceof Number memory) {
      text.append(String.format(Locale.ROOT, ", %.1f GB of memory", memory.doubleValue() / 1e9));
    }
    return text.append(", ").append(text(result, "os")).toString();
  }

  /** The flags of the JVM that ran; empty for what is no JVM. */
  static List<String> flags(Result result) {
    return result.environment().get("flags") instanceof List<?> flags
        ? flags.stream().map(String::valueOf).toList()
        : List.of();
  }

  /** The flags that all JVMs had: the fewest that any had. */
  static List<String> flags(List<Result> results) {
    return results.stream()
        .map(Environments::flags)
        .filter(flags -> !flags.isEmpty())
        .reduce((a, b) -> b.size() < a.size() ? b : a)
        .orElse(List.of());
  }

  /** What differs from the defaults of a runtime; or "". */
  static String settings(Result result) {
    return result.environment().get("settings") instanceof String settings ? settings : "";
  }

  private static String text(Result result, String name) {
    return result.environment().get(name) instanceof String text ? text : UNKNOWN;
  }
}
