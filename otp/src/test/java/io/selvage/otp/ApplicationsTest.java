package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.CallException;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.ChildJvm;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Probe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applications: the order of their starts and stops, and what the end of one means. */
class ApplicationsTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Setting<String> COLOUR = Setting.of("colour", "grey");

  /** What happened, in order. */
  private final List<String> told = new CopyOnWriteArrayList<>();

  private final List<StopReport> reports = new CopyOnWriteArrayList<>();
  private final Map<String, Pid<?>> tops = new ConcurrentHashMap<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private final Applications.Options options =
      Applications.Options.defaults().reportingTo(reports::add);

  /** Tells of its start and its end. */
  private final class Top implements Server<String, ExitReason> {
    private final String name;
    private final boolean stubborn;

    Top(String name, boolean stubborn) {
      this.name = name;
      this.stubborn = stubborn;
    }

    @Override
    public FirstStep<String, ExitReason> init(Self<ExitReason> self) {
      self.trapExits(Exit::reason);
      tops.put(name, self.pid());
      told.add("+" + name);
      return Next.with("");
    }

    @Override
    public Next<String, ExitReason> onMessage(
        Self<ExitReason> self, String state, ExitReason message) {
      throw new ExitException(message);
    }

    @Override
    public void terminate(Self<ExitReason> self, String state, ExitReason reason)
        throws InterruptedException {
      if (stubborn) {
        release.await();
      }
      told.add("-" + name);
    }
  }

  private Application app(String name, String... dependencies) {
    return Application.of(name, (spawner, _) -> Server.start(spawner, new Top(name, false)))
        .after(dependencies);
  }

  private Application failing(String name, String... dependencies) {
    return Application.of(
            name,
            (_, _) -> {
              throw new ExitException(new ExitReason.Shutdown("no"));
            })
        .after(dependencies);
  }

  private Applications start(Form form, Application... applications) {
    return node.start(Applications.<Object>of(options, applications), SOON, form.<Object>options())
        .orThrow()
        .value();
  }

  @SuppressWarnings("unchecked") // all are of this test
  private void end(String name, ExitReason reason) {
    ((Pid<ExitReason>) tops.get(name)).send(reason);
  }

  // ---------------------------------------------------------------- order

  @ParameterizedTest
  @EnumSource
  void start_isInTheOrderOfDependencies_stopInReverse(Form form) {
    Applications all = start(form, app("c", "b", "a"), app("a"), app("b", "a"), app("d"));
    assertThat(told).containsExactly("+a", "+b", "+c", "+d");
    assertThat(all.running()).containsExactly("a", "b", "c", "d");
    told.clear();
    StopReport report = all.stop(SOON);
    assertThat(told).containsExactly("-d", "-c", "-b", "-a");
    assertThat(report.stops())
        .extracting(StopReport.Stop::name)
        .containsExactly("d", "c", "b", "a");
    assertThat(report.late()).isEmpty();
    assertThat(reports).containsExactly(report);
    assertThatThrownBy(() -> all.stop(SOON)).isInstanceOf(CallException.class);
    assertThat(all.awaitEnd()).isEqualTo(ExitReason.noProc());
  }

  @ParameterizedTest
  @EnumSource
  void functionThatIsToldOfTheStop_andFails_changesNothing(Form form) {
    Applications all =
        node.start(
                Applications.<Object>of(
                    Applications.Options.defaults()
                        .reportingTo(_ -> {
                          throw new AssertionError("thrown by the test");
                        }),
                    app("a")),
                SOON,
                form.<Object>options())
            .orThrow()
            .value();
    Fate end = Fate.of(node, all.pid());
    assertThat(all.stop(SOON).late()).isEmpty();
    assertThat(end.reason()).isEqualTo(ExitReason.shutdown());
  }

  @Test
  void cyclesMissingAndDoubleNames_areRefusedBeforeAnythingStarts() {
    assertThatThrownBy(() ->
            Applications.start(
                node, options, app("x"), app("a", "b"), app("b", "c"), app("c", "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in a circle: a → b → c → a: take one");
    assertThatThrownBy(() -> Applications.start(node, options, app("a", "a")))
        .hasMessageContaining("a → a");
    assertThatThrownBy(() -> Applications.start(node, options, app("a"), app("b", "z")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the application b depends on z, which is not among [a, b]");
    assertThatThrownBy(() -> Applications.start(node, options, app("a"), app("a")))
        .hasMessageContaining("two applications are called a");
    assertThatThrownBy(() -> app(" ")).hasMessageContaining("the name of an application is ' '");
    assertThat(told).isEmpty();
    assertThat(node.stats().spawned()).isZero();
  }

  // ---------------------------------------------------------------- failures

  @ParameterizedTest
  @EnumSource
  void startThatFails_stopsWhatWasStarted_inReverse(Form form) {
    StartResult<Object, Applications> result =
        node.start(
            Applications.<Object>of(
                options, app("a"), app("b", "a"), failing("c", "b"), app("d", "c")),
            SOON,
            form.<Object>options());
    assertThat(result)
        .isInstanceOfSatisfying(
            StartResult.Ended.class,
            ended ->
                assertThat(ended.reason())
                    .isEqualTo(
                        new Applications.NotStarted("c", "", new ExitReason.Shutdown("no"))));
    assertThat(told).containsExactly("+a", "+b", "-b", "-a");
    Await.until("nothing is left", () -> node.stats().processes() == 0);
  }

  @ParameterizedTest
  @EnumSource
  void phaseThatFails_failsTheStart(Form form) {
    Application phased =
        app("b", "a")
            .phase("fill", (top, _) -> told.add("fill " + top.isAlive()))
            .phase(
                "open",
                (_, _) -> {
                  throw new IllegalStateException("shut");
                });
    StartResult<Object, Applications> result =
        node.start(
            Applications.<Object>of(options, app("a"), phased), SOON, form.<Object>options());
    assertThat(result)
        .isInstanceOfSatisfying(
            StartResult.Ended.class,
            ended -> assertThat(ended.reason().toString()).contains("phase open", "shut"));
    assertThat(told).containsExactly("+a", "+b", "fill true", "-b", "-a");
  }

  @Test
  void startThatAnswersAFailure_isToldAsIs() {
    Application fails =
        Application.of(
            "a",
            (spawner, _) ->
                spawner.start(
                    io.selvage.kernel.Init.<Object, String>body((_, ack) -> {
                      throw ack.fail(new ExitReason.Shutdown("busy"), ExitReason.normal());
                    }),
                    SOON));
    assertThatThrownBy(() -> Applications.start(node, options, fails).orThrow())
        .hasMessageContaining("application a was not started: shutdown(busy)");
  }

  @ParameterizedTest
  @EnumSource
  void endOfOne_stopsAll_orIsReported_byItsType(Form form) {
    record Case(Application.Type type, ExitReason reason, boolean stopsAll) {}
    for (Case each :
        List.of(
            new Case(Application.Type.PERMANENT, ExitReason.normal(), true),
            new Case(Application.Type.PERMANENT, ExitReason.shutdown(), true),
            new Case(Application.Type.TRANSIENT, ExitReason.normal(), false),
            new Case(Application.Type.TRANSIENT, ExitReason.shutdown(), true),
            new Case(Application.Type.TEMPORARY, ExitReason.shutdown(), false))) {
      Applications all = start(form, app("a"), app("b", "a").as(each.type()), app("c", "b"));
      told.clear();
      end("b", each.reason());
      if (each.stopsAll()) {
        Await.until("all stop", () -> !all.pid().isAlive());
        assertThat(told).as(each.toString()).containsExactly("-b", "-c", "-a");
      } else {
        Await.until("b is gone", () -> all.running().equals(List.of("a", "c")));
        assertThat(told).as(each.toString()).containsExactly("-b");
        all.stop(SOON);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void awaitEnd_tellsWhichEnded(Form form) {
    Applications all = start(form, app("a").as(Application.Type.PERMANENT));
    Probe waiter = Probe.start(Kind.DIRECT, node);
    var end = waiter.<ExitReason>start(_ -> all.awaitEnd());
    Await.until("it waits", () -> node.info(waiter.pid()).orElseThrow().waitsFor() != null);
    end("a", new ExitReason.Shutdown("enough"));
    ExitReason reason = Await.result("the end", end);
    if (!(reason instanceof ExitReason.NoProc)) { // the waiter may not have begun to wait
      assertThat(reason).isEqualTo(new Applications.Ended("a", new ExitReason.Shutdown("enough")));
    }
  }

  // ---------------------------------------------------------------- one at run time

  @ParameterizedTest
  @EnumSource
  void one_isStoppedAndStartedAgain_whateverItsType(Form form) {
    for (Application.Type type : Application.Type.values()) {
      Applications all = start(form, app("a"), app("b", "a").as(type), app("c", "a"));
      Pid<?> before = tops.get("b");
      told.clear();
      StopReport.Stop stop = all.stop("b").orThrow();
      assertThat(stop.name()).isEqualTo("b");
      assertThat(stop.how()).isEqualTo(StopReport.How.IN_ORDER);
      assertThat(before.isAlive()).isFalse();
      assertThat(all.running()).containsExactly("a", "c");
      assertThat(all.start("b")).isEqualTo(new StartApplicationResult.Started(List.of("b")));
      assertThat(all.running()).containsExactly("a", "c", "b");
      assertThat(told).containsExactly("-b", "+b");
      all.stop(SOON);
      assertThat(told).containsExactly("-b", "+b", "-b", "-c", "-a");
    }
  }

  @ParameterizedTest
  @EnumSource
  void startOfOne_isRefused_withTheCure(Form form) {
    Applications all = start(form, app("a"), app("b", "a"), app("c", "b", "a"));
    assertThat(all.start("c")).isEqualTo(new StartApplicationResult.AlreadyStarted("c"));
    assertThatThrownBy(all.start("c")::orThrow)
        .hasMessage("the application c runs already: stop it first, or use ensureStarted");
    assertThat(all.start("x"))
        .isEqualTo(new StartApplicationResult.Unknown("x", List.of("a", "b", "c")));
    assertThatThrownBy(all.start("x")::orThrow)
        .hasMessage("there is no application x among [a, b, c]: load it first");
    for (String each : List.of("c", "b", "a")) {
      all.stop(each).orThrow();
    }
    assertThat(all.start("c"))
        .isEqualTo(new StartApplicationResult.DependenciesNotStarted("c", List.of("b", "a")));
    assertThatThrownBy(all.start("c")::orThrow)
        .hasMessageContaining("depends on [b, a], which do not run: start them first");
    assertThat(all.running()).isEmpty();
    assertThat(told).containsExactly("+a", "+b", "+c", "-c", "-b", "-a");
  }

  @ParameterizedTest
  @EnumSource
  void stopOfOne_isRefused_withTheCure(Form form) {
    Applications all = start(form, app("a"), app("b", "a"), app("c", "a"));
    assertThat(all.stop("a")).isEqualTo(new StopApplicationResult.Needed("a", List.of("b", "c")));
    assertThatThrownBy(all.stop("a")::orThrow)
        .hasMessage("the application a is needed by [b, c], which run: stop them first");
    assertThat(all.stop("x"))
        .isEqualTo(new StopApplicationResult.Unknown("x", List.of("a", "b", "c")));
    all.stop("b").orThrow();
    assertThat(all.stop("b")).isEqualTo(new StopApplicationResult.NotStarted("b"));
    assertThatThrownBy(all.stop("b")::orThrow).hasMessageContaining("b does not run: start it");
    assertThat(all.running()).containsExactly("a", "c");
  }

  @ParameterizedTest
  @EnumSource
  void ensureStarted_startsWhatItDependsOn_allOrNone(Form form) {
    Applications all = start(form, app("a"));
    all.load(app("b", "a", "c"));
    all.load(app("c"));
    all.load(app("d", "b"));
    assertThat(all.running()).containsExactly("a");
    assertThat(all.ensureStarted("d").orThrow()).containsExactly("c", "b", "d");
    assertThat(all.ensureStarted("d").orThrow()).isEmpty();
    assertThat(told).containsExactly("+a", "+c", "+b", "+d");
    told.clear();
    all.load(app("e", "a"));
    all.load(failing("f", "e"));
    assertThat(all.ensureStarted("f"))
        .isEqualTo(
            new StartApplicationResult.Failed(
                new Applications.NotStarted("f", "", new ExitReason.Shutdown("no"))));
    assertThat(told).as("e alone was started for it").containsExactly("+e", "-e");
    all.load(app("g", "z"));
    assertThat(all.ensureStarted("g")).isInstanceOf(StartApplicationResult.Unknown.class);
    assertThatThrownBy(all.ensureStarted("g")::orThrow).hasMessageContaining("no application z");
    all.load(app("z", "g"));
    assertThatThrownBy(() -> all.ensureStarted("g"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in a circle: g → z → g: take one");
    assertThat(all.running()).containsExactly("a", "c", "b", "d");
  }

  @ParameterizedTest
  @EnumSource
  void load_takesThePlaceOfOneThatDoesNotRun_andNoOther(Form form) {
    Applications all = start(form, app("a"));
    assertThatThrownBy(() -> all.load(app("a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "an application called a runs: stop it first, or give the new one another name");
    all.stop("a").orThrow();
    all.load(app("a").with(COLOUR, "red"));
    all.start("a").orThrow();
    assertThat(all.environment("a").get(COLOUR)).isEqualTo("red");
  }

  @ParameterizedTest
  @EnumSource
  void phaseThatFailsAtRunTime_stopsWhatWasStarted(Form form) {
    Applications all = start(form, app("a"));
    all.load(
        app("b")
            .phase(
                "open",
                (_, _) -> {
                  throw new IllegalStateException("shut");
                }));
    assertThatThrownBy(all.start("b")::orThrow).hasMessageContaining("phase open");
    assertThat(told).containsExactly("+a", "+b", "-b");
    assertThat(all.running()).containsExactly("a");
  }

  @ParameterizedTest
  @EnumSource
  void startedAtRunTime_endsAsItsTypeSays(Form form) {
    Applications all = start(form, app("a"));
    all.load(app("b").as(Application.Type.TRANSIENT));
    all.start("b").orThrow();
    end("b", ExitReason.normal());
    Await.until("b is gone", () -> all.running().equals(List.of("a")));
    all.start("b").orThrow();
    told.clear();
    end("b", ExitReason.shutdown());
    Await.until("all stop", () -> !all.pid().isAlive());
    assertThat(told).containsExactly("-b", "-a");
    assertThatThrownBy(() -> all.start("b")).isInstanceOf(CallException.class);
    assertThatThrownBy(() -> all.stop("b")).isInstanceOf(CallException.class);
  }

  // ---------------------------------------------------------------- deadlines

  @ParameterizedTest
  @EnumSource
  void stubborn_isKilledWhenItsTimeIsOver_andNamed(Form form) {
    Application stubborn =
        Application.of("b", (spawner, _) -> Server.start(spawner, new Top("b", true)))
            .after("a")
            .withShutdown(SHORT);
    Applications all = start(form, app("a"), stubborn, app("c", "b"));
    StopReport report = all.stop(SOON);
    assertThat(report.late())
        .singleElement()
        .satisfies(stop -> {
          assertThat(stop.name()).isEqualTo("b");
          assertThat(stop.how()).isEqualTo(StopReport.How.KILLED);
        });
    assertThat(report.toString()).contains("b did not stop in time and was killed after");
    assertThat(told).endsWith("-c", "-a");
  }

  @ParameterizedTest
  @EnumSource
  void codeThatNeitherBlocksNorReturns_isToldAsStillRunning_andTheOthersAreStopped(Form form) {
    Server<String, String> spinning =
        new Server<>() {
          @Override
          public FirstStep<String, String> init(Self<String> self) {
            return Next.with("");
          }

          @Override
          public Next<String, String> onMessage(Self<String> self, String state, String message) {
            told.add("spins");
            while (release.getCount() > 0) {
              Thread.onSpinWait();
            }
            return Next.same();
          }
        };
    Application stuck =
        Application.of(
                "b",
                (spawner, _) -> {
                  StartResult<String, Pid<String>> top =
                      Server.start(spawner, spinning, form.<String>options());
                  tops.put("b", top.orThrow().pid());
                  top.orThrow().pid().send("spin");
                  return top;
                })
            .after("a")
            .withShutdown(SHORT);
    Applications all = start(form, app("a"), stuck);
    Await.until("b spins", () -> told.contains("spins"));
    StopReport report = all.stop(SOON);
    assertThat(report.stops())
        .extracting(StopReport.Stop::name, StopReport.Stop::how)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("b", StopReport.How.STILL_RUNNING),
            org.assertj.core.groups.Tuple.tuple("a", StopReport.How.IN_ORDER));
    assertThat(report.toString()).contains("b did not stop, was killed, and still runs after");
    assertThat(told).endsWith("-a");
    release.countDown();
    Await.until("b ends", () -> !tops.get("b").isAlive());
  }

  @ParameterizedTest
  @EnumSource
  void deadlineOfAll_cutsTheTimesOfEach(Form form) {
    Application stubborn =
        Application.of("a", (spawner, _) -> Server.start(spawner, new Top("a", true)))
            .withShutdown(Duration.ofDays(1));
    Applications all = start(form, stubborn);
    assertThat(all.stop(SHORT).late()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void controllerThatIsKilled_leavesNoApplication(Form form) {
    Applications all = start(form, app("a"), app("b"));
    all.pid().kill();
    Await.until("nothing is left", () -> node.stats().processes() == 0);
  }

  @Test
  void parentThatEnds_stopsAllInOrder() {
    Probe parent = Probe.start(Kind.EVENT, node);
    parent.act(self -> Applications.start(self, options, app("a"), app("b", "a")).orThrow());
    parent.pid().exit(ExitReason.shutdown());
    Await.until("nothing is left", () -> node.stats().processes() == 0);
    assertThat(told).containsExactly("+a", "+b", "-b", "-a");
  }

  // ---------------------------------------------------------------- settings

  @Test
  void settings_haveDefaults_thoseOfTheApplication_andThoseGiven() {
    List<String> seen = new CopyOnWriteArrayList<>();
    Application plain =
        Application.of(
            "plain",
            (spawner, env) -> {
              seen.add(env.get(COLOUR));
              return Server.start(spawner, new Top("plain", false));
            });
    Applications first = Applications.start(node, options, plain).orThrow().value();
    Applications second =
        Applications.start(node, options, plain.with(COLOUR, "red")).orThrow().value();
    Applications third =
        Applications.start(node, options.with(COLOUR, "blue"), plain.with(COLOUR, "red"))
            .orThrow()
            .value();
    assertThat(seen).containsExactly("grey", "red", "blue");
    assertThat(first.environment("plain").get(COLOUR)).isEqualTo("grey");
    assertThat(second.environment("plain").get(COLOUR)).isEqualTo("red");
    assertThat(third.environment("plain").get(COLOUR)).isEqualTo("blue");
  }

  // ---------------------------------------------------------------- the JVM

  @Test
  void jvmThatShutsDown_stopsThemInOrder_andSaysWhichDidNot() throws Exception {
    String otp = ChildJvm.CLASS_PATH;
    String kernel =
        Path.of(Node.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    List<String> lines =
        ChildJvm.run(
            "-cp",
            otp + System.getProperty("path.separator") + kernel,
            ApplicationsProgram.class.getName());
    assertThat(lines).filteredOn(line -> line.startsWith("-")).containsExactly("-b", "-a");
    assertThat(lines)
        .anyMatch(line -> line.contains("slow did not stop in time and was killed after"));
  }

  @Test
  void options_areForSpawnersOfAllKinds() {
    SpawnOptions<Object> named = SpawnOptions.<Object>defaults().labelled("applications");
    Applications all =
        node.start(Applications.<Object>of(options, app("a")), SOON, named).orThrow().value();
    assertThat(node.info(all.pid()).orElseThrow().label()).isEqualTo("applications");
  }
}
