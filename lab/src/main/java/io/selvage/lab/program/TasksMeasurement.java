package io.selvage.lab.program;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * Starts the tasks of a tasks program, waits for their end, and reads the peak memory of this
 * process. There is no warm-up: the first run of a program is what a user would see too.
 */
final class TasksMeasurement {
  private final CountDownLatch running;
  private final LongAdder completed = new LongAdder();

  private TasksMeasurement(int tasks) {
    running = new CountDownLatch(tasks);
  }

  /** Called by each task once, after its wait. */
  void complete() {
    completed.increment();
    running.countDown();
  }

  /**
   * Makes what starts one task. All tasks are alike, so they share their code; each calls {@link
   * #complete} after its wait.
   */
  @FunctionalInterface
  interface TasksProgram {
    Runnable starter(TasksMeasurement measurement);
  }

  static Report measure(Arguments arguments, TasksProgram program) throws InterruptedException {
    int tasks = arguments.count("tasks");
    TasksMeasurement measurement = new TasksMeasurement(tasks);
    Runnable starter = program.starter(measurement);
    long start = System.nanoTime();
    for (int i = 0; i < tasks; i++) {
      starter.run();
    }
    long started = System.nanoTime() - start;
    measurement.running.await();
    long nanos = System.nanoTime() - start;
    return new Report()
        .withPeakMemory()
        .with("wall_seconds", nanos / 1e9)
        .with("start_seconds", started / 1e9)
        .with("completed", measurement.completed.sum());
  }
}
