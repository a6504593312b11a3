package io.selvage.kernel.internal.node;

import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.Origin;
import io.selvage.kernel.spi.SpinLock;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All processes of a node: slots in segments, so that adding never moves them and a walk stops
 * nobody.
 *
 * <p>The table is cut into stripes, each with a lock of its own, so that processes can be started
 * on many cores at once. A process's id holds its slot in the low bits and a number that grows with
 * each process above, so that a slot used again gives another id.
 *
 * <p>A stripe that is sealed takes no more processes. Closing a node seals all stripes, then walks:
 * whoever was added before is seen by the walk, since both hold the stripe's lock, and whoever
 * comes later is refused. So no process escapes a close.
 */
public final class ProcessTable {
  /** Bits of an id that hold the slot. */
  private static final int SLOT_BITS = 26;

  private static final int SEGMENT_BITS = 10;
  private static final int SEGMENT = 1 << SEGMENT_BITS;
  private static final int MOST_STRIPES = 64;

  private final Stripe[] stripes;
  private final int stripeBits;

  ProcessTable(int workers) {
    int count = Math.min(MOST_STRIPES, Integer.highestOneBit(Math.max(1, 2 * workers - 1)));
    stripeBits = Integer.numberOfTrailingZeros(count);
    stripes = new Stripe[count];
    for (int i = 0; i < count; i++) {
      stripes[i] = new Stripe(i, stripeBits);
    }
  }

  /**
   * Enters a process and gives it its id.
   *
   * @param process the process
   * @param origin where it comes from, or null; see {@link Origins}
   * @throws IllegalStateException if the table is sealed or full
   */
  public void add(LocalProcess<?> process, @Nullable Origin origin) {
    stripes[(int) Thread.currentThread().threadId() & (stripes.length - 1)].add(process, origin);
  }

  /**
   * Where a process comes from. For one that ends just now this may be the origin of the next one
   * in its slot.
   *
   * @param process the process
   * @return its origin, or null
   */
  @Nullable Origin origin(LocalProcess<?> process) {
    int slot = slot(process.id());
    return stripes[slot & (stripes.length - 1)].origin(slot >>> stripeBits);
  }

  /**
   * Takes a process out.
   *
   * @param process the process
   */
  public void remove(LocalProcess<?> process) {
    int slot = (int) process.id() & ((1 << SLOT_BITS) - 1);
    stripes[slot & (stripes.length - 1)].remove(slot >>> stripeBits);
  }

  /**
   * How an id is written: its number, then its slot.
   *
   * @param id the id
   * @return such as {@code 42.7}
   */
  public static String text(long id) {
    return (id >>> SLOT_BITS) + "." + (id & ((1 << SLOT_BITS) - 1));
  }

  /**
   * The slot that an id stands for.
   *
   * @param id the id
   * @return from 0 on, without large gaps
   */
  static int slot(long id) {
    return (int) id & ((1 << SLOT_BITS) - 1);
  }

  /**
   * The process with an id.
   *
   * @param id the id
   * @return the process, or null if it has ended
   */
  @Nullable LocalProcess<?> find(long id) {
    int slot = slot(id);
    LocalProcess<?> found = stripes[slot & (stripes.length - 1)].at(slot >>> stripeBits);
    return found != null && found.id() == id ? found : null;
  }

  void seal() {
    for (Stripe stripe : stripes) {
      stripe.seal();
    }
  }

  /** How many processes there are. */
  long size() {
    long sum = 0;
    for (Stripe stripe : stripes) {
      sum += stripe.live;
    }
    return sum;
  }

  /** How many processes there have ever been. */
  long added() {
    long sum = 0;
    for (Stripe stripe : stripes) {
      sum += stripe.added;
    }
    return sum;
  }

  /**
   * Shows each process that is there during the whole walk, and perhaps some others. Stops nobody.
   */
  void walk(Consumer<LocalProcess<?>> visitor) {
    for (Stripe stripe : stripes) {
      stripe.walk(visitor);
    }
  }

  @SuppressWarnings(
      "NonAtomicVolatileUpdate") // written by one thread at a time, as each field says
  private static final class Stripe {
    private final int index;
    private final int bits;
    private final SpinLock lock = new SpinLock();

    /**
     * The slots. The outer array is replaced when it grows; the segments stay. Written under the
     * lock, read without it.
     */
    private volatile @Nullable LocalProcess<?>[][] segments;

    /**
     * The origins of the processes in the slots, in segments that are made when first needed.
     * Written under the lock, read without it.
     */
    private volatile @Nullable Origin[] @Nullable [] origins = new Origin[0][];

    /** Slots that are free again, a stack. Guarded by the lock. */
    private int[] free = new int[16];

    private int freeCount;

    /** Slots from here on have never been used. Guarded by the lock. */
    private int fresh;

    private boolean sealed;

    /** Written under the lock, read without it. */
    private volatile long added;

    private volatile int live;

    Stripe(int index, int bits) {
      this.index = index;
      this.bits = bits;
      this.segments = new LocalProcess<?>[0][];
    }

    void add(LocalProcess<?> process, @Nullable Origin origin) {
      while (true) {
        int wanted;
        boolean noOrigins = false;
        lock.acquire();
        try {
          if (sealed) {
            break;
          }
          int slot = freeCount > 0 ? free[freeCount - 1] : fresh;
          int segment = slot >>> SEGMENT_BITS;
          @Nullable Origin[] beside = originsAt(slot);
          noOrigins = origin != null && beside == null;
          if (segment < segments.length && !noOrigins) {
            long number = added + 1;
            process.identify(number << SLOT_BITS | (long) slot << bits | index);
            if (freeCount > 0) {
              freeCount--;
            } else {
              fresh++;
            }
            added = number;
            live++;
            segments[segment][slot & (SEGMENT - 1)] = process;
            if (beside != null) {
              beside[slot & (SEGMENT - 1)] = origin;
            }
            return;
          }
          wanted = segment + 1;
        } finally {
          lock.release();
        }
        grow(wanted);
        if (noOrigins) {
          growOrigins(wanted);
        }
      }
      throw new IllegalStateException("the node is closed or closing: nothing can be spawned");
    }

    /** Adds a segment, allocated outside the lock. */
    private void grow(int wanted) {
      if (segments.length >= wanted) {
        return;
      }
      if ((long) wanted << (SEGMENT_BITS + bits) > 1L << SLOT_BITS) {
        throw new IllegalStateException(
            "the node has "
                + (1L << SLOT_BITS)
                + " processes, which is the most there can be: end some first");
      }
      @Nullable LocalProcess<?>[] segment = new LocalProcess<?>[SEGMENT];
      lock.acquire();
      try {
        @Nullable LocalProcess<?>[][] present = segments;
        if (present.length < wanted) {
          @Nullable LocalProcess<?>[][] next = Arrays.copyOf(present, wanted);
          next[wanted - 1] = segment;
          segments = next;
        }
      } finally {
        lock.release();
      }
    }

    /** Adds a segment of origins, allocated outside the lock. */
    private void growOrigins(int wanted) {
      @Nullable Origin[] segment = new Origin[SEGMENT];
      @Nullable Origin[] @Nullable [] next = new Origin[wanted][];
      lock.acquire();
      try {
        @Nullable Origin[] @Nullable [] present = origins;
        if (present.length < wanted) {
          System.arraycopy(present, 0, next, 0, present.length);
          next[wanted - 1] = segment;
          origins = next;
        } else if (present[wanted - 1] == null) {
          present[wanted - 1] = segment;
        }
      } finally {
        lock.release();
      }
    }

    private @Nullable Origin @Nullable [] originsAt(int slot) {
      @Nullable Origin[] @Nullable [] present = origins;
      int index = slot >>> SEGMENT_BITS;
      return index < present.length ? present[index] : null;
    }

    @Nullable Origin origin(int slot) {
      @Nullable Origin[] segment = originsAt(slot);
      return segment == null ? null : segment[slot & (SEGMENT - 1)];
    }

    void remove(int slot) {
      int[] larger = null;
      boolean reuse = true;
      while (true) {
        int needed;
        lock.acquire();
        try {
          if (freeCount == free.length && larger != null && larger.length > free.length) {
            System.arraycopy(free, 0, larger, 0, freeCount);
            free = larger;
          }
          if (freeCount < free.length || !reuse) {
            segments[slot >>> SEGMENT_BITS][slot & (SEGMENT - 1)] = null;
            @Nullable Origin[] origin = originsAt(slot);
            if (origin != null) {
              origin[slot & (SEGMENT - 1)] = null;
            }
            live--;
            if (reuse) {
              free[freeCount++] = slot;
            }
            return;
          }
          needed = 2 * free.length;
        } finally {
          lock.release();
        }
        try {
          larger = new int[needed];
        } catch (OutOfMemoryError e) {
          reuse = false; // a slot is lost, which is better than a process that cannot end
        }
      }
    }

    @Nullable LocalProcess<?> at(int slot) {
      @Nullable LocalProcess<?>[][] present = segments;
      int index = slot >>> SEGMENT_BITS;
      return index < present.length ? present[index][slot & (SEGMENT - 1)] : null;
    }

    void seal() {
      lock.acquire();
      try {
        sealed = true;
      } finally {
        lock.release();
      }
    }

    void walk(Consumer<LocalProcess<?>> visitor) {
      for (@Nullable LocalProcess<?>[] segment : segments) {
        for (@Nullable LocalProcess<?> process : segment) {
          if (process != null) {
            visitor.accept(process);
          }
        }
      }
    }
  }
}
