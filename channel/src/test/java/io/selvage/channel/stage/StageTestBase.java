package io.selvage.channel.stage;

import io.selvage.kernel.Address;
import io.selvage.kernel.Down;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** What the tests of stages have in common. */
abstract class StageTestBase extends KernelTest {
  /** The two forms in which a stage runs. */
  enum Form {
    EVENT,
    ON_VIRTUAL_THREAD
  }

  static <M> SpawnOptions<M> options(Form form) {
    SpawnOptions<M> defaults = SpawnOptions.defaults();
    return form == Form.EVENT ? defaults : defaults.onVirtualThread();
  }

  final <I, O> Pid<StageMessage<I, O>> start(Form form, Stage<I, O> stage) {
    return stage.start(node, options(form));
  }

  /** The reason of a process that will end. Made before that. */
  final CompletableFuture<ExitReason> endOf(Pid<?> pid) {
    CompletableFuture<ExitReason> end = new CompletableFuture<>();
    Probe.start(Kind.EVENT, node)
        .act(self -> {
          Address<?> target = pid;
          self.monitor(
              target,
              (Down down) -> {
                end.complete(down.reason());
                return new Msg.GotDown(down);
              });
        });
    return end;
  }

  static ExitReason reason(CompletableFuture<ExitReason> end) {
    return Await.result("the end of a stage", end);
  }

  static <I, O> StageStats stats(Pid<StageMessage<I, O>> stage) {
    return stage.call(StageMessage::stats, Await.LIMIT);
  }

  /** Counts up, and how often it was asked. */
  static final class Counting implements Iterator<Integer> {
    final AtomicInteger made = new AtomicInteger();
    private final int end;

    Counting(int end) {
      this.end = end;
    }

    @Override
    public boolean hasNext() {
      return made.get() < end;
    }

    @Override
    public Integer next() {
      return made.getAndIncrement();
    }
  }

  /** Keeps what it is given, and lets as many pass as the test says. */
  static final class Gate<T> implements Stage.Taking<T> {
    final List<T> taken = Collections.synchronizedList(new ArrayList<>());
    final Semaphore permits;

    Gate(int permits) {
      this.permits = new Semaphore(permits);
    }

    static <T> Gate<T> open() {
      return new Gate<>(Integer.MAX_VALUE);
    }

    @Override
    public void accept(T item) throws InterruptedException {
      permits.acquire();
      taken.add(item);
    }

    List<T> all() {
      synchronized (taken) {
        return List.copyOf(taken);
      }
    }

    void awaitTaken(int number) {
      Await.until(number + " items to be taken", () -> taken.size() >= number);
    }
  }
}
