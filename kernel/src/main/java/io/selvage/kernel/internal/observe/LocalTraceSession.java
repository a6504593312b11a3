package io.selvage.kernel.internal.observe;

import io.selvage.kernel.Pid;
import io.selvage.kernel.Trace;
import io.selvage.kernel.TraceEvent;
import io.selvage.kernel.TraceSession;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.StackReserve;
import java.util.Objects;
import java.util.Set;

/** A trace session: a choice of processes in {@link Tracing}, and the outlet to its sink. */
public final class LocalTraceSession implements TraceSession {
  private final Tracing tracing;
  final Outlet<TraceEvent> outlet;

  LocalTraceSession(Tracing tracing, Outlet<TraceEvent> outlet) {
    this.tracing = tracing;
    this.outlet = outlet;
  }

  /** What hands the entries over. */
  public Outlet<TraceEvent> outlet() {
    return outlet;
  }

  @Override
  public void trace(Pid<?> pid, Set<Trace> what) {
    choose(pid, what, false);
  }

  @Override
  public void traceWithChildren(Pid<?> pid, Set<Trace> what) {
    choose(pid, what, true);
  }

  private void choose(Pid<?> pid, Set<Trace> what, boolean children) {
    LocalProcess<?> process = (LocalProcess<?>) Objects.requireNonNull(pid, "pid");
    Set<Trace> copy = Tracing.copy(what);
    if (process.node.tracing() != tracing) {
      throw new IllegalArgumentException(
          process + " lives at another node than the trace session: open one there");
    }
    if (process == outlet.owner()) {
      throw new IllegalArgumentException(
          process
              + " cannot trace itself, since it would be told of being told: let another process open the session");
    }
    StackReserve.ensure();
    tracing.choose(this, process, copy, children);
  }

  @Override
  public long lost() {
    return outlet.lost();
  }

  @Override
  public boolean isOpen() {
    return outlet.isOpen();
  }

  @Override
  public void close() {
    outlet.close();
  }
}
