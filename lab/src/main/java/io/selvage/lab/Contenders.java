package io.selvage.lab;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All runtimes there are. */
public final class Contenders {
  private static final String SELVAGE = Launch.version();
  private static final String JAVA = Runtime.version().toString();

  private static final List<Contender> OWN =
      List.of(
          new JvmContender(
              "selvage-event",
              "Selvage, event processes: a behavior that is called for each message",
              SELVAGE,
              "",
              Programs.EVENT,
              List.of("form=event", "workers=false", "unbounded=false"),
              List.of(),
              (experiment, settings, machine) -> noBusyHandshake(experiment, settings)),
          new JvmContender(
              "selvage-direct",
              "Selvage, direct processes: straight-line code on a virtual thread",
              SELVAGE,
              "",
              Programs.DIRECT,
              List.of("form=direct", "workers=false", "unbounded=false"),
              List.of(),
              (experiment, settings, machine) -> noBusyHandshake(experiment, settings)),
          new JvmContender(
              "selvage-direct-workers",
              "Selvage, direct processes on the node's own workers: an opt-in that needs a JVM"
                  + " flag",
              SELVAGE,
              "selvage-direct-workers is an opt-in: its JVM alone has the flag --add-opens"
                  + " java.base/java.lang=ALL-UNNAMED",
              Programs.DIRECT,
              List.of("form=direct", "workers=true", "unbounded=false"),
              List.of("--add-opens=java.base/java.lang=ALL-UNNAMED"),
              (experiment, settings, machine) -> noBusyHandshake(experiment, settings)),
          new JvmContender(
              "selvage-event-unbounded",
              "Selvage, event processes with back-pressure switched off, to see what it does",
              SELVAGE,
              "selvage-event-unbounded has Marks.off()",
              Programs.EVENT_UNBOUNDED,
              List.of("form=event", "workers=false", "unbounded=true"),
              List.of(),
              (experiment, settings, machine) -> Optional.empty()),
          new JvmContender(
              "selvage-direct-unbounded",
              "Selvage, direct processes with back-pressure switched off, to see what it does",
              SELVAGE,
              "selvage-direct-unbounded has Marks.off()",
              Programs.DIRECT_UNBOUNDED,
              List.of("form=direct", "workers=false", "unbounded=true"),
              List.of(),
              (experiment, settings, machine) -> Optional.empty()),
          new JvmContender(
              "java-virtual",
              "plain Java: virtual threads, each with a LinkedTransferQueue",
              JAVA,
              "",
              Programs.THREADS,
              List.of("threads=virtual", "mailbox=queue"),
              List.of(),
              (experiment, settings, machine) -> noKind(experiment, settings)),
          new JvmContender(
              "java-virtual-park",
              "plain Java: virtual threads with a hand-written queue and park; in spawn without"
                  + " any",
              JAVA,
              "",
              Programs.PARK,
              List.of("threads=virtual", "mailbox=park"),
              List.of(),
              Contenders::parkRefusal),
          new JvmContender(
              "java-virtual-bounded",
              "plain Java: virtual threads, each with an ArrayBlockingQueue of 1000",
              JAVA,
              "",
              Programs.THREADS_BOUNDED,
              List.of("threads=virtual", "mailbox=bounded"),
              List.of(),
              (experiment, settings, machine) -> Optional.empty()),
          new JvmContender(
              "java-threads",
              "plain Java: platform threads, each with a LinkedTransferQueue",
              JAVA,
              "",
              Programs.THREADS,
              List.of("threads=platform", "mailbox=queue"),
              List.of(),
              Contenders::threadsRefusal));

  private Contenders() {}

  /**
   * All runtimes: those whose programs are classes of this lab, and behind them the peers of the
   * source tree it runs from, here or absent.
   *
   * @return in the order in which they are measured and shown
   */
  public static List<Contender> all() {
    return Stream.concat(OWN.stream(), Peers.all().stream()).toList();
  }

  /**
   * Those that take part in an experiment if none is named: no peers.
   *
   * @param experiment the experiment
   * @return in the order in which they are measured and shown
   */
  public static List<Contender> of(Experiment experiment) {
    return OWN.stream()
        .filter(contender -> contender.takesPartIn(experiment) && contender.absence().isEmpty())
        .toList();
  }

  /**
   * A runtime whose programs are classes of this lab.
   *
   * @param name its name
   * @return the runtime, or empty if there is none of this name or it is a peer
   */
  public static Optional<Contender> own(String name) {
    return OWN.stream().filter(contender -> contender.name().equals(name)).findFirst();
  }

  /**
   * Finds a runtime.
   *
   * @param name its name
   * @return the runtime
   * @throws BadInputException if there is none of this name; the message tells the nearest one
   */
  public static Contender named(String name) {
    return all().stream()
        .filter(contender -> contender.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new BadInputException(
                "there is no runtime \""
                    + name
                    + "\". "
                    + Nearest.hint(name, all().stream().map(Contender::name).toList())));
  }

  private static boolean isBusy(Experiment experiment, Settings settings) {
    return experiment.name().equals("spawn") && settings.flag("busy");
  }

  private static Optional<String> noBusyHandshake(Experiment experiment, Settings settings) {
    return isBusy(experiment, settings) && settings.choice("kind").equals("handshake")
        ? Optional.of(
            "a handshake waits until the new process has run, and those that spin leave it no"
                + " processor")
        : Optional.empty();
  }

  private static Optional<String> noKind(Experiment experiment, Settings settings) {
    return experiment.name().equals("spawn") && !settings.choice("kind").equals("plain")
        ? Optional.of(
            "threads have no links, monitors or handshakes, so there is no kind="
                + settings.choice("kind"))
        : Optional.empty();
  }

  private static Optional<String> parkRefusal(
      Experiment experiment, Settings settings, Machine machine) {
    if (experiment.name().equals("tasks")) {
      return Optional.of("a task has no queue, so the program would be that of java-virtual");
    }
    if (experiment.name().equals("startup")) {
      return Optional.of("a program starts as fast whatever its queue is: see java-virtual");
    }
    return isBusy(experiment, settings)
        ? Optional.of(
            "a thread that spins does not park: the program would be that of java-virtual")
        : noKind(experiment, settings);
  }

  private static Optional<String> threadsRefusal(
      Experiment experiment, Settings settings, Machine machine) {
    return noKind(experiment, settings)
        .or(() ->
            isBusy(experiment, settings)
                ? Optional.of(
                    "each new platform thread would wait for its turn behind all that spin")
                : Optional.empty())
        .or(() ->
            ThreadLimit.of(machine)
                .flatMap(limit -> limit.refuse(experiment.population(settings))));
  }
}
