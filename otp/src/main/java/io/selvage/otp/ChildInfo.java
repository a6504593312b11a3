package io.selvage.otp;

import io.selvage.kernel.Pid;
import java.util.Optional;

/**
 * A child, as {@link Supervisor#whichChildren} shows it.
 *
 * @param id its id
 * @param state what it does
 * @param pid its process, if it runs
 * @param type what it is
 * @param restart when it is restarted
 * @param past how often it was restarted, and why its predecessor ended
 */
public record ChildInfo(
    String id,
    ChildState state,
    Optional<Pid<?>> pid,
    ChildType type,
    Restart restart,
    Past past) {}
