package io.selvage.kernel.internal.registry;

import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.Possession;
import org.jspecify.annotations.Nullable;

/** One process under one key of a {@link KeyTable}. */
class Entry extends Possession {
  /**
   * Where an entry stands.
   *
   * <pre>
   *   NEW ── put ──► THERE ── taken out, or its process ends ──► GONE
   *    └── its process ends before the put ─────────────────────► GONE
   * </pre>
   */
  enum State {
    NEW,
    THERE,
    GONE
  }

  final KeyTable table;
  final LocalProcess<?> process;
  final Object key;
  final int hash;

  /** The value. Written by the process that is registered, read by anybody. */
  volatile @Nullable Object value;

  /** Written under the stripe's lock, read without. */
  volatile State state = State.NEW;

  /** The key's slot, once this is there. Under the stripe's lock. */
  KeyTable.@Nullable Slot slot;

  /** The neighbours under the same key; see {@link KeyTable}. Written under the stripe's lock. */
  @Nullable Entry previous;

  /** Kept when this is taken out. */
  volatile @Nullable Entry next;

  Entry(KeyTable table, LocalProcess<?> process, Object key, @Nullable Object value) {
    this.table = table;
    this.process = process;
    this.key = key;
    this.hash = KeyTable.hash(key);
    this.value = value;
  }

  final boolean isThere() {
    return state == State.THERE;
  }

  @Override
  protected void release() {
    table.remove(this);
  }
}
