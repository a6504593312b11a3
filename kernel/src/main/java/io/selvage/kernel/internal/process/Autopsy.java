package io.selvage.kernel.internal.process;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Name;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessKey;
import io.selvage.kernel.ReportOptions;
import io.selvage.kernel.internal.node.Origins;
import io.selvage.kernel.internal.node.ReportText;
import io.selvage.kernel.spi.CrashReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a crash report tells, while the process ends: references, so that nobody who waits
 * for the news of the end waits for text. The text is made last, when all others have been told, on
 * the thread of the ended process and under no lock, because it runs code of the user's (the {@code
 * toString} of a message, the function of {@link ReportOptions}).
 *
 * <p>A process that an exit signal has ended has none, as in OTP: it did nothing wrong, and there
 * may be a million of them, linked to one that did.
 *
 * <p>Nothing here throws: what cannot be had, for lack of memory most likely, is left out. Owner
 * thread only.
 */
public final class Autopsy {
  private final LocalProcess<?> process;
  private final ReportOptions options;
  private @Nullable String name;
  private @Nullable String label;
  private @Nullable Origin origin;
  private String initialCall = "unknown";
  private @Nullable Object lastMessage;
  private @Nullable Object state;
  private Map<ProcessKey<?>, Object> kept = Map.of();
  private int links;
  private List<CrashReport.Neighbour> neighbours = List.of();

  /** Looked up early, because an ancestor may end with the process, and its label with it. */
  private List<String> ancestors = List.of();

  /** The oldest unread messages, as the mailbox shows them. */
  private @Nullable List<Object> mailbox;

  private Autopsy(LocalProcess<?> process) {
    this.process = process;
    this.options = process.node.reports();
  }

  /**
   * Looks at a process that is about to end, before it lets go of anything.
   *
   * @param process the process
   * @return what was found; null if there is no memory even for that
   */
  static @Nullable Autopsy begin(LocalProcess<?> process) {
    try {
      Autopsy autopsy = new Autopsy(process);
      autopsy.look();
      return autopsy;
    } catch (Throwable failure) { // no memory; the end must go on, and the report will be short
      return null;
    }
  }

  private void look() {
    Name<?> registered = process.node.names().nameOf(process);
    name = registered == null ? null : registered.text();
    label = process.label();
    origin = process.node.origins().of(process);
    initialCall = Origins.initialCall(process, origin);
    ancestors =
        process.node.origins().texts(process, origin == null ? Origin.NONE : origin.ancestors());
    state = state();
    kept = process.dictionary();
    Extras extras = process.extrasOrNull();
    if (extras != null) {
      lastMessage = extras.lastMessage;
    }
    List<Pid<?>> linked = Links.some(process, options.entries());
    links = Links.count(process);
    neighbours = new ArrayList<>(linked.size());
    for (Pid<?> pid : linked) {
      LocalProcess<?> other = (LocalProcess<?>) pid;
      neighbours.add(
          new CrashReport.Neighbour(
              other,
              other.label(),
              other.node.origins().initialCall(other),
              other.observedLength(),
              other.isTrapping()));
    }
  }

  private @Nullable Object state() {
    try {
      return process.presentState();
    } catch (Exception | StackOverflowError failure) { // how it is shown is the user's code
      return "not shown: showing it threw " + failure.getClass().getName();
    }
  }

  /**
   * Takes an unread message, oldest first.
   *
   * @param signal the message
   */
  void sees(Signal signal) {
    try {
      if (mailbox == null) {
        mailbox = new ArrayList<>(Math.min(options.entries(), 10));
      }
      if (mailbox.size() < options.entries()) {
        mailbox.add(signal.shown());
      }
    } catch (Throwable failure) { // no memory: it is not shown
      return;
    }
  }

  /**
   * The report. May run out of memory; see {@link #least}.
   *
   * @param reason why the process ended
   * @param unread how many messages it left unread
   */
  public CrashReport report(ExitReason reason, long unread) {
    List<String> messages = new ArrayList<>();
    if (mailbox != null) {
      for (Object message : mailbox) {
        messages.add(ReportText.of(message, options));
      }
    }
    return new CrashReport(
        process,
        name,
        label,
        initialCall,
        ancestors,
        reason,
        lastMessage == null ? null : ReportText.of(lastMessage, options),
        state == null ? null : ReportText.of(state, options),
        unread,
        messages,
        links,
        neighbours,
        dictionary());
  }

  private Map<String, String> dictionary() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<ProcessKey<?>, Object> entry : kept.entrySet()) {
      if (texts.size() == options.entries()) {
        break;
      }
      texts.put(entry.getKey().name(), ReportText.of(entry.getValue(), options));
    }
    return texts;
  }

  /**
   * What can be said of a process of which nothing could be found out.
   *
   * @param process the process
   * @param reason why it ended
   * @param unread how many messages it left unread
   */
  public static CrashReport least(LocalProcess<?> process, ExitReason reason, long unread) {
    return new CrashReport(
        process,
        null,
        process.label(),
        "unknown",
        List.of(),
        reason,
        null,
        null,
        unread,
        List.of(),
        0,
        List.of(),
        Map.of());
  }
}
