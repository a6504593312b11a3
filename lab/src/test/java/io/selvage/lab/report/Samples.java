package io.selvage.lab.report;

import io.selvage.lab.Experiment;
import io.selvage.lab.Experiments;
import io.selvage.lab.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Results that were never measured, as files and as what was read from them. */
final class Samples {
  static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx4096m");

  private final List<Result> results = new ArrayList<>();
  private String cpu = "Made-up 9000";
  private String version = "1";

  /** The machine of what comes next. */
  Samples on(String machine) {
    cpu = machine;
    return this;
  }

  /** The version of every runtime of what comes next. */
  Samples version(String next) {
    version = next;
    return this;
  }

  /** One repeat for each value of the experiment's first figure. */
  Samples measured(String experiment, String settings, String runtime, double... values) {
    for (int i = 0; i < values.length; i++) {
      Experiment known = Experiments.named(experiment);
      Map<String, Double> metrics = new LinkedHashMap<>();
      for (var metric : known.metrics()) {
        metrics.put(metric.name(), metric.isCount() ? 1000 : values[i] / 3);
      }
      metrics.put(known.metrics().getFirst().name(), values[i]);
      add(experiment, settings, runtime, metrics, i + 1, null, null);
    }
    return this;
  }

  Samples failed(String experiment, String settings, String runtime, String error) {
    return add(experiment, settings, runtime, Map.of(), 1, error, null);
  }

  Samples refused(String experiment, String settings, String runtime, String reason) {
    return add(experiment, settings, runtime, Map.of(), 1, null, reason);
  }

  private Samples add(
      String experiment,
      String settings,
      String runtime,
      Map<String, Double> metrics,
      int repeat,
      @Nullable String error,
      @Nullable String refused) {
    List<String> words = settings.isEmpty() ? List.of() : List.of(settings.split(" ", -1));
    Map<String, Object> environment = new LinkedHashMap<>();
    environment.put("cpu", cpu);
    environment.put("cores", 2);
    environment.put("memory", 25_300_000_000L);
    environment.put("os", "Linux 6.18");
    environment.put("jdk", "Made-up 25");
    environment.put("flags", runtime.matches("(selvage|java).*") ? FLAGS : List.of());
    results.add(
        new Result(
            experiment,
            runtime,
            version,
            Experiments.named(experiment).settings(words).asJson(),
            metrics,
            environment,
            repeat,
            error == null && refused == null,
            error,
            refused));
    return this;
  }

  Path write(Path file) throws IOException {
    return Files.write(file, results.stream().map(Result::toJson).toList());
  }

  Findings findings(Path folder) throws IOException {
    return Recordings.read(List.of(write(Files.createTempFile(folder, "samples", ".json"))));
  }

  /** Three experiments with much of what can happen in them. */
  static Samples many() {
    Samples samples = new Samples();
    List<String> runtimes =
        List.of(
            "selvage-event",
            "selvage-direct",
            "selvage-direct-workers",
            "java-virtual",
            "java-threads",
            "erlang",
            "go",
            "rust-tokio",
            "a-runtime-with-a-very-long-name");
    double value = 27;
    for (String runtime : runtimes) {
      samples.measured("ring", "", runtime, value, value * 1.02, value * 0.99);
      value *= 2.1;
    }
    samples.failed(
        "ring", "", "node", "ended with exit code 3 and no report; its first words: <b>");
    samples.refused("ring", "", "csharp", "absent: there is no command dotnet; install it");
    samples.measured("spawn", "", "selvage-event", 101, 100, 102);
    samples.measured("spawn", "", "java-virtual", 140, 139, 141);
    samples.refused("spawn", "", "java-threads", "too many");
    for (int tasks : List.of(1, 10_000, 100_000, 1_000_000)) {
      double each = 120;
      for (String runtime : runtimes) {
        double peak = 40e6 + tasks * each;
        samples.measured("tasks", "tasks=" + tasks, runtime, peak, peak * 1.01, peak * 0.98);
        each += 210;
      }
    }
    return samples;
  }
}
