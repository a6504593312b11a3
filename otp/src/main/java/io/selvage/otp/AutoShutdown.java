package io.selvage.otp;

/**
 * Whether a supervisor ends by itself when significant children have ended by themselves. Source:
 * {@code auto_shutdown} of {@code supervisor}.
 */
public enum AutoShutdown {
  /** Never; then no child can be significant. */
  NEVER,
  /** When any significant child has ended by itself and is not restarted. */
  ANY_SIGNIFICANT,
  /** When the last significant child has. */
  ALL_SIGNIFICANT
}
