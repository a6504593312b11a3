package io.selvage.kernel.internal.process;

/**
 * Where a process comes from. Immutable, and shared by all children of one parent that were spawned
 * with the same code one after the other.
 *
 * <p>Ancestors are ids and not processes, so that nobody keeps an ended process in memory. There
 * are at most {@link #MOST}, so that a process that starts its own successor, for ever, makes no
 * chain that grows.
 *
 * @param code the class of the code that the process was given
 * @param ancestors the ids of its parent, the parent's parent and so on; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
public record Origin(Class<?> code, long[] ancestors) {
  /** The most ancestors that are remembered. */
  public static final int MOST = 16;

  /** The ancestors of a process that no process has spawned. */
  public static final long[] NONE = {};

  /** The origin of a process that no process has spawned. */
  public static Origin outside(Class<?> code) {
    return new Origin(code, NONE);
  }

  /**
   * The origin of the children of a process.
   *
   * @param parent the process
   * @param ancestors its own ancestors
   * @param code the class of the code of the children
   */
  static Origin of(LocalProcess<?> parent, long[] ancestors, Class<?> code) {
    long[] line = new long[Math.min(MOST, ancestors.length + 1)];
    line[0] = parent.id();
    System.arraycopy(ancestors, 0, line, 1, line.length - 1);
    return new Origin(code, line);
  }

  /** What is shown of a class that holds code: a lambda has no name, so its class stands for it. */
  public static String text(Class<?> code) {
    String name = code.getName();
    int lambda = name.indexOf("$$Lambda");
    return lambda < 0 ? name : name.substring(0, lambda) + " (lambda)";
  }
}
