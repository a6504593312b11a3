package io.selvage.kernel.internal.node;

import io.selvage.kernel.Backlog;
import io.selvage.kernel.DeadLetterCount;
import io.selvage.kernel.internal.time.DurationText;
import io.selvage.kernel.spi.EventSink;
import io.selvage.kernel.spi.KernelEvent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes events as log entries. */
public final class LoggingSink implements EventSink {
  /** The one instance; its only state is the logger. */
  public static final LoggingSink INSTANCE = new LoggingSink();

  /** Of their own, so that a user can choose another level for them. */
  private static final String DEAD_LETTERS = "io.selvage.kernel.deadletters";

  private LoggingSink() {}

  @Override
  public void accept(KernelEvent event) {
    Logger logger = System.getLogger("io.selvage.kernel");
    switch (event) {
      case KernelEvent.ProcessCrashed(var report) ->
          // As a parameter, so that a handler of log records gets the report itself, and text only
          // if it wants that.
          logger.log(Level.ERROR, "{0}", report);
      case KernelEvent.LongBody(var pid, var body, var elapsed, var stack, var count) ->
          logger.log(
              Level.WARNING,
              "direct process "
                  + pid
                  + " ("
                  + body
                  + ") has computed for more than "
                  + elapsed.toMillis()
                  + " ms without a kernel call, on a thread that others wait for."
                  + " It cannot be ended while it does so. Start it with"
                  + " SpawnOptions.onPlatformThread()"
                  + (count == 1 ? "" : "; " + count + " such processes so far")
                  + ":"
                  + stack.stream()
                      .map(frame -> System.lineSeparator() + "\tat " + frame)
                      .collect(Collectors.joining()));
      case KernelEvent.LongHandler(
              var pid,
              var behavior,
              var doing,
              var elapsed,
              var stack,
              var count) ->
          logger.log(
              Level.WARNING,
              "a handler of process "
                  + pid
                  + " ("
                  + behavior
                  + ") has run for "
                  + elapsed.toMillis()
                  + " ms and is "
                  + doing.name().toLowerCase(java.util.Locale.ROOT)
                  + "; others run meanwhile. If it must take long, make the process a direct one"
                  + (count == 1 ? "" : "; " + count + " such handlers so far")
                  + ":"
                  + stack.stream()
                      .map(frame -> System.lineSeparator() + "\tat " + frame)
                      .collect(Collectors.joining()));
      case KernelEvent.MutedLong(
              var sender,
              var receiver,
              var length,
              var bound,
              var count,
              var backlog) ->
          logger.log(
              Level.WARNING,
              (sender == null ? "a thread" : "process " + sender)
                  + " has waited for "
                  + bound.toMillis()
                  + " ms for "
                  + receiver
                  + " to catch up, and goes on: "
                  + length
                  + " messages wait there"
                  + text(backlog)
                  + ". See what that process does (Node.stack), or let it have a limit"
                  + (count == 1 ? "" : "; this has happened " + count + " times so far"));
      case KernelEvent.HeapPressure(var used, var max, var mark, var longest, var count) ->
          logger.log(
              Level.WARNING,
              "the heap is nearly full after a collection, "
                  + share(used, max)
                  + (count == 1 ? "" : ", for the " + count + "th time in a row")
                  + ": senders are held back by mailboxes of more than "
                  + mark
                  + " until there is room. "
                  + (longest.isEmpty()
                      ? "All mailboxes are empty: it is not messages that fill it"
                      : "The longest:")
                  + longest.stream()
                      .map(backlog ->
                          System.lineSeparator()
                              + "\t"
                              + backlog.pid()
                              + ": "
                              + messages(backlog.length())
                              + text(backlog))
                      .collect(Collectors.joining()));
      case KernelEvent.HeapRelieved(var used, var max, var lasted) ->
          logger.log(
              Level.INFO,
              "the heap has room again, "
                  + share(used, max)
                  + ", after "
                  + DurationText.of(lasted)
                  + ": the marks of mailboxes are as before");
      case KernelEvent.LimitFailed(var receiver, var type, var cause, var count) ->
          logger.log(
              Level.WARNING,
              "a function of the limits of "
                  + receiver
                  + " failed for a message of type "
                  + type
                  + ", which is lost"
                  + (count == 1 ? "" : "; this has happened " + count + " times so far"),
              cause);
      case KernelEvent.WorkersExhausted(int workers) ->
          logger.log(
              Level.WARNING,
              "all "
                  + workers
                  + " workers are in handlers that block: event processes wait until one returns. Make the"
                  + " processes that block direct ones");
      case KernelEvent.OptionUnavailable(var option, var why) ->
          logger.log(Level.WARNING, "the option " + option + " has no effect: " + why);
      case KernelEvent.FaultyJdk(var version, var what) ->
          logger.log(Level.WARNING, "Java " + version + " has a known fault: " + what);
      case KernelEvent.CloseIncomplete(var processes) ->
          logger.log(
              Level.WARNING,
              "the node was closed while "
                  + processes.size()
                  + " processes still ran, in code that neither returns nor"
                  + " can be interrupted: "
                  + processes.stream().limit(10).toList());
      case KernelEvent.DeadLetters(var letters, var text) ->
          System.getLogger(DEAD_LETTERS).log(Level.INFO, text(letters, text));
      case KernelEvent.OtherDeadLetters(long count, boolean closing) ->
          System.getLogger(DEAD_LETTERS)
              .log(
                  Level.INFO,
                  closing
                      ? messages(count) + " reached nobody while the node closed"
                      : messages(count)
                          + " more reached nobody, of too many kinds to name all;"
                          + " node.deadLetters() counts them");
      case KernelEvent.LongQueue(var pid, var length, var backlog) -> // if somebody passes it on
          logger.log(
              Level.WARNING,
              "the mailbox of " + pid + " is long: " + length + " messages wait" + text(backlog));
      case KernelEvent.ProcessSpawned _,
          KernelEvent.ProcessEnded _,
          KernelEvent.ProcessRestarted _,
          KernelEvent.ProcessesLinked _,
          KernelEvent.ProcessesUnlinked _,
          KernelEvent.NameRegistered _,
          KernelEvent.NameUnregistered _,
          KernelEvent.DeadLetter _,
          KernelEvent.EventsLost _ ->
          logger.log(Level.DEBUG, () -> event.toString()); // if somebody passes them on
      case KernelEvent.KernelFault(var doing, var cause) ->
          logger.log(Level.ERROR, "the kernel failed while " + doing + ", and went on", cause);
    }
  }

  /** Who has sent most of what waits, and what it is; begins with a comma. */
  static String text(Backlog backlog) {
    StringBuilder text = new StringBuilder();
    if (!backlog.senders().isEmpty() && !backlog.types().isEmpty()) {
      Backlog.Sender sender = backlog.senders().getFirst();
      Backlog.Type type = backlog.types().getFirst();
      text.append(", most from ")
          .append(sender.pid() == null ? "threads that are no process" : sender.pid())
          .append(" (")
          .append(sender.count())
          .append(") and of type ")
          .append(type.name())
          .append(" (")
          .append(type.count())
          .append(")");
    }
    backlog
        .waits()
        .flatMap(waits -> waits.measured() > 0 ? Optional.of(waits.last()) : waits.soFar())
        .ifPresent(
            wait -> text.append(", the last one measured for ").append(DurationText.of(wait)));
    return text.toString();
  }

  private static String share(long used, long max) {
    return Math.round(100.0 * used / max) + " % of " + (max >> 20) + " MB";
  }

  private static String messages(long count) {
    return count == 1 ? "1 message" : count + " messages";
  }

  private static String text(DeadLetterCount letters, @Nullable String content) {
    long count = letters.count();
    return (count == 1 ? "a message" : messages(count))
        + " of type "
        + letters.type()
        + " reached nobody: "
        + letters.receiver()
        + " "
        + letters.cause().words()
        + " ("
        + (count == 1 ? "" : "the last ")
        + letters.way().words()
        + " "
        + (letters.sender() == null ? "no process known" : letters.sender())
        + (count == 1
            ? ""
            : "; the first "
                + DurationText.of(letters.sinceFirst())
                + " ago, the last "
                + DurationText.of(letters.sinceLast())
                + " ago")
        + ")"
        + (content == null ? "" : ": " + content);
  }
}
