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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link Applications} that run. */
final class ApplicationsLoop<M> extends Loop<M> {
  private static final System.Logger LOG = System.getLogger("io.selvage.otp");

  private record AppDown(Down down) implements SystemMessage {}

  /** Of a process that was linked with this: an application tells its end by its monitor. */
  private record OtherExit(Exit exit) implements SystemMessage {}

  /** An application that was started. */
  private record Running(Application application, Pid<?> top, MonitorRef monitor) {}

  private final Applications.Options options;

  /** All that are known, by their names. */
  private final Map<String, Application> known = new LinkedHashMap<>();

  /** In the order in which they were started. */
  private final List<Running> running = new ArrayList<>();

  /** Who asked for the stop that goes on, and how long it may take. */
  private @Nullable ReplyTo<StopReport> stopper;

  private Duration deadline;

  private ApplicationsLoop(Applications.Options options, List<Application> applications) {
    this.options = options;
    applications.forEach(each -> known.put(each.name(), each));
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
    public Behavior<M> start(Self<M> self, Ack<Applications> ack) {
      trapExits(self, OtherExit::new);
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
    } catch (Throwable failure) {
      return new Applications.NotStarted(
          application.name(), phase, new ExitReason.Crash(Fault.survivable(failure)));
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
              Optional.ofNullable(known.get(name))
                  .map(this::settings)
                  .orElse(options.environment()));
      case Applications.Request.Load(var application, var replyTo) ->
          replyTo.send(load(application));
      case Applications.Request.Start(var name, var withOthers, var replyTo) ->
          replyTo.send(withOthers ? startWithOthers(self, name) : start(self, name));
      case Applications.Request.Stop(var name, var replyTo) -> replyTo.send(stop(self, name));
      case Applications.Request.StopAll(var within, var replyTo) -> {
        stopper = replyTo;
        deadline = within;
        return stop(self, ExitReason.shutdown());
      }
      case Applications.Request.AwaitEnd _ -> {}
      case AppDown(Down down) -> {
        return ended(self, down);
      }
      case OtherExit _ -> {}
      default -> {
        return super.onOwn(self, message);
      }
    }
    return this;
  }

  // ---------------------------------------------------------------- one of them

  private @Nullable Running runningOf(String name) {
    return running.stream()
        .filter(each -> each.application().name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private Object load(Application application) {
    if (runningOf(application.name()) != null) {
      return new Applications.Request.Refused(
          "an application called "
              + application.name()
              + " runs: stop it first, or give the new one another name");
    }
    known.put(application.name(), application);
    return true;
  }

  private StartApplicationResult start(Self<M> self, String name) {
    Application application = known.get(name);
    if (application == null) {
      return new StartApplicationResult.Unknown(name, List.copyOf(known.keySet()));
    }
    if (runningOf(name) != null) {
      return new StartApplicationResult.AlreadyStarted(name);
    }
    List<String> missing =
        application.dependencies().stream().filter(other -> runningOf(other) == null).toList();
    return missing.isEmpty()
        ? startAll(self, List.of(application))
        : new StartApplicationResult.DependenciesNotStarted(name, missing);
  }

  private Object startWithOthers(Self<M> self, String name) {
    Map<String, Application> needed = new LinkedHashMap<>();
    Deque<String> toSee = new ArrayDeque<>(List.of(name));
    while (!toSee.isEmpty()) {
      String next = toSee.removeFirst();
      if (needed.containsKey(next)) {
        continue;
      }
      Application application = known.get(next);
      if (application == null) {
        return new StartApplicationResult.Unknown(next, List.copyOf(known.keySet()));
      }
      needed.put(next, application);
      toSee.addAll(application.dependencies());
    }
    List<Application> inOrder;
    try {
      inOrder = StartOrder.of(needed.values());
    } catch (IllegalArgumentException circle) {
      return new Applications.Request.Refused(Objects.requireNonNull(circle.getMessage()));
    }
    return startAll(self, inOrder.stream().filter(each -> runningOf(each.name()) == null).toList());
  }

  /** Starts some; if one fails, those before it are stopped. */
  private StartApplicationResult startAll(Self<M> self, List<Application> inOrder) {
    List<Running> before = List.copyOf(running);
    for (Application each : inOrder) {
      Applications.NotStarted failed = begin(self, each);
      if (failed != null) {
        for (Running started : List.copyOf(running).reversed()) {
          if (!before.contains(started)) {
            StopReport.Stop _ = stop(self, started, started.application().shutdown());
          }
        }
        return new StartApplicationResult.Failed(failed);
      }
    }
    return new StartApplicationResult.Started(inOrder.stream().map(Application::name).toList());
  }

  private StopApplicationResult stop(Self<M> self, String name) {
    Running one = runningOf(name);
    if (one == null) {
      return known.containsKey(name)
          ? new StopApplicationResult.NotStarted(name)
          : new StopApplicationResult.Unknown(name, List.copyOf(known.keySet()));
    }
    List<String> by =
        running.stream()
            .map(Running::application)
            .filter(other -> other.dependencies().contains(name))
            .map(Application::name)
            .toList();
    return by.isEmpty()
        ? new StopApplicationResult.Stopped(stop(self, one, one.application().shutdown()))
        : new StopApplicationResult.Needed(name, by);
  }

  /** Stops one and waits for it; its end is nobody else's. */
  private StopReport.Stop stop(Self<M> self, Running one, Duration time) {
    running.remove(one);
    self.demonitor(one.monitor());
    long from = self.node().nanoTime();
    Ending.Result result = Ending.of(self.node(), List.of(one.top()), ExitReason.shutdown(), time);
    return new StopReport.Stop(
        one.application().name(),
        result.killed().isEmpty()
            ? StopReport.How.IN_ORDER
            : result.running().isEmpty() ? StopReport.How.KILLED : StopReport.How.STILL_RUNNING,
        Duration.ofNanos(self.node().nanoTime() - from));
  }

  // ---------------------------------------------------------------- one has ended

  private Behavior<M> ended(Self<M> self, Down down) throws Exception {
    Running gone =
        running.stream()
            .filter(each -> each.monitor().equals(down.monitor()))
            .findFirst()
            .orElse(null);
    if (gone == null || self.node().isClosing()) { // then it is stopped with the others
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
    for (Running each : List.copyOf(running).reversed()) {
      Duration own = each.application().shutdown();
      Duration left = all.left();
      stops.add(stop(self, each, own.compareTo(left) < 0 ? own : left));
    }
    StopReport report = new StopReport(stops);
    try {
      options.stopped().accept(report);
    } catch (Throwable thrown) { // by whoever is told: the end is as it is
      LOG.log(
          System.Logger.Level.WARNING,
          "the function that is told how the applications of " + self.pid() + " stopped failed",
          Fault.survivable(thrown));
    }
    if (stopper != null) {
      stopper.send(report);
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
