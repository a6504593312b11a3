package io.selvage.otp;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.spi.SystemMessage;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A {@link TaskSupervisor} that runs. */
final class TaskSupervisorLoop<M> extends Loop<M> {
  private static final System.Logger LOG = System.getLogger("io.selvage.otp");

  /** How a task is started again. */
  private record Again(TaskRun<?> run, Restart restart) {}

  private final TaskSupervisor.Limits limits;

  /** The tasks that run: linked with this, so that they end with it whatever happens. */
  private final Set<Pid<?>> children = new LinkedHashSet<>();

  /** Those of them that may be started again. */
  private final Map<Pid<?>, Again> restartable = new HashMap<>();

  private final RestartTimes restarts;

  private TaskSupervisorLoop(TaskSupervisor.Limits limits) {
    this.limits = limits;
    this.restarts = new RestartTimes(limits.period());
  }

  private record Program<M>(TaskSupervisor.Limits limits)
      implements Init.Setup<M, TaskSupervisor>, SystemMessage.Program {
    @Override
    public Class<?> code() {
      return TaskSupervisor.class;
    }

    @Override
    public Behavior<M> start(Self<M> self, Ack<TaskSupervisor> ack) {
      trapExits(self, TaskSupervisorLoop::otherExit);
      ack.ready(new TaskSupervisor(self.pid()));
      return new TaskSupervisorLoop<>(limits);
    }
  }

  /** Another process has ended: a task, most often. */
  private record OtherExit(Pid<?> from, ExitReason reason) implements SystemMessage {}

  private static SystemMessage otherExit(Exit exit) {
    return new OtherExit(Objects.requireNonNull(exit.from()), exit.reason());
  }

  static <M> Init<M, TaskSupervisor> program(TaskSupervisor.Limits limits) {
    return Init.behavior(new Program<>(Objects.requireNonNull(limits, "limits")));
  }

  @Override
  Behavior<M> onUser(Self<M> self, M message) {
    return this; // it understands none
  }

  @Override
  Behavior<M> onOwn(Self<M> self, SystemMessage message) throws Exception {
    switch (message) {
      case TaskSupervisor.Request.Start(var run, var restart, var replyTo) -> {
        if (children.size() >= limits.children()) {
          replyTo.send(Optional.empty());
        } else {
          begin(self, new Again(run, restart), SpawnOptions.<Void>defaults())
              .ifPresent(child -> replyTo.send(Optional.of(child)));
        }
      }
      case TaskSupervisor.Request.Children(var replyTo) -> replyTo.send(List.copyOf(children));
      case TaskSupervisor.Request.Terminate(var child, var replyTo) -> {
        boolean ours = children.contains(child);
        if (ours) {
          restartable.remove(child);
          child.exit(ExitReason.shutdown());
        }
        replyTo.send(ours);
      }
      case OtherExit(var from, var reason) -> {
        return ended(self, from, reason);
      }
      default -> {
        return super.onOwn(self, message);
      }
    }
    return this;
  }

  /** Starts a task; none if the node closes: then whoever waits for it learns this one's end. */
  private Optional<Pid<?>> begin(Self<M> self, Again code, SpawnOptions<Void> options) {
    Pid<Void> child;
    try {
      child = self.spawn(code.run(), options.linked());
    } catch (IllegalStateException refused) {
      if (self.node().isClosing()) {
        return Optional.empty();
      }
      throw refused;
    }
    children.add(child);
    if (code.restart() != Restart.TEMPORARY) {
      restartable.put(child, code);
    }
    return Optional.of(child);
  }

  /** A process has ended: a task, or a stranger. */
  private Behavior<M> ended(Self<M> self, Pid<?> pid, ExitReason reason) throws Exception {
    children.remove(pid);
    Again code = restartable.remove(pid);
    if (code == null || !code.restart().restartsAfter(reason) || self.node().isClosing()) {
      return this;
    }
    String id = pid.toString();
    LOG.log(
        System.Logger.Level.WARNING,
        () -> "a task of " + self.pid() + ", " + id + ", ended with " + reason);
    int times = restarts.count(self.node().nanoTime());
    if (times > limits.intensity()) {
      SupervisorEnd end =
          new SupervisorEnd.TooManyRestarts(id, reason, times, limits.intensity(), limits.period());
      LOG.log(
          System.Logger.Level.ERROR, () -> "the task supervisor " + self.pid() + " ends: " + end);
      return stop(self, new ExitReason.Shutdown(end));
    }
    Optional<Pid<?>> _ = begin(self, code, SpawnOptions.<Void>defaults().restartOf(pid));
    return this;
  }

  @Override
  void terminate(Self<M> self, ExitReason reason) {
    Ending.Result _ = Ending.of(self.node(), children, ExitReason.shutdown(), limits.shutdown());
    children.clear();
    restartable.clear();
  }

  // ---------------------------------------------------------------- what others see

  @Override
  String behaviour() {
    return "task supervisor";
  }

  @Override
  Class<?> code() {
    return TaskSupervisor.class;
  }

  @Override
  Object state() {
    return List.copyOf(children);
  }

  @Override
  void replaceState(Object state) {
    throw new UnsupportedOperationException(
        "the state of a task supervisor is its tasks: start or terminate some instead");
  }

  @Override
  public Object shownState() {
    return children.size() + " tasks";
  }
}
