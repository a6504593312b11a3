package io.selvage.kernel;

import io.selvage.kernel.internal.process.Monitor;

/**
 * Identifies one monitor. Compared by identity. Belongs to the process that made it; see {@link
 * Self#demonitor}.
 */
public sealed interface MonitorRef permits Monitor {
  /**
   * What is watched.
   *
   * @return the pid or name given to {@code monitor}
   */
  Address<?> target();
}
