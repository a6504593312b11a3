package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TableTest {
  private static final Machine MACHINE = Machine.at(Path.of("/nowhere"));
  private static final Contender EVENT = Contenders.named("selvage-event");
  private static final Contender WORKERS = Contenders.named("selvage-direct-workers");
  private static final Contender THREADS = Contenders.named("java-threads");

  @Test
  void table_ofOneExperiment_showsMediansRefusalsAndFailures() {
    Plan plan = plan(3, "tasks", EVENT, WORKERS, THREADS);
    Table table =
        new Table(
            plan,
            List.of(
                tasks("selvage-event", 135e6, null, null),
                tasks("selvage-event", 130e6, null, null),
                tasks("selvage-event", 133.2e6, null, null),
                tasks("selvage-direct-workers", 0, "hung", null),
                tasks("java-threads", 0, null, "too many")));
    assertThat(lines(table, Table::allShown))
        .startsWith(
            "                        peak memory      time  starting all  completed",
            "                           lower is  lower is      lower is",
            "                             better    better        better",
            "-".repeat(70),
            "selvage-event                133 MB    11.5 s        250 ms  1,000,000",
            "  least to most          130–135 MB",
            "selvage-direct-workers  FAILED: hung",
            "java-threads            refused: too many")
        .contains("JVM flags: -Xmx4g", "INTERRUPTED after 5 of 9 runs; medians of what there is.")
        .anyMatch(line -> line.startsWith("selvage-direct-workers is an opt-in"))
        .noneMatch(line -> line.startsWith("NOISY"))
        .allMatch(line -> line.length() <= 100);
  }

  @Test
  void table_ofManyExperiments_namesThemAboveTheirFigures() {
    Plan plan = Plan.tour(List.of(EVENT, THREADS), 1);
    Table table =
        new Table(
            plan,
            List.of(
                tasks(settings("tasks", "wait=5s"), "selvage-event", 135e6, null, null),
                tasks(settings("tasks", "wait=5s"), "java-threads", 0, null, "too many")));
    assertThat(lines(table, Table::headlines))
        .startsWith(
            "                                     selvage-event  java-threads",
            "-".repeat(64),
            "ring   a message    lower is better        not run       not run",
            "       messages                            not run       not run",
            "spawn  a spawn      lower is better        not run       not run",
            "       memory       lower is better        not run       not run",
            "       ended                               not run       not run",
            "tasks  peak memory  lower is better         135 MB   refused [1]",
            "       time         lower is better         11.5 s   refused [1]",
            "       completed                         1,000,000   refused [1]",
            "[1] java-threads refused: too many")
        .contains("INTERRUPTED after 2 of 6 runs.");
  }

  @Test
  void table_ofASlowRuntimeInTheTour_saysWithWhatItRan() {
    Plan plan = Plan.tour(List.of(EVENT, THREADS), 1);
    Result ring =
        new Result(
            "ring",
            "java-threads",
            "25",
            settings("ring", "rounds=30"),
            Map.of("ns_per_message", 6000.0),
            Map.of(),
            1,
            true,
            null,
            null);
    assertThat(lines(new Table(plan, List.of(ring)), Table::headlines))
        .anyMatch(line -> line.contains("6.00 µs [1]"))
        .contains("[1] java-threads ran with processes=3000 rounds=30");
  }

  @Test
  void table_withMetricThatTheMachineDoesNotTell_saysSo() {
    Result result =
        new Result(
            "tasks",
            "selvage-event",
            "1",
            settings("tasks"),
            Map.of("completed", 1.0),
            Map.of(),
            1,
            true,
            null,
            null);
    assertThat(lines(new Table(plan(1, "tasks", EVENT), List.of(result)), Table::allShown))
        .anyMatch(line -> line.matches("selvage-event +not available .*"));
  }

  @Test
  void table_ofTasksThatDidNotAllWaitAtOnce_saysSo() {
    Result result =
        new Result(
            "tasks",
            "selvage-event",
            "1",
            settings("tasks"),
            Map.of("completed", 1e6, "wall_seconds", 24.0, "start_seconds", 11.0),
            Map.of(),
            1,
            true,
            null,
            null);
    assertThat(lines(new Table(plan(1, "tasks", EVENT), List.of(result)), Table::allShown))
        .anyMatch(line -> line.contains("24.0 s [1]"))
        .anyMatch(line ->
            line.startsWith("[1] selvage-event took 11.0 s to start all, longer than the first"));
  }

  @Test
  void table_ofRepeatsThatDiffer_warns() {
    Table table =
        new Table(
            plan(2, "tasks", EVENT),
            List.of(
                tasks("selvage-event", 100e6, null, null),
                tasks("selvage-event", 150e6, null, null)));
    assertThat(lines(table, Table::allShown))
        .anyMatch(line ->
            line.startsWith(
                "NOISY: repeats of one figure differ by up to 40 % (tasks, peak memory,"));
  }

  @Test
  void table_ofOneExperimentWithSeveralSettings_keepsThemApart() {
    Experiment tasks = Experiments.named("tasks");
    Plan plan =
        new Plan(
            List.of(
                new Plan.Measurement(
                    tasks, tasks.settings(List.of("tasks=1")), List.of(EVENT, THREADS)),
                new Plan.Measurement(
                    tasks, tasks.settings(List.of("tasks=10")), List.of(EVENT, THREADS))),
            1);
    Table table =
        new Table(
            plan,
            List.of(
                tasks(settings("tasks", "tasks=1"), "selvage-event", 30e6, null, null),
                tasks(settings("tasks", "tasks=10"), "selvage-event", 40e6, null, null)));
    assertThat(lines(table, Table::headlines))
        .anyMatch(line -> line.matches("tasks tasks=1 +peak memory .* 30.0 MB +not run"))
        .anyMatch(line -> line.matches("tasks tasks=10 +peak memory .* 40.0 MB +not run"));
  }

  @Test
  void table_ofMoreRuntimesThanALineHolds_isBrokenIntoExperiments() {
    List<Contender> many =
        IntStream.range(0, 12)
            .<Contender>mapToObj(i -> new FakeContender("a-fake-runtime-" + i))
            .toList();
    Experiment ring = Experiments.named("ring");
    Experiment tasks = Experiments.named("tasks");
    Plan plan =
        new Plan(
            List.of(
                new Plan.Measurement(ring, ring.settings(List.of()), many),
                new Plan.Measurement(tasks, tasks.settings(List.of()), many)),
            1);
    Table table = new Table(plan, List.of(tasks("a-fake-runtime-7", 0, "hung", null)));
    assertThat(lines(table, Table::headlines))
        .contains("ring", "tasks", "a-fake-runtime-7   FAILED: hung")
        .allMatch(line -> line.length() <= 120)
        .noneMatch(line -> line.startsWith("[1]"));
  }

  @Test
  void table_ofRates_saysThatHigherIsBetter_andCallsRepeatsNoisyToo() {
    List<Result> runs = List.of(fanin(20e6), fanin(30e6));
    assertThat(lines(new Table(plan(2, "fanin", EVENT), runs), Table::headlines))
        .startsWith(
            "                 messages a second   messages",
            "                         higher is",
            "                            better",
            "-".repeat(45),
            "selvage-event             25.0 M/s  1,000,000",
            "  least to most      20.0–30.0 M/s")
        .anyMatch(line ->
            line.startsWith(
                "NOISY: repeats of one figure differ by up to 40 % (fanin, messages a second,"));
    Plan two =
        new Plan(
            List.of(
                plan(1, "fanin", EVENT).measurements().getFirst(),
                plan(1, "startup", EVENT).measurements().getFirst()),
            1);
    assertThat(lines(new Table(two, runs.subList(0, 1)), Table::headlines))
        .contains(
            "fanin    messages a second  higher is better       20.0 M/s",
            "startup  time               lower is better         not run")
        .anyMatch(line -> line.startsWith("startup: the smallest program"));
  }

  @Test
  void headlines_byDefault_areCostsAndTheLastCount() {
    assertThat(Experiments.all())
        .allMatch(experiment ->
            experiment.headlines().stream().map(experiment::metric).anyMatch(Metric::isCount))
        .allMatch(experiment -> !experiment.metric(experiment.headlines().getFirst()).isCount());
  }

  @Test
  void metric_ofAnySize_hasThreeDigitsInAUnitThatFits() {
    assertThat(metric(Metric.Unit.NANOSECONDS).format(27.46)).isEqualTo("27.5 ns");
    assertThat(metric(Metric.Unit.NANOSECONDS).format(9.999)).isEqualTo("10.0 ns");
    assertThat(metric(Metric.Unit.NANOSECONDS).format(1234.4)).isEqualTo("1.23 µs");
    assertThat(metric(Metric.Unit.NANOSECONDS).format(0.041)).isEqualTo("0.041 ns");
    assertThat(metric(Metric.Unit.NANOSECONDS).format(0)).isEqualTo("0.00 ns");
    assertThat(metric(Metric.Unit.MICROSECONDS).format(0.041)).isEqualTo("41.0 ns");
    assertThat(metric(Metric.Unit.SECONDS).format(11.46)).isEqualTo("11.5 s");
    assertThat(metric(Metric.Unit.SECONDS).format(0.01146)).isEqualTo("11.5 ms");
    assertThat(metric(Metric.Unit.SECONDS).format(0.000_002)).isEqualTo("2.00 µs");
    assertThat(metric(Metric.Unit.MILLISECONDS).format(1146)).isEqualTo("1.15 s");
    assertThat(metric(Metric.Unit.PER_SECOND).format(25_000_000)).isEqualTo("25.0 M/s");
    assertThat(metric(Metric.Unit.PER_SECOND).format(950)).isEqualTo("950 /s");
    assertThat(metric(Metric.Unit.BYTES).format(135_400_000)).isEqualTo("135 MB");
    assertThat(metric(Metric.Unit.BYTES).format(96)).isEqualTo("96 bytes");
    assertThat(metric(Metric.Unit.COUNT).format(3_000_000)).isEqualTo("3,000,000");
  }

  @Test
  void metric_ofAColumn_hasOneUnitForAll() {
    Metric metric = metric(Metric.Unit.NANOSECONDS);
    Metric.Scale scale = metric.scale(List.of(6000.0, 27.46, 1420.0));
    assertThat(metric.format(27.46, scale)).isEqualTo("27.5 ns");
    assertThat(metric.format(6000, scale)).isEqualTo("6,000 ns");
    // The unit that the smallest needs would make the greatest unreadable.
    scale = metric.scale(List.of(150.0, 2e9));
    assertThat(metric.format(150, scale)).isEqualTo("0.00015 ms");
    assertThat(metric.format(2e9, scale)).isEqualTo("2,000 ms");
  }

  @Test
  void median_ofEvenlyMany_isBetweenTheMiddleTwo() {
    assertThat(Median.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(3.0);
    assertThat(Median.of(List.of(4.0, 1.0, 9.0))).isEqualTo(4.0);
    assertThat(Median.spread(List.of(4.0))).isZero();
    assertThat(Median.spread(List.of(1.0, 2.0, 3.0))).isEqualTo(1.0);
    assertThat(Median.spread(List.of(0.0, 0.0))).isZero();
  }

  private static List<String> lines(Table table, Function<Experiment, List<String>> columns) {
    return table.render(MACHINE, List.of("-Xmx4g"), columns).lines().toList();
  }

  private static Metric metric(Metric.Unit unit) {
    return new Metric("name", "title", unit, true, "description");
  }

  private static Plan plan(int repeats, String experiment, Contender... contenders) {
    Experiment named = Experiments.named(experiment);
    return new Plan(
        List.of(new Plan.Measurement(named, named.settings(List.of()), List.of(contenders))),
        repeats);
  }

  private static Map<String, Object> settings(String experiment, String... words) {
    return Experiments.named(experiment).settings(List.of(words)).asJson();
  }

  private static Result fanin(double messagesPerSecond) {
    return new Result(
        "fanin",
        "selvage-event",
        "1",
        settings("fanin"),
        Map.of("messages_per_second", messagesPerSecond, "messages", 1_000_000.0),
        Map.of(),
        1,
        true,
        null,
        null);
  }

  private static Result tasks(
      String runtime, double peak, @Nullable String error, @Nullable String refused) {
    return tasks(settings("tasks"), runtime, peak, error, refused);
  }

  private static Result tasks(
      Map<String, Object> settings,
      String runtime,
      double peak,
      @Nullable String error,
      @Nullable String refused) {
    return new Result(
        "tasks",
        runtime,
        "1",
        settings,
        error == null && refused == null
            ? Map.of(
                "peak_rss_bytes",
                peak,
                "wall_seconds",
                11.46,
                "start_seconds",
                0.25,
                "completed",
                1_000_000.0)
            : Map.of(),
        Map.of(),
        1,
        error == null && refused == null,
        error,
        refused);
  }
}
