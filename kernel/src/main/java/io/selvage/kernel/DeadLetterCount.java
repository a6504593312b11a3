package io.selvage.kernel;

import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Way;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How many dead letters there were of one kind: to one receiver, of one class, for one cause.
 * Processes are named by their text, so that this keeps none of them in memory.
 *
 * @param receiver who should have got them: a pid's text, a name, or {@code a thread}
 * @param type the class of the messages
 * @param cause why they were not delivered
 * @param count how many
 * @param sinceFirst the time since the first of them, by the clock of the node
 * @param sinceLast the time since the last of them
 * @param sender who sent the last of them: a pid's text, or null if no process did or it is not
 *     known
 * @param way how the last of them was sent
 */
public record DeadLetterCount(
    String receiver,
    String type,
    Cause cause,
    long count,
    Duration sinceFirst,
    Duration sinceLast,
    @Nullable String sender,
    Way way) {
  /** Checks that nothing is missing. */
  public DeadLetterCount {
    Objects.requireNonNull(receiver, "receiver");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(cause, "cause");
    Objects.requireNonNull(sinceFirst, "sinceFirst");
    Objects.requireNonNull(sinceLast, "sinceLast");
    Objects.requireNonNull(way, "way");
  }
}
