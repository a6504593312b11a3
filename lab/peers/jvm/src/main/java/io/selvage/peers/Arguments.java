package io.selvage.peers;

import java.util.HashMap;
import java.util.Map;

/** What a measured program was asked to do: {@code name=value}. */
public final class Arguments {
  private final Map<String, String> values = new HashMap<>();

  /** Something was typed that this program does not take; the message is the sentence to print. */
  public static final class Bad extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Says what is wrong.
     *
     * @param message one sentence
     */
    public Bad(String message) {
      super(message);
    }
  }

  Arguments(String... args) {
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (equals < 1) {
        throw new Bad("\"" + arg + "\" is not of the form name=value.");
      }
      values.put(arg.substring(0, equals), arg.substring(equals + 1));
    }
  }

  /**
   * A whole number above nought.
   *
   * @param name what stands before the {@code =}
   * @param otherwise what holds if it is not given
   * @return the number
   */
  int count(String name, int otherwise) {
    return atLeast(1, name, otherwise);
  }

  /**
   * A whole number.
   *
   * @param least the least it may be, from 1
   * @param name what stands before the {@code =}
   * @param otherwise what holds if it is not given
   * @return the number
   */
  int atLeast(int least, String name, int otherwise) {
    String value = values.remove(name);
    if (value == null) {
      return otherwise;
    }
    try {
      int count = Integer.parseInt(value.replace("_", ""));
      if (count >= least) {
        return count;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new Bad(name + "=" + value + " is not a whole number from " + least + " on.");
  }

  /**
   * A word.
   *
   * @param name what stands before the {@code =}
   * @param otherwise what holds if it is not given
   * @return the word
   */
  String word(String name, String otherwise) {
    String value = values.remove(name);
    return value == null ? otherwise : value;
  }

  /**
   * Yes or no; no if it is not given.
   *
   * @param name what stands before the {@code =}
   * @return whether it is {@code true}
   */
  boolean flag(String name) {
    String value = word(name, "false");
    if (!value.equals("true") && !value.equals("false")) {
      throw new Bad(name + "=" + value + " is neither true nor false.");
    }
    return value.equals("true");
  }

  /**
   * A duration in milliseconds, {@code wait=10000ms}.
   *
   * @param name what stands before the {@code =}
   * @param otherwise the milliseconds that hold if it is not given
   * @return the milliseconds
   */
  long millis(String name, long otherwise) {
    String value = values.remove(name);
    if (value == null) {
      return otherwise;
    }
    if (!value.matches("[0-9]{1,12}ms")) {
      throw new Bad(name + "=" + value + " is not a number of milliseconds such as 10000ms.");
    }
    return Long.parseLong(value.substring(0, value.length() - 2));
  }

  /** To be called when all that is known has been read: the rest is unknown. */
  void end() {
    if (!values.isEmpty()) {
      throw new Bad("this experiment has no parameter " + values.keySet().iterator().next() + ".");
    }
  }
}
