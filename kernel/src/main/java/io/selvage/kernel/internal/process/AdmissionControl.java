package io.selvage.kernel.internal.process;

import io.selvage.kernel.Admission;
import io.selvage.kernel.internal.node.LocalNode;

/**
 * Which requests one process refuses because they have waited too long. Owner only.
 *
 * <pre>
 *   an interval:   begins with the first request that is taken after the one before has ended
 *                  knows the shortest wait of all requests taken in it; where nothing waits behind one, that is none
 *   at its end:    shortest &gt; target   the process does not keep up in the next one
 *   a request:     refused if the process does not keep up, and it has waited longer than twice the target,
 *                  and something waits behind it
 * </pre>
 *
 * <p>A burst that is worked off within an interval has a request that waited little, so nothing is
 * refused. Where requests come faster than they are served, the shortest wait grows until it is
 * above the target; then all that have waited longer than twice the target are refused, which takes
 * no time, and those served are fresh. Their waits are between the target and twice that as long as
 * more comes than can be served, so it stays so.
 *
 * <p>Rejected: CoDel's own law, which refuses one request, the next after interval / √2, then
 * interval / √3: against an open load of twice the capacity it needs seconds, in which all are
 * late. Taking the newest first: the others wait for ever. Refusing by the length of the mailbox:
 * what is long depends on how long a request takes; {@link io.selvage.kernel.Limit} does it for who
 * knows.
 */
final class AdmissionControl {
  final Admission admission;
  private final long target;
  private final long late;
  private final long interval;

  private boolean begun;
  private boolean behind;
  private long end;
  private long shortest = Long.MAX_VALUE;

  AdmissionControl(Admission admission) {
    this.admission = admission;
    target = LocalNode.nanos(admission.target(), "target");
    late = target > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * target;
    interval = LocalNode.nanos(admission.interval(), "interval");
  }

  /**
   * A request is being taken.
   *
   * @param waited how long it has waited, in nanoseconds
   * @param now the time, in nanoseconds
   * @param last whether nothing waits behind it
   * @return whether it is refused
   */
  boolean refuses(long waited, long now, boolean last) {
    if (!begun || now - end >= 0) {
      behind = begun && shortest > target;
      begun = true;
      end = now + interval;
      shortest = Long.MAX_VALUE;
    }
    shortest = Math.min(shortest, last ? 0 : waited);
    return behind && !last && waited > late;
  }
}
