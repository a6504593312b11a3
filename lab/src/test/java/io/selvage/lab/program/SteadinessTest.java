package io.selvage.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadinessTest {
  private static final long WINDOW = 200_000_000;

  private final Steadiness steadiness = new Steadiness();

  @Test
  void steadiness_afterThreeWindowsAlike_isReached() {
    addWindows(1000, 980);
    assertThat(steadiness.isReached()).isFalse();
    addWindows(1020);
    assertThat(steadiness.isReached()).isTrue();
  }

  @Test
  void steadiness_whileItGetsFaster_isNotReached() {
    addWindows(1000, 1500, 1600, 1620);
    assertThat(steadiness.isReached()).isFalse();
    addWindows(1610);
    assertThat(steadiness.isReached()).isTrue();
  }

  @Test
  void steadiness_ofManyShortPieces_isThatOfTheirWindows() {
    for (int i = 0; i < 599; i++) {
      steadiness.add(i % 2 == 0 ? 500_000 : 1_500_000, 10);
      assertThat(steadiness.isReached()).isFalse();
    }
    steadiness.add(1_500_000, 10);
    assertThat(steadiness.isReached()).isTrue();
  }

  @Test
  void steadiness_ofNoWork_isNotReached() {
    steadiness.add(WINDOW * 10, 0);
    assertThat(steadiness.isReached()).isFalse();
  }

  private void addWindows(long... unitsDone) {
    for (long units : unitsDone) {
      steadiness.add(WINDOW, units);
    }
  }
}
