package io.selvage.otp;

import io.selvage.kernel.Init;
import io.selvage.kernel.Name;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * How to start a child of a supervisor, and what to do when it ends.
 *
 * <pre>{@code
 * ChildSpec.of("ledger", Server.of(new Ledger()), SpawnOptions.<Entry>defaults().named(LEDGER))
 *     .restarting(Restart.TRANSIENT)
 *     .stopping(Shutdown.after(Duration.ofSeconds(1)))
 * }</pre>
 *
 * <p>The supervisor links the child: nobody can forget it. Immutable. Source: the child
 * specifications of {@code supervisor}.
 *
 * @param traits what the supervisor knows of it
 * @param code how it is started
 * @param <M> the messages it accepts
 * @param <A> what it tells when it is ready
 */
public record ChildSpec<M, A>(ChildTraits traits, Code<M, A> code) {
  /** How a child is started. */
  public sealed interface Code<M, A> {
    /**
     * The supervisor starts it, linked.
     *
     * @param code makes its code; runs in the supervisor at each start
     * @param options the options of its process
     * @param <M> the messages it accepts
     * @param <A> what it tells when it is ready
     */
    record Own<M, A>(Function<? super Past, ? extends Init<M, A>> code, SpawnOptions<M> options)
        implements Code<M, A> {
      /** Checks that both are there. */
      public Own {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(options, "options");
      }
    }

    /**
     * A function starts it, and has to link it.
     *
     * @param function starts it; runs in the supervisor
     * @param <M> the messages it accepts
     * @param <A> what it tells when it is ready
     */
    record Foreign<M, A>(Starter<M, A> function) implements Code<M, A> {
      /** Checks that it is there. */
      public Foreign {
        Objects.requireNonNull(function, "function");
      }
    }
  }

  /**
   * Starts a child.
   *
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   */
  @FunctionalInterface
  public interface Starter<M, A> {
    /**
     * Starts a process linked with the supervisor.
     *
     * @param supervisor spawns it; good only inside this call
     * @param past what came before it
     * @return what came of it
     * @throws Exception to say that it was not started
     */
    StartResult<M, A> start(Spawner supervisor, Past past) throws Exception;
  }

  /**
   * Checks the combination.
   *
   * @throws IllegalArgumentException if messages are to be held for a child without a name
   */
  public ChildSpec {
    Objects.requireNonNull(traits, "traits");
    Objects.requireNonNull(code, "code");
    if (traits.held() > 0
        && !(code instanceof Code.Own<M, A>(_, var options) && options.name() != null)) {
      throw new IllegalArgumentException(
          "the child \""
              + traits.id()
              + "\" holds messages sent to its name while it restarts, but its specification names"
              + " none: give it SpawnOptions.named(…), or leave holding() out");
    }
  }

  /**
   * A child with default options: permanent, with 5 seconds to stop.
   *
   * @param id names it among its siblings; not blank
   * @param code its code, such as {@code Server.of(…)}; its callbacks are used again at each
   *     restart
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return the specification
   * @throws IllegalArgumentException if the id is blank
   */
  public static <M, A> ChildSpec<M, A> of(String id, Init<M, A> code) {
    return of(id, code, SpawnOptions.defaults());
  }

  /**
   * A child whose process has options: a name, a label, a thread of its own.
   *
   * @param id names it among its siblings; not blank
   * @param code its code
   * @param options the options of its process, to which the supervisor adds the link
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return the specification
   * @throws IllegalArgumentException if the id is blank
   */
  public static <M, A> ChildSpec<M, A> of(String id, Init<M, A> code, SpawnOptions<M> options) {
    return of(ChildTraits.of(id), code, options);
  }

  /**
   * A child with traits that it may share with others.
   *
   * @param traits its traits
   * @param code its code
   * @param options the options of its process, to which the supervisor adds the link
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return the specification
   */
  public static <M, A> ChildSpec<M, A> of(
      ChildTraits traits, Init<M, A> code, SpawnOptions<M> options) {
    Objects.requireNonNull(code, "code");
    return new ChildSpec<>(traits, new Code.Own<>(_ -> code, options));
  }

  /**
   * A child that learns at each start what came before it.
   *
   * <pre>{@code
   * ChildSpec.remembering("ledger", past -> Server.of(new Ledger(past.reason())), SpawnOptions.defaults())
   * }</pre>
   *
   * @param id names it among its siblings; not blank
   * @param code makes its code; runs in the supervisor
   * @param options the options of its process, to which the supervisor adds the link
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return the specification
   * @throws IllegalArgumentException if the id is blank
   */
  public static <M, A> ChildSpec<M, A> remembering(
      String id, Function<? super Past, ? extends Init<M, A>> code, SpawnOptions<M> options) {
    return new ChildSpec<>(ChildTraits.of(id), new Code.Own<>(code, options));
  }

  /**
   * A child that a function starts. It must link it ({@link SpawnOptions#linked}): one that turns
   * out not to be linked is killed, and its start has failed.
   *
   * <pre>{@code
   * ChildSpec.startedBy("till", (supervisor, _) ->
   *     supervisor.start(till, Duration.ofSeconds(1), SpawnOptions.<Order>defaults().linked()))
   * }</pre>
   *
   * @param id names it among its siblings; not blank
   * @param function starts it; runs in the supervisor, which waits for it
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   * @return the specification
   * @throws IllegalArgumentException if the id is blank
   */
  public static <M, A> ChildSpec<M, A> startedBy(String id, Starter<M, A> function) {
    return new ChildSpec<>(ChildTraits.of(id), new Code.Foreign<>(function));
  }

  /**
   * A supervisor as a child, with any time to stop its own children.
   *
   * @param id names it among its siblings; not blank
   * @param code {@link Supervisor#of}, {@link DynamicSupervisor#of} or {@link
   *     PartitionSupervisor#of}
   * @param <A> its handle
   * @return the specification
   * @throws IllegalArgumentException if the id is blank
   */
  public static <A> ChildSpec<SupervisorMessage, A> supervisor(
      String id, Init<SupervisorMessage, A> code) {
    return of(ChildTraits.of(id).supervising(), code, SpawnOptions.defaults());
  }

  /**
   * Its id.
   *
   * @return the id
   */
  public String id() {
    return traits.id();
  }

  /** The name of its process, if its specification tells one. */
  Optional<Name<M>> name() {
    return code instanceof Code.Own<M, A>(_, var options)
        ? Optional.ofNullable(options.name())
        : Optional.empty();
  }

  /**
   * The same with other traits.
   *
   * @param other the traits
   * @return a changed copy
   */
  public ChildSpec<M, A> with(ChildTraits other) {
    return new ChildSpec<>(other, code);
  }

  /**
   * Another choice of when it is restarted; {@link Restart#PERMANENT} if never called.
   *
   * @param choice the choice
   * @return a changed copy
   */
  public ChildSpec<M, A> restarting(Restart choice) {
    return with(traits.restarting(choice));
  }

  /**
   * Another choice of how it is stopped; within 5 seconds if never called, and a supervisor in any
   * time.
   *
   * @param choice the choice
   * @return a changed copy
   */
  public ChildSpec<M, A> stopping(Shutdown choice) {
    return with(traits.stopping(choice));
  }

  /**
   * One whose end may end its supervisor; see {@link AutoShutdown}. Choose first when it is
   * restarted: a permanent child cannot be significant.
   *
   * @return a changed copy
   * @throws IllegalArgumentException if it is permanent
   */
  public ChildSpec<M, A> significant() {
    return with(traits.asSignificant());
  }

  /**
   * One whose start fails if it takes longer.
   *
   * @param limit how long it may take; zero or more
   * @return a changed copy
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  public ChildSpec<M, A> startingWithin(Duration limit) {
    return with(traits.startingWithin(limit));
  }

  /**
   * One that is restarted only after a wait.
   *
   * @param choice how long
   * @return a changed copy
   * @throws IllegalArgumentException if it is temporary
   */
  public ChildSpec<M, A> backingOff(Backoff choice) {
    return with(traits.backingOff(choice));
  }

  /**
   * One whose name keeps messages while it restarts: what is sent to the name between the end of
   * one process and the start of the next reaches the next, in order and before all else. More than
   * that are dead letters.
   *
   * @param messages how many at most; 1 or more
   * @return a changed copy
   * @throws IllegalArgumentException if it has no name, is temporary, or the number is negative
   */
  public ChildSpec<M, A> holding(int messages) {
    return with(traits.holding(messages));
  }
}
