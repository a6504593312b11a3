package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmFlagsTest {
  private static final Experiment RING = Experiments.named("ring");
  private static final Settings RING_SETTINGS = RING.settings(List.of());

  @Test
  void experimentOfSpeed_getsItsWholeHeapAtOnce() {
    assertThat(JvmFlags.of(List.of("-Xmx1g", "-Xmx2g"), RING, RING_SETTINGS))
        .containsExactly("-Xmx1g", "-Xmx2g", "-Xms2g");
  }

  @Test
  void flagsThatSayHowLargeTheHeapBegins_stay() {
    for (List<String> flags :
        List.of(List.of("-Xmx2g", "-Xms1g"), List.of("-Xmx2g", "-Xmn1g"), List.of("-Xint"))) {
      assertThat(JvmFlags.of(flags, RING, RING_SETTINGS)).isEqualTo(flags);
    }
  }

  @Test
  void experimentOfMemory_growsItsHeap() {
    for (String name : List.of("tasks", "spawn", "pipeline", "startup")) {
      Experiment experiment = Experiments.named(name);
      assertThat(JvmFlags.of(List.of("-Xmx2g"), experiment, experiment.settings(List.of())))
          .as(name)
          .containsExactly("-Xmx2g");
    }
  }

  @Test
  void experimentWithAHeapOfItsOwn_goesBeforeAnyOtherSize() {
    Experiment overload = Experiments.named("overload");
    assertThat(
            JvmFlags.of(
                List.of("-Xmx2g", "-XX:+UseSerialGC", "-Xms2g", "-Xmn1g"),
                overload,
                overload.settings(List.of("heap=96m"))))
        .containsExactly("-XX:+UseSerialGC", "-Xmx96m");
  }
}
