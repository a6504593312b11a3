package io.selvage.lab.report;

import io.selvage.lab.BadInputException;
import io.selvage.lab.Contender;
import io.selvage.lab.Contenders;
import io.selvage.lab.Experiment;
import io.selvage.lab.Experiments;
import io.selvage.lab.Plan;
import io.selvage.lab.Result;
import io.selvage.lab.Settings;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the files that {@code --json} wrote, so that a long measurement can be made in pieces, and
 * compared with an earlier one. Experiments come in the lab's order, and whatever else in the order
 * of the files.
 */
public final class Recordings {
  private static final int LONGEST_QUOTE = 60;

  /** The settings of each experiment that was met, and who took part with them. */
  private final Map<Experiment, Map<Settings, Set<String>>> met = new HashMap<>();

  private final List<Result> results = new ArrayList<>();

  private Recordings() {}

  /**
   * Reads files.
   *
   * @param files at least one
   * @return what they hold together
   * @throws BadInputException if one cannot be read, is named twice, or holds anything but results;
   *     the message names file and line
   */
  public static Findings read(List<Path> files) {
    Recordings recordings = new Recordings();
    Set<Path> seen = new LinkedHashSet<>();
    for (Path file : files) {
      if (!seen.add(file.toAbsolutePath().normalize())) {
        throw new BadInputException(
            file + " is named twice: name it once, or its runs would count twice.");
      }
      recordings.add(file);
    }
    return recordings.findings(files);
  }

  private void add(Path file) {
    List<String> lines = lines(file);
    boolean any = false;
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        add(file, i + 1, lines.get(i));
        any = true;
      }
    }
    if (!any) {
      throw new BadInputException(
          file + " holds no results: name a file that `./selvage lab --json` has written.");
    }
  }

  private static List<String> lines(Path file) {
    if (Files.isDirectory(file)) {
      throw new BadInputException(file + " is a folder: name the files in it.");
    }
    if (!Files.exists(file)) {
      throw new BadInputException(
          "there is no file " + file + ": name one that `./selvage lab --json` has written.");
    }
    try {
      return Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new BadInputException(
          file + " is no text: name a file that `./selvage lab --json` has written.");
    } catch (AccessDeniedException e) {
      throw new BadInputException(file + " must not be read by you: change its permissions.");
    } catch (IOException e) {
      throw new BadInputException(file + " cannot be read (" + e.getMessage() + ").");
    }
  }

  private void add(Path file, int number, String line) {
    Result result;
    try {
      result = Result.fromJson(line);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(
          file
              + " line "
              + number
              + " is no result of the lab: \""
              + (line.length() > LONGEST_QUOTE ? line.substring(0, LONGEST_QUOTE) + "…" : line)
              + "\"; name a file that `./selvage lab --json` has written, or delete the line.");
    }
    try {
      Experiment experiment = Experiments.named(result.experiment());
      Settings settings =
          experiment.settings(
              result.params().entrySet().stream()
                  .map(entry -> entry.getKey() + "=" + entry.getValue())
                  .toList());
      met.computeIfAbsent(experiment, any -> new LinkedHashMap<>())
          .computeIfAbsent(settings, any -> new LinkedHashSet<>())
          .add(result.runtime());
      results.add(complete(result, settings));
    } catch (BadInputException e) {
      throw new BadInputException(file + " line " + number + ": " + e.getMessage());
    }
  }

  /** With the settings that a lab did not have yet when it wrote the result. */
  private static Result complete(Result result, Settings settings) {
    return new Result(
        result.experiment(),
        result.runtime(),
        result.version(),
        settings.asJson(),
        result.metrics(),
        result.environment(),
        result.repeat(),
        result.ok(),
        result.error(),
        result.refused());
  }

  private Findings findings(List<Path> files) {
    List<Plan.Measurement> measurements = new ArrayList<>();
    for (Experiment experiment : Experiments.all()) {
      met.getOrDefault(experiment, Map.of())
          .forEach((settings, runtimes) ->
              measurements.add(
                  new Plan.Measurement(
                      experiment, settings, runtimes.stream().map(this::contender).toList())));
    }
    int repeats = results.stream().mapToInt(Result::repeat).max().orElse(1);
    return new Findings(new Plan(measurements, repeats), results, files);
  }

  private Contender contender(String name) {
    return Contenders.own(name).orElseGet(() -> recorded(name));
  }

  private Contender recorded(String name) {
    List<Result> all = results.stream().filter(result -> result.runtime().equals(name)).toList();
    Result told = all.stream().filter(Result::ok).findFirst().orElse(all.getFirst());
    return new Recorded(name, told.version(), Environments.settings(told));
  }
}
