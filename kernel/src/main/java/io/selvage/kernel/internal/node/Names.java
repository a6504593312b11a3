package io.selvage.kernel.internal.node;

import io.selvage.kernel.Name;
import io.selvage.kernel.internal.process.LocalProcess;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The names of a node. Looking one up takes no lock. A name is freed before its process counts as
 * dead, so a lookup never answers a process that is dead at that moment.
 */
public final class Names {
  private final ReentrantLock lock = new ReentrantLock();

  /** Who holds a name. Written under the lock, read without it. */
  private final Map<String, LocalProcess<?>> holders = new ConcurrentHashMap<>();

  /** Under which name a process is registered. Guarded by the lock. */
  private final Map<LocalProcess<?>, String> names = new HashMap<>();

  Names() {}

  /**
   * Registers a process.
   *
   * @param name the name
   * @param process the process
   * @throws IllegalStateException if the name is taken, or the process has a name or has ended
   */
  public void register(Name<?> name, LocalProcess<?> process) {
    String text = name.text();
    lock.lock();
    try {
      LocalProcess<?> holder = holders.get(text);
      if (holder != null) {
        throw new IllegalStateException(
            "the name \""
                + text
                + "\" is taken by "
                + holder
                + ": unregister it, or choose another");
      }
      String other = names.get(process);
      if (other != null) {
        throw new IllegalStateException(
            process
                + " is registered as \""
                + other
                + "\" already: a process has at most one name");
      }
      // The bit first: an ending process sees it and comes for the lock, or is seen to be ending
      // here.
      process.claimName();
      if (process.isEnding()) {
        process.dropName();
        throw new IllegalStateException(
            process + " has ended: it cannot be registered as \"" + text + "\"");
      }
      names.put(process, text);
      holders.put(text, process);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Frees a name.
   *
   * @param name the name
   * @throws IllegalArgumentException if nobody holds it
   */
  void unregister(Name<?> name) {
    lock.lock();
    try {
      LocalProcess<?> process = holders.remove(name.text());
      if (process == null) {
        throw new IllegalArgumentException(unknown(name));
      }
      names.remove(process);
      process.dropName();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Frees the name of a process that ends.
   *
   * @param process the process
   */
  public void release(LocalProcess<?> process) {
    lock.lock();
    try {
      String text = names.remove(process);
      if (text != null) {
        holders.remove(text);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The name of a process.
   *
   * @param process the process
   * @return its text, or null
   */
  public @Nullable String textOf(LocalProcess<?> process) {
    lock.lock();
    try {
      return names.get(process);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Who holds a name.
   *
   * @param name the name
   * @return the process, or null
   */
  public @Nullable LocalProcess<?> find(Name<?> name) {
    return holders.get(Objects.requireNonNull(name, "name").text());
  }

  static String unknown(Name<?> name) {
    return "no process is registered as \""
        + name
        + "\": it has ended, or was never registered at this node";
  }
}
