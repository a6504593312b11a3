/**
 * Processes: what everything else in Selvage stands on.
 *
 * <p>Read first: {@link io.selvage.kernel.Node} starts processes; {@link io.selvage.kernel.Pid} is
 * what one knows of them; {@link io.selvage.kernel.Body} and {@link io.selvage.kernel.Behavior} are
 * the two ways to write one, seen from inside through {@link io.selvage.kernel.DirectSelf} and
 * {@link io.selvage.kernel.Self}; {@link io.selvage.kernel.ExitReason}, {@link
 * io.selvage.kernel.Exit} and {@link io.selvage.kernel.Down} are what is known when one ends.
 *
 * <p>Verbs: {@code send} hands a message over and does not wait for it to be handled; {@code
 * receive} takes one; {@code call} sends and waits for the reply; {@code exit} sends an exit
 * signal.
 *
 * <p>Memory effects: everything a thread did before a signal to a process happens-before that
 * process's handling of it, and each message's handling happens-before the handling of the next by
 * the same process, on whatever thread.
 *
 * <p>Durations are of any length; more than about 292 years is the same as for ever. Negative ones
 * are refused.
 */
package io.selvage.kernel;
