package io.selvage.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.spi.Waiter.End;
import org.junit.jupiter.api.Test;

/** What ends a wait in the same instant in which it is served: told step by step. */
class ThreadWaitTest {
  private final ThreadWait wait = new ThreadWait();
  private final Place<String> place = Place.receives(wait);

  @Test
  void time_afterItWasServed_isServed() throws Exception {
    assertThat(
            wait.await(() -> {
              assertThat(wait.claim(place)).isTrue();
              return End.TIME;
            }))
        .isEqualTo(End.CONDITION);
    assertThat(wait.served()).isSameAs(place);
  }

  @Test
  void time_beforeItIsServed_isGivenUp() throws Exception {
    assertThat(wait.await(() -> End.TIME)).isEqualTo(End.TIME);
    assertThat(wait.claim(place)).isFalse();
    assertThat(wait.served()).isNull();
  }

  @Test
  void message_afterItWasServed_isServed() throws Exception {
    assertThat(
            wait.await(() -> {
              assertThat(wait.claim(place)).isTrue();
              return End.MESSAGE;
            }))
        .isEqualTo(End.CONDITION);
  }

  @Test
  void interrupt_afterItWasServed_isServed_andKeptForLater() throws Exception {
    assertThat(
            wait.await(() -> {
              assertThat(wait.claim(place)).isTrue();
              throw new InterruptedException();
            }))
        .isEqualTo(End.CONDITION);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void interrupt_beforeItIsServed_isThrown_andGivenUp() {
    assertThatThrownBy(() ->
            wait.await(() -> {
              throw new InterruptedException();
            }))
        .isInstanceOf(InterruptedException.class);
    assertThat(wait.claim(place)).isFalse();
  }

  @Test
  void end_afterItWasServed_isServed() throws Exception {
    assertThat(
            wait.await(() -> {
              assertThat(wait.claim(place)).isTrue();
              throw new StackOverflowError();
            }))
        .isEqualTo(End.CONDITION);
  }

  @Test
  void twoPlaces_areServedOnce() {
    assertThat(wait.claim(place)).isTrue();
    assertThat(wait.claim(Place.receives(wait))).isFalse();
    assertThat(wait.giveUp()).isFalse();
  }
}
