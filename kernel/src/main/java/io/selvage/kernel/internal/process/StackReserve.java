package io.selvage.kernel.internal.process;

/**
 * Makes a stack overflow happen before a kernel operation begins, not in the middle of it. User
 * code may call the kernel from any depth of recursion; an operation that changes several lists and
 * overflows between two of them would harm processes that did nothing wrong. So such an operation
 * first goes down by more stack than it will need, and comes back.
 *
 * <p>Sending does not pay this: it changes one word, and what must follow is written down as a debt
 * (see {@link Runner#owed}).
 */
public final class StackReserve {
  private StackReserve() {}

  /**
   * Calls deep. The frames are small when compiled (about 32 bytes, some inlined) and large when
   * interpreted (about 100), as are those of the operation that follows: its deepest path is a
   * rehash of a map inside an exit signal, under 30 calls.
   */
  private static final int DEPTH = 200;

  /**
   * Does nothing, if there is room.
   *
   * @throws StackOverflowError if there is not
   */
  public static void ensure() {
    if (descend(DEPTH) != 0) {
      throw new IllegalStateException("unreachable");
    }
  }

  private static int descend(int depth) {
    return depth == 0 ? 0 : descend(depth - 1);
  }
}
