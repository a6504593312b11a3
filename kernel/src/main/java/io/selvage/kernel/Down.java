package io.selvage.kernel;

/**
 * A monitored process has ended, or was not there: what {@link Self#monitor} hands to its function,
 * exactly once for each monitor that was not taken back.
 *
 * @param monitor the monitor that this answers
 * @param target what was given to {@code monitor}: the pid, or the name
 * @param reason why the process ended; {@link ExitReason.NoProc} if it was not there when the
 *     monitor arrived
 */
public record Down(MonitorRef monitor, Address<?> target, ExitReason reason) {}
