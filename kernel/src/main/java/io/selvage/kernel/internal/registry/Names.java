package io.selvage.kernel.internal.registry;

import io.selvage.kernel.AlreadyRegisteredException;
import io.selvage.kernel.Name;
import io.selvage.kernel.internal.process.HeldName;
import io.selvage.kernel.internal.process.LocalProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of a node: a {@link KeyTable} in which a process stands once at most, which a bit in
 * the process sees to. Looking one up takes no lock. A name is freed before its process counts as
 * dead, so a lookup never answers a process that is dead at that moment.
 */
public final class Names {
  private static final int STRIPE_BITS = 4;

  private final KeyTable table = new KeyTable(STRIPE_BITS, true, null, null);

  /** By the text of the name. Most nodes have none. */
  private final ConcurrentMap<String, HeldName> holds = new ConcurrentHashMap<>(1);

  /** No names. */
  public Names() {}

  /**
   * Begins to keep what is sent to a name.
   *
   * @param name the name
   * @param hold keeps it
   * @return false if it is kept already
   */
  public boolean hold(Name<?> name, HeldName hold) {
    return holds.putIfAbsent(name.text(), hold) == null;
  }

  /**
   * Keeps it no more.
   *
   * @param name the name
   * @param hold kept it
   */
  public void unhold(Name<?> name, HeldName hold) {
    holds.remove(name.text(), hold);
  }

  /**
   * What keeps the messages sent to a name.
   *
   * @param name the name
   * @return null if nothing does
   */
  public @Nullable HeldName held(Name<?> name) {
    return holds.isEmpty() ? null : holds.get(name.text());
  }

  /**
   * Registers a process.
   *
   * @param name the name
   * @param process the process
   * @throws AlreadyRegisteredException if the name is taken
   * @throws IllegalStateException if the process has a name or has ended
   */
  public void register(Name<?> name, LocalProcess<?> process) {
    String text = name.text();
    KeyTable.Outcome outcome;
    do {
      Entry holder = table.first(text);
      if (holder != null) {
        throw new AlreadyRegisteredException(
            "the name \""
                + text
                + "\" is taken by "
                + holder.process
                + ": unregister it, or choose another",
            holder.process);
      }
      if (!process.claimName()) {
        throw new IllegalStateException(
            process
                + " is registered "
                + other(process)
                + " already: a process has at most one name");
      }
      outcome = null;
      try {
        Entry entry = new Entry(table, process, text, null);
        process.nameEntry(entry);
        HeldName hold = holds.get(text);
        outcome = hold == null ? table.put(entry) : hold.handOver(process, () -> table.put(entry));
      } finally {
        if (outcome != KeyTable.Outcome.PUT) {
          process.dropName();
        }
      }
    } while (outcome == KeyTable.Outcome.TAKEN); // who took it is asked for again: it may be gone
    if (outcome == KeyTable.Outcome.ENDED) {
      throw new IllegalStateException(
          process + " has ended: it cannot be registered as \"" + text + "\"");
    }
  }

  private String other(LocalProcess<?> process) {
    Name<?> name = nameOf(process);
    return name == null ? "by another thread" : "as \"" + name + "\"";
  }

  /**
   * The name of a process.
   *
   * @param process the process
   * @return its name, or null
   */
  public @Nullable Name<?> nameOf(LocalProcess<?> process) {
    return process.nameEntry() instanceof Entry e && e.isThere()
        ? new Name<>((String) e.key)
        : null;
  }

  /**
   * Frees a name.
   *
   * @param name the name
   * @throws IllegalArgumentException if nobody holds it
   */
  public void unregister(Name<?> name) {
    Entry holder = table.first(name.text());
    if (holder == null || !table.takeBack(holder)) {
      throw new IllegalArgumentException(unknown(name));
    }
    holder.process.dropName();
  }

  /**
   * Frees the name of a process that has one.
   *
   * @param process the process
   */
  public void free(LocalProcess<?> process) {
    if (process.nameEntry() instanceof Entry entry && table.takeBack(entry)) {
      process.dropName();
    }
  }

  /**
   * Who holds a name.
   *
   * @param name the name
   * @return the process, or null
   */
  public @Nullable LocalProcess<?> find(Name<?> name) {
    Entry holder = table.first(Objects.requireNonNull(name, "name").text());
    return holder == null ? null : holder.process;
  }

  /** How many names are held. */
  public long size() {
    return table.size();
  }

  /** All names that are held. */
  public List<Name<?>> all() {
    List<Name<?>> all = new ArrayList<>();
    table.walkKeys(slot -> all.add(new Name<>((String) slot.key)));
    return List.copyOf(all);
  }

  /**
   * What to say of a name that nobody holds.
   *
   * @param name the name
   */
  public static String unknown(Name<?> name) {
    return "no process is registered as \""
        + name
        + "\": it has ended, or was never registered at this node";
  }
}
