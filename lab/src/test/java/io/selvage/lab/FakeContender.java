package io.selvage.lab;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A runtime that misbehaves as its name says; its program is {@link FakeProgram}. */
record FakeContender(String name) implements Contender {
  @Override
  public String description() {
    return "does not exist";
  }

  @Override
  public String version() {
    return "0";
  }

  @Override
  public boolean takesPartIn(Experiment experiment) {
    return true;
  }

  @Override
  public Optional<String> absence() {
    return name.equals("absent")
        ? Optional.of("it is not installed: apt install absent")
        : Optional.empty();
  }

  @Override
  public Optional<String> refusal(Experiment experiment, Settings settings, Machine machine) {
    return name.equals("refusing") ? Optional.of("it does not like rings") : Optional.empty();
  }

  @Override
  public List<String> command(Experiment experiment, Settings settings, List<String> flags) {
    return name.equals("not-there")
        ? List.of("/nowhere/program")
        : List.of(
            Launch.java(),
            "-Xshare:auto",
            "-Xmx64m",
            "-cp",
            Path.of("target", "test-classes").toString(),
            FakeProgram.class.getName(),
            name);
  }

  @Override
  public List<String> flags(List<String> flags) {
    return flags;
  }
}
