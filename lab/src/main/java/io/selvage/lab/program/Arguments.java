package io.selvage.lab.program;

import java.util.HashMap;
import java.util.Map;

/** What a measured program was asked to do: {@code name=value}, checked before it was started. */
public final class Arguments {
  private final Map<String, String> values = new HashMap<>();

  Arguments(String... args) {
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("\"" + arg + "\" is not of the form name=value");
      }
      values.put(arg.substring(0, equals), arg.substring(equals + 1));
    }
  }

  /**
   * Any value.
   *
   * @param name the argument
   * @return what stands behind the {@code =}
   * @throws IllegalArgumentException if it is missing
   */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the argument " + name + "=… is missing");
    }
    return value;
  }

  /**
   * A whole number.
   *
   * @param name the argument
   * @return the number
   * @throws IllegalArgumentException if it is missing or no number
   */
  public int count(String name) {
    return Integer.parseInt(text(name));
  }

  /**
   * Yes or no.
   *
   * @param name the argument
   * @return whether it is {@code true}
   * @throws IllegalArgumentException if it is missing
   */
  public boolean flag(String name) {
    return Boolean.parseBoolean(text(name));
  }

  /** A duration, which is handed over in milliseconds: {@code wait=10000ms}. */
  long millis(String name) {
    String value = text(name);
    return Long.parseLong(value.substring(0, value.length() - "ms".length()));
  }
}
