package io.selvage.kernel.internal.node;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.ReportOptions;
import io.selvage.kernel.spi.CrashReport;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes text of what users' classes make text of: never fails, and never makes more of it than it
 * should.
 */
public final class ReportText {
  private static final int FRAMES = 32;
  private static final int CAUSES = 4;
  private static final int REASON = 2000;

  private final StringBuilder out = new StringBuilder(1024);

  private ReportText() {}

  /**
   * The text of a message or state, by the function that the user chose.
   *
   * @param value the message or state
   * @param options the function, and how long the text may be
   * @return the text, or words that say why there is none
   */
  public static String of(Object value, ReportOptions options) {
    return cut(safe(value, options.text()), options.characters());
  }

  private static String safe(Object value, Function<Object, String> text) {
    try {
      return Objects.requireNonNullElse(
          text.apply(value), "(no text of a " + value.getClass().getName() + ")");
    } catch (Throwable failure) { // of the user's code: the report must not be lost
      return "(the text of a "
          + value.getClass().getName()
          + " could not be made: "
          + failure.getClass().getName()
          + ")";
    }
  }

  private static String cut(String text, int characters) {
    if (text.length() <= characters) {
      return text;
    }
    boolean half = Character.isHighSurrogate(text.charAt(characters - 1));
    return text.substring(0, half ? characters - 1 : characters)
        + "… ("
        + text.length()
        + " characters)";
  }

  /**
   * The text of a whole report.
   *
   * @param report the report
   * @return some lines, without one at the end
   */
  public static String of(CrashReport report) {
    ReportText text = new ReportText();
    text.head(report);
    text.line("registered as", report.name());
    text.line("initial call", report.initialCall());
    text.line(
        "ancestors", report.ancestors().isEmpty() ? "none" : String.join(", ", report.ancestors()));
    text.line("last message", report.lastMessage());
    text.line("state", report.state());
    text.list(
        "mailbox",
        report.unread(),
        report.unread() == 1 ? "message" : "messages",
        report.mailbox());
    text.list(
        "links",
        report.links(),
        report.links() == 1 ? "process" : "processes",
        report.neighbours().stream().map(ReportText::of).toList());
    if (!report.dictionary().isEmpty()) {
      text.list(
          "dictionary",
          report.dictionary().size(),
          "entries",
          report.dictionary().entrySet().stream()
              .sorted(Map.Entry.comparingByKey())
              .map(entry -> entry.getKey() + " = " + entry.getValue())
              .toList());
    }
    if (report.reason() instanceof ExitReason.Crash(Throwable cause)) {
      text.stack(cause);
    }
    return text.out.toString();
  }

  private static String of(CrashReport.Neighbour neighbour) {
    return neighbour.pid()
        + (neighbour.label() == null ? "" : " \"" + neighbour.label() + "\"")
        + ", "
        + neighbour.initialCall()
        + ", "
        + neighbour.waiting()
        + " waiting"
        + (neighbour.trapsExits() ? ", traps exits" : "");
  }

  private void head(CrashReport report) {
    out.append("process ").append(report.pid());
    if (report.label() != null) {
      out.append(" \"").append(report.label()).append('"');
    }
    if (report.reason() instanceof ExitReason.Crash) {
      out.append(" crashed: ");
    } else {
      out.append(" ended: ");
    }
    Object what =
        report.reason() instanceof ExitReason.Crash(Throwable cause) ? cause : report.reason();
    out.append(cut(safe(what, Object::toString), REASON));
  }

  private void line(String name, @Nullable String value) {
    if (value != null) {
      out.append(String.format("%n  %-13s  ", name)).append(value);
    }
  }

  private void list(String name, long count, String what, List<String> shown) {
    if (count == 0) {
      line(name, "none");
      return;
    }
    line(
        name,
        count + " " + what + (shown.isEmpty() ? "" : count > shown.size() ? ", first:" : ":"));
    for (String entry : shown) {
      out.append(String.format("%n    ")).append(entry);
    }
  }

  private void stack(Throwable thrown) {
    out.append(String.format("%n  stack"));
    Throwable cause = thrown;
    for (int i = 0; cause != null && i < CAUSES; i++) {
      out.append(String.format("%n    "))
          .append(i == 0 ? "" : "caused by ")
          .append(cut(safe(cause, Object::toString), REASON));
      StackTraceElement[] frames = frames(cause);
      for (int f = 0; f < Math.min(frames.length, FRAMES); f++) {
        out.append(String.format("%n      at ")).append(frames[f]);
      }
      if (frames.length > FRAMES) {
        out.append(String.format("%n      … %d more", frames.length - FRAMES));
      }
      cause = causeOf(cause);
    }
  }

  private static StackTraceElement[] frames(Throwable thrown) {
    try {
      return thrown.getStackTrace();
    } catch (Throwable failure) { // one of the user's own
      return new StackTraceElement[0];
    }
  }

  private static @Nullable Throwable causeOf(Throwable thrown) {
    try {
      return thrown.getCause();
    } catch (Throwable failure) { // one of the user's own
      return null;
    }
  }
}
