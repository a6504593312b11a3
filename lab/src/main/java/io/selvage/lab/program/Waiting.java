package io.selvage.lab.program;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what nobody announces, by looking again and again. */
public final class Waiting {
  private static final long LOOK_EVERY_NANOS = 20_000;

  private Waiting() {}

  /**
   * Returns when the condition is true; whoever started this program limits how long that takes.
   *
   * @param condition what is waited for
   */
  public static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
  }
}
