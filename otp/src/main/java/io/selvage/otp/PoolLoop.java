package io.selvage.otp;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Pool} that runs.
 *
 * <p>All that is wanted goes through one queue, which is looked through from its head whenever a
 * worker may have become free. What can have a worker gets it. What can not waits, and with it all
 * behind it that might take its worker: everything, if any worker would do, else only what wants
 * the same one. So nobody is overtaken for ever, and messages of one key keep their order.
 */
final class PoolLoop<M> extends Loop<M> {
  private static final System.Logger LOG = System.getLogger("io.selvage.otp");

  /** A worker that has lived for less is not started again at once. */
  private static final long SETTLED = Duration.ofSeconds(1).toNanos();

  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /** Messages of the pool to itself. */
  private sealed interface Own extends SystemMessage {
    record WorkerDown<M>(PoolSlot<M> slot, Down down) implements Own {}

    record OwnerDown(Pool.Ticket ticket) implements Own {}

    record Answered<M>(
        PoolSlot<M> slot, Pid<M> worker, Wanted.Call<M> wanted, Outcome<Object> outcome)
        implements Own {}

    record StartAgain<M>(PoolSlot<M> slot) implements Own {}

    /** A worker that was told to end has had its time. */
    record EndNow<M>(PoolSlot<M> slot, Pid<M> worker) implements Own {}

    /** Of a process that was linked with this: a worker tells its end by its monitor. */
    record OtherExit(Exit exit) implements Own {}
  }

  /** Something that wants a worker, and the key that tells which, or null. */
  private sealed interface Wanted<M> {
    @Nullable Object key();

    record Cast<M>(M message, @Nullable Object key) implements Wanted<M> {}

    record Call<M>(Pool.Request.Call<M> call, @Nullable Object key) implements Wanted<M> {}

    record Checkout<M>(Pool.Request.Checkout checkout) implements Wanted<M> {
      @Override
      public @Nullable Object key() {
        return null;
      }
    }
  }

  private final Pool.Worker<M> worker;
  private final PoolOptions<M> options;
  private final List<PoolSlot<M>> slots = new ArrayList<>();

  /** Those that are too many, until their workers have ended. */
  private final Set<PoolSlot<M>> retired = new HashSet<>();

  private final Map<Pool.Ticket, PoolSlot<M>> leases = new HashMap<>();
  private final ArrayDeque<Wanted<M>> queue = new ArrayDeque<>();
  private final PoolRouter<M> router;
  private long refused;
  private long replaced;

  private PoolLoop(Pool.Worker<M> worker, PoolOptions<M> options, PoolRouter<M> router) {
    this.worker = worker;
    this.options = options;
    this.router = router;
  }

  // ---------------------------------------------------------------- the start

  private record Program<M>(Pool.Worker<M> worker, PoolOptions<M> options)
      implements Init.Setup<M, Pool<M>>, SystemMessage.Program {
    @Override
    public Class<?> code() {
      return worker.getClass();
    }

    @Override
    public Behavior<M> start(Self<M> self, Ack<Pool<M>> ack) throws Exception {
      trapExits(self, Own.OtherExit::new);
      PoolLoop<M> loop =
          new PoolLoop<>(worker, options, new PoolRouter<>(options.routing(), self.node()));
      for (int i = 0; i < options.size(); i++) {
        PoolSlot<M> slot = new PoolSlot<>(i);
        if (loop.startWorker(self, slot) instanceof StartResult.Failed<?, ?> failed) {
          loop.terminate(self, failed.reason());
          throw ack.fail(failed.reason());
        }
        loop.slots.add(slot);
      }
      loop.router.resized(loop.slots);
      ack.ready(new Pool<>(self.pid()));
      return loop;
    }
  }

  static <M> Init<M, Pool<M>> program(Pool.Worker<M> worker, PoolOptions<M> options) {
    return Init.behavior(
        new Program<>(
            Objects.requireNonNull(worker, "worker"), Objects.requireNonNull(options, "options")));
  }

  // The loop takes system messages beside those of the user.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <M> M own(Own message) {
    return (M) (Object) message;
  }

  private StartResult<M, ?> startWorker(Self<M> self, PoolSlot<M> slot) {
    StartResult<M, ?> result =
        Objects.requireNonNull(worker.start(self), "the start of a worker answered null");
    if (result instanceof StartResult.Started<M, ?>(var pid, _)) {
      self.link(pid);
      slot.started(pid, self.node().nanoTime());
      self.monitor(pid, down -> own(new Own.WorkerDown<>(slot, down)));
    }
    return result;
  }

  private void replace(Self<M> self, PoolSlot<M> slot) {
    StartResult<M, ?> result;
    try {
      result = startWorker(self, slot);
    } catch (Throwable thrown) { // by the user's function
      Throwable failure = Fault.survivable(thrown);
      if (self.node().isClosing()) {
        return; // which ends this, too
      }
      LOG.log(
          System.Logger.Level.WARNING,
          "the pool " + self.pid() + " could not start a worker and will try again",
          failure);
      startAgainLater(self, slot);
      return;
    }
    if (result instanceof StartResult.Failed<?, ?>) {
      startAgainLater(self, slot);
    } else {
      replaced++;
    }
  }

  private void startAgainLater(Self<M> self, PoolSlot<M> slot) {
    Duration doubled = slot.pause.multipliedBy(2);
    slot.pause =
        doubled.isZero()
            ? FIRST_PAUSE
            : doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    slot.timer = self.sendAfter(slot.pause, PoolLoop.<M>own(new Own.StartAgain<>(slot)));
  }

  // ---------------------------------------------------------------- messages

  @Override
  Behavior<M> onUser(Self<M> self, M message) {
    try {
      want(self, new Wanted.Cast<>(message, router.key(message)));
    } catch (Throwable thrown) {
      Throwable noKey = Fault.survivable(thrown);
      LOG.log(
          System.Logger.Level.WARNING,
          "a message to the pool " + self.pid() + " is dropped: its key could not be told",
          noKey);
      refused++;
    }
    return this;
  }

  @Override
  @SuppressWarnings("unchecked") // its own messages are of its own workers
  Behavior<M> onOwn(Self<M> self, SystemMessage message) throws Exception {
    switch (message) {
      case Pool.Request request -> onRequest(self, request);
      case Own.OtherExit _ -> {}
      case Own.WorkerDown<?>(var slot, _) -> workerDown(self, (PoolSlot<M>) slot);
      case Own.OwnerDown(var ticket) ->
          giveBack(self, ticket, options.ownerEnds() == PoolOptions.OwnerEnds.REPLACE);
      case Own.Answered<?> answered -> answered(self, (Own.Answered<M>) answered);
      case Own.StartAgain<?>(var slot) -> {
        if (!retired.contains(slot) && slot.worker == null) {
          replace(self, (PoolSlot<M>) slot);
        }
      }
      case Own.EndNow<?>(var slot, var pid) -> {
        if (pid.equals(slot.worker)) {
          pid.kill();
        }
      }
      default -> {
        return super.onOwn(self, message);
      }
    }
    serve(self);
    return this;
  }

  @SuppressWarnings("unchecked") // calls are made by the pool of these messages
  private void onRequest(Self<M> self, Pool.Request request) {
    switch (request) {
      case Pool.Request.Checkout checkout -> want(self, new Wanted.Checkout<>(checkout));
      case Pool.Request.Call<?> call -> want(self, (Pool.Request.Call<M>) call);
      case Pool.Request.Back(var ticket, boolean broken) -> giveBack(self, ticket, broken);
      case Pool.Request.Resize(int size, var replyTo) -> {
        resize(self, size);
        replyTo.send(true);
      }
      case Pool.Request.Ask(var replyTo) -> replyTo.send(status());
    }
  }

  private void want(Self<M> self, Pool.Request.Call<M> call) {
    Object key;
    try {
      key = router.needsKey() ? router.key(call.request().apply(call.replyTo())) : null;
    } catch (Throwable noKey) {
      call.replyTo().send(new Pool.Failed(new ExitReason.Crash(Fault.survivable(noKey))));
      return;
    }
    want(self, new Wanted.Call<>(call, key));
  }

  // ---------------------------------------------------------------- the queue

  private void want(Self<M> self, Wanted<M> wanted) {
    queue.addLast(wanted);
    serve(self);
    if (queue.size() > options.queue()) {
      switch (options.whenFull()) {
        case REFUSE -> refuse(self, queue.removeLast());
        case DROP_OLDEST -> refuse(self, queue.removeFirst());
        case DROP_NEWEST -> {
          Wanted<M> _ = queue.removeLast();
          refused++;
        }
      }
    }
  }

  private void refuse(Self<M> self, Wanted<M> wanted) {
    refused++;
    Pool.Failed full = new Pool.Failed(new Pool.Full(self.pid()));
    switch (wanted) {
      case Wanted.Cast<M> _ -> {}
      case Wanted.Call<M>(var call, _) -> call.replyTo().send(full);
      case Wanted.Checkout<M>(var checkout) -> checkout.replyTo().send(full);
    }
  }

  private void serve(Self<M> self) {
    Set<PoolSlot<M>> blocked = new HashSet<>(0);
    for (Iterator<Wanted<M>> all = queue.iterator(); all.hasNext(); ) {
      Wanted<M> wanted = all.next();
      if (wanted.key() != null) {
        PoolSlot<M> slot = router.slotOf(wanted.key(), slots);
        if (!blocked.contains(slot) && takes(slot, wanted)) {
          all.remove();
          give(self, slot, wanted);
        } else {
          boolean _ = blocked.add(slot);
        }
      } else {
        PoolSlot<M> slot =
            router.choose(slots, each -> !blocked.contains(each) && takes(each, wanted));
        if (slot == null) {
          return;
        }
        all.remove();
        give(self, slot, wanted);
      }
    }
  }

  private boolean takes(PoolSlot<M> slot, Wanted<M> wanted) {
    return slot.isAvailable()
        && switch (wanted) {
          case Wanted.Cast<M> _ -> true;
          case Wanted.Call<M> _ -> slot.calls < options.load();
          case Wanted.Checkout<M> _ -> slot.calls == 0;
        };
  }

  private void give(Self<M> self, PoolSlot<M> slot, Wanted<M> wanted) {
    Pid<M> to = Objects.requireNonNull(slot.worker);
    switch (wanted) {
      case Wanted.Cast<M>(M message, _) -> to.send(message);
      case Wanted.Call<M> call -> call(self, slot, to, call);
      case Wanted.Checkout<M>(Pool.Request.Checkout(var ticket, var owner, var replyTo)) -> {
        slot.lease = ticket;
        leases.put(ticket, slot);
        if (owner != null) {
          slot.ownerMonitor = self.monitor(owner, _ -> own(new Own.OwnerDown(ticket)));
        }
        replyTo.send(to);
      }
    }
  }

  private void call(Self<M> self, PoolSlot<M> slot, Pid<M> to, Wanted.Call<M> wanted) {
    try {
      self.<M, Object>request(
          to,
          wanted.call().request(),
          options.stuckAfter(),
          outcome -> own(new Own.Answered<>(slot, to, wanted, outcome)));
      slot.calls++;
    } catch (Throwable noRequest) { // of the caller's function
      wanted
          .call()
          .replyTo()
          .send(new Pool.Failed(new ExitReason.Crash(Fault.survivable(noRequest))));
    }
  }

  private void answered(Self<M> self, Own.Answered<M> answered) {
    PoolSlot<M> slot = answered.slot();
    boolean present = answered.worker().equals(slot.worker);
    if (present) {
      slot.calls--;
    }
    ReplyTo<Object> replyTo = answered.wanted().call().replyTo();
    switch (answered.outcome()) {
      case Outcome.Replied<Object>(var reply) -> replyTo.send(reply);
      case Outcome.Failed<Object>(_, ExitReason.NoProc _) -> {
        // It had ended, and the news of that is on its way: nothing was done, so another may.
        slot.gone |= present;
        queue.addFirst(answered.wanted());
      }
      case Outcome.Failed<Object>(_, var reason) -> replyTo.send(new Pool.Failed(reason));
      case Outcome.TimedOut<Object> _ -> {
        slot.gone |= present;
        LOG.log(
            System.Logger.Level.WARNING,
            "the worker "
                + answered.worker()
                + " of the pool "
                + self.pid()
                + " has not answered within "
                + options.stuckAfter()
                + ": it is killed and replaced");
        answered.worker().kill();
        replyTo.send(new Pool.Failed(ExitReason.killed()));
      }
    }
    if (present) {
      endIfRetired(self, slot);
    }
  }

  // ---------------------------------------------------------------- workers

  private void giveBack(Self<M> self, Pool.Ticket ticket, boolean broken) {
    PoolSlot<M> slot = leases.remove(ticket);
    if (slot == null) {
      queue.removeIf(wanted -> isOf(ticket, wanted));
      return;
    }
    slot.lease = null;
    if (slot.ownerMonitor != null) {
      self.demonitorFlush(slot.ownerMonitor);
      slot.ownerMonitor = null;
    }
    if (broken) {
      end(self, slot);
    } else {
      endIfRetired(self, slot);
    }
  }

  private boolean isOf(Pool.Ticket ticket, Wanted<M> wanted) {
    return switch (wanted) {
      case Wanted.Cast<M> _ -> false;
      case Wanted.Call<M>(var call, _) -> call.ticket() == ticket;
      case Wanted.Checkout<M>(var checkout) -> checkout.ticket() == ticket;
    };
  }

  private void endIfRetired(Self<M> self, PoolSlot<M> slot) {
    if (retired.contains(slot) && slot.lease == null && slot.calls == 0) {
      end(self, slot);
    }
  }

  /** Tells a worker to end; its end does the rest. */
  private void end(Self<M> self, PoolSlot<M> slot) {
    Pid<M> present = slot.worker;
    if (present != null && !slot.ending) {
      slot.ending = true;
      present.exit(ExitReason.shutdown());
      slot.timer =
          self.sendAfter(options.shutdown(), PoolLoop.<M>own(new Own.EndNow<>(slot, present)));
    }
  }

  private void workerDown(Self<M> self, PoolSlot<M> slot) {
    boolean ended = slot.ending;
    if (slot.lease != null) {
      leases.remove(slot.lease);
      if (slot.ownerMonitor != null) {
        self.demonitorFlush(slot.ownerMonitor);
      }
    }
    boolean settled = slot.ended(self.node().nanoTime(), SETTLED);
    if (retired.remove(slot) || self.node().isClosing()) {
      return;
    }
    if (ended || settled) {
      slot.pause = Duration.ZERO;
      replace(self, slot);
    } else {
      startAgainLater(self, slot);
    }
  }

  private void resize(Self<M> self, int size) {
    while (slots.size() < size) {
      PoolSlot<M> slot = new PoolSlot<>(slots.size());
      slots.add(slot);
      replace(self, slot);
    }
    while (slots.size() > size) {
      PoolSlot<M> slot = slots.removeLast();
      if (slot.worker == null) {
        slot.cancelTimer();
      } else {
        retired.add(slot);
        endIfRetired(self, slot);
      }
    }
    router.resized(slots);
  }

  private Pool.Status status() {
    int idle = 0;
    int busy = 0;
    int missing = 0;
    for (PoolSlot<M> slot : slots) {
      if (slot.worker == null || slot.ending || slot.gone) {
        missing++;
      } else if (slot.calls > 0) {
        busy++;
      } else if (slot.lease == null) {
        idle++;
      }
    }
    return new Pool.Status(
        slots.size(), idle, leases.size(), busy, missing, queue.size(), refused, replaced);
  }

  // ---------------------------------------------------------------- what others see

  @Override
  void terminate(Self<M> self, ExitReason reason) {
    List<Pid<M>> workers = new ArrayList<>();
    for (List<PoolSlot<M>> some : List.of(slots, List.copyOf(retired))) {
      for (PoolSlot<M> slot : some) {
        slot.cancelTimer();
        if (slot.worker != null) {
          workers.add(slot.worker);
        }
      }
    }
    Ending.Result _ = Ending.of(self.node(), workers, ExitReason.shutdown(), options.shutdown());
  }

  @Override
  String behaviour() {
    return "pool";
  }

  @Override
  Class<?> code() {
    return worker.getClass();
  }

  @Override
  Object state() {
    return status();
  }

  @Override
  void replaceState(Object state) {
    throw new UnsupportedOperationException(
        "the state of a pool is its workers and what they do: resize it instead");
  }

  @Override
  public Object shownState() {
    return status();
  }
}
