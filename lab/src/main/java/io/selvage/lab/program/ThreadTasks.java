package io.selvage.lab.program;

import java.time.Duration;

/** Tasks that are plain Java threads, virtual or platform: each sleeps. */
public final class ThreadTasks {
  private ThreadTasks() {}

  private static void task(Duration wait, TasksMeasurement measurement) {
    try {
      Thread.sleep(wait);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a task", e);
    }
    measurement.complete();
  }

  /**
   * Runs the program.
   *
   * @param args {@code tasks=…}, {@code wait=…ms}, {@code threads=virtual} or {@code
   *     threads=platform}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments -> {
          Duration wait = Duration.ofMillis(arguments.millis("wait"));
          Thread.Builder threads = Threads.builder(arguments);
          return TasksMeasurement.measure(
              arguments,
              measurement -> {
                Runnable task = () -> task(wait, measurement);
                return () -> threads.start(task);
              });
        });
  }
}
