package io.selvage.kernel.semantics;

import io.selvage.kernel.ExitReason;
import java.util.stream.Stream;

/** Reasons that tests end processes with. */
final class Reasons {
  /** A reason of the test's own. */
  record Numbered(long number) implements ExitReason.UserReason {}

  /** A reason that stands for OTP's {@code die}. */
  record Die() implements ExitReason.UserReason {}

  /** A reason with a large content. */
  @SuppressWarnings("ArrayRecordComponent") // compared by identity on purpose
  record Large(byte[] content) implements ExitReason.UserReason {}

  static final ExitReason DIE = new Die();

  private Reasons() {}

  /** Every reason that, sent as a signal by another process, ends one that does not trap exits. */
  static Stream<ExitReason> fatal() {
    return Stream.of(
        DIE,
        ExitReason.shutdown(),
        new ExitReason.Shutdown("detail"),
        ExitReason.killed(),
        ExitReason.noProc(),
        ExitReason.noConnection(),
        new ExitReason.Crash(new IllegalStateException("planned")));
  }

  /** Every reason there is. */
  static Stream<ExitReason> all() {
    return Stream.concat(Stream.of(ExitReason.normal(), ExitReason.kill()), fatal());
  }
}
