package io.selvage.otp;

import io.selvage.kernel.Pid;
import java.util.List;
import java.util.Optional;

/**
 * A look at a behaviour. Source: {@code sys:get_status}.
 *
 * @param pid the process
 * @param behaviour which behaviour it is: {@code "server"}, {@code "state machine"}, …
 * @param code the class of its code
 * @param ancestors who started it, parent first
 * @param suspended whether it is suspended
 * @param statistics what it did, if it counts
 * @param state its state, as its code lets it be {@linkplain Server#shown shown}
 */
public record SystemStatus(
    Pid<?> pid,
    String behaviour,
    Class<?> code,
    List<String> ancestors,
    boolean suspended,
    Optional<Statistics> statistics,
    Object state) {
  /** Holds a copy of the list. */
  public SystemStatus {
    ancestors = List.copyOf(ancestors);
  }
}
