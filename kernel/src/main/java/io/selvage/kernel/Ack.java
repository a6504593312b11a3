package io.selvage.kernel;

import io.selvage.kernel.internal.process.Handshake;

/**
 * With what a process that was started with a handshake tells whoever waits for its start that it
 * is ready, or why it will not be. Given to the code of an {@link Init}; good only on the thread
 * that runs the process, while it runs it. It may be kept and used later, in the handler of a later
 * message: until then the start is waited for.
 *
 * <p>Once the process has said that it is ready, its end is that of any process: its links and
 * monitors learn of it. Before that, only the start does (and a monitor of {@code startMonitor}).
 *
 * <p>Source: {@code proc_lib:init_ack} and {@code proc_lib:init_fail}.
 *
 * @param <A> what is told to whoever waits
 */
public sealed interface Ack<A> permits Handshake {
  /**
   * The process is ready: its start returns {@link StartResult.Started} with this value. If nobody
   * waits any more because the starting process has ended, nothing happens; if nobody does because
   * of the timeout, this process is being killed.
   *
   * <p>Cost: a compare-and-set, and waking the one who waits. Memory effects: what this thread did
   * before is seen by the one who waits.
   *
   * @param value anything worth telling; the process's own pid if there is nothing else to tell
   * @throws IllegalStateException if called outside the process, or again
   */
  void ready(A value);

  /**
   * The process will not be ready. Throws, so that the process ends with {@code exit}; once it has
   * ended its start returns {@link StartResult.Ended} with {@code reason}. To let the compiler know
   * that this does not return, write {@code throw ack.fail(…)}.
   *
   * @param reason what the start tells
   * @param exit why the process ends; {@link ExitReason#normal()} if there is nothing to report
   * @return never
   * @throws ExitException always, with {@code exit}
   * @throws IllegalStateException if called outside the process, or after {@link #ready}
   */
  ExitException fail(ExitReason reason, ExitReason exit);

  /**
   * The process will not be ready and ends with the same reason that its start tells; see {@link
   * #fail(ExitReason, ExitReason)}.
   *
   * @param reason what the start tells, and why the process ends
   * @return never
   * @throws ExitException always, with {@code reason}
   * @throws IllegalStateException if called outside the process, or after {@link #ready}
   */
  default ExitException fail(ExitReason reason) {
    return fail(reason, reason);
  }
}
