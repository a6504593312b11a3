package io.selvage.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmFlagsTest {
  private static final Experiment RING = Experiments.named("ring");

  @Test
  void experimentOfSpeed_getsItsWholeHeapAtOnce() {
    assertThat(JvmFlags.of(List.of("-Xmx1g", "-Xmx2g"), RING))
        .containsExactly("-Xmx1g", "-Xmx2g", "-Xms2g");
  }

  @Test
  void flagsThatSayHowLargeTheHeapBegins_stay() {
    for (List<String> flags :
        List.of(List.of("-Xmx2g", "-Xms1g"), List.of("-Xmx2g", "-Xmn1g"), List.of("-Xint"))) {
      assertThat(JvmFlags.of(flags, RING)).isEqualTo(flags);
    }
  }

  @Test
  void experimentOfMemory_growsItsHeap() {
    for (String name : List.of("tasks", "spawn", "pipeline", "startup")) {
      assertThat(JvmFlags.of(List.of("-Xmx2g"), Experiments.named(name)))
          .as(name)
          .containsExactly("-Xmx2g");
    }
  }
}
