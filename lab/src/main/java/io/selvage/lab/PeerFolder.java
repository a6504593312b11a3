package io.selvage.lab;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a peer: what its {@code peer.properties} says, whether its toolchain is here, and
 * its build. {@code lab/peers/README.md} describes the format. Toolchain and build are looked at
 * once, when somebody first asks. All methods may be called by any thread.
 */
final class PeerFolder {
  static final String FILE = "peer.properties";

  /** A build may have to fetch and compile libraries on a slow machine. */
  private static final Duration BUILD_LIMIT = Duration.ofMinutes(15);

  private static final Duration VERSION_LIMIT = Duration.ofMinutes(1);
  private static final int LONGEST_VERSION = 80;
  private static final long LOCK_PAUSE_MILLIS = 100;

  private static final List<String> NEEDED =
      List.of("runtimes", "title", "experiments", "toolchain", "install", "version", "run");

  private final Path folder;
  private final Path cache;
  private final Properties properties = new Properties();

  /** Why the description cannot be used, or empty. */
  private final Optional<String> defect;

  /** What the toolchain is; guarded by this. */
  private @Nullable Toolchain toolchain;

  /** How the build went; guarded by this. */
  private @Nullable Build build;

  /**
   * A toolchain.
   *
   * @param version its version, or {@code absent}
   * @param absence why it cannot be used
   */
  private record Toolchain(String version, Optional<String> absence) {}

  /**
   * How a build went.
   *
   * @param failure what went wrong, as the end of a sentence that begins with the runtime
   */
  record Build(Optional<String> failure) {
    private static final Build DONE = new Build(Optional.empty());
  }

  PeerFolder(Path folder, Path cache) {
    this.folder = folder.toAbsolutePath();
    this.cache = cache.toAbsolutePath();
    String missing = "";
    try (Reader reader = Files.newBufferedReader(folder.resolve(FILE))) {
      properties.load(reader);
      missing =
          NEEDED.stream()
              .filter(key -> runtimes().stream().anyMatch(name -> text(key, name).isEmpty()))
              .map(key -> "has no \"" + key + "\"")
              .findFirst()
              .orElse("");
    } catch (IOException | IllegalArgumentException e) {
      missing = "cannot be read (" + e.getMessage() + ")";
    }
    defect =
        missing.isEmpty()
            ? Optional.empty()
            : Optional.of("its description " + this.folder.resolve(FILE) + " " + missing);
  }

  /** The name of the folder, and of the one its programs are built into. */
  String name() {
    return folder.getFileName().toString();
  }

  /** The runtimes of this folder; of one without a description that can be read, its own name. */
  List<String> runtimes() {
    List<String> names = words(properties.getProperty("runtimes", ""));
    return names.isEmpty() ? List.of(name()) : names;
  }

  /** What a key says for a runtime; empty if it says nothing. */
  String text(String key, String runtime) {
    return properties.getProperty(key + "." + runtime, properties.getProperty(key, "")).strip();
  }

  /** The words behind a key. */
  List<String> list(String key, String runtime) {
    return words(text(key, runtime));
  }

  /** The version of the toolchain. */
  String version() {
    return toolchain().version;
  }

  /** What is missing, and the command that installs it. */
  Optional<String> absence() {
    return toolchain().absence;
  }

  private synchronized Toolchain toolchain() {
    if (toolchain == null) {
      toolchain =
          defect
              .or(this::missingCommand)
              .map(reason -> new Toolchain("absent", Optional.of(reason)))
              .orElseGet(this::askVersion);
    }
    return toolchain;
  }

  private Optional<String> missingCommand() {
    return list("toolchain", runtimes().getFirst()).stream()
        .filter(command -> !isOnPath(command))
        .findFirst()
        .map(command -> "there is no command " + command + cure());
  }

  private String cure() {
    return "; install it with: " + text("install", runtimes().getFirst());
  }

  private static boolean isOnPath(String command) {
    return Arrays.stream(path().split(File.pathSeparator, -1))
        .filter(place -> !place.isEmpty())
        .map(place -> Path.of(place, command))
        .anyMatch(file -> Files.isRegularFile(file) && Files.isExecutable(file));
  }

  /** The path, and behind all of it the JDK that the lab runs on. */
  private static String path() {
    return Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin")
        + File.pathSeparator
        + Path.of(Launch.java()).getParent();
  }

  /** A command that is there may still be a stub without anything behind it. */
  private Toolchain askVersion() {
    String command = text("version", runtimes().getFirst());
    String failure;
    try {
      ChildProcess.Ended ended =
          ChildProcess.run(
                  shell(command, runtimes().getFirst()),
                  VERSION_LIMIT.toNanos(),
                  elapsed -> {},
                  new Stop())
              .orElseThrow(); // nobody stops it
      if (ended.exitCode() == 0 && !ended.timedOut()) {
        String line = ended.firstLine().isEmpty() ? ended.firstError() : ended.firstLine();
        return new Toolchain(line.isEmpty() ? "unknown" : shortened(line), Optional.empty());
      }
      failure = ended.timedOut() ? "it hangs" : ended.firstWords();
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage());
    }
    return new Toolchain(
        "absent", Optional.of("its toolchain does not work (" + failure + ")" + cure()));
  }

  /** Some tell how they were built, too. */
  private static String shortened(String version) {
    return version.length() > LONGEST_VERSION
        ? version.substring(0, LONGEST_VERSION) + "…"
        : version;
  }

  /** A line for the shell, started in this folder. */
  ProcessBuilder shell(String line, String runtime, String... arguments) {
    List<String> command = new ArrayList<>(List.of("sh", "-c", line, "sh"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("PATH", path());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("SELVAGE_PEERS_CACHE", cache.toString());
    environment.put("SELVAGE_PEER_BUILD", target().toString());
    environment.put("SELVAGE_PEER_RUNTIME", runtime);
    return builder;
  }

  /**
   * Builds the programs if they are not built yet, or from other sources or by another toolchain.
   *
   * @param tick told how long the build has been running; not called if there is none
   * @param stop ends it
   * @return how it went; empty if it was stopped
   */
  synchronized Optional<Build> build(Consumer<Duration> tick, Stop stop) {
    if (build == null) {
      try {
        Files.createDirectories(target());
        String command = text("build", runtimes().getFirst());
        if (command.isEmpty()) {
          build = Build.DONE;
        } else {
          try (FileChannel channel =
                  FileChannel.open(
                      cache.resolve(name() + ".lock"),
                      StandardOpenOption.CREATE,
                      StandardOpenOption.WRITE);
              FileLock lock = lock(channel, stop)) {
            build = lock == null ? null : make(command, tick, stop);
          }
        }
      } catch (IOException e) {
        build = new Build(Optional.of(unbuilt(e)));
      }
    }
    return Optional.ofNullable(build);
  }

  private String unbuilt(IOException e) {
    String cause =
        e instanceof FileSystemException told && told.getReason() != null
            ? told.getReason()
            : e.getClass().getSimpleName() + " " + e.getMessage();
    return "could not be built in "
        + cache
        + " ("
        + cause
        + "); make room there, or set SELVAGE_PEERS_CACHE to another folder";
  }

  /** Only one lab at a time builds here. Null if a stop came first. */
  private static @Nullable FileLock lock(FileChannel channel, Stop stop) throws IOException {
    while (!stop.isRequested()) {
      try {
        FileLock lock = channel.tryLock();
        if (lock != null) {
          return lock;
        }
      } catch (OverlappingFileLockException e) {
        // another thread of this JVM holds it
      }
      try {
        Thread.sleep(LOCK_PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while another lab builds it", e);
      }
    }
    return null;
  }

  /** Null if it was stopped. */
  private @Nullable Build make(String command, Consumer<Duration> tick, Stop stop)
      throws IOException {
    Path stamp = cache.resolve(name() + ".built");
    String fingerprint = fingerprint(command);
    if (Files.exists(stamp) && Files.readString(stamp).equals(fingerprint)) {
      return Build.DONE;
    }
    Files.deleteIfExists(stamp);
    delete(target()); // what is left of other sources would be found by some tools
    Files.createDirectories(target());
    Path log = cache.resolve(name() + ".log");
    tick.accept(Duration.ZERO);
    ProcessBuilder builder =
        shell(command, runtimes().getFirst())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Optional<ChildProcess.Ended> ended =
        ChildProcess.run(
            builder,
            BUILD_LIMIT.toNanos(),
            elapsed -> tick.accept(Duration.ofNanos(elapsed)),
            stop);
    if (ended.isEmpty()) {
      return null;
    }
    if (ended.get().timedOut()) {
      return failed("the build did not end within " + Durations.text(BUILD_LIMIT), log);
    }
    if (ended.get().exitCode() != 0) {
      return failed(complaint(log), log);
    }
    Files.writeString(stamp, fingerprint);
    return Build.DONE;
  }

  private static Build failed(String cause, Path log) {
    return new Build(
        Optional.of("could not be built: " + cause + " (all of the build's output: " + log + ")"));
  }

  /** The first line of a log that speaks of an error, else the first one. */
  private static String complaint(Path log) throws IOException {
    // A compiler may quote sources in any encoding.
    List<String> lines =
        new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .toList();
    String line =
        lines.stream()
            .filter(text -> text.toLowerCase(Locale.ROOT).contains("error"))
            .findFirst()
            .or(() -> lines.stream().findFirst())
            .orElse("it printed nothing");
    return line.length() > 300 ? line.substring(0, 300) + "…" : line;
  }

  /** Changes with the command, the toolchain, and every file that may be built from. */
  private String fingerprint(String command) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
    digest.update((command + "\n" + version() + "\n").getBytes(StandardCharsets.UTF_8));
    for (Path source : sources()) {
      try (Stream<Path> files = Files.walk(source)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          digest.update((folder.relativize(file) + "\n").getBytes(StandardCharsets.UTF_8));
          digest.update(Files.readAllBytes(file));
        }
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** This folder, and the ones beside it that hold no peer but what several peers share. */
  private List<Path> sources() throws IOException {
    try (Stream<Path> all = Files.list(folder.getParent())) {
      return all.filter(Files::isDirectory)
          .filter(other -> other.equals(folder) || !Files.exists(other.resolve(FILE)))
          .sorted()
          .toList();
    }
  }

  private Path target() {
    return cache.resolve(name());
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!Files.isSymbolicLink(file)) {
          file.toFile().setWritable(true); // some tools write-protect what they fetch
        }
        Files.delete(file);
      }
    }
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .toList();
  }
}
