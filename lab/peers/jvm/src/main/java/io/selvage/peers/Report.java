package io.selvage.peers;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a program measured: one JSON object on one line. */
final class Report {
  private final Map<String, Number> metrics = new LinkedHashMap<>();

  Report with(String metric, Number value) {
    metrics.put(metric, value);
    return this;
  }

  /**
   * Checks a count.
   *
   * @throws WrongResult if it is another
   */
  static void expect(String what, long expected, long actual) {
    if (expected != actual) {
      throw new WrongResult(what + ": " + actual + " instead of " + expected + ".");
    }
  }

  String json(String runtimeVersion) {
    StringBuilder line = new StringBuilder("{\"metrics\":{");
    String comma = "";
    for (Map.Entry<String, Number> metric : metrics.entrySet()) {
      line.append(comma).append('"').append(metric.getKey()).append("\":");
      line.append(metric.getValue());
      comma = ",";
    }
    return line.append("},\"runtime_version\":\"")
        .append(runtimeVersion.replace("\\", "").replace("\"", ""))
        .append("\"}")
        .toString();
  }
}
