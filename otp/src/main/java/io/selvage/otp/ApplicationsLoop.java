package io.selvage.otp;

import io.selvage.kernel.Ack;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Init;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.spi.SystemMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Applications} that run. */
final class ApplicationsLoop<M> extends Loop<M> {
  private static final System.Logger LOG = System.getLogger("io.selvage.otp");

  private record AppDown(Down down) implements SystemMessage {}

  private record Trapped(Exit exit) implements SystemMessage {}

  /** An application that was started. */
  private record Running(Application application, Pid<?> top, MonitorRef monitor) {}

  private final Applications.Options options;
  private final List<Application> applications;

  /** In the order in which they were started. */
  private final List<Running> running = new ArrayList<>();

  /** Who asked for the stop that goes on, and how long it may take. */
  private @Nullable ReplyTo<StopReport> stopper;

  private Duration deadline;

  private ApplicationsLoop(Applications.Options options, List<Application> applications) {
    this.options = options;
    this.applications = applications;
    this.deadline = options.deadline();
  }

  // ---------------------------------------------------------------- the start

  private record Program<M>(Applications.Options options, List<Application> applications)
      implements Init.Setup<M, Applications>, SystemMessage.Program {
    @Override
    public Class<?> code() {
      return Applications.class;
    }

    @Override
    @SuppressWarnings("unchecked") // the loop takes system messages beside those of the user
    public Behavior<M> start(Self<M> self, Ack<Applications> ack) {
      self.trapExits(exit -> (M) (Object) new Trapped(exit));
      ApplicationsLoop<M> loop = new ApplicationsLoop<>(options, applications);
      for (Application each : applications) {
        Applications.NotStarted failed = loop.begin(self, each);
        if (failed != null) {
          loop.terminate(self, failed);
          throw ack.fail(failed, ExitReason.normal());
        }
      }
      ack.ready(new Applications(self.pid()));
      return loop;
    }
  }

  static <M> Init<M, Applications> program(
      Applications.Options options, List<Application> applications) {
    return Init.behavior(
        new Program<>(Objects.requireNonNull(options, "options"), List.copyOf(applications)));
  }

  /** Starts one, with its phases; answers why that failed, or null. */
  private Applications.@Nullable NotStarted begin(Self<M> self, Application application) {
    Environment environment = settings(application);
    String phase = "";
    try {
      StartResult<?, ?> result =
          Objects.requireNonNull(
              application.start().start(self, environment), "its start answered null");
      if (result instanceof StartResult.Failed<?, ?> failed) {
        return new Applications.NotStarted(application.name(), phase, failed.reason());
      }
      Pid<?> top = result.orThrow().pid();
      self.link(top); // ends with this, whatever happens
      running.add(new Running(application, top, monitor(self, top)));
      for (Application.Phase each : application.phases()) {
        phase = each.name();
        each.action().run(top, environment);
      }
      return null;
    } catch (ExitException exit) {
      return new Applications.NotStarted(application.name(), phase, exit.reason());
    } catch (Exception failure) {
      return new Applications.NotStarted(application.name(), phase, new ExitReason.Crash(failure));
    }
  }

  @SuppressWarnings("unchecked") // the loop takes system messages beside those of the user
  private MonitorRef monitor(Self<M> self, Pid<?> top) {
    return self.monitor(top, down -> (M) (Object) new AppDown(down));
  }

  private Environment settings(Application application) {
    return application.environment().with(options.environment());
  }

  // ---------------------------------------------------------------- messages

  @Override
  Behavior<M> onUser(Self<M> self, M message) {
    return this; // it understands none
  }

  @Override
  Behavior<M> onOwn(Self<M> self, SystemMessage message) throws Exception {
    switch (message) {
      case Applications.Request.Running(var replyTo) ->
          replyTo.send(running.stream().map(each -> each.application().name()).toList());
      case Applications.Request.Settings(var name, var replyTo) ->
          replyTo.send(
              applications.stream()
                  .filter(each -> each.name().equals(name))
                  .findFirst()
                  .map(this::settings)
                  .orElse(options.environment()));
      case Applications.Request.StopAll(var within, var replyTo) -> {
        stopper = replyTo;
        deadline = within;
        return stop(self, ExitReason.shutdown());
      }
      case Applications.Request.AwaitEnd _ -> {}
      case AppDown(Down down) -> {
        return ended(self, down);
      }
      case Trapped(Exit exit) -> {
        if (exit.from() == null) { // the node closes, or somebody ends it
          return stop(self, exit.reason());
        }
      }
      default -> {
        return super.onOwn(self, message);
      }
    }
    return this;
  }

  private Behavior<M> ended(Self<M> self, Down down) throws Exception {
    Running gone =
        running.stream()
            .filter(each -> each.monitor().equals(down.monitor()))
            .findFirst()
            .orElse(null);
    if (gone == null) {
      return this;
    }
    running.remove(gone);
    String name = gone.application().name();
    boolean stopsAll =
        switch (gone.application().type()) {
          case PERMANENT -> true;
          case TRANSIENT -> !(down.reason() instanceof ExitReason.Normal);
          case TEMPORARY -> false;
        };
    LOG.log(
        stopsAll ? System.Logger.Level.ERROR : System.Logger.Level.INFO,
        "the application "
            + name
            + " ended with "
            + down.reason()
            + (stopsAll ? ": all others are stopped" : ""));
    return stopsAll ? stop(self, new Applications.Ended(name, down.reason())) : this;
  }

  // ---------------------------------------------------------------- the end

  @Override
  void terminate(Self<M> self, ExitReason reason) {
    Deadline all = Deadline.in(deadline);
    List<StopReport.Stop> stops = new ArrayList<>();
    for (Running each : running.reversed()) {
      long from = System.nanoTime();
      Duration own = each.application().shutdown();
      Duration left = all.left();
      Ending.Result result =
          Ending.of(
              self.node(),
              List.of(each.top()),
              ExitReason.shutdown(),
              own.compareTo(left) < 0 ? own : left);
      stops.add(
          new StopReport.Stop(
              each.application().name(),
              result.killed().isEmpty()
                  ? StopReport.How.IN_ORDER
                  : result.running().isEmpty()
                      ? StopReport.How.KILLED
                      : StopReport.How.STILL_RUNNING,
              Duration.ofNanos(System.nanoTime() - from)));
    }
    running.clear();
    StopReport report = new StopReport(stops);
    try {
      options.stopped().accept(report);
    } finally {
      if (stopper != null) {
        stopper.send(report);
      }
    }
  }

  // ---------------------------------------------------------------- what others see

  @Override
  String behaviour() {
    return "application controller";
  }

  @Override
  Class<?> code() {
    return Applications.class;
  }

  @Override
  Object state() {
    return running.stream().map(each -> each.application().name()).toList();
  }

  @Override
  void replaceState(Object state) {
    throw new UnsupportedOperationException(
        "the state of a controller is its applications: stop them, and run others, instead");
  }

  @Override
  public Object shownState() {
    return state();
  }
}
