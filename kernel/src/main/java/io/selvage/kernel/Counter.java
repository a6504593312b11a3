package io.selvage.kernel;

/** What processes can be compared by; see {@link Node#top}. */
public enum Counter {
  /** Messages that wait, with signals not looked at yet; {@link ProcessInfo#mailbox}. */
  MAILBOX,
  /** Messages and other signals taken so far; {@link ProcessInfo#handled}. */
  HANDLED,
  /** Links; {@link ProcessInfo#links}. */
  LINKS,
  /** Monitors held by the process; {@link ProcessInfo#monitors}. */
  MONITORS,
  /** Monitors held on the process; {@link ProcessInfo#monitoredBy}. */
  MONITORED_BY,
  /** Timers set; {@link ProcessInfo#timers}. */
  TIMERS,
  /** Estimated bytes; {@link ProcessInfo#memory}. */
  MEMORY
}
