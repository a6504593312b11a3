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
   * Calls deep. A frame is about 32 bytes when compiled and 90 when interpreted; the deepest
   * operation that follows is a rehash of a map inside a signal, some ten calls.
   */
  private static final int DEPTH = 64;

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
