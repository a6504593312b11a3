package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What can be set about an experiment: a name, a range and a default. Immutable. */
public sealed interface Parameter {
  /**
   * What stands before the {@code =}.
   *
   * @return the name
   */
  String name();

  /**
   * What it is used for if it is not given.
   *
   * @return the value, as it would be typed
   */
  String defaultText();

  /**
   * What can be typed.
   *
   * @return a phrase such as {@code 1 to 10,000,000}
   */
  String range();

  /**
   * What it means.
   *
   * @return half a line
   */
  String description();

  /**
   * Reads a value.
   *
   * @param text what was typed behind the {@code =}
   * @return a {@link Long}, {@link Duration}, {@link String} or {@link Boolean}
   * @throws BadInputException if it cannot be read or is out of range
   */
  Object parse(String text);

  /**
   * A whole number.
   *
   * @param name what stands before the {@code =}
   * @param description half a line
   * @param least the least that makes sense
   * @param most the most that makes sense
   * @param defaultValue what is used if it is not given
   */
  record Count(String name, String description, long least, long most, long defaultValue)
      implements Parameter {
    @Override
    public String defaultText() {
      return Long.toString(defaultValue);
    }

    @Override
    public String range() {
      return String.format(Locale.ROOT, "%,d to %,d", least, most);
    }

    @Override
    public Long parse(String text) {
      String digits = text.replace("_", "");
      if (!digits.matches("[+-]?[0-9]+")) {
        throw refusal(this, text, "is not a whole number", "give " + range());
      }
      if (digits.startsWith("-") && !digits.matches("-0+")) {
        throw refusal(this, text, "is negative", "give " + range());
      }
      if (digits.length() > 18 || Long.parseLong(digits) > most) {
        throw refusal(this, text, "is too large", "give " + range());
      }
      if (Long.parseLong(digits) < least) {
        throw refusal(this, text, "is too small", "give " + range());
      }
      return Long.valueOf(digits);
    }
  }

  /**
   * A length of time.
   *
   * @param name what stands before the {@code =}
   * @param description half a line
   * @param least the shortest that makes sense
   * @param most the longest that makes sense
   * @param defaultValue what is used if it is not given
   */
  record Span(String name, String description, Duration least, Duration most, Duration defaultValue)
      implements Parameter {
    @Override
    public String defaultText() {
      return Durations.text(defaultValue);
    }

    @Override
    public String range() {
      return Durations.text(least) + " to " + Durations.text(most);
    }

    @Override
    public Duration parse(String text) {
      if (text.startsWith("-") && Durations.parse(text.substring(1)).isPresent()) {
        throw refusal(this, text, "is negative", "give " + range());
      }
      Duration duration =
          Durations.parse(text)
              .orElseThrow(
                  () -> refusal(this, text, "is not a duration", "give " + Durations.FORM));
      if (duration.compareTo(least) < 0) {
        throw refusal(this, text, "is too short", "give " + range());
      }
      if (duration.compareTo(most) > 0) {
        throw refusal(this, text, "is too long", "give " + range());
      }
      return duration;
    }
  }

  /**
   * One of a few words.
   *
   * @param name what stands before the {@code =}
   * @param description half a line
   * @param words what can be chosen; the first is the default
   */
  record Choice(String name, String description, List<String> words) implements Parameter {
    /** Holds a copy of the words. */
    public Choice {
      words = List.copyOf(words);
    }

    @Override
    public String defaultText() {
      return words.getFirst();
    }

    @Override
    public String range() {
      return String.join(", ", words);
    }

    @Override
    public String parse(String text) {
      if (!words.contains(text)) {
        throw refusal(this, text, "is unknown", "give one of " + range());
      }
      return text;
    }
  }

  /**
   * A size of memory, of whole megabytes; the value is a text such as {@code 64m}.
   *
   * @param name what stands before the {@code =}
   * @param description half a line
   * @param least the least that makes sense, in megabytes of 2<sup>20</sup> bytes
   * @param most the most that makes sense, in the same
   * @param defaultValue what is used if it is not given, in the same
   */
  record Size(String name, String description, long least, long most, long defaultValue)
      implements Parameter {
    @Override
    public String defaultText() {
      return defaultValue + "m";
    }

    @Override
    public String range() {
      return least + "m to " + most + "m";
    }

    @Override
    public String parse(String text) {
      if (!text.matches("[0-9]{1,9}[mMgG]")) {
        throw refusal(this, text, "is not a size", "give megabytes or gigabytes such as 64m or 1g");
      }
      long number = Long.parseLong(text.substring(0, text.length() - 1));
      long megabytes = text.matches(".*[gG]") ? number << 10 : number;
      if (megabytes < least) {
        throw refusal(this, text, "is too small", "give " + range());
      }
      if (megabytes > most) {
        throw refusal(this, text, "is too large", "give " + range());
      }
      return megabytes + "m";
    }
  }

  /**
   * Yes or no.
   *
   * @param name what stands before the {@code =}
   * @param description half a line
   */
  record Flag(String name, String description) implements Parameter {
    @Override
    public String defaultText() {
      return "false";
    }

    @Override
    public String range() {
      return "true, false";
    }

    @Override
    public Boolean parse(String text) {
      return switch (text) {
        case "true" -> true;
        case "false" -> false;
        default -> throw refusal(this, text, "is neither true nor false", "give one of the two");
      };
    }
  }

  private static BadInputException refusal(
      Parameter parameter, String text, String cause, String cure) {
    return new BadInputException(
        parameter.name()
            + "="
            + text
            + " "
            + cause
            + ": "
            + cure
            + " ("
            + parameter.description()
            + ").");
  }
}
