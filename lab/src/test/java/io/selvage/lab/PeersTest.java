package io.selvage.lab;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runtimes that are described by a folder: made up ones that go wrong in every way, and the real
 * ones whose toolchain this machine has and whose build fetches nothing.
 */
class PeersTest {
  private static final Machine MACHINE = Machine.here();
  private static final Experiment RING = Experiments.named("ring");
  private static final Settings HUNDRED = RING.settings(List.of("processes=10", "rounds=10"));
  private static final Experiment SPAWN = Experiments.named("spawn");

  /** Other ways of a language to deal with too much. */
  private static final List<String> OVERLOAD_ONLY =
      List.of("erlang-ack", "kotlin-unlimited", "pekko-ack");

  /** Longer than the first readings of memory take. */
  private static final String REPORT =
      "sleep 0.3; echo '{\"metrics\":{\"messages\":100,\"ns_per_message\":5},"
          + "\"runtime_version\":\"Fake 7\"}'";

  @TempDir private Path root;

  private final List<String> builds = new ArrayList<>();

  @Test
  void peer_thatDoesItsWork_isMeasuredWithVersionMemoryAndSettings() throws IOException {
    peer("fake", Map.of("run", REPORT, "settings", "twice the speed"));
    Contender fake = named("fake");
    Result result = run(fake);
    assertThat(result.error()).isNull();
    assertThat(result.ok()).isTrue();
    assertThat(result.version()).isEqualTo("Fake 7");
    assertThat(result.environment())
        .containsEntry("settings", "twice the speed")
        .containsEntry("flags", List.of());
    assertThat(result.metrics()).containsEntry("ns_per_message", 5.0);
    if (Files.exists(Path.of("/proc/self/status"))) {
      assertThat(result.metrics().get("peak_rss_bytes")).isBetween(100e3, 50e6);
    }
    Plan plan = plan(fake);
    assertThat(new Table(plan, List.of(result)).render(MACHINE, List.of(), Table::allShown).lines())
        .contains("fake: Fake 7; twice the speed")
        .anyMatch(line -> line.startsWith("fake  "));
  }

  @Test
  void peer_getsExperimentArgumentsFolderAndFlags() throws IOException {
    peer(
        "fake",
        Map.of(
            "run",
            "echo \"$@ $SELVAGE_PEER_RUNTIME $SELVAGE_PEER_JVM_FLAGS $PWD\" >&2; exit 1",
            "runtimes",
            "fake-a,fake-b"));
    assertThat(run(named("fake-b")).error())
        .isEqualTo(
            "ended with exit code 1 and no report; its first words: ring processes=10 rounds=10"
                + " fake-b -Xmx64m -Xms64m "
                + root.resolve("peers").resolve("fake").toRealPath());
  }

  @Test
  void memory_ofChildren_isCounted() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/status")), "this machine has no /proc");
    String hungry = "head -c 50000000 /dev/zero | tail -c 50000000 | (sleep 2; wc -c >&2); ";
    peer("fake", Map.of("run", hungry + REPORT));
    assertThat(run(named("fake")).metrics().get("peak_rss_bytes")).isBetween(50e6, 200e6);
  }

  /** Nothing else keeps a runtime that is no JVM from taking the whole machine. */
  @Test
  void peerWithoutHeap_thatGrowsWhereLittleMemoryIsTheMatter_isEnded() throws IOException {
    assumeTrue(Files.exists(Path.of("/proc/self/status")), "this machine has no /proc");
    peer(
        "fake",
        Map.of(
            "run", "cat /dev/zero | tail -c 400000000",
            "experiments", "overload"));
    Experiment overload = Experiments.named("overload");
    Settings settings = overload.settings(List.of("heap=32m"));
    Plan plan =
        new Plan(List.of(new Plan.Measurement(overload, settings, List.of(named("fake")))), 1);
    Result result = runner().run(plan, ignored -> {}).getFirst();
    assertThat(result.isDeath()).isTrue();
    assertThat(result.trouble())
        .get()
        .asString()
        .matches("died after [0-9.]+ s: it had more resident than 96m");
    assertThat(ProcessHandle.current().descendants()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "echo I am fine|ended with exit code 0 and no report; its first words: I am fine",
        "echo 'lost a message' >&2; exit 1|ended with exit code 1 and no report; its first words:"
            + " lost a message",
        "kill -9 $$|ended with exit code 137 and no report; its first words: it printed nothing",
        "echo '{\"metrics\":{\"messages\":99}}'|delivered 99 instead of 100: some are missing",
        "echo '{\"metrics\":{}}'|does not report \"messages\"",
      })
  void peer_thatGoesWrong_isReportedAndTheOthersStillRun(String program, String error)
      throws IOException {
    peer("bad", Map.of("run", program));
    peer("good", Map.of("run", REPORT));
    List<Result> results = runner().run(plan(named("bad"), named("good")), ignored -> {});
    assertThat(results).extracting(Result::ok).containsExactly(false, true);
    assertThat(results.getFirst().error()).isEqualTo(error);
  }

  @Test
  void peer_thatHangs_isKilledWithItsChildren() throws IOException {
    Path pid = root.resolve("pid");
    peer("fake", Map.of("run", "sleep 600 & echo $! >" + pid + "; wait"));
    Result result =
        new Runner(MACHINE, List.of(), Optional.of(Duration.ofSeconds(1)), new Builds(), new Stop())
            .run(plan(named("fake")), ignored -> {})
            .getFirst();
    assertThat(result.error()).startsWith("did not end within 1s and was killed");
    Optional<ProcessHandle> child = ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
    // Its new parent has to take note of its end, so it may stay for a moment without being alive.
    child.ifPresent(handle -> handle.onExit().orTimeout(10, SECONDS).join());
  }

  @Test
  void build_thatFails_isToldOnceForAllRuntimesOfTheFolder() throws IOException {
    peer(
        "fake",
        Map.of(
            "runtimes",
            "fake-a,fake-b",
            "build",
            "echo x >>"
                + root.resolve("tries")
                + "; echo compiling; echo 'error: no; semicolon' >&2; false",
            "run",
            REPORT));
    peer("good", Map.of("run", REPORT));
    List<Result> results = runner().run(plan(all().toArray(Contender[]::new)), ignored -> {});
    assertThat(results).extracting(Result::ok).containsExactly(false, false, true);
    assertThat(results.subList(0, 2))
        .allMatch(result ->
            String.valueOf(result.error())
                .equals(
                    "could not be built: error: no; semicolon (all of the build's output: "
                        + root.resolve("cache").resolve("fake.log")
                        + ")"));
    assertThat(root.resolve("tries")).hasContent("x");
    assertThat(builds).contains("fake-a 0");
  }

  @Test
  void build_thatHasNoPlace_saysWhereThatIsAndHowToChooseAnother() throws IOException {
    peer("fake", Map.of("build", "true", "run", REPORT));
    Files.writeString(root.resolve("cache"), "a file, and no folder");
    assertThat(run(named("fake")).error())
        .startsWith("could not be built in " + root.resolve("cache") + " (")
        .endsWith("); make room there, or set SELVAGE_PEERS_CACHE to another folder");
  }

  @Test
  void build_isMadeOnce_andAgainWhenSourcesChange() throws IOException {
    Path tries = root.resolve("tries");
    Map<String, String> description =
        Map.of(
            "build",
            "echo x >>" + tries + "; cp source \"$SELVAGE_PEER_BUILD/built\"",
            "run",
            "test -e \"$SELVAGE_PEER_BUILD/built\" && " + REPORT);
    peer("fake", description);
    Path source = root.resolve("peers").resolve("fake").resolve("source");
    Files.writeString(source, "one");
    assertThat(run(named("fake")).error()).isNull();
    assertThat(run(named("fake")).ok()).isTrue();
    assertThat(tries).hasContent("x");
    Files.writeString(source, "two");
    assertThat(run(named("fake")).ok()).isTrue();
    assertThat(tries).hasContent("x\nx");
    assertThat(root.resolve("cache").resolve("fake").resolve("built")).hasContent("two");
  }

  @Test
  void build_thatIsStopped_endsThePlan() throws IOException {
    peer("fake", Map.of("build", "sleep 600", "run", REPORT));
    Stop stop = new Stop();
    Progress stopper =
        new Builds() {
          @Override
          public void building(Contender contender, Duration elapsed) {
            if (!elapsed.isZero()) {
              stop.request();
            }
          }
        };
    assertThat(
            new Runner(MACHINE, List.of(), Optional.empty(), stopper, stop)
                .run(plan(named("fake")), ignored -> {}))
        .isEmpty();
  }

  @Test
  void toolchain_thatIsMissing_isToldWithWhatInstallsIt() throws IOException {
    peer("fake", Map.of("run", REPORT, "toolchain", "sh,no-such-command-anywhere"));
    Result result = run(named("fake"));
    assertThat(result.ok()).isFalse();
    assertThat(result.version()).isEqualTo("absent");
    assertThat(result.trouble())
        .contains(
            "absent: there is no command no-such-command-anywhere; install it with: sudo apt-get"
                + " install fake");
    assertThat(builds).isEmpty();
  }

  @Test
  void toolchain_thatDoesNotWork_isAbsent() throws IOException {
    peer("fake", Map.of("run", REPORT, "version", "echo no such version >&2; exit 127"));
    assertThat(named("fake").absence())
        .contains(
            "its toolchain does not work (no such version); install it with: sudo apt-get install"
                + " fake");
  }

  @Test
  void description_thatIsIncomplete_isAbsentWithTheReason() throws IOException {
    peer("fake", Map.of("run", ""));
    assertThat(named("fake").absence())
        .get()
        .asString()
        .startsWith("its description ")
        .endsWith("peer.properties has no \"run\"");
  }

  @Test
  void parametersThatAPeerDoesNotHave_areRefusedBeforehand() throws IOException {
    peer(
        "fake",
        Map.of("run", "exit 1", "build", "exit 1", "experiments", "spawn", "busy", "false"));
    peer("linking", Map.of("run", "exit 1", "kinds", "plain,linked"));
    assertThat(run(named("fake")).trouble())
        .contains("refused: it has no program for ring, only for spawn");
    assertThat(refusal("fake", "kind=linked")).contains("it has no kind=linked, only plain");
    assertThat(refusal("fake", "busy=true"))
        .get()
        .asString()
        .startsWith("there is no busy=true for it, since all its processes share one thread");
    assertThat(refusal("fake", "processes=5")).isEmpty();
    assertThat(refusal("linking", "kind=linked")).isEmpty();
    assertThat(refusal("linking", "busy=true")).isEmpty();
    assertThat(refusal("linking", "kind=handshake"))
        .contains("it has no kind=handshake, only plain, linked");
    assertThat(builds).isEmpty();
  }

  @Test
  void runtimeOfThreads_refusesMoreThanTheMachineHolds() throws IOException {
    peer("fake", Map.of("run", REPORT, "limit.fake", "threads"));
    assumeTrue(ThreadLimit.of(MACHINE).isPresent(), "this machine tells no limits");
    assertThat(refusal("fake", "processes=10000000")).get().asString().contains("this machine");
    assertThat(refusal("fake", "processes=1")).isEmpty();
  }

  @Test
  void folders_ofTheSourceTree_areAllDescribed() {
    List<Contender> peers = Peers.find(Path.of("peers"), root);
    assertThat(peers)
        .extracting(Contender::name)
        .contains("erlang", "erlang-proc_lib", "go", "rust-tokio", "node", "python", "elixir")
        .contains("pekko", "kotlin", "vertx", "jetlang", "jox", "scala-actors", "fibry")
        .contains("kilim", "kilim-forkjoin")
        .doesNotContain("jvm") // what several of them share
        .doesNotContainAnyElementsOf(Contenders.of(RING).stream().map(Contender::name).toList());
    assertThat(peers)
        .allMatch(peer -> !peer.description().isEmpty())
        .filteredOn(peer -> !OVERLOAD_ONLY.contains(peer.name()))
        .allMatch(peer -> peer.takesPartIn(RING) && peer.takesPartIn(SPAWN));
    assertThat(peers)
        .filteredOn(peer -> OVERLOAD_ONLY.contains(peer.name()))
        .hasSameSizeAs(OVERLOAD_ONLY)
        .allMatch(peer -> peer.takesPartIn(Experiments.named("overload")))
        .noneMatch(peer -> peer.takesPartIn(RING));
    assertThat(peers)
        .allMatch(peer ->
            !peer.absence().map(reason -> reason.startsWith("its description")).orElse(false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"go", "node", "python", "erlang", "erlang-proc_lib"})
  void realPeer_onFewProcesses_isRight(String name) throws IOException {
    Contender peer =
        Peers.find(Path.of("peers"), Path.of("target", "peers")).stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    assumeTrue(peer.absence().isEmpty(), () -> name + " is absent: " + peer.absence());
    Experiment tasks = Experiments.named("tasks");
    Experiment startup = Experiments.named("startup");
    Plan plan =
        new Plan(
            List.of(
                new Plan.Measurement(RING, HUNDRED, List.of(peer)),
                new Plan.Measurement(
                    SPAWN, SPAWN.settings(List.of("processes=100")), List.of(peer)),
                new Plan.Measurement(startup, startup.settings(List.of()), List.of(peer)),
                new Plan.Measurement(
                    tasks, tasks.settings(List.of("tasks=100", "wait=200ms")), List.of(peer))),
            1);
    List<Result> results = runner().run(plan, ignored -> {});
    assertThat(results).hasSize(4).allMatch(Result::ok);
    assertThat(results).allMatch(result -> !result.version().isEmpty());
    if (Files.exists(Path.of("/proc/self/status"))) {
      assertThat(results.getLast().metrics().get("peak_rss_bytes")).isBetween(1e6, 1e9);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "pipeline, items=100",
    "pingpong, rounds=100",
    "fanin, senders=10 messages=10",
    "overload, producers=3 seconds=1",
    "skynet, leaves=100"
  })
  void realPeer_thatSendsMessages_isRight(String name, String words) throws IOException {
    Contender go =
        Peers.find(Path.of("peers"), Path.of("target", "peers")).stream()
            .filter(each -> each.name().equals("go"))
            .findFirst()
            .orElseThrow();
    assumeTrue(go.absence().isEmpty(), () -> "go is absent: " + go.absence());
    Experiment experiment = Experiments.named(name);
    Settings settings = experiment.settings(List.of(words.split(" ", -1)));
    Plan plan = new Plan(List.of(new Plan.Measurement(experiment, settings, List.of(go))), 1);
    Result result = runner().run(plan, ignored -> {}).getFirst();
    assertThat(result.error()).isNull();
    assertThat(result.metrics()).containsKeys(experiment.headlines().toArray(String[]::new));
  }

  private Optional<String> refusal(String name, String setting) {
    return named(name).refusal(SPAWN, SPAWN.settings(List.of(setting)), MACHINE);
  }

  private void peer(String name, Map<String, String> description) throws IOException {
    Path folder = Files.createDirectories(root.resolve("peers").resolve(name));
    StringBuilder text =
        new StringBuilder()
            .append("runtimes=" + name + "\n")
            .append("title=nothing real\n")
            .append("experiments=ring,spawn,tasks\n")
            .append("toolchain=sh\n")
            .append("install=sudo apt-get install fake\n")
            .append("version=echo Toolchain 3\n");
    // What comes later wins.
    description.forEach(
        (key, value) -> text.append(key + "=" + value.replace("\\", "\\\\") + "\n"));
    Files.writeString(folder.resolve(PeerFolder.FILE), text);
  }

  private Contender named(String name) {
    return all().stream().filter(peer -> peer.name().equals(name)).findFirst().orElseThrow();
  }

  private List<Contender> all() {
    return Peers.find(root.resolve("peers"), root.resolve("cache"));
  }

  private Runner runner() {
    return new Runner(MACHINE, List.of("-Xmx64m"), Optional.empty(), new Builds(), new Stop());
  }

  private Result run(Contender contender) throws IOException {
    return runner().run(plan(contender), ignored -> {}).getFirst();
  }

  private static Plan plan(Contender... contenders) {
    return new Plan(List.of(new Plan.Measurement(RING, HUNDRED, List.of(contenders))), 1);
  }

  /** Writes down what is built. */
  private class Builds implements Progress {
    @Override
    public void building(Contender contender, Duration elapsed) {
      builds.add(contender.name() + " " + elapsed.toSeconds());
    }

    @Override
    public void started(Plan.Step step) {}

    @Override
    public void running(Plan.Step step, Duration elapsed) {}

    @Override
    public void ended(Plan.Step step, Result result) {}
  }
}
