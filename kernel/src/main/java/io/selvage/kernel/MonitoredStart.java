package io.selvage.kernel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of a start with handshake and a monitor. Whether the process was started or not, its
 * end makes exactly one message of the monitor; after a failed start that message is in the mailbox
 * already (unless the process could not be ended yet; see {@link StartResult.TimedOut}).
 *
 * <p>Source: {@code {Ret, Mon}} of {@code proc_lib:start_monitor}.
 *
 * @param result what came of the start
 * @param monitor the monitor on the new process; null if none was made ({@link
 *     StartResult.AlreadyStarted})
 * @param <M> the messages the process accepts
 * @param <A> what it tells when it is ready
 */
public record MonitoredStart<M, A>(StartResult<M, A> result, @Nullable MonitorRef monitor) {
  /** Checks that there is a result. */
  public MonitoredStart {
    Objects.requireNonNull(result, "result");
  }
}
