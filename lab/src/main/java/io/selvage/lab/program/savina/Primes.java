package io.selvage.lab.program.savina;

/** The primes that one filter of the sieve holds. Used by one process. */
final class Primes {
  private final int[] primes;
  private int size;

  /** Holds one prime, and at most {@code most}. */
  Primes(int first, int most) {
    primes = new int[most];
    primes[size++] = first;
  }

  boolean isFull() {
    return size == primes.length;
  }

  int size() {
    return size;
  }

  void add(int prime) {
    primes[size++] = prime;
  }

  /** Whether one of them divides a number. They are all tried, as in the suite. */
  boolean divide(int number) {
    for (int i = 0; i < size; i++) {
      if (number % primes[i] == 0) {
        return true;
      }
    }
    return false;
  }
}
