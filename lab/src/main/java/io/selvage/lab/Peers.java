package io.selvage.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Finds the runtimes that have a folder of their own in the source tree. */
final class Peers {
  /** The launcher tells where the source tree is. */
  private static final String HOME = "selvage.home";

  /** By source tree, so that a toolchain and a build are looked at once. */
  private static final Map<Path, List<Contender>> FOUND = new ConcurrentHashMap<>();

  private Peers() {}

  /** The peers of the source tree that this program runs from; none if it runs without one. */
  static List<Contender> all() {
    String home = System.getProperty(HOME, "");
    return home.isEmpty()
        ? List.of()
        : FOUND.computeIfAbsent(Path.of(home, "lab", "peers"), folder -> find(folder, cache()));
  }

  /** The peers below a folder, in the order of the folders' names. */
  static List<Contender> find(Path peers, Path cache) {
    List<Path> folders;
    try (Stream<Path> all = Files.list(peers)) {
      folders =
          all.filter(folder -> Files.exists(folder.resolve(PeerFolder.FILE))).sorted().toList();
    } catch (IOException e) {
      return List.of(); // no such folder: somebody has taken the program elsewhere
    }
    List<Contender> found = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Path path : folders) {
      PeerFolder folder = new PeerFolder(path, cache);
      for (String name : folder.runtimes()) {
        if (names.add(name)) {
          found.add(new PeerContender(name, folder));
        }
      }
    }
    return List.copyOf(found);
  }

  private static Path cache() {
    return Optional.ofNullable(System.getenv("SELVAGE_PEERS_CACHE"))
        .filter(folder -> !folder.isBlank())
        .map(Path::of)
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache", "selvage", "peers"));
  }
}
