package io.selvage.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The computer the lab runs on, as far as it tells. Everything comes from {@code /proc} and {@code
 * /sys} where these exist.
 */
public final class Machine {
  private static final long BUSY_PERCENT = 50;

  private final Path root;

  private Machine(Path root) {
    this.root = root;
  }

  /**
   * This computer.
   *
   * @return what can be known of it
   */
  public static Machine here() {
    return new Machine(Path.of("/"));
  }

  /** A computer whose {@code proc} and {@code sys} lie in a folder. */
  static Machine at(Path root) {
    return new Machine(root);
  }

  /** The model of the processor, or the name of its kind. */
  String cpu() {
    return lines("proc/cpuinfo")
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }

  /** How many processors the JVM may use. */
  int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** The memory of the machine, or of the container if that has less. */
  OptionalLong memory() {
    OptionalLong machine = meminfo("MemTotal:");
    OptionalLong container = containerLimit("memory.max", "memory/memory.limit_in_bytes");
    if (machine.isPresent() && container.isPresent()) {
      return OptionalLong.of(Math.min(machine.getAsLong(), container.getAsLong()));
    }
    return machine.isPresent() ? machine : container;
  }

  /** The memory that programs can still have without anything being swapped out. */
  OptionalLong memoryAvailable() {
    return meminfo("MemAvailable:");
  }

  /**
   * How busy other programs keep this machine, if it is worth a warning: the threads that wanted to
   * run in the last minute, as a percentage of the cores.
   *
   * @return the percentage, or empty if the machine is quiet or does not tell
   */
  public OptionalLong busyPercent() {
    return line("proc/loadavg").stream()
        .mapToDouble(line -> Double.parseDouble(line.substring(0, line.indexOf(' '))))
        .mapToLong(load -> Math.round(100 * load / cores()))
        .filter(percent -> percent >= BUSY_PERCENT)
        .findFirst();
  }

  /** How many threads exist on the machine now. */
  long threadsInUse() {
    // 0.11 0.18 0.11 1/81 6350: one of 81 threads is running
    return line("proc/loadavg")
        .map(line -> line.split(" ", -1)[3])
        .map(running -> Long.parseLong(running.substring(running.indexOf('/') + 1)))
        .orElse(0L);
  }

  /** The first line of a file below the root. */
  Optional<String> line(String file) {
    return lines(file).findFirst();
  }

  /** A file that holds one number. */
  OptionalLong number(String file) {
    return line(file).map(Machine::parse).orElse(OptionalLong.empty());
  }

  /** The limit of processes that this user may have. */
  OptionalLong userProcesses() {
    // Max processes             96549                96549                processes
    return lines("proc/self/limits")
        .filter(line -> line.startsWith("Max processes"))
        .map(line -> parse(line.substring("Max processes".length()).strip().split(" +", -1)[0]))
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  /**
   * The smallest limit of a control group, this process's or one around it.
   *
   * @param unified the file's name in the unified hierarchy (version 2)
   * @param separate controller and file in the older one (version 1)
   */
  OptionalLong containerLimit(String unified, String separate) {
    int slash = separate.indexOf('/');
    String controller = separate.substring(0, slash);
    String file = separate.substring(slash + 1);
    // 0::/user.slice or 4:memory:/user.slice
    List<String[]> groups =
        lines("proc/self/cgroup")
            .map(line -> line.split(":", 3))
            .filter(g -> g.length == 3)
            .toList();
    OptionalLong least = OptionalLong.empty();
    for (String[] group : groups) {
      Path top;
      String name;
      if (group[1].isEmpty()) {
        top = Path.of("sys/fs/cgroup");
        name = unified;
      } else if (List.of(group[1].split(",", -1)).contains(controller)) {
        top = Path.of("sys/fs/cgroup", controller);
        name = file;
      } else {
        continue;
      }
      Path folder = top.resolve(group[2].substring(1));
      while (folder != null && folder.startsWith(top)) {
        OptionalLong limit = number(folder.resolve(name).toString());
        if (limit.isPresent() && (least.isEmpty() || limit.getAsLong() < least.getAsLong())) {
          least = limit;
        }
        folder = folder.getParent();
      }
    }
    return least;
  }

  /**
   * What a figure depends on.
   *
   * @param flags the flags of the measured JVM
   * @return cpu, cores, memory, os, jdk and flags, as JSON can hold them
   */
  Map<String, Object> environment(List<String> flags) {
    Map<String, Object> environment = new LinkedHashMap<>();
    environment.put("cpu", cpu());
    environment.put("cores", cores());
    memory().ifPresent(bytes -> environment.put("memory", bytes));
    environment.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    environment.put("jdk", System.getProperty("java.vendor") + " " + Runtime.version());
    environment.put("flags", flags);
    return environment;
  }

  /**
   * One line for people.
   *
   * @return processor, cores, memory, operating system and JDK
   */
  public String describe() {
    return String.format(
        Locale.ROOT,
        "%s, %d %s, %s%s %s, JDK %s",
        cpu(),
        cores(),
        cores() == 1 ? "core" : "cores",
        memory().isPresent()
            ? String.format(Locale.ROOT, "%.1f GB of memory, ", memory().getAsLong() / 1e9)
            : "",
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        Runtime.version());
  }

  private OptionalLong meminfo(String field) {
    return lines("proc/meminfo")
        .filter(line -> line.startsWith(field))
        .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
        .map(OptionalLong::of)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  private static OptionalLong parse(String text) {
    return text.matches("[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  /** The lines of a file below the root; none if it is not there or must not be read. */
  private Stream<String> lines(String file) {
    try {
      return Files.readAllLines(root.resolve(file)).stream();
    } catch (IOException e) {
      return Stream.empty();
    }
  }
}
