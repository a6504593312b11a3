package io.selvage.lab;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How many platform threads one more program can start before something of the machine gives way: a
 * limit that is found by trying takes other programs down with it.
 *
 * @param threads the number, with a reserve for everybody else
 * @param cause what sets it
 */
record ThreadLimit(long threads, String cause) {
  /** Stack pages touched, the kernel's stack, and what the JVM keeps of a thread that waits. */
  private static final long BYTES_PER_THREAD = 128 * 1024;

  /** A stack and its guard pages are two mappings. */
  private static final long MAPPINGS_PER_THREAD = 2;

  /** The mappings of a JVM without threads, and some room. */
  private static final long MAPPINGS_OF_JVM = 1000;

  /** The lowest of all limits that the machine tells, less a fifth. Empty if it tells none. */
  static Optional<ThreadLimit> of(Machine machine) {
    long others = machine.threadsInUse();
    List<ThreadLimit> limits = new ArrayList<>();
    limit(limits, "kernel.threads-max", machine.number("proc/sys/kernel/threads-max"), others);
    limit(limits, "kernel.pid_max", machine.number("proc/sys/kernel/pid_max"), others);
    limit(limits, "the user's limit of processes (ulimit -u)", machine.userProcesses(), others);
    limit(
        limits,
        "the container's pids.max",
        machine.containerLimit("pids.max", "pids/pids.max"),
        others);
    machine
        .number("proc/sys/vm/max_map_count")
        .ifPresent(mappings ->
            limits.add(
                new ThreadLimit(
                    (mappings - MAPPINGS_OF_JVM) / MAPPINGS_PER_THREAD,
                    cause("vm.max_map_count", mappings))));
    machine
        .memoryAvailable()
        .ifPresent(bytes ->
            limits.add(
                new ThreadLimit(
                    bytes / BYTES_PER_THREAD,
                    String.format(Locale.ROOT, "%.1f GB of memory are free", bytes / 1e9))));
    return limits.stream()
        .min(Comparator.comparingLong(ThreadLimit::threads))
        .map(least -> new ThreadLimit(Math.max(0, least.threads / 5 * 4), least.cause));
  }

  /** Says why this many threads cannot be started, if they cannot. */
  Optional<String> refuse(long wanted) {
    return wanted <= threads
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%,d platform threads; this machine holds about %,d (%s)",
                wanted,
                threads,
                cause));
  }

  private static void limit(
      List<ThreadLimit> limits, String name, OptionalLong value, long others) {
    value.ifPresent(number -> limits.add(new ThreadLimit(number - others, cause(name, number))));
  }

  private static String cause(String name, long value) {
    return String.format(Locale.ROOT, "%s is %,d", name, value);
  }
}
