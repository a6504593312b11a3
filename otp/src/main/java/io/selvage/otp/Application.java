package io.selvage.otp;

import io.selvage.kernel.Pid;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A unit of a program that is started and stopped as a whole, after those that it depends on: a
 * name, and a function that starts its top process, most often a supervisor. Run it with {@link
 * Applications}.
 *
 * <pre>{@code
 * Application store = Application.of("store", (spawner, env) -> Server.start(spawner, new Store(env.get(PATH))));
 * Application shop =
 *     Application.of("shop", (spawner, env) -> Server.start(spawner, new Shop(env.get(PORT)))).after("store");
 * Applications.run(node, store, shop).awaitEnd();
 * }</pre>
 *
 * <p>Immutable: each method answers a changed copy. Source: Erlang's {@code application}.
 *
 * @param name its name
 * @param dependencies the names of those that are started before it and stopped after it
 * @param start starts its top process
 * @param phases what is done, in order, once the top process is started
 * @param environment its settings
 * @param type what its end means for the others
 * @param shutdown how long its top process may take to end before it is killed; zero or more
 */
public record Application(
    String name,
    List<String> dependencies,
    Start start,
    List<Phase> phases,
    Environment environment,
    Type type,
    Duration shutdown) {
  /** Starts the top process of an application. */
  @FunctionalInterface
  public interface Start {
    /**
     * Starts it.
     *
     * @param spawner the controller, which becomes its parent and watches it
     * @param environment the settings
     * @return what came of it
     * @throws Exception if it can not be started
     */
    StartResult<?, ?> start(Spawner spawner, Environment environment) throws Exception;
  }

  /**
   * A step of a start that takes several: to fill a store once all of its processes are there, say.
   *
   * @param name its name
   * @param action what is done
   */
  public record Phase(String name, Action action) {
    /** Checks that both are there. */
    public Phase {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(action, "action");
    }

    /** What a phase does. */
    @FunctionalInterface
    public interface Action {
      /**
       * Runs in the controller.
       *
       * @param top the top process of the application
       * @param environment the settings
       * @throws Exception if the application can not be started
       */
      void run(Pid<?> top, Environment environment) throws Exception;
    }
  }

  /** What the end of an application, which nobody asked for, means. */
  public enum Type {
    /** All others are stopped. */
    PERMANENT,
    /** All others are stopped, unless it ended with {@code normal}; then it is only reported. */
    TRANSIENT,
    /** It is only reported. */
    TEMPORARY
  }

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the name is empty or the time negative
   */
  public Application {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(environment, "environment");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(shutdown, "shutdown");
    dependencies = List.copyOf(dependencies);
    phases = List.copyOf(phases);
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "the name of an application is '"
              + name
              + "', so nobody could depend on it: give it one");
    }
    if (shutdown.isNegative()) {
      throw new IllegalArgumentException(
          "the time for shutdown of "
              + name
              + " is "
              + shutdown
              + ", but it is a time: give zero or more");
    }
  }

  /**
   * An application that depends on none, is temporary, and has five seconds to end.
   *
   * @param name its name
   * @param start starts its top process
   * @return the application
   */
  public static Application of(String name, Start start) {
    return new Application(
        name,
        List.of(),
        start,
        List.of(),
        Environment.empty(),
        Type.TEMPORARY,
        Duration.ofSeconds(5));
  }

  /**
   * Starts after others, and stops before them.
   *
   * @param names the names of the others
   * @return a changed copy
   */
  public Application after(String... names) {
    return new Application(
        name, added(dependencies, List.of(names)), start, phases, environment, type, shutdown);
  }

  /**
   * Has one more phase.
   *
   * @param phaseName its name
   * @param action what is done
   * @return a changed copy
   */
  public Application phase(String phaseName, Phase.Action action) {
    return new Application(
        name,
        dependencies,
        start,
        added(phases, List.of(new Phase(phaseName, action))),
        environment,
        type,
        shutdown);
  }

  private static <T> List<T> added(List<T> some, List<T> more) {
    List<T> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  /**
   * Gives a setting a value, which whoever runs the application may replace.
   *
   * @param setting the setting
   * @param value its value
   * @param <T> the value
   * @return a changed copy
   */
  public <T> Application with(Setting<T> setting, T value) {
    return new Application(
        name, dependencies, start, phases, environment.with(setting, value), type, shutdown);
  }

  /**
   * What its end means.
   *
   * @param other the type
   * @return a changed copy
   */
  public Application as(Type other) {
    return new Application(name, dependencies, start, phases, environment, other, shutdown);
  }

  /**
   * How long its top process may take to end.
   *
   * @param time the time; zero or more
   * @return a changed copy
   */
  public Application withShutdown(Duration time) {
    return new Application(name, dependencies, start, phases, environment, type, time);
  }
}
