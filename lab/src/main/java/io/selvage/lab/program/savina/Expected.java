package io.selvage.lab.program.savina;

/** What programs must come to, found in the plain way. */
public final class Expected {
  private Expected() {}

  /**
   * How many primes there are.
   *
   * @param limit up to where, from 2 to hundreds of millions; a byte of memory for each
   * @return the number of primes that are not greater
   */
  public static int primes(int limit) {
    boolean[] composite = new boolean[limit + 1];
    int found = 0;
    for (int n = 2; n <= limit; n++) {
      if (!composite[n]) {
        found++;
        for (long multiple = (long) n * n; multiple <= limit; multiple += n) {
          composite[(int) multiple] = true;
        }
      }
    }
    return found;
  }

  /**
   * A number of Fibonacci.
   *
   * @param n its place, from 1 to 90; the first two are 1
   * @return the number
   */
  public static long fibonacci(int n) {
    long last = 0;
    long value = 1;
    for (int i = 1; i < n; i++) {
      long next = last + value;
      last = value;
      value = next;
    }
    return value;
  }
}
