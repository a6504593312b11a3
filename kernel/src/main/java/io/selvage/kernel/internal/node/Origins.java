package io.selvage.kernel.internal.node;

import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.Origin;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the processes of a node come from: their ancestors and the code they were given.
 *
 * <p>An event process has no room for that: one field more would cost each of them eight bytes. So
 * it stands in the {@link ProcessTable}, beside the process. What a thread that is no process
 * spawns with a behavior that has no setup, by far the most numerous sort, costs nothing: it has no
 * ancestors, and its behavior tells what it is.
 */
public final class Origins {
  private final ProcessTable table;

  /** The origins of what is spawned from outside, by the class of its code. */
  private final ClassValue<Origin> outside =
      new ClassValue<>() {
        @Override
        protected Origin computeValue(Class<?> code) {
          return Origin.outside(code);
        }
      };

  Origins(ProcessTable table) {
    this.table = table;
  }

  /**
   * Where a new process comes from.
   *
   * @param parent who spawns it, or null
   * @param code the class of the code it is given
   * @param begins whether it has code to run before its first message
   * @return its origin; null if nothing need be remembered
   */
  public @Nullable Origin of(@Nullable LocalProcess<?> parent, Class<?> code, boolean begins) {
    if (parent != null) {
      return parent.originOfChild(code);
    }
    return begins ? outside.get(code) : null;
  }

  /**
   * The origin of a process, if it was remembered.
   *
   * @param process the process
   * @return the origin, or null
   */
  public @Nullable Origin of(LocalProcess<?> process) {
    return table.origin(process);
  }

  /**
   * The ids of the ancestors of a process.
   *
   * @param process the process
   * @return parent first; not to be changed
   */
  public long[] lineOf(LocalProcess<?> process) {
    Origin origin = of(process);
    return origin == null ? Origin.NONE : origin.ancestors();
  }

  /**
   * The ancestors of a process, as text, with the labels of those that live.
   *
   * @param process the process
   * @return parent first
   */
  public List<String> ancestors(LocalProcess<?> process) {
    return texts(process, lineOf(process));
  }

  /**
   * Ancestors as text.
   *
   * @param process the process they are the ancestors of
   * @param line their ids
   * @return in the same order
   */
  public List<String> texts(LocalProcess<?> process, long[] line) {
    if (line.length == 0) {
      return List.of();
    }
    List<String> texts = new ArrayList<>(line.length);
    for (long id : line) {
      LocalProcess<?> ancestor = table.find(id);
      String label = ancestor == null ? null : ancestor.label();
      texts.add(process.node.textOf(id) + (label == null ? "" : " \"" + label + "\""));
    }
    return List.copyOf(texts);
  }

  /**
   * The class of the code that a process was given.
   *
   * @param process the process
   * @return its name; of a lambda, that of the class it stands in
   */
  public String initialCall(LocalProcess<?> process) {
    return initialCall(process, of(process));
  }

  /**
   * The class of the code that a process was given.
   *
   * @param process the process
   * @param origin its origin, if it is known
   * @return its name; of a lambda, that of the class it stands in
   */
  public static String initialCall(LocalProcess<?> process, @Nullable Origin origin) {
    Class<?> code = origin != null ? origin.code() : process.presentCode();
    return code == null ? "unknown" : Origin.text(code);
  }
}
