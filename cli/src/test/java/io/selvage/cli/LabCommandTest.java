package io.selvage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.selvage.lab.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command as a person types it; where it measures, with every real program, on few processes.
 */
class LabCommandTest {
  private static final int RUNTIMES = 6;

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ring processes=1",
        "ring processes=10 rounds=10",
        "spawn processes=100",
        "tasks tasks=100 wait=100ms",
      })
  void experiment_onFewProcesses_isRightOnEveryRuntime(String command) throws IOException {
    Path json = folder.resolve("results.json");
    int exitCode = run(("lab " + command + " --json " + json).split(" ", -1));

    assertThat(err.toString()).doesNotContain("FAILED").doesNotContain("refused");
    assertThat(exitCode).isZero();
    List<Result> results = Files.readAllLines(json).stream().map(Result::fromJson).toList();
    assertThat(results)
        .hasSize(command.startsWith("tasks") ? RUNTIMES - 1 : RUNTIMES)
        .allMatch(Result::ok)
        .allMatch(result -> !result.metrics().isEmpty())
        .allMatch(result -> result.environment().get("flags").toString().contains("-Xmx"));
    assertThat(out.toString()).contains("lower is").contains("JVM flags: -XX:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pipeline items=100",
        "pingpong rounds=1",
        "pingpong rounds=100",
        "fanin senders=1 messages=1",
        "fanin senders=4 messages=3000",
        "skynet leaves=1",
        "skynet leaves=100",
        "startup",
      })
  void experimentWithMessages_onFewProcesses_isRightOnEveryRuntime(String command)
      throws IOException {
    Path json = folder.resolve("results.json");
    String quick = "--jvm-flags=-Xmx256m -Dselvage.lab.repeat.millis=30";
    int exitCode =
        run(
            Stream.concat(
                    Stream.of("lab", quick, "--json", json.toString()),
                    Stream.of(command.split(" ", -1)))
                .toArray(String[]::new));

    assertThat(err.toString()).doesNotContain("FAILED").doesNotContain("refused");
    assertThat(exitCode).isZero();
    assertThat(Files.readAllLines(json).stream().map(Result::fromJson))
        .hasSize(command.startsWith("startup") ? RUNTIMES - 1 : RUNTIMES)
        .allMatch(Result::ok)
        .allMatch(result ->
            result.metrics().entrySet().stream()
                .allMatch(metric -> metric.getValue() > 0 || metric.getKey().equals("sum")));
    assertThat(out.toString()).contains(command.startsWith("fanin") ? "higher is" : "lower is");
  }

  @Test
  void experiment_thatARuntimeHasNoProgramFor_isRefusedInWords() {
    assertThat(run("lab", "startup", "--runtime=java-virtual-park")).isEqualTo(1);
    assertThat(out.toString()).contains("refused: a program starts as fast whatever its queue is");
    assumeTrue(Files.exists(Path.of("/proc/sys/kernel/threads-max")), "no limits are told here");
    assertThat(run("lab", "skynet", "--runtime=java-threads")).isEqualTo(1);
    assertThat(out.toString()).contains("refused: ").contains("this machine");
  }

  @Test
  void spawn_ofOtherKinds_isRightWhereTheyExist() throws IOException {
    for (String kind : List.of("linked", "monitored", "handshake")) {
      Path json = folder.resolve(kind);
      int exitCode =
          run("lab", "spawn", "processes=100", "kind=" + kind, "--json", json.toString());
      assertThat(exitCode).isZero();
      assertThat(Files.readAllLines(json).stream().map(Result::fromJson))
          .hasSize(RUNTIMES)
          .allMatch(result -> result.ok() == result.runtime().startsWith("selvage"))
          .allMatch(result -> result.ok() || String.valueOf(result.refused()).contains("no links"));
    }
  }

  @Test
  void spawn_ofBusyProcesses_isRightWhereTheyMaySpin() throws IOException {
    Path json = folder.resolve("busy");
    int exitCode =
        run(
            "lab",
            "spawn",
            "processes=20",
            "busy=true",
            "--runtime",
            "selvage-event,selvage-direct,java-virtual,java-virtual-park,java-threads",
            "--json",
            json.toString());
    assertThat(exitCode).isZero();
    assertThat(Files.readAllLines(json).stream().map(Result::fromJson).filter(Result::ok))
        .extracting(Result::runtime)
        .containsExactly("selvage-event", "selvage-direct", "java-virtual");
  }

  @Test
  void repeats_runInTurnAndShowMedians() throws IOException {
    Path json = folder.resolve("repeats");
    int exitCode =
        run(
            "lab",
            "tasks",
            "tasks=10",
            "wait=1ms",
            "--repeat",
            "2",
            "--runtime=selvage-event,java-virtual",
            "--json=" + json);
    assertThat(exitCode).isZero();
    assertThat(Files.readAllLines(json).stream().map(Result::fromJson))
        .extracting(result -> result.runtime() + " " + result.repeat())
        .containsExactly("selvage-event 1", "java-virtual 1", "selvage-event 2", "java-virtual 2");
    assertThat(out.toString()).contains("Medians of 2 runs of each program.");
  }

  @Test
  void flags_givenByHand_reachEveryProgramAndTheTable() throws IOException {
    Path json = folder.resolve("flags");
    int exitCode =
        run(
            "lab",
            "tasks",
            "tasks=10",
            "wait=1ms",
            "--runtime=selvage-event",
            "--jvm-flags=-XX:+UseParallelGC -Xmx256m",
            "--json=" + json);
    assertThat(exitCode).isZero();
    assertThat(Result.fromJson(Files.readString(json)).environment())
        .containsEntry(
            "flags", List.of("-XX:+UseParallelGC", "-Xmx256m", "-XX:+ExitOnOutOfMemoryError"));
    assertThat(out.toString())
        .contains("JVM flags: -XX:+UseParallelGC -Xmx256m -XX:+ExitOnOutOfMemoryError\n");
  }

  @Test
  void program_thatTakesTooLong_failsTheCommandWithoutSpoilingTheFile() throws IOException {
    Path json = folder.resolve("slow");
    int exitCode =
        run(
            "lab",
            "tasks",
            "tasks=10",
            "wait=1h",
            "--runtime=selvage-event",
            "--time-limit=1s",
            "--json=" + json);
    assertThat(exitCode).isEqualTo(1);
    assertThat(out.toString()).contains("FAILED: did not end within 1s and was killed");
    assertThat(Result.fromJson(Files.readString(json)).ok()).isFalse();
  }

  @Test
  void program_thatRunsOutOfHeap_isToldApartFromOneThatHangs() {
    int exitCode =
        run(
            "lab",
            "spawn",
            "processes=1000000",
            "--runtime=selvage-event",
            "--jvm-flags=-XX:+UseSerialGC -Xmx16m");
    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString()).contains("FAILED: ran out of heap; give fewer processes, or more");
  }

  @Test
  void program_thatDiesOfLittleMemory_isAResultAndNoFailure() throws IOException {
    Path json = folder.resolve("results.json");
    Path report = folder.resolve("report");
    assertThat(
            run(
                "lab",
                "overload",
                "seconds=60", // it ends long before
                "heap=32m",
                "--runtime=selvage-event-unbounded",
                "--json=" + json,
                "--report=" + report))
        .isZero();
    assertThat(out.toString())
        .containsPattern("selvage-event-unbounded +died after [0-9.]+ s: its heap of 32m was full");
    assertThat(err.toString()).doesNotContain("FAILED");
    assertThat(Files.readAllLines(json).stream().map(Result::fromJson))
        .extracting(Result::ok)
        .containsExactly(false);
    assertThat(report.resolve("index.html")).content().contains("died after ");
  }

  @Test
  void program_thatIsRefusedEverywhere_failsTheCommand() {
    assertThat(run("lab", "spawn", "kind=linked", "--runtime=java-virtual")).isEqualTo(1);
    assertThat(out.toString()).contains("refused: threads have no links");
  }

  @Test
  void list_namesAllThereIs() {
    assertThat(run("lab", "--list")).isZero();
    assertThat(out.toString())
        .contains("  ring ", "processes=3000", "classic", "  spawn ", "  tasks ", "wait=10s")
        .contains("  counting ", "  bounded-buffer ", "buffer=50", "  banking ")
        .contains(
            "  pipeline ",
            "  pingpong ",
            "  fanin ",
            "few",
            "  overload ",
            "heap=64m",
            "  skynet ",
            "  startup ")
        .contains("ns_per_message", "bytes_per_process", "peak_rss_bytes")
        .contains("selvage-event", "selvage-direct-workers", "java-virtual-park", "java-threads")
        .contains("available, version");
  }

  @Test
  void peer_ofTheSourceTree_isListedAndRunWhenNamed() throws IOException {
    Path peer = Files.createDirectories(folder.resolve("lab/peers/made-up"));
    Files.writeString(
        peer.resolve("peer.properties"),
        """
        runtimes=made-up
        title=made up for a test
        experiments=ring
        toolchain=sh
        install=sudo apt-get install made-up
        version=echo Made Up 3
        run=echo '{"metrics":{"messages":100,"ns_per_message":5},"runtime_version":"Made Up 3.1"}'
        """);
    String home = System.getProperty("user.home");
    System.setProperty("selvage.home", folder.toString());
    System.setProperty("user.home", folder.toString());
    try {
      assertThat(run("lab", "--list")).isZero();
      assertThat(out.toString())
          .contains("made up for a test")
          .contains("available, version Made Up 3");
      Path json = folder.resolve("peers.json");
      assertThat(
              run(
                  "lab",
                  "ring",
                  "processes=10",
                  "rounds=10",
                  "--runtime=made-up,selvage-event",
                  "--json=" + json))
          .isZero();
      assertThat(Files.readAllLines(json).stream().map(Result::fromJson))
          .extracting(Result::version)
          .first()
          .isEqualTo("Made Up 3.1");
      assertThat(out.toString()).contains("made-up: Made Up 3.1, all as it is by default\n");
      assertThat(run("lab", "ring", "processes=10", "rounds=10")).isZero();
      assertThat(err.toString()).containsOnlyOnce("made-up ");
    } finally {
      System.clearProperty("selvage.home");
      System.setProperty("user.home", home);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lab rign|there is no experiment \"rign\". Did you mean \"ring\"? Known are: ring, spawn,"
            + " tasks, pipeline, pingpong, fanin, overload, skynet, startup, counting,"
            + " fork-join-create, fork-join-throughput, big, chameneos, bounded-buffer, banking, sieve, fib.",
        "lab fib n=41|n=41 is too large: give 1 to 40 (which number).",
        "lab startup processes=3|nothing can be set about startup: leave out processes=3.",
        "lab skynet leaves=11|leaves=11 is not a power of ten, as every process has ten children:"
            + " give 1, 10, 100 and so on, up to 10000000.",
        "lab fanin senders=1000 messages=1000000|senders=1000 messages=1000000 makes 1,000,000,000"
            + " messages, which may all have to wait in one mailbox: keep senders × messages at"
            + " 100,000,000 or less.",
        "lab processes=3|\"processes=3\" sets a parameter, but no experiment is named: write the"
            + " experiment first, such as `./selvage lab ring processes=3`.",
        "lab ring --runtime elvage-event|there is no runtime \"elvage-event\". Did you mean"
            + " \"selvage-event\"? Known are: selvage-event, selvage-direct,"
            + " selvage-direct-workers, selvage-event-unbounded, selvage-direct-unbounded,"
            + " java-virtual, java-virtual-park, java-virtual-bounded, java-threads.",
        "lab ring process=3|ring has no parameter \"process\". Did you mean \"processes\"? Known"
            + " are: processes, rounds.",
        "lab ring processes=0|processes=0 is too small: give 1 to 10,000,000 (how many stand in the"
            + " ring).",
        "lab ring processes=-5|processes=-5 is negative: give 1 to 10,000,000 (how many stand in"
            + " the ring).",
        "lab ring rounds=many|rounds=many is not a whole number: give 1 to 1,000,000,000 (how often"
            + " the token passes each of them).",
        "lab tasks wait=10|wait=10 is not a duration: give a number with a unit, such as 500ms,"
            + " 10s, 2m or 1h (how long each waits).",
        "lab ring --repeat 0|--repeat=0 is too small: give 1 to 1,000 (how often each program"
            + " runs).",
        "lab ring --repeat x|--repeat=x is not a whole number: give 1 to 1,000 (how often each"
            + " program runs).",
        "lab ring --time-limit soon|--time-limit=soon is not a duration: give a number with a unit,"
            + " such as 500ms, 10s, 2m or 1h (after what time one run is killed).",
        "lab ring --repeat|--repeat needs a value: see `./selvage lab --help`.",
        "lab ring --repeat 2 --repeat 3|--repeat is given twice: give it once.",
        "lab ring --jsno x|there is no option --jsno: did you mean --json? See `./selvage lab"
            + " --help`.",
        "lab ring --jvm-flags Xmx2g|--jvm-flags \"Xmx2g\": \"Xmx2g\" does not begin with a dash;"
            + " give flags such as \"-XX:+UseParallelGC -Xmx2g\".",
        "lab ring --runtime java-virtual,java-virtual|--runtime names java-virtual twice: name it"
            + " once, and use --repeat to run it more often.",
        "lab ring --runtime java-virtual,,|--runtime \"java-virtual,,\" has an empty name: give names"
            + " with commas between them, such as selvage-event,java-virtual.",
        "lab ring --runtime=|--runtime \"\" has an empty name: give names with commas between them,"
            + " such as selvage-event,java-virtual.",
        "lab tasks wait=-1s|wait=-1s is negative: give 1ms to 1h (how long each waits).",
        "lab tasks wait=99999999999999h|wait=99999999999999h is too long: give 1ms to 1h (how long"
            + " each waits).",
        "lab ring classic classic|\"classic\" is one preset too many: give one, and single values"
            + " behind it.",
        "lab --list=3|--list takes no value: leave out \"=3\".",
        "lab all rounds=3|all measures every experiment with its defaults, so that \"rounds=3\" has no"
            + " place: leave it out, or name one experiment.",
        "report|report needs a file of results: name one that `./selvage lab --json` has written.",
        "report nowhere.json|there is no file nowhere.json: name one that `./selvage lab --json` has"
            + " written.",
        "report a --ouy b|there is no option --ouy: did you mean --out? See `./selvage report"
            + " --help`.",
        "lab -x|there is no option -x: see `./selvage lab --help`.",
        "lab ring @x|\"@x\" is no setting of ring: write name=value, such as processes=3000, or"
            + " classic.",
        "lab ring --list|--list lists everything and measures nothing: leave out either --list or"
            + " ring.",
        "tset|there is no command tset: did you mean test? See `./selvage --help`.",
        "frobnicate|there is no command frobnicate: see `./selvage --help`.",
        "lob|there is no command lob: did you mean lab? See `./selvage --help`.",
      })
  void input_thatMakesNoSense_isRefusedInOneSentence(String command, String message) {
    int exitCode = run(command.split(" ", -1));
    assertThat(err.toString()).isEqualTo("selvage: " + message + System.lineSeparator());
    assertThat(out.toString()).isEmpty();
    assertThat(exitCode).isEqualTo(2);
  }

  @Test
  void command_thatIsNotNamed_isAskedFor() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            "selvage: no command is given: try `./selvage lab`, or `./selvage --help`."
                + System.lineSeparator());
  }

  @Test
  void flags_thatNoJvmTakes_areRefusedBeforeAnythingRuns() {
    Path json = folder.resolve("never");
    assertThat(run("lab", "ring", "--jvm-flags=-XX:+UseNoSuchGC", "--json=" + json)).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("selvage: --jvm-flags \"-XX:+UseNoSuchGC\": no program runs with them")
        .hasLineCount(1);
    assertThat(json).doesNotExist();
  }

  @Test
  void flags_thatMakeTheJvmDoSomethingElse_areRefusedBeforeAnythingRuns() {
    assertThat(run("lab", "ring", "--jvm-flags=-version")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("selvage: --jvm-flags \"-version\": no program runs with them (")
        .hasLineCount(1);
  }

  @Test
  void report_ofARun_isWrittenWithMarkdownAndTheEarlierRunBesideIt() throws IOException {
    Path json = folder.resolve("earlier.json");
    String[] tasks = {"lab", "tasks", "tasks=10", "wait=1ms", "--runtime=selvage-event"};
    assertThat(run(with(tasks, "--json=" + json))).isZero();
    Path report = folder.resolve("report");
    Path markdown = folder.resolve("tables.md");
    out.getBuffer().setLength(0);
    assertThat(
            run(
                with(
                    tasks,
                    "--report",
                    report.toString(),
                    "--markdown",
                    markdown.toString(),
                    "--compare=" + json)))
        .isZero();
    assertThat(out.toString()).contains("Compared with an earlier run", "now/before");
    assertThat(err.toString()).contains("Report: " + report.resolve("index.html"));
    assertThat(Files.readString(report.resolve("index.html")))
        .contains("only selvage-event was measured", "Compared with an earlier run")
        .contains("./selvage lab tasks tasks&#x3D;10 wait&#x3D;1ms --runtime");
    assertThat(Files.readString(markdown)).contains("| selvage-event | ");

    // The same page from the file, with the table as markdown on the terminal.
    out.getBuffer().setLength(0);
    assertThat(run("report", json.toString(), "--out", report.toString(), "--markdown")).isZero();
    assertThat(out.toString()).contains("| runtime | peak memory (lower is better) |");
    out.getBuffer().setLength(0);
    assertThat(run("report", json.toString())).isZero();
    assertThat(out.toString())
        .contains("selvage-event ", "JVM flags: -XX:", "Each program ran once.");
  }

  @Test
  void markdown_beforeTheExperiment_doesNotTakeItForAFile() {
    assertThat(run("lab", "--markdown", "tasks", "tasks=10", "wait=1ms", "--runtime=selvage-event"))
        .isZero();
    assertThat(out.toString()).startsWith("1 experiment on 1 runtime, measured on ");
  }

  @Test
  void outputs_thatCannotBeUsed_areRefusedBeforeAnythingRuns() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "mine");
    Path other = Files.createDirectories(folder.resolve("nowhere")).resolve("gone").resolve("x.md");
    for (String[] wrong :
        List.of(
            new String[] {"--report=" + folder, "--report " + folder + " holds file and may not"},
            new String[] {"--report=" + file, "--report " + file + " is a file, and a report"},
            new String[] {"--report=", "--report \"\" is no name of a file or folder"},
            new String[] {"--compare=" + file, file + " line 1 is no result of the lab: \"mine\""},
            new String[] {"--compare=" + other, "there is no file " + other},
            new String[] {
              "--markdown=" + other,
              "--markdown " + other + " cannot be written: there is no folder"
            },
            new String[] {
              "--markdown=" + folder, "--markdown " + folder + " cannot be written: it"
            })) {
      err.getBuffer().setLength(0);
      assertThat(run("lab", "ring", wrong[0])).isEqualTo(2);
      assertThat(err.toString()).startsWith("selvage: " + wrong[1]).hasLineCount(1);
      assertThat(out.toString()).isEmpty();
    }
    assertThat(file).hasContent("mine");
  }

  @Test
  void report_thatCannotBeWrittenAfterAll_doesNotKeepTheRestFromIt() throws IOException {
    assumeTrue(Files.isWritable(Path.of("/dev/full")), "this machine has no /dev/full");
    Path report = folder.resolve("report");
    assertThat(
            run(
                "lab",
                "tasks",
                "tasks=10",
                "wait=1ms",
                "--runtime=selvage-event",
                "--json=/dev/full",
                "--markdown=/dev/full",
                "--report=" + report))
        .isEqualTo(1);
    assertThat(err.toString())
        .contains("selvage: the markdown cannot be written to /dev/full: No space left on device.")
        .contains("selvage: the results cannot be written to /dev/full any more: No space left");
    assertThat(report.resolve("index.html")).isNotEmptyFile();
    assertThat(out.toString()).contains("selvage-event");
  }

  private static String[] with(String[] words, String... more) {
    return Stream.of(words, more).flatMap(Arrays::stream).toArray(String[]::new);
  }

  @Test
  void file_onAFullDisk_failsTheCommandButNotTheTable() {
    assumeTrue(Files.isWritable(Path.of("/dev/full")), "this machine has no /dev/full");
    assertThat(
            run(
                "lab",
                "tasks",
                "tasks=10",
                "wait=1ms",
                "--runtime=selvage-event,java-virtual",
                "--json=/dev/full"))
        .isEqualTo(1);
    assertThat(out.toString()).contains("INTERRUPTED after 1 of 2 runs.", "not run");
    assertThat(err.toString()).contains("selvage: the results cannot be written to /dev/full any");
  }

  @Test
  void file_thatCannotBeWritten_isRefusedBeforeAnythingRuns() {
    Path json = folder.resolve("nowhere").resolve("results.json");
    assertThat(run("lab", "ring", "--json", json.toString())).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            "selvage: --json "
                + json
                + " cannot be written: there is no folder "
                + json.getParent()
                + "; make it, or name another file."
                + System.lineSeparator());
    assertThat(run("lab", "ring", "--json", " ")).isEqualTo(2);
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
