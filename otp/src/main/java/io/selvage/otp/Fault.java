package io.selvage.otp;

import io.selvage.kernel.ProcessEndedError;

/** A fault of the user's code that runs in a process of others, which is not to end with it. */
final class Fault {
  private Fault() {}

  /**
   * What was thrown, if the process can live with it: anything, a failed assertion or a class that
   * could not be loaded included, but the end of the process itself, and what tells that the JVM
   * fails. A stack that is full is empty again where it is caught.
   *
   * @throws Error if the process must end
   */
  static Throwable survivable(Throwable thrown) {
    if (thrown instanceof ProcessEndedError ended) {
      throw ended;
    }
    if (thrown instanceof VirtualMachineError error && !(error instanceof StackOverflowError)) {
      throw error;
    }
    return thrown;
  }
}
