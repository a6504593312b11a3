package io.selvage.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The most memory that another program ever had resident, read from outside while it runs. Linux
 * keeps the mark ({@code VmHWM}) itself, but forgets it with the program: so it is read many times
 * a second, and only what the program grows by between the last reading and its end is missed. Used
 * by one thread.
 */
final class ResidentMemory {
  /** How often {@link #read} wants to be called. */
  static final long PERIOD_MILLIS = 20;

  /** Looking for children reads all of {@code /proc}, so it is done about once a second. */
  private static final int READINGS_BETWEEN_CHILDREN = 50;

  private static final int FIRST_LOOK = 5;

  /** What has run for a shorter time may have been read while it was still the shell. */
  private static final int FEWEST_READINGS = 3;

  private static final String MARK = "VmHWM:";

  private final ProcessHandle program;

  /**
   * The mark of each process at its last reading. The last, not the highest: a process that has
   * been forked has its parent's pages, and with them its mark, until it runs a program of its own.
   */
  private final Map<Long, Long> marks = new HashMap<>();

  private int readings;

  ResidentMemory(ProcessHandle program) {
    this.program = program;
  }

  /** Reads the mark of the program, and now and then those of its children. */
  void read() {
    read(program.pid());
    if (readings % READINGS_BETWEEN_CHILDREN == FIRST_LOOK) {
      program.descendants().forEach(child -> read(child.pid()));
    }
    readings++;
  }

  /** The program's mark and those of its children, in bytes; empty if the machine does not tell. */
  OptionalLong peak() {
    return readings < FEWEST_READINGS || marks.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(marks.values().stream().mapToLong(Long::longValue).sum());
  }

  private void read(long pid) {
    String status;
    try {
      status = Files.readString(Path.of("/proc", Long.toString(pid), "status"));
    } catch (IOException e) {
      return; // it has ended, or there is no /proc
    }
    // VmHWM:      2236 kB
    int mark = status.indexOf(MARK);
    if (mark >= 0) { // one that has ended and was not waited for has none
      String line = status.substring(mark + MARK.length(), status.indexOf('\n', mark));
      marks.put(pid, Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024);
    }
  }
}
