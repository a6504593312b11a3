package io.selvage.kernel;

/** What a {@link TraceSession} can tell of a process. */
public enum Trace {
  /** Messages it sends: {@link TraceEvent.Sent}. */
  SENDS,
  /** Messages it takes: {@link TraceEvent.Received}. */
  RECEIVES,
  /** Processes it starts: {@link TraceEvent.Spawned}. */
  SPAWNS,
  /** Its end: {@link TraceEvent.Ended}. */
  EXITS,
  /** Links it makes and removes, and that others make and remove with it. */
  LINKS
}
