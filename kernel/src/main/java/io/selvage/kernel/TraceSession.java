package io.selvage.kernel;

import io.selvage.kernel.internal.observe.LocalTraceSession;
import java.util.Set;

/**
 * Tells a sink what chosen processes do. Sessions know nothing of each other: each has its own
 * processes, its own choice of what to tell, its own limits and its own sink. A process that no
 * session has chosen does nothing for it: whether it is traced is a bit of a word that it reads
 * anyway.
 *
 * <pre>{@code
 * try (TraceSession session = node.trace(TraceOptions.defaults(), System.out::println)) {
 *   session.traceWithChildren(pid, EnumSet.of(Trace.SENDS, Trace.EXITS));
 *   …
 * }
 * }</pre>
 *
 * <p>A session that a process has opened ({@link Self#trace}) ends with it; every session ends with
 * its node.
 *
 * <p>Any thread. Source: {@code trace:session_create/3} and {@code trace:process/4} of Erlang/OTP
 * 27; unlike there, a sink that is slow loses entries instead of filling its mailbox.
 */
public sealed interface TraceSession extends Subscription permits LocalTraceSession {
  /**
   * Chooses a process, or chooses anew what to tell of it. A process that runs meanwhile may do a
   * little before it is traced.
   *
   * @param pid the process; ignored if it has ended
   * @param what what to tell; empty to tell nothing of it any more
   * @throws IllegalArgumentException if the process lives at another node, or is the one that the
   *     session belongs to: that would have to be told of the telling
   * @throws IllegalStateException if the session is closed
   */
  void trace(Pid<?> pid, Set<Trace> what);

  /**
   * Chooses a process, and every process that it starts from now on, in the same way, from its
   * first moment. Source: the flag {@code set_on_spawn}.
   *
   * @param pid the process; ignored if it has ended
   * @param what what to tell
   * @throws IllegalArgumentException as {@link #trace}
   * @throws IllegalStateException if the session is closed
   */
  void traceWithChildren(Pid<?> pid, Set<Trace> what);
}
