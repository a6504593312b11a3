package io.selvage.cli;

import io.selvage.lab.Contender;
import io.selvage.lab.Contenders;
import io.selvage.lab.Experiment;
import io.selvage.lab.Experiments;
import io.selvage.lab.Machine;
import io.selvage.lab.Metric;
import io.selvage.lab.Parameter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints all that {@code selvage lab} knows. */
final class Catalogue {
  private Catalogue() {}

  static void print(PrintWriter out, Machine machine) {
    out.println("Experiments, their parameters and figures");
    for (Experiment experiment : Experiments.all()) {
      out.println();
      out.printf(Locale.ROOT, "  %-8s %s%n", experiment.name(), experiment.summary());
      for (Parameter parameter : experiment.parameters()) {
        out.printf(
            Locale.ROOT,
            "      %-22s %s (%s)%n",
            parameter.name() + "=" + parameter.defaultText(),
            parameter.description(),
            parameter.range());
      }
      experiment
          .presets()
          .forEach((word, settings) ->
              out.printf(Locale.ROOT, "      %-22s stands for %s%n", word, settings));
      for (Metric metric : experiment.metrics()) {
        out.printf(Locale.ROOT, "        %-24s %s%n", metric.name(), metric.description());
      }
    }
    out.println();
    out.println("Runtimes");
    out.println();
    List<Contender> contenders = Contenders.all();
    // Asking a toolchain for its version can take a second: all are asked at the same time.
    contenders.parallelStream().forEach(Contender::absence);
    for (Contender contender : contenders) {
      out.printf(Locale.ROOT, "  %-24s %s%n", contender.name(), contender.description());
      out.printf(
          Locale.ROOT,
          "  %-24s %s%n",
          "",
          contender
              .absence()
              .map(reason -> "absent: " + reason)
              .orElseGet(() -> "available, version " + contender.version()));
    }
    out.println();
    out.println("Machine: " + machine.describe());
    out.flush();
  }
}
