package io.selvage.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** How much memory this JVM uses. */
final class Memory {
  private static final int MOST_COLLECTIONS = 20;
  private static final int ENOUGH_COLLECTIONS = 3;
  private static final long NO_LONGER_FALLING_BYTES = 4096;
  private static final long PAUSE_MILLIS = 20;

  private Memory() {}

  /**
   * The bytes that are in use after a collection. Collects again until that has found nothing more
   * several times: what has ended is let go of a little later.
   */
  static long heapInUse() throws InterruptedException {
    long least = collected();
    for (int i = 0, same = 0; i < MOST_COLLECTIONS && same < ENOUGH_COLLECTIONS; i++) {
      Thread.sleep(PAUSE_MILLIS);
      long used = collected();
      same = used < least - NO_LONGER_FALLING_BYTES ? 0 : same + 1;
      least = Math.min(least, used);
    }
    return least;
  }

  /** The memory that this process has resident now, as Linux accounts it. */
  static OptionalLong resident() {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return OptionalLong.empty();
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static long collected() {
    System.gc();
    Runtime jvm = Runtime.getRuntime();
    return jvm.totalMemory() - jvm.freeMemory();
  }
}
