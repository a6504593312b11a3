package io.selvage.lab;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A runtime of another language or library, described by a {@code peer.properties}.
 *
 * @param name the word to type
 * @param folder where its programs are
 */
record PeerContender(String name, PeerFolder folder) implements Contender {
  private static final String JVM_FLAGS = "SELVAGE_PEER_JVM_FLAGS";

  @Override
  public String description() {
    return folder.text("title", name);
  }

  @Override
  public String version() {
    return folder.version();
  }

  @Override
  public Optional<String> note(Optional<String> measured) {
    return measured.map(version ->
        name
            + ": "
            + version
            + (settings().isEmpty() ? ", all as it is by default" : "; " + settings()));
  }

  @Override
  public String settings() {
    return folder.text("settings", name);
  }

  @Override
  public Optional<String> absence() {
    return folder.absence();
  }

  @Override
  public boolean takesPartIn(Experiment experiment) {
    return folder.list("experiments", name).contains(experiment.name());
  }

  @Override
  public Optional<String> refusal(Experiment experiment, Settings settings, Machine machine) {
    if (!takesPartIn(experiment)) {
      return Optional.of(
          "it has no program for "
              + experiment.name()
              + ", only for "
              + String.join(", ", folder.list("experiments", name)));
    }
    return (experiment.name().equals("spawn") ? spawnRefusal(settings) : Optional.<String>empty())
        .or(() ->
            folder.text("limit", name).equals("threads")
                ? ThreadLimit.of(machine)
                    .flatMap(limit -> limit.refuse(experiment.population(settings)))
                : Optional.empty());
  }

  private Optional<String> spawnRefusal(Settings settings) {
    List<String> described = folder.list("kinds", name);
    List<String> kinds = described.isEmpty() ? List.of("plain") : described;
    if (!kinds.contains(settings.choice("kind"))) {
      return Optional.of(
          "it has no kind=" + settings.choice("kind") + ", only " + String.join(", ", kinds));
    }
    return settings.flag("busy") && folder.text("busy", name).equals("false")
        ? Optional.of(
            "there is no busy=true for it, since all its processes share one thread, and one that"
                + " spins would never leave it")
        : Optional.empty();
  }

  @Override
  public boolean tellsItsMemory() {
    return false;
  }

  @Override
  public Optional<Preparation> prepare(Consumer<Duration> tick, Stop stop) {
    return folder.build(tick, stop).map(build -> new Preparation(build.failure()));
  }

  @Override
  public List<String> command(Experiment experiment, Settings settings, List<String> flags) {
    return process(experiment, settings, flags).command();
  }

  @Override
  public ProcessBuilder process(Experiment experiment, Settings settings, List<String> flags) {
    List<String> arguments = settings.arguments();
    arguments.addFirst(experiment.name());
    ProcessBuilder builder =
        folder.shell(folder.text("run", name), name, arguments.toArray(String[]::new));
    builder.environment().put(JVM_FLAGS, String.join(" ", flags(flags)));
    return builder;
  }

  @Override
  public boolean isJvm() {
    return folder.text("run", name).contains("$" + JVM_FLAGS);
  }

  @Override
  public List<String> flags(List<String> flags) {
    return isJvm() ? flags : List.of();
  }
}
