package io.selvage.lab.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** How much memory this JVM uses. */
final class Memory {
  private static final Path STATUS = Path.of("/proc/self/status");

  private static final int MOST_COLLECTIONS = 10;
  private static final long NO_LONGER_FALLING_BYTES = 4096;
  private static final long PAUSE_MILLIS = 20;

  private Memory() {}

  /** The most memory that this process ever had resident, as Linux accounts it. */
  static OptionalLong peakResident() {
    return status("VmHWM:");
  }

  /** The memory that this process has resident now, as Linux accounts it. */
  static OptionalLong resident() {
    return status("VmRSS:");
  }

  /**
   * The bytes of the heap that are in use after a collection. Collects again until that finds
   * nothing more: the JVM lets go of an ended thread a little after the thread has ended.
   */
  static long heapInUse() throws InterruptedException {
    long before = Long.MAX_VALUE;
    long used = collected();
    for (int i = 1; i < MOST_COLLECTIONS && used < before - NO_LONGER_FALLING_BYTES; i++) {
      Thread.sleep(PAUSE_MILLIS);
      before = used;
      used = collected();
    }
    return used;
  }

  private static long collected() {
    System.gc();
    Runtime jvm = Runtime.getRuntime();
    return jvm.totalMemory() - jvm.freeMemory();
  }

  private static OptionalLong status(String field) {
    if (!Files.isReadable(STATUS)) {
      return OptionalLong.empty();
    }
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(field))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
          .findFirst();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
