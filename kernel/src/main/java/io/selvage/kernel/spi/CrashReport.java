package io.selvage.kernel.spi;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReportOptions;
import io.selvage.kernel.internal.node.ReportText;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a process whose code ended otherwise than normal or shutdown. Its texts are cut,
 * and its lists hold no more entries, than {@link ReportOptions} says. {@link #toString} is the
 * report as a person reads it.
 *
 * <p>Source: the crash reports of {@code proc_lib}, with what {@code gen_server} adds.
 *
 * @param pid the process
 * @param name the name it was registered under, or null
 * @param label its label, or null
 * @param initialCall the class of the code it was given; of a lambda, the class it stands in
 * @param ancestors its parent, the parent's parent and so on, at most 16; none if no process
 *     spawned it
 * @param reason why it ended; a {@link ExitReason.Crash} holds the stack
 * @param lastMessage the message that a behavior was handling, or null
 * @param state the behavior that was handling it, or null if that is a lambda or there is none
 * @param unread how many messages it left unread
 * @param mailbox the oldest of them
 * @param links how many processes it was linked with
 * @param neighbours some of them
 * @param dictionary what it kept in its dictionary
 */
public record CrashReport(
    Pid<?> pid,
    @Nullable String name,
    @Nullable String label,
    String initialCall,
    List<String> ancestors,
    ExitReason reason,
    @Nullable String lastMessage,
    @Nullable String state,
    long unread,
    List<String> mailbox,
    int links,
    List<Neighbour> neighbours,
    Map<String, String> dictionary) {

  /** Holds copies of the lists. */
  public CrashReport {
    Objects.requireNonNull(pid, "pid");
    Objects.requireNonNull(initialCall, "initialCall");
    Objects.requireNonNull(reason, "reason");
    ancestors = List.copyOf(ancestors);
    mailbox = List.copyOf(mailbox);
    neighbours = List.copyOf(neighbours);
    dictionary = Map.copyOf(dictionary);
  }

  /**
   * A process that was linked with the one that ended, as it was just before.
   *
   * @param pid the process
   * @param label its label, or null
   * @param initialCall the class of the code it was given
   * @param waiting about how many messages waited for it
   * @param trapsExits whether it survives the end, which it is told as a message
   */
  public record Neighbour(
      Pid<?> pid, @Nullable String label, String initialCall, long waiting, boolean trapsExits) {
    /** Checks that what must be there is there. */
    public Neighbour {
      Objects.requireNonNull(pid, "pid");
      Objects.requireNonNull(initialCall, "initialCall");
    }
  }

  /**
   * The report as a person reads it: some lines, of which only the stack may be many (32 frames of
   * each of 4 causes at most). Never fails, whatever the reason's own text does.
   */
  @Override
  public String toString() {
    return ReportText.of(this);
  }
}
