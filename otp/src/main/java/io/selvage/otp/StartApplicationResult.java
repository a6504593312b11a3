package io.selvage.otp;

import java.util.List;

/**
 * What came of the start of an {@link Application} at run time. Source: the results of {@code
 * application:start} and {@code application:ensure_all_started}.
 */
public sealed interface StartApplicationResult {
  /**
   * Those that were started, if it runs now.
   *
   * @return their names, in the order in which they were started
   * @throws IllegalStateException if it does not, or ran before it was to be started
   */
  default List<String> orThrow() {
    return switch (this) {
      case Started(var names) -> names;
      case AlreadyStarted(var name) ->
          throw new IllegalStateException(
              "the application " + name + " runs already: stop it first, or use ensureStarted");
      case DependenciesNotStarted(var name, var missing) ->
          throw new IllegalStateException(
              "the application "
                  + name
                  + " depends on "
                  + missing
                  + ", which do not run: start them first, or use ensureStarted");
      case Unknown(var name, var known) ->
          throw new IllegalStateException(
              "there is no application " + name + " among " + known + ": load it first");
      case Failed(var why) -> throw new IllegalStateException(why.toString());
    };
  }

  /**
   * It runs.
   *
   * @param names those that were started for it and itself, in that order; none if it ran before
   */
  record Started(List<String> names) implements StartApplicationResult {
    /** Holds a copy of the list. */
    public Started {
      names = List.copyOf(names);
    }
  }

  /**
   * It ran before.
   *
   * @param name its name
   */
  record AlreadyStarted(String name) implements StartApplicationResult {}

  /**
   * Some that it depends on do not run.
   *
   * @param name its name
   * @param missing theirs
   */
  record DependenciesNotStarted(String name, List<String> missing)
      implements StartApplicationResult {
    /** Holds a copy of the list. */
    public DependenciesNotStarted {
      missing = List.copyOf(missing);
    }
  }

  /**
   * There is no such application, or one that it depends on is missing.
   *
   * @param name the name
   * @param known the names that are known
   */
  record Unknown(String name, List<String> known) implements StartApplicationResult {
    /** Holds a copy of the list. */
    public Unknown {
      known = List.copyOf(known);
    }
  }

  /**
   * It, or one that it depends on, could not be started. What was started for it is stopped.
   *
   * @param why which, and why
   */
  record Failed(Applications.NotStarted why) implements StartApplicationResult {}
}
