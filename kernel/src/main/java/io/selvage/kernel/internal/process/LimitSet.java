package io.selvage.kernel.internal.process;

import io.selvage.kernel.Admission;
import io.selvage.kernel.Limit;
import io.selvage.kernel.Limits;
import io.selvage.kernel.ProcessInfo;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.spi.SystemMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one process, and which of them a class of messages counts for. The answer for a
 * class is found once and kept. Any thread.
 */
final class LimitSet {
  final Limits<?> limits;

  /** How many dropped messages the process has not come by yet. Kept when the limits change. */
  final AtomicInteger dropped;

  /** Or null. Of the process alone. */
  final @Nullable AdmissionControl admission;

  private final List<LimitState> types = new ArrayList<>();
  private final LimitState others;

  /** In place of null. */
  private final LimitState none;

  /** By the class of a message. It grows with the program's classes, not with what it sends. */
  private final ConcurrentHashMap<Class<?>, LimitState> found = new ConcurrentHashMap<>();

  LimitSet(Limits<?> limits, AtomicInteger dropped) {
    this.limits = limits;
    this.dropped = dropped;
    Admission admitted = limits.admission();
    admission = admitted == null ? null : new AdmissionControl(admitted);
    for (Map.Entry<Class<?>, Limit<?>> entry : limits.types().entrySet()) {
      types.add(state(entry.getKey(), entry.getValue()));
    }
    none = new LimitState(null, Limit.messages(1).thenDrop(), 0, dropped);
    Limit<?> rest = limits.others();
    others = rest == null ? none : state(null, rest);
  }

  private LimitState state(@Nullable Class<?> type, Limit<?> limit) {
    return new LimitState(
        type, limit, LocalNode.nanos(limit.waitTime(), "wait of a limit"), dropped);
  }

  /** The limit that a message counts for, or null. */
  @Nullable LimitState of(Object message) {
    Class<?> type = message.getClass();
    LimitState state = found.get(type);
    if (state == null) {
      state = find(type);
      found.put(type, state);
    }
    return state == none ? null : state;
  }

  /** The most specific; of several that are, the one named first. */
  private LimitState find(Class<?> type) {
    if (SystemMessage.class.isAssignableFrom(type)) {
      return none; // no message of the user's, and what a process in trouble is asked by
    }
    LimitState best = null;
    for (LimitState state : types) {
      if (covers(state, type) && types.stream().noneMatch(s -> isNearer(s, state, type))) {
        best = state;
        break;
      }
    }
    return best == null ? others : best;
  }

  private static boolean covers(LimitState state, Class<?> type) {
    return state.type != null && state.type.isAssignableFrom(type);
  }

  /** Whether another limit is for a subtype that the class is of, too. */
  private static boolean isNearer(LimitState other, LimitState state, Class<?> type) {
    return other != state
        && other.type != null
        && covers(other, type)
        && state.type != null
        && state.type.isAssignableFrom(other.type);
  }

  /** What counts for each limit now. */
  List<ProcessInfo.Limited> info() {
    List<ProcessInfo.Limited> all = new ArrayList<>();
    for (LimitState state : types) {
      all.add(new ProcessInfo.Limited(state.type, state.limit(), state.used()));
    }
    if (others != none) {
      all.add(new ProcessInfo.Limited(null, others.limit(), others.used()));
    }
    return all;
  }

  /** Nobody waits for room under these limits any more. Needs no memory. */
  void close() {
    for (int i = 0; i < types.size(); i++) {
      types.get(i).close();
    }
    others.close();
  }
}
