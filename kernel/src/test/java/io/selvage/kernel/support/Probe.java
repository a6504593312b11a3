package io.selvage.kernel.support;

import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process that a test drives from outside: it does what it is told, with its {@link Self}, and
 * keeps what it received.
 *
 * <p>Jobs come through the mailbox like all else, so a job that has run is a barrier: what arrived
 * before it has been handled.
 */
public final class Probe {
  /**
   * What a node that closes sends: a probe that traps exits ends, instead of waiting to be killed.
   */
  private static final Exit NODE_CLOSES = new Exit(null, ExitReason.shutdown());

  private final LinkedBlockingQueue<Msg> received = new LinkedBlockingQueue<>();
  private final Pid<Msg> pid;

  private Probe(Kind kind, Spawner spawner, SpawnOptions<Msg> options) {
    pid = kind.spawn(spawner, this::on, options);
  }

  /** Starts one that ends by exit signals. */
  public static Probe start(Kind kind, Spawner spawner) {
    return start(kind, spawner, SpawnOptions.defaults());
  }

  /** Starts one that traps exit signals. */
  public static Probe trapping(Kind kind, Spawner spawner) {
    return start(kind, spawner, SpawnOptions.<Msg>defaults().trappingExits(Msg.GotExit::new));
  }

  /** Starts one with options. */
  public static Probe start(Kind kind, Spawner spawner, SpawnOptions<Msg> options) {
    return new Probe(kind, spawner, options);
  }

  private void on(Self<Msg> self, Msg message) throws Exception {
    if (message instanceof Msg.Do(Job<?> job)) {
      Object _ = job.run(self);
    } else if (message instanceof Msg.GotExit(Exit exit) && exit.equals(NODE_CLOSES)) {
      throw new ExitException(exit.reason());
    } else {
      received.add(message);
    }
  }

  /** Its pid. */
  public Pid<Msg> pid() {
    return pid;
  }

  /**
   * Runs a job in the process and waits for what comes of it. What the job throws is thrown here
   * and does not leave the process's code, but for an error that the process cannot survive anyway.
   */
  public <T> T run(Job<T> job) {
    return Await.result("a job of " + describe(), start(job));
  }

  /** Runs a job that answers nothing; see {@link #run}. */
  public void act(Job.Plain job) {
    Boolean _ =
        run(self -> {
          job.run(self);
          return true;
        });
  }

  /** Like {@link #run}, without waiting. */
  public <T> CompletableFuture<T> start(Job<T> job) {
    CompletableFuture<T> result = new CompletableFuture<>();
    pid.send(
        new Msg.Do(self -> {
          try {
            T value = job.run(self);
            result.complete(value);
          } catch (Throwable t) { // the test is told
            result.completeExceptionally(t);
            if (t instanceof io.selvage.kernel.ProcessEndedError ended) {
              throw ended;
            }
          }
          return null;
        }));
    return result;
  }

  /**
   * Tells the process to do something, without waiting. What it throws leaves the process's code.
   */
  public void tell(Job.Plain job) {
    pid.send(
        new Msg.Do(self -> {
          job.run(self);
          return null;
        }));
  }

  /**
   * Keeps it inside a handler, where it takes nothing, until a gate opens or it is killed. Returns
   * when it is there.
   */
  public void hold(CountDownLatch gate) {
    CountDownLatch held = new CountDownLatch(1);
    tell(_ -> {
      held.countDown();
      gate.await();
    });
    Await.until(pid + " to be held", () -> held.getCount() == 0);
  }

  /** Sends it something to keep. */
  public void say(Object what) {
    pid.send(new Msg.Say(what));
  }

  /** A round trip: when it returns, all that had arrived before has been handled. */
  public void barrier() {
    act(_ -> {});
  }

  /** Whether the process still does what it is told. */
  public boolean answers() {
    barrier();
    return true;
  }

  /** The next message it received, of those not asked for yet. */
  public Msg next() {
    try {
      Msg message = received.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (message == null) {
        throw new AssertionError("no message for " + describe());
      }
      return message;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** The next message, which must be an exit. */
  public Exit nextExit() {
    Msg message = next();
    if (message instanceof Msg.GotExit(Exit exit)) {
      return exit;
    }
    throw new AssertionError("wanted an exit, got " + message);
  }

  /** The next message, which must be a down. */
  public Down nextDown() {
    Msg message = next();
    if (message instanceof Msg.GotDown(Down down)) {
      return down;
    }
    throw new AssertionError("wanted a down, got " + message);
  }

  /** The next message, which must be something said. */
  public Object nextSaid() {
    Msg message = next();
    if (message instanceof Msg.Say(Object what)) {
      return what;
    }
    throw new AssertionError("wanted something said, got " + message);
  }

  /** The next message, which must be a request. */
  public Msg.Ask nextAsked() {
    Msg message = next();
    if (message instanceof Msg.Ask ask) {
      return ask;
    }
    throw new AssertionError("wanted a request, got " + message);
  }

  /** All it received and has not been asked for, after a {@link #barrier}. */
  public List<Msg> drain() {
    barrier();
    List<Msg> all = new ArrayList<>();
    received.drainTo(all);
    return all;
  }

  /** What it has received and not been asked for, of a process that may have ended. */
  public List<Msg> leftOvers() {
    return List.copyOf(received);
  }

  /**
   * Asserts that nothing more has arrived. Only sees what arrived before: give it an order first.
   */
  public void assertQuiet() {
    List<Msg> rest = drain();
    if (!rest.isEmpty()) {
      throw new AssertionError("wanted nothing more, got " + rest);
    }
  }

  /** Waits until the process has ended. */
  public void awaitEnd() {
    Await.until(describe() + " to end", () -> !pid.isAlive());
  }

  /** Calls it from the present thread. */
  public Object ask(Object what, Duration timeout) {
    return pid.<Object>call(replyTo -> new Msg.Ask(what, replyTo), timeout);
  }

  private String describe() {
    return pid + (pid.isAlive() ? " (alive)" : " (ended)");
  }
}
