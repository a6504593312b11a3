package io.selvage.otp;

import io.selvage.kernel.ExitReason;

/**
 * When a child that has ended is started again. Source: {@code restart} of a child specification.
 */
public enum Restart {
  /** Always. */
  PERMANENT,
  /** Only if it ended otherwise than {@linkplain ExitReason#isOrderly orderly}. */
  TRANSIENT,
  /** Never, and its specification is dropped when it ends. */
  TEMPORARY;

  boolean restartsAfter(ExitReason reason) {
    return switch (this) {
      case PERMANENT -> true;
      case TRANSIENT -> !reason.isOrderly();
      case TEMPORARY -> false;
    };
  }
}
