package io.selvage.kernel.support;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Bounded waiting. */
public final class Await {
  /**
   * How long anything may take that should happen at once. Generous: a loaded machine is no fault.
   */
  public static final Duration LIMIT = Duration.ofSeconds(10);

  private static final long LONGEST_PAUSE_NANOS = 1_000_000;

  private Await() {}

  /** Waits until a condition holds. */
  public static void until(String what, BooleanSupplier condition) {
    until(() -> what, condition, LIMIT);
  }

  /** Waits until a condition holds, no longer than a limit; tells what was missing otherwise. */
  public static void until(Supplier<String> what, BooleanSupplier condition, Duration limit) {
    long start = System.nanoTime();
    long pause = 1_000;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        throw new AssertionError("not within " + limit.toSeconds() + " s: " + what.get());
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
  }

  /**
   * Waits for a result. What it failed with is thrown as it is if unchecked, so that assertions
   * pass through.
   */
  public static <T> T result(String what, CompletableFuture<T> future) {
    return result(what, future, LIMIT);
  }

  /** Waits for a result no longer than a limit. */
  public static <T> T result(String what, CompletableFuture<T> future, Duration limit) {
    try {
      return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new AssertionError(what + " failed", e);
      }
    } catch (TimeoutException | CancellationException e) {
      throw new AssertionError("not within " + limit.toSeconds() + " s: " + what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting: " + what, e);
    }
  }
}
