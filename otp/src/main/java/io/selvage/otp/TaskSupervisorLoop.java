package io.selvage.otp;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.spi.SystemMessage;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@link TaskSupervisor} that runs. */
final class TaskSupervisorLoop<M> extends Loop<M> {
  private final TaskSupervisor.Limits limits;

  /** The tasks that run: linked with this, so that they end with it whatever happens. */
  private final Set<Pid<Void>> children = new LinkedHashSet<>();

  private TaskSupervisorLoop(TaskSupervisor.Limits limits) {
    this.limits = limits;
  }

  private record Program<M>(TaskSupervisor.Limits limits)
      implements Init.Setup<M, TaskSupervisor>, SystemMessage.Program {
    @Override
    public Class<?> code() {
      return TaskSupervisor.class;
    }

    @Override
    @SuppressWarnings("unchecked") // the loop takes system messages beside those of the user
    public Behavior<M> start(Self<M> self, Ack<TaskSupervisor> ack) {
      self.trapExits(exit -> (M) (Object) new Trapped(exit.from(), exit.reason()));
      ack.ready(new TaskSupervisor(self.pid()));
      return new TaskSupervisorLoop<>(limits);
    }
  }

  /** Somebody else's exit signal: of a task, most often. */
  private record Trapped(@Nullable Pid<?> from, ExitReason reason) implements SystemMessage {}

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
      case TaskSupervisor.Request.Start(var run, var replyTo) ->
          replyTo.send(children.size() < limits.children() ? begin(self, run) : Optional.empty());
      case TaskSupervisor.Request.Children(var replyTo) -> replyTo.send(List.copyOf(children));
      case TaskSupervisor.Request.Terminate(var child, var replyTo) -> {
        boolean ours = children.contains(child);
        if (ours) {
          child.exit(ExitReason.shutdown());
        }
        replyTo.send(ours);
      }
      case Trapped(var from, var reason) -> {
        if (from == null) { // the node closes, or somebody ends it
          return stop(self, reason);
        }
        boolean _ = children.remove(from);
      }
      default -> {
        return super.onOwn(self, message);
      }
    }
    return this;
  }

  private Optional<Pid<?>> begin(Self<M> self, TaskRun<?> run) {
    Pid<Void> child = self.spawn(run, SpawnOptions.<Void>defaults().linked());
    children.add(child);
    return Optional.of(child);
  }

  @Override
  void terminate(Self<M> self, ExitReason reason) {
    Ending.Result _ = Ending.of(self.node(), children, ExitReason.shutdown(), limits.shutdown());
    children.clear();
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
