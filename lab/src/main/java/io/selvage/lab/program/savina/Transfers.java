package io.selvage.lab.program.savina;

/**
 * The transfers of a run, the same in every one. They go from the first eight tenths of the
 * accounts to accounts of higher numbers, as in the suite: so no two accounts ever wait for each
 * other.
 */
final class Transfers {
  /** What an account has at the beginning, in cents. It may become less than nothing. */
  static final long FIRST_BALANCE = 100_000;

  private static final int MOST_CENTS = 100_000;
  private static final int SEED = 1;

  private final Generator random = new Generator(SEED);
  private final int accounts;

  Transfers(int accounts) {
    this.accounts = accounts;
  }

  /**
   * One transfer.
   *
   * @param from the number of the account that pays
   * @param to the number of the account that is paid
   * @param cents how much
   */
  record Transfer(int from, int to, long cents) {}

  Transfer next() {
    int from = random.below((int) (accounts * 8L / 10));
    int to = from + 1 + random.below(accounts - from - 1);
    return new Transfer(from, to, random.below(MOST_CENTS));
  }

  /**
   * What the teller has at the end.
   *
   * @param transactions how many it was told are done
   * @param cents what all accounts have together
   */
  record Ledger(long transactions, long cents) {
    /** The number of transactions, if the money is all there. */
    long transactions(int accounts) {
      if (cents != accounts * FIRST_BALANCE) {
        throw new IllegalStateException(
            "the accounts have "
                + cents
                + " cents at the end, and had "
                + accounts * FIRST_BALANCE
                + " at the beginning");
      }
      return transactions;
    }
  }
}
