package io.selvage.lab.program;

/** Holds the watch for the pipeline programs. */
final class PipelineMeasurement {
  private PipelineMeasurement() {}

  /**
   * What one pipeline did.
   *
   * @param nanos from the first spawn until the last stage had ended
   * @param written how many strings the last stage wrote before one was wrong
   */
  record Pipeline(long nanos, long written) {}

  /** Sends so many strings through all stages. */
  @FunctionalInterface
  interface PipelineProgram {
    Pipeline run(int items) throws Exception;
  }

  static Report measure(Arguments arguments, PipelineProgram program) throws Exception {
    int items = arguments.count("items");
    Repeats repeats =
        Repeats.of(() -> {
          Pipeline pipeline = program.run(items);
          Repeats.ensure("strings that are written and right", pipeline.written, items);
          return pipeline.nanos;
        });
    return new Report()
        .with("wall_seconds", repeats.medianNanos() / 1e9)
        .withPeakMemory()
        .with("wall_seconds_cold", repeats.coldNanos() / 1e9)
        .with("completed", items);
  }
}
