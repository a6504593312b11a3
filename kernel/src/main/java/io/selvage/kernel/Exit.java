package io.selvage.kernel;

import org.jspecify.annotations.Nullable;

/**
 * An exit signal that a process trapped: what {@link Self#trapExits} hands to its function.
 *
 * @param from the process that ended or sent the signal, or null if a thread that is no process
 *     sent it
 * @param reason the reason carried by the signal
 */
public record Exit(@Nullable Pid<?> from, ExitReason reason) {}
