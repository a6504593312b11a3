package io.selvage.kernel.internal.observe;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.internal.process.LocalProcess;
import org.jspecify.annotations.Nullable;

/**
 * Records what happens for somebody outside, such as the JDK's flight recorder. What a method
 * answers is kept by the kernel until it is given back to another; null means that nothing is
 * recorded. No method throws anything, not even an {@link OutOfMemoryError}: it would hit the
 * process that is recorded.
 */
public interface Recorder {
  /** Records nothing. */
  Recorder NONE = new Recorder() {};

  /** A process was started. While {@link Measuring#recordsProcesses}. */
  default void spawned(@Nullable LocalProcess<?> parent, LocalProcess<?> process) {}

  /** A process was started that stands in for another. While {@link Measuring#recordsProcesses}. */
  default void restarted(LocalProcess<?> predecessor, LocalProcess<?> process) {}

  /** A process has ended. While {@link Measuring#recordsProcesses}. */
  default void ended(LocalProcess<?> process, ExitReason reason, long unread) {}

  /** A message is about to be sent. Its wait in the mailbox begins. */
  default @Nullable Object sent(Object message) {
    return null;
  }

  /** A message was taken. What {@link #sent} answered for it ends. */
  default void taken(Object recording, LocalProcess<?> process) {}

  /** The code of a process is about to handle a message. */
  default @Nullable Object handlerBegins(Object message) {
    return null;
  }

  /** It is done with it. */
  default void handlerEnds(Object recording, LocalProcess<?> process) {}

  /** The node has closed. */
  default void close() {}
}
