package io.selvage.lab.program.savina;

import static io.selvage.lab.program.savina.Color.BLUE;
import static io.selvage.lab.program.savina.Color.RED;
import static io.selvage.lab.program.savina.Color.YELLOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharedPartsTest {
  @ParameterizedTest
  @EnumSource
  void creatures_ofOneColour_keepIt(Color color) {
    assertThat(color.complement(color)).isEqualTo(color);
  }

  @Test
  void creatures_ofTwoColours_becomeTheThird() {
    assertThat(BLUE.complement(RED)).isEqualTo(YELLOW).isEqualTo(RED.complement(BLUE));
    assertThat(BLUE.complement(YELLOW)).isEqualTo(RED).isEqualTo(YELLOW.complement(BLUE));
    assertThat(RED.complement(YELLOW)).isEqualTo(BLUE).isEqualTo(YELLOW.complement(RED));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 10, 1000})
  void transfers_alwaysGoToAHigherAccount_soNobodyWaitsInACircle(int accounts) {
    Transfers transfers = new Transfers(accounts);
    for (int i = 0; i < 1000; i++) {
      Transfers.Transfer next = transfers.next();
      assertThat(next.from()).isBetween(0, next.to() - 1);
      assertThat(next.to()).isLessThan(accounts);
      assertThat(next.cents()).isNotNegative();
    }
  }

  @Test
  void ledger_thatLacksACent_isWrong() {
    assertThat(new Transfers.Ledger(7, 200_000).transactions(2)).isEqualTo(7);
    assertThatIllegalStateException()
        .isThrownBy(() -> new Transfers.Ledger(7, 199_999).transactions(2))
        .withMessage("the accounts have 199999 cents at the end, and had 200000 at the beginning");
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "3, 2", "4, 2", "25, 9", "100, 25", "100000, 9592"})
  void primes_areCounted(int limit, int primes) {
    assertThat(Expected.primes(limit)).isEqualTo(primes);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 2", "10, 55", "25, 75025", "40, 102334155"})
  void fibonaccis_areRight(int n, long value) {
    assertThat(Expected.fibonacci(n)).isEqualTo(value);
  }

  @Test
  void primes_ofAFilter_divideTheirMultiples() {
    Primes primes = new Primes(3, 2);
    primes.add(5);
    assertThat(primes.isFull()).isTrue();
    assertThat(primes.divide(25)).isTrue();
    assertThat(primes.divide(9)).isTrue();
    assertThat(primes.divide(7)).isFalse();
  }

  @Test
  void generator_isTheOneOfParkAndMiller() {
    // The ten thousandth number that follows 1, which the C++ standard tells of minstd_rand.
    Generator generator = new Generator(1);
    for (int i = 1; i < 10_000; i++) {
      generator.below(1);
    }
    assertThat(generator.below(Integer.MAX_VALUE)).isEqualTo(399_268_537);
  }

  @Test
  void tally_addsWhatAllHaveCounted() throws InterruptedException {
    Tally tally = new Tally(3);
    for (int i = 1; i <= 3; i++) {
      int count = i;
      Thread.startVirtualThread(() -> tally.end(count));
    }
    assertThat(tally.await()).isEqualTo(6);
  }
}
