package io.selvage.otp;

import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A number of workers of one kind behind one address. A message goes to one of them, chosen by a
 * rule; or a worker is checked out, and is somebody's alone until it is given back.
 *
 * <pre>{@code
 * Pool<Db.Msg> pool = Pool.start(node, s -> Server.start(s, new Db()), PoolOptions.of(8)).orThrow().value();
 * Row row = pool.call(r -> new Db.Msg.Query("…", r), Duration.ofSeconds(1));
 * try (Pool.Lease<Db.Msg> lease = pool.checkout(self, Duration.ofSeconds(1)).orElseThrow()) {
 *   lease.worker().send(new Db.Msg.Begin());
 *   …
 * }
 * }</pre>
 *
 * <p>The pool's process is linked with its workers and starts another for each that ends; if one
 * ends again and again soon after its start, with growing pauses of up to five seconds. A worker
 * that does not answer a call in {@link PoolOptions#stuckAfter} is killed and replaced. A worker
 * that is checked out gets no messages of others.
 *
 * <p>All methods may be called from any thread and process but the pool itself. All but {@link
 * #send}, {@link #pid} and {@link Lease#close} are calls, and throw {@link CallException} if the
 * pool has ended.
 *
 * <p>Cost: a message or call goes through the pool's process, so it costs about twice as much as
 * without. Source: {@code poolboy}, and the routers of Pekko.
 *
 * @param <M> the messages of the workers
 */
public final class Pool<M> {
  private final Pid<M> pid;
  private final Pid<SystemMessage> address;

  Pool(Pid<M> pid) {
    this.pid = pid;
    this.address = SystemMessage.addressOf(pid).orElseThrow();
  }

  /**
   * Starts a worker.
   *
   * @param <M> the messages of the worker
   */
  @FunctionalInterface
  public interface Worker<M> {
    /**
     * Starts one.
     *
     * @param spawner the pool, which links itself with the worker
     * @return what came of it
     */
    StartResult<M, ?> start(Spawner spawner);
  }

  /**
   * Why a call is refused: no worker is free and as much waits as may, or the call waited longest
   * and was dropped for another.
   *
   * @param pool the pool
   */
  public record Full(Pid<?> pool) implements ExitReason.UserReason {
    @Override
    public String toString() {
      return "full(" + pool + ")";
    }
  }

  /**
   * What a pool does. Of one moment.
   *
   * @param size how many workers there should be
   * @param idle how many have nothing to do, as far as the pool knows
   * @param leased how many are checked out
   * @param busy how many have calls to answer
   * @param missing how many have ended and could not be started again yet
   * @param waiting how many messages and checkouts wait for a worker
   * @param refused how many were refused or dropped until now
   * @param replaced how many workers were started in place of others until now
   */
  public record Status(
      int size,
      int idle,
      int leased,
      int busy,
      int missing,
      int waiting,
      long refused,
      long replaced) {}

  /**
   * A worker that is checked out.
   *
   * @param <M> the messages of the worker
   */
  public static final class Lease<M> implements AutoCloseable {
    private final Pid<SystemMessage> pool;
    private final Ticket ticket;
    private final Pid<M> worker;
    private final AtomicBoolean over = new AtomicBoolean();

    Lease(Pid<SystemMessage> pool, Ticket ticket, Pid<M> worker) {
      this.pool = pool;
      this.ticket = ticket;
      this.worker = worker;
    }

    /**
     * The worker.
     *
     * @return its pid
     */
    public Pid<M> worker() {
      return worker;
    }

    /** Gives the worker back. Again has no effect. */
    @Override
    public void close() {
      giveBack(false);
    }

    /** Gives the worker back to be replaced, since it is of no use any more. */
    public void discard() {
      giveBack(true);
    }

    private void giveBack(boolean broken) {
      if (over.compareAndSet(false, true)) {
        pool.send(new Request.Back(ticket, broken));
      }
    }
  }

  /** One wish for a worker, compared by identity. */
  static final class Ticket {}

  /** What a pool is asked. */
  sealed interface Request extends SystemMessage {
    /** The reply is an untyped pid, or {@link Full}. */
    record Checkout(Ticket ticket, @Nullable Pid<?> owner, ReplyTo<Object> replyTo)
        implements Request {}

    /** The caller has given the wish up, or gives back what it got. */
    record Back(Ticket ticket, boolean broken) implements Request {}

    /** The reply is that of the worker, or a {@link Failed}. */
    record Call<M>(Ticket ticket, Function<ReplyTo<Object>, M> request, ReplyTo<Object> replyTo)
        implements Request {}

    record Resize(int size, ReplyTo<Boolean> replyTo) implements Request {}

    record Ask(ReplyTo<Status> replyTo) implements Request {}
  }

  /** In place of a worker's reply. */
  record Failed(ExitReason reason) {}

  // ---------------------------------------------------------------- starting

  /**
   * The code of a pool, to be given to any {@code start} of the kernel.
   *
   * @param worker starts a worker
   * @param options how the pool works
   * @param <M> the messages of the workers
   * @return what to start; it tells the pool
   */
  public static <M> Init<M, Pool<M>> of(Worker<M> worker, PoolOptions<M> options) {
    return PoolLoop.program(worker, options);
  }

  /**
   * Starts a pool with all of its workers; from a process, linked with it. If a worker can not be
   * started, neither is the pool.
   *
   * @param spawner the node, or the process that starts it
   * @param worker starts a worker
   * @param options how the pool works
   * @param <M> the messages of the workers
   * @return the pool, or why it was not started
   */
  public static <M> StartResult<M, Pool<M>> start(
      Spawner spawner, Worker<M> worker, PoolOptions<M> options) {
    SpawnOptions<M> defaults = SpawnOptions.defaults();
    return spawner.start(
        of(worker, options),
        Sys.FOREVER,
        spawner instanceof Self<?> ? defaults.linked() : defaults);
  }

  /**
   * The pool's process, which accepts what the workers accept.
   *
   * @return its pid
   */
  public Pid<M> pid() {
    return pid;
  }

  // ---------------------------------------------------------------- messages

  /**
   * Sends a message to one of the workers. Same as sending it to the {@link #pid}.
   *
   * @param message the message
   */
  public void send(M message) {
    pid.send(message);
  }

  /**
   * Calls one of the workers.
   *
   * @param request makes the request from the reply address; often a record's constructor. Runs in
   *     the pool; twice, if the routing needs the message to tell its key
   * @param timeout how long to wait, in the pool's queue and for the worker together; zero or more,
   *     of any length
   * @param <R> the reply
   * @return the reply
   * @throws CallException if the worker ended before it replied, with its reason; or with {@link
   *     Full}
   * @throws CallTimeoutException if there was no reply in time
   */
  @SuppressWarnings("unchecked") // the request was made for a ReplyTo<R>; failures are told apart
  public <R> R call(Function<? super ReplyTo<R>, ? extends M> request, Duration timeout) {
    Objects.requireNonNull(request, "request");
    Ticket ticket = new Ticket();
    Function<ReplyTo<Object>, M> untyped =
        replyTo -> request.apply((ReplyTo<R>) (ReplyTo<?>) replyTo);
    Object reply = ask(ticket, replyTo -> new Request.Call<>(ticket, untyped, replyTo), timeout);
    if (reply instanceof Failed(ExitReason reason)) {
      throw new CallException(
          reason instanceof Full
              ? "the call to the pool "
                  + pid
                  + " was refused: no worker is free, and as much waits as may"
              : "the call to the pool "
                  + pid
                  + " failed: its worker ended with "
                  + reason
                  + " before it replied",
          reason);
    }
    return (R) reply;
  }

  // ---------------------------------------------------------------- checkout

  /**
   * Takes a worker for oneself, waiting for one if none is free. Those who wait are served in their
   * order. If the owner is a process and ends, the pool takes the worker back by itself.
   *
   * @param owner who takes it: a process, by its {@code self}, or the node for a thread that is
   *     none
   * @param timeout how long to wait; zero or more, of any length
   * @return the worker; empty if none was free in time, or too many wait
   */
  @SuppressWarnings("unchecked") // the pool answers the pid of one of its workers
  public Optional<Lease<M>> checkout(Spawner owner, Duration timeout) {
    Objects.requireNonNull(owner, "owner");
    Pid<?> process = owner instanceof Self<?> self ? self.pid() : null;
    Ticket ticket = new Ticket();
    Object reply;
    try {
      reply = ask(ticket, replyTo -> new Request.Checkout(ticket, process, replyTo), timeout);
    } catch (CallTimeoutException late) {
      return Optional.empty();
    }
    return reply instanceof Pid<?> worker
        ? Optional.of(new Lease<>(address, ticket, (Pid<M>) worker))
        : Optional.empty();
  }

  /** Asks, and takes the wish back if the answer does not come: a worker may be on its way. */
  private Object ask(Ticket ticket, Function<ReplyTo<Object>, Request> request, Duration timeout) {
    try {
      return address.<Object>call(request, timeout);
    } catch (CallException failed) {
      if (address.isAlive()) {
        address.send(new Request.Back(ticket, false));
      }
      throw failed;
    }
  }

  // ---------------------------------------------------------------- while it runs

  /**
   * Changes the number of workers. If they become fewer, those that have something to do end when
   * they have done it, and those that are checked out when they are given back.
   *
   * @param size how many; 1 or more
   * @throws IllegalArgumentException if it is less than 1
   */
  public void resize(int size) {
    PoolOptions.ensurePositive(size, "size of the pool");
    Boolean _ = address.<Boolean>call(replyTo -> new Request.Resize(size, replyTo), Sys.FOREVER);
  }

  /**
   * What the pool does just now.
   *
   * @return the status
   */
  public Status status() {
    return address.call(Request.Ask::new, Sys.FOREVER);
  }

  @Override
  public String toString() {
    return "pool " + pid;
  }
}
