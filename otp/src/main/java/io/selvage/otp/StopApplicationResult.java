package io.selvage.otp;

import java.util.List;

/**
 * What came of the stop of one {@link Application}. Source: the results of {@code
 * application:stop}, which stops also what others depend on.
 */
public sealed interface StopApplicationResult {
  /**
   * How it stopped.
   *
   * @return the stop
   * @throws IllegalStateException if it was not stopped
   */
  default StopReport.Stop orThrow() {
    return switch (this) {
      case Stopped(var stop) -> stop;
      case NotStarted(var name) ->
          throw new IllegalStateException(
              "the application " + name + " does not run: start it first");
      case Needed(var name, var by) ->
          throw new IllegalStateException(
              "the application " + name + " is needed by " + by + ", which run: stop them first");
      case Unknown(var name, var known) ->
          throw new IllegalStateException(
              "there is no application " + name + " among " + known + ": give one of these");
    };
  }

  /**
   * It has stopped.
   *
   * @param stop how
   */
  record Stopped(StopReport.Stop stop) implements StopApplicationResult {}

  /**
   * It does not run.
   *
   * @param name its name
   */
  record NotStarted(String name) implements StopApplicationResult {}

  /**
   * Others that run depend on it, so it runs on.
   *
   * @param name its name
   * @param by theirs, in the order in which they were started
   */
  record Needed(String name, List<String> by) implements StopApplicationResult {
    /** Holds a copy of the list. */
    public Needed {
      by = List.copyOf(by);
    }
  }

  /**
   * There is no such application.
   *
   * @param name the name
   * @param known the names that are known
   */
  record Unknown(String name, List<String> known) implements StopApplicationResult {
    /** Holds a copy of the list. */
    public Unknown {
      known = List.copyOf(known);
    }
  }
}
