package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines made of files, each with another limit that bites first. */
class MachineTest {
  @TempDir private Path root;

  @BeforeEach
  void aLargeMachine() throws IOException {
    file("proc/cpuinfo", "processor : 0\nmodel name\t: Abacus 9\n");
    file("proc/meminfo", "MemTotal: 64000000 kB\nMemAvailable: 60000000 kB\n");
    file("proc/loadavg", "0.11 0.18 0.11 1/100 6350\n");
    file("proc/sys/kernel/threads-max", "500000\n");
    file("proc/sys/kernel/pid_max", "4194304\n");
    file("proc/sys/vm/max_map_count", "1000000\n");
    file(
        "proc/self/limits", "Limit  Soft  Hard  Units\nMax processes  400000  400000  processes\n");
    file("proc/self/cgroup", "0::/user.slice/app\n");
    file("sys/fs/cgroup/user.slice/app/pids.max", "max\n");
  }

  @Test
  void machine_asFilesTellIt_isDescribed() {
    Machine machine = Machine.at(root);
    assertThat(machine.cpu()).isEqualTo("Abacus 9");
    assertThat(machine.memory()).isEqualTo(OptionalLong.of(64_000_000L * 1024));
    assertThat(machine.describe()).startsWith("Abacus 9, ").contains("65.5 GB of memory");
    assertThat(machine.busyPercent()).isEmpty();
  }

  @Test
  void machine_thatTellsNothing_isDescribedAllTheSame() throws IOException {
    Machine machine = Machine.at(root.resolve("elsewhere"));
    assertThat(machine.cpu()).isEqualTo(System.getProperty("os.arch"));
    assertThat(machine.memory()).isEmpty();
    assertThat(machine.describe()).doesNotContain("memory");
    assertThat(machine.busyPercent()).isEmpty();
    assertThat(ThreadLimit.of(machine)).isEmpty();
  }

  @Test
  void machine_underLoad_saysSo() throws IOException {
    file("proc/loadavg", "1000.0 0.18 0.11 1/100 6350\n");
    assertThat(Machine.at(root).busyPercent().orElse(0))
        .isEqualTo(Math.round(100_000.0 / Runtime.getRuntime().availableProcessors()));
  }

  @Test
  void memory_ofAContainer_isItsLimit() throws IOException {
    file("sys/fs/cgroup/user.slice/memory.max", "1000000000\n");
    assertThat(Machine.at(root).memory()).isEqualTo(OptionalLong.of(1_000_000_000));
  }

  @Test
  void threads_ofALargeMachine_areLimitedByTheUser() {
    assertThat(ThreadLimit.of(Machine.at(root)))
        .contains(
            new ThreadLimit(
                (400_000 - 100) / 5 * 4, "the user's limit of processes (ulimit -u) is 400,000"));
  }

  @Test
  void threads_limitedByPidMax_refuseAMillion() throws IOException {
    file("proc/sys/kernel/pid_max", "32768\n");
    ThreadLimit limit = ThreadLimit.of(Machine.at(root)).orElseThrow();
    assertThat(limit.refuse(20_000)).isEmpty();
    assertThat(limit.refuse(1_000_000))
        .contains(
            "1,000,000 platform threads; this machine holds about 26,132 (kernel.pid_max is"
                + " 32,768)");
  }

  @Test
  void threads_limitedByMappings_countTwoEach() throws IOException {
    file("proc/sys/vm/max_map_count", "65530\n");
    assertThat(ThreadLimit.of(Machine.at(root)))
        .contains(new ThreadLimit(64530 / 2 / 5 * 4, "vm.max_map_count is 65,530"));
  }

  @Test
  void threads_limitedByTheContainer_newOrOld() throws IOException {
    file("sys/fs/cgroup/user.slice/pids.max", "1100\n");
    assertThat(ThreadLimit.of(Machine.at(root)))
        .contains(new ThreadLimit(800, "the container's pids.max is 1,100"));

    file("proc/self/cgroup", "8:cpu,pids:/docker/1\n");
    file("sys/fs/cgroup/pids/docker/1/pids.max", "600\n");
    assertThat(ThreadLimit.of(Machine.at(root)))
        .contains(new ThreadLimit(400, "the container's pids.max is 600"));
  }

  @Test
  void threads_limitedByMemory_sayHowMuchIsFree() throws IOException {
    file("proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 128000 kB\n");
    assertThat(ThreadLimit.of(Machine.at(root)))
        .contains(new ThreadLimit(800, "0.1 GB of memory are free"));
  }

  @Test
  void heap_ofASmallMachine_isTwoThirds() throws IOException {
    assertThat(JvmFlags.defaults(Machine.at(root))).contains("-Xmx4096m");
    file("proc/meminfo", "MemTotal: 3145728 kB\n");
    assertThat(JvmFlags.defaults(Machine.at(root))).contains("-Xmx2048m");
  }

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
