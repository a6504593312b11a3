package io.selvage.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Runs another program and never hangs with it: the program has a time limit, its output is read
 * while it runs and only its first and last lines are kept, and it does not outlive this JVM.
 */
final class ChildProcess {
  private static final long TICK_MILLIS = 200;
  private static final long LAST_WORDS_MILLIS = 2000;

  /** Variables by which a JVM takes flags that nobody sees. */
  private static final List<String> HIDDEN_FLAGS =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private ChildProcess() {}

  /**
   * How a program ended.
   *
   * @param exitCode its exit code
   * @param elapsedNanos from just before it was started until its end was seen
   * @param timedOut whether it was killed because its time was over
   * @param grewTooLarge whether it was killed because it had more memory than it may
   * @param lastLine the last line of its output that is not blank, or ""
   * @param firstLine the first such line
   * @param firstError the first such line of its error output
   * @param peakMemory the most bytes that it had resident, if that was watched
   */
  record Ended(
      int exitCode,
      long elapsedNanos,
      boolean timedOut,
      boolean grewTooLarge,
      String lastLine,
      String firstLine,
      String firstError,
      OptionalLong peakMemory) {
    /** What to quote of a program that failed. */
    String firstWords() {
      if (!firstError.isEmpty()) {
        return firstError;
      }
      return firstLine.isEmpty() ? "it printed nothing" : firstLine;
    }
  }

  /**
   * Runs a program to its end.
   *
   * @param builder the program, its arguments, folder and environment
   * @param limitNanos after what time it is killed
   * @param tick told every fifth of a second how many nanoseconds have passed
   * @param stop kills it before its time
   * @return how it ended; empty if it was stopped, or not even started because of that
   * @throws IOException if it cannot be started
   */
  static Optional<Ended> run(ProcessBuilder builder, long limitNanos, LongConsumer tick, Stop stop)
      throws IOException {
    return run(builder, limitNanos, tick, stop, OptionalLong.empty());
  }

  /**
   * The same, and reads the program's memory from outside if that is to be watched.
   *
   * @param memoryLimit at how many resident bytes the program is killed; {@link Long#MAX_VALUE} to
   *     watch only; empty not to watch
   */
  static Optional<Ended> run(
      ProcessBuilder builder,
      long limitNanos,
      LongConsumer tick,
      Stop stop,
      OptionalLong memoryLimit)
      throws IOException {
    HIDDEN_FLAGS.forEach(builder.environment()::remove);
    long start = System.nanoTime();
    Process process = stop.start(builder);
    if (process == null) {
      return Optional.empty();
    }
    // By the stop, so that nobody takes the program's end for its failure.
    Thread killer = new Thread(stop::request, "selvage-lab-killer");
    boolean hooked = addHook(killer);
    try {
      process.getOutputStream().close();
      Lines output = new Lines(process.getInputStream());
      Lines errors = new Lines(process.getErrorStream());
      boolean timedOut = false;
      boolean grewTooLarge = false;
      boolean watchingMemory = memoryLimit.isPresent();
      ResidentMemory memory = new ResidentMemory(process.toHandle());
      long period = watchingMemory ? ResidentMemory.PERIOD_MILLIS : TICK_MILLIS;
      for (long waits = 1; !process.waitFor(period, TimeUnit.MILLISECONDS); waits++) {
        if (watchingMemory) {
          memory.read();
          if (memory.peak().orElse(0) > memoryLimit.getAsLong() && !grewTooLarge) {
            grewTooLarge = true;
            Stop.kill(process);
          }
        }
        if (waits % (TICK_MILLIS / period) != 0) {
          continue;
        }
        long elapsed = System.nanoTime() - start;
        if (elapsed > limitNanos && !timedOut) {
          timedOut = true;
          Stop.kill(process);
        }
        tick.accept(elapsed);
      }
      long elapsedNanos = System.nanoTime() - start;
      output.await();
      errors.await();
      return stop.ended(process.exitValue())
          ? Optional.empty()
          : Optional.of(
              new Ended(
                  process.exitValue(),
                  elapsedNanos,
                  timedOut,
                  grewTooLarge,
                  output.last(),
                  output.first(),
                  errors.first(),
                  memory.peak()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while it ran", e);
    } finally {
      Stop.kill(process);
      stop.forget();
      if (hooked) {
        removeHook(killer);
      }
    }
  }

  /** False if this JVM is ending; then whoever ends it uses the {@link Stop}. */
  private static boolean addHook(Thread killer) {
    try {
      Runtime.getRuntime().addShutdownHook(killer);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static void removeHook(Thread killer) {
    try {
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (IllegalStateException e) {
      // This JVM is ending; the hook has run or will.
    }
  }

  /** The first and the last line of a stream that may be endless, or one endless line. */
  private static final class Lines {
    private static final int LONGEST = 100_000;

    private final Thread reader;

    /** Written by the reader until it has ended; read after {@link #await}, under this lock. */
    private String first = "";

    private String last = "";

    Lines(InputStream stream) {
      reader = Thread.ofVirtual().start(() -> read(stream));
    }

    private void read(InputStream stream) {
      try (Reader text = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
        StringBuilder line = new StringBuilder();
        char[] buffer = new char[8192];
        for (int length = text.read(buffer); length >= 0; length = text.read(buffer)) {
          for (int i = 0; i < length; i++) {
            if (buffer[i] == '\n') {
              keep(line);
            } else if (line.length() < LONGEST) {
              line.append(buffer[i]);
            }
          }
        }
        keep(line);
      } catch (IOException e) {
        // The program is gone; what it said before counts.
      }
    }

    private synchronized void keep(StringBuilder line) {
      String text = line.toString().strip();
      line.setLength(0);
      if (!text.isEmpty()) {
        first = first.isEmpty() ? text : first;
        last = text;
      }
    }

    /** Waits for the end of the stream, but not for somebody who inherited it and lives on. */
    void await() throws InterruptedException {
      reader.join(LAST_WORDS_MILLIS);
    }

    synchronized String first() {
      return first.length() > 300 ? first.substring(0, 300) + "…" : first;
    }

    synchronized String last() {
      return last;
    }
  }
}
