package io.selvage.lab.program;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The account of producers and a consumer: a message that is lost is seen. */
class LoadTest {
  private final Load load = new Load(2, 1);

  @Test
  void account_ofWhatWasTaken_addsUp() throws InterruptedException {
    assertThat(load.next(0)).isZero();
    assertThat(load.next(0)).isEqualTo(1);
    assertThat(load.next(1)).isZero();
    load.take();
    load.stop();
    assertThat(load.next(0)).isNegative();
    load.take();
    load.take();
    assertThat(load.taken()).isEqualTo(3);
    assertThat(load.account()).isEqualTo(new Load.Account(3, 1, 2, 3));
    load.ended();
    assertThat(load.awaitProducers(0)).isFalse();
    load.ended();
    assertThat(load.awaitProducers(0)).isTrue();
  }

  @Test
  void message_thatNeverComes_isMissingInTheAccount() {
    load.next(0);
    load.next(1);
    load.take();
    load.stop();
    Load.Account account = load.account();
    assertThat(account.produced() - account.consumed() - account.queued()).isEqualTo(1);
  }
}
