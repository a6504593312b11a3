package io.selvage.peers.jetlang;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jetlang.fibers.Fiber;
import org.jetlang.fibers.PoolFiberFactory;

/** The pool of all fibers, with one thread for each processor. */
final class Fibers {
  private static final ExecutorService POOL =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
  private static final PoolFiberFactory FACTORY = new PoolFiberFactory(POOL);

  private Fibers() {}

  /** Returns when the pool is there. */
  static void start() throws Exception {
    POOL.submit(() -> true).get();
  }

  /** Ends the pool, and the thread that the factory has for what is scheduled. */
  static void stop() {
    FACTORY.dispose();
    POOL.shutdown();
  }

  /** Makes a fiber that runs. */
  static Fiber started() {
    Fiber fiber = FACTORY.create();
    fiber.start();
    return fiber;
  }
}
