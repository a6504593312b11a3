package io.selvage.kernel.internal.registry;

import io.selvage.kernel.AlreadyRegisteredException;
import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Registry;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.Subscription;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.process.Enlisting;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.StackReserve;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A registry of one node: a {@link KeyTable} of many stripes, and its listeners.
 *
 * @param <K> the keys
 * @param <M> what the processes accept
 * @param <V> the values
 */
public final class LocalRegistry<K, M, V> implements Registry<K, M, V> {
  private static final int STRIPE_BITS = 6;

  private final LocalNode node;
  private final boolean unique;
  private final Listeners listeners = new Listeners(false, this::news, null);
  private final KeyTable table;

  private LocalRegistry(LocalNode node, boolean unique) {
    this.node = node;
    this.unique = unique;
    this.table = new KeyTable(STRIPE_BITS, unique, listeners, null);
  }

  /**
   * Makes a registry.
   *
   * @param node the node of its processes
   * @param unique whether a key has at most one process
   * @param <K> the keys
   * @param <M> what the processes accept
   * @param <V> the values
   */
  public static <K, M, V> Registry<K, M, V> create(Node node, boolean unique) {
    return new LocalRegistry<>((LocalNode) Objects.requireNonNull(node, "node"), unique);
  }

  private LocalProcess<?> local(Object process) {
    LocalProcess<?> local = (LocalProcess<?>) process;
    if (local.node != node) {
      throw new IllegalArgumentException(
          local
              + " lives at another node than this registry, which is of \""
              + node.name()
              + "\": use a registry of its own node");
    }
    return local;
  }

  private void ensureUnique(String what) {
    if (!unique) {
      throw new IllegalStateException(
          what
              + " needs a unique registry, and a key of this one may have many processes: use dispatch");
    }
  }

  @SuppressWarnings("unchecked") // only what fits was put
  private Registered<K, M, V> registered(Entry entry) {
    return new Registered<>(
        (K) entry.key, (Pid<M>) entry.process, (V) Objects.requireNonNull(entry.value));
  }

  private Object news(Entry entry, boolean put) {
    Registered<K, M, V> registered = registered(entry);
    return put ? new Register<>(registered) : new Unregister<>(registered);
  }

  @Override
  public void register(K key, Pid<M> pid, V value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    LocalProcess<?> process = local(Objects.requireNonNull(pid, "pid"));
    StackReserve.ensure();
    enter(key, process, value);
  }

  private void enter(Object key, LocalProcess<?> process, Object value) {
    while (true) {
      switch (table.put(new Entry(table, process, key, value))) {
        case PUT -> {
          return;
        }
        case ENDED ->
            throw new IllegalStateException(
                process + " has ended: it cannot be registered under the key " + key);
        case CLOSED ->
            throw new IllegalStateException(
                "the registry is closed: "
                    + process
                    + " cannot be registered under the key "
                    + key);
        case TAKEN -> {
          Entry holder = table.first(key);
          if (holder != null) { // else it went meanwhile
            throw new AlreadyRegisteredException(
                "the key "
                    + key
                    + " is taken by "
                    + holder.process
                    + ": unregister it, choose another, or use a duplicate registry",
                holder.process);
          }
        }
      }
    }
  }

  @Override
  public Place<M> at(K key, V value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, "value");
    return new Enlisting<M>() {
      @Override
      protected void enlist(LocalProcess<M> process) {
        local(process);
        enter(key, process, value);
      }

      @Override
      public String toString() {
        return "place of the key " + key;
      }
    };
  }

  @Override
  public int unregister(K key, Pid<M> pid) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(pid, "pid");
    StackReserve.ensure();
    int count = 0;
    for (Entry e = table.first(key); e != null; e = KeyTable.after(e)) {
      if (e.process == pid && table.takeBack(e)) {
        count++;
      }
    }
    return count;
  }

  @Override
  @SuppressWarnings("unchecked") // only what fits was put
  public Optional<Pid<M>> whereis(K key) {
    Entry e = table.first(Objects.requireNonNull(key, "key"));
    return e == null ? Optional.empty() : Optional.of((Pid<M>) e.process);
  }

  @Override
  public List<Registered<K, M, V>> lookup(K key) {
    List<Registered<K, M, V>> all = new ArrayList<>();
    int _ = dispatch(key, all::add);
    return Collections.unmodifiableList(all);
  }

  @Override
  public int dispatch(K key, Consumer<? super Registered<K, M, V>> action) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(action, "action");
    int count = 0;
    for (Entry e = table.first(key); e != null; e = KeyTable.after(e)) {
      action.accept(registered(e));
      count++;
    }
    return count;
  }

  @Override
  public void send(K key, M message) {
    Objects.requireNonNull(message, "message");
    if (dispatch(key, each -> each.pid().send(message)) == 0) {
      throw new IllegalArgumentException(unknown(key));
    }
  }

  private String unknown(K key) {
    return "no process is registered under the key "
        + key
        + ": it has ended, or was never registered here";
  }

  @Override
  public <R> R call(K key, Function<? super ReplyTo<R>, ? extends M> request, Duration timeout) {
    Objects.requireNonNull(request, "request");
    long _ = LocalNode.nanos(timeout, "timeout of the call");
    ensureUnique("call");
    return whereis(key)
        .orElseThrow(
            () -> new CallException("the call failed: " + unknown(key), ExitReason.noProc()))
        .call(request, timeout);
  }

  @Override
  public Optional<V> updateValue(K key, Self<M> self, UnaryOperator<V> update) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(update, "update");
    LocalProcess<?> process = own(Objects.requireNonNull(self, "self"));
    ensureUnique("updateValue");
    Entry e = table.first(key);
    if (e == null || e.process != process) {
      return Optional.empty();
    }
    V value = Objects.requireNonNull(update.apply(registered(e).value()), "the updated value");
    e.value = value;
    return Optional.of(value);
  }

  private LocalProcess<?> own(Self<?> self) {
    LocalProcess<?> process = local(self);
    process.ensureRunning();
    return process;
  }

  @Override
  public List<V> values(K key, Pid<M> pid) {
    Objects.requireNonNull(pid, "pid");
    List<V> all = new ArrayList<>();
    int _ =
        dispatch(
            key,
            each -> {
              if (each.pid() == pid) {
                all.add(each.value());
              }
            });
    return Collections.unmodifiableList(all);
  }

  @Override
  @SuppressWarnings("unchecked") // only what fits was put
  public List<K> keys(Pid<M> pid) {
    List<K> all = new ArrayList<>();
    ((LocalProcess<?>) Objects.requireNonNull(pid, "pid"))
        .walkPossessions(possession -> {
          if (possession instanceof Entry e && e.table == table && e.isThere()) {
            all.add((K) e.key);
          }
        });
    return Collections.unmodifiableList(all);
  }

  @Override
  public long count() {
    return table.size();
  }

  @Override
  public int count(K key) {
    KeyTable.@Nullable Slot slot = table.find(Objects.requireNonNull(key, "key"));
    return slot == null ? 0 : slot.size;
  }

  @Override
  public List<Registered<K, M, V>> select(Predicate<? super Registered<K, M, V>> predicate) {
    Objects.requireNonNull(predicate, "predicate");
    List<Registered<K, M, V>> all = new ArrayList<>();
    table.walk(entry -> {
      Registered<K, M, V> each = registered(entry);
      if (predicate.test(each)) {
        all.add(each);
      }
    });
    return Collections.unmodifiableList(all);
  }

  @Override
  public <S> Subscription listen(
      Self<S> self, Function<? super Change<K, M, V>, ? extends S> toMessage) {
    Objects.requireNonNull(toMessage, "toMessage");
    LocalProcess<?> process = own(Objects.requireNonNull(self, "self"));
    return listeners.add(process, Listeners.EVERYTHING, toMessage, null);
  }

  @Override
  public void close() {
    StackReserve.ensure();
    table.close();
    listeners.close();
  }

  @Override
  public String toString() {
    return (unique ? "unique" : "duplicate") + " registry of " + node.name();
  }
}
