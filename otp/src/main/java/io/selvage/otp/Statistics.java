package io.selvage.otp;

import java.time.Duration;

/**
 * What a behaviour did since {@link Sys#beginStatistics}. Source: {@code sys:statistics}.
 *
 * @param duration how long it has counted
 * @param messages how many messages it handled, timeouts and continuations among them
 * @param waiting how many messages it has put aside: postponed, or held while it is suspended
 */
public record Statistics(Duration duration, long messages, int waiting) {}
