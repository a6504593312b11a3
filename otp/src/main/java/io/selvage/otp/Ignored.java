package io.selvage.otp;

import io.selvage.kernel.ExitReason;

/**
 * What the start of a process tells whose {@code init} chose not to run: {@code case
 * StartResult.Ended(var pid, Ignored _)}. Source: {@code ignore} of {@code gen_server:init}.
 */
public record Ignored() implements ExitReason.UserReason {
  static final Ignored INSTANCE = new Ignored();

  @Override
  public String toString() {
    return "ignored";
  }
}
