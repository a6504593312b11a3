package io.selvage.lab.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** How much memory this JVM uses. */
final class Memory {
  private static final Path STATUS = Path.of("/proc/self/status");

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
   * The bytes of the heap that are in use after a collection. Two collections, because what the
   * first one finds unreachable may hold more until its references have been handled.
   */
  static long heapInUse() {
    System.gc();
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
