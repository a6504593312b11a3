package io.selvage.otp;

import io.selvage.kernel.ExitReason;
import org.jspecify.annotations.Nullable;

/** A supervisor did not do with a child what it was asked to: the exception form of a result. */
public final class ChildException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ChildException(String message) {
    super(message);
  }

  ChildException(String message, @Nullable ExitReason reason) {
    super(message);
    if (reason instanceof ExitReason.Crash(Throwable cause)) {
      initCause(cause);
    }
  }
}
