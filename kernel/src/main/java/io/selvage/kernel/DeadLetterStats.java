package io.selvage.kernel;

import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The dead letters of a node since its start. The counts are read one after the other, while the
 * node goes on; once it is quiet they are exact.
 *
 * @param total how many there were: {@link NodeStats#undelivered} and {@link NodeStats#lateReplies}
 *     together
 * @param byCause how many for each cause, zeros included; their sum is the total
 * @param kinds those kinds that have most, greatest first
 * @param others how many there were of all other kinds; with those of {@code kinds} they make the
 *     total
 */
public record DeadLetterStats(
    long total, Map<Cause, Long> byCause, List<DeadLetterCount> kinds, long others) {
  /** Holds copies. */
  public DeadLetterStats {
    byCause = Collections.unmodifiableMap(new TreeMap<>(byCause)); // in the order of the causes
    kinds = List.copyOf(kinds);
  }
}
