package io.selvage.kernel.support;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.Down;
import io.selvage.kernel.Monitored;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.Spawner;
import java.util.function.Function;

/** The ways to run a process. Every case must come out the same on all of them. */
public enum Kind {
  /** A body on a virtual thread. */
  DIRECT,
  /** A behavior on the node's workers. */
  EVENT,
  /** A body on a platform thread of its own. */
  DIRECT_ON_PLATFORM_THREAD,
  /** A behavior on a virtual thread of its own. */
  EVENT_ON_VIRTUAL_THREAD,
  /**
   * A body on the node's workers, where the JVM allows it. A choice of the node, not of the
   * process.
   */
  DIRECT_ON_WORKERS;

  /** What a node needs to have processes of this kind. */
  public NodeOptions configure(NodeOptions options) {
    return this == DIRECT_ON_WORKERS ? options.withDirectOnWorkers(true) : options;
  }

  /** Whether the process is a body. */
  public boolean isDirect() {
    return this != EVENT && this != EVENT_ON_VIRTUAL_THREAD;
  }

  /** Spawns a process of this kind. */
  public <M> Pid<M> spawn(Spawner spawner, Step<M> step) {
    return spawn(spawner, step, SpawnOptions.defaults());
  }

  /** Spawns a process of this kind, with options. */
  public <M> Pid<M> spawn(Spawner spawner, Step<M> step, SpawnOptions<M> options) {
    return isDirect()
        ? spawner.spawn(body(step), adjust(options))
        : spawner.spawn(behavior(step), adjust(options));
  }

  /** Spawns a process of this kind with a link to its parent. */
  public <M> Pid<M> spawnLink(Self<?> self, Step<M> step) {
    return spawn(self, step, SpawnOptions.<M>defaults().linked());
  }

  /** Spawns a process of this kind with a monitor on it. */
  public <M, P> Monitored<M> spawnMonitor(
      Self<P> self, Step<M> step, Function<? super Down, ? extends P> toMessage) {
    return spawnMonitor(self, step, toMessage, SpawnOptions.defaults());
  }

  /** Spawns a process of this kind with a monitor on it, with options. */
  public <M, P> Monitored<M> spawnMonitor(
      Self<P> self,
      Step<M> step,
      Function<? super Down, ? extends P> toMessage,
      SpawnOptions<M> options) {
    return isDirect()
        ? self.spawnMonitor(body(step), toMessage, adjust(options))
        : self.spawnMonitor(behavior(step), toMessage, adjust(options));
  }

  private <M> SpawnOptions<M> adjust(SpawnOptions<M> options) {
    return switch (this) {
      case DIRECT, EVENT, DIRECT_ON_WORKERS -> options;
      case DIRECT_ON_PLATFORM_THREAD -> options.onPlatformThread();
      case EVENT_ON_VIRTUAL_THREAD -> options.onVirtualThread();
    };
  }

  private static <M> Body<M> body(Step<M> step) {
    return self -> {
      if (step instanceof Story<M> story) {
        story.start(self);
      }
      while (true) {
        step.on(self, self.receive());
      }
    };
  }

  private static <M> Behavior<M> behavior(Step<M> step) {
    Behavior<M> running =
        (self, message) -> {
          step.on(self, message);
          return Behavior.same();
        };
    if (step instanceof Story<M> story) {
      return Behavior.setup(self -> {
        story.start(self);
        return running;
      });
    }
    return running;
  }
}
