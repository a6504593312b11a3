package io.selvage.kernel;

import io.selvage.kernel.internal.process.Enlisting;
import io.selvage.kernel.internal.registry.LocalRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Processes under keys of any kind, each with a value: a process for each user, room or order; or
 * the subscribers of each topic. In a {@linkplain #unique unique} registry a key has one process,
 * in a {@linkplain #duplicate duplicate} one any number, the same one several times as well. A
 * process may stand under many keys.
 *
 * <pre>{@code
 * Registry<Long, Order, String> orders = Registry.unique(node);
 * Pid<Order> pid = node.spawn(behavior, SpawnOptions.<Order>defaults().registered(orders.at(4711L, "new")));
 * orders.send(4711L, new Order.Ship());
 * }</pre>
 *
 * <p>A process that ends leaves before it counts as dead, so nothing that is looked up was dead at
 * that moment, and who sees a process dead can use its key.
 *
 * <p>Keys are found by {@code equals} and {@code hashCode}, and must not change while they are in
 * use. Neither they nor any other function of the user's runs under a lock.
 *
 * <p>All methods may be called from any thread, those with a {@link Self} by its process alone.
 * Memory effects: what a thread did before it registered a value is seen by whoever looks that up.
 *
 * <p>Cost: about 200 bytes for a process's first key and 150 for each more, key and value not
 * counted; registering and looking up take constant time, looking up takes no lock.
 *
 * <p>Source: Elixir's {@code Registry}; its partitions are always on.
 *
 * @param <K> the keys
 * @param <M> what the processes accept
 * @param <V> the values
 */
public sealed interface Registry<K, M, V> extends AutoCloseable permits LocalRegistry {
  /**
   * Makes a registry in which a key has at most one process.
   *
   * @param node the node of its processes
   * @param <K> the keys
   * @param <M> what the processes accept
   * @param <V> the values
   * @return an empty registry
   */
  static <K, M, V> Registry<K, M, V> unique(Node node) {
    return LocalRegistry.create(node, true);
  }

  /**
   * Makes a registry in which a key has any number of processes.
   *
   * @param node the node of its processes
   * @param <K> the keys
   * @param <M> what the processes accept
   * @param <V> the values
   * @return an empty registry
   */
  static <K, M, V> Registry<K, M, V> duplicate(Node node) {
    return LocalRegistry.create(node, false);
  }

  /**
   * Registers a process.
   *
   * @param key the key
   * @param pid the process
   * @param value its value
   * @throws AlreadyRegisteredException if the registry is unique and the key is taken, also by the
   *     process itself
   * @throws IllegalStateException if the process has ended, or the registry is closed
   * @throws IllegalArgumentException if the process lives at another node
   */
  void register(K key, Pid<M> pid, V value);

  /**
   * Registers the calling process; see {@link #register(Object, Pid, Object)}.
   *
   * @param key the key
   * @param self the process
   * @param value its value
   */
  default void register(K key, Self<M> self, V value) {
    register(key, self.pid(), value);
  }

  /**
   * Where a process is to be registered when it is spawned; see {@link SpawnOptions#registered}.
   *
   * @param key the key
   * @param value the value
   * @return the place; it may be used many times
   */
  Place<M> at(K key, V value);

  /**
   * Takes a process out, as often as it stands under a key. Messages sent by the key before may
   * still arrive.
   *
   * @param key the key
   * @param pid the process
   * @return how often it stood there; zero if it did not
   */
  int unregister(K key, Pid<M> pid);

  /**
   * Who stands under a key; the oldest, if there are many.
   *
   * @param key the key
   * @return the process, or empty
   */
  Optional<Pid<M>> whereis(K key);

  /**
   * All that stands under a key, in order of its coming.
   *
   * @param key the key
   * @return the entries
   */
  List<Registered<K, M, V>> lookup(K key);

  /**
   * Shows a function all that stands under a key, on the calling thread, in order of its coming.
   * What the function throws ends the call.
   *
   * @param key the key
   * @param action the function
   * @return how many it was shown
   */
  int dispatch(K key, Consumer<? super Registered<K, M, V>> action);

  /**
   * Sends a message to every process under a key, to each as often as it stands there.
   *
   * @param key the key
   * @param message the message
   * @throws IllegalArgumentException if there is none; use {@link #dispatch} where that is no fault
   */
  void send(K key, M message);

  /**
   * Calls the process under a key; see {@link Pid#call}.
   *
   * @param key the key
   * @param request makes the request from the reply address
   * @param timeout how long to wait; zero or more, of any length
   * @param <R> the reply
   * @return the reply
   * @throws CallException with {@link ExitReason.NoProc} if there is none, and as {@link Pid#call}
   * @throws IllegalStateException if the registry is not unique
   */
  <R> R call(K key, Function<? super ReplyTo<R>, ? extends M> request, Duration timeout);

  /**
   * Changes the value of the calling process under a key. Only the process itself changes its
   * values, so the function runs once.
   *
   * @param key the key
   * @param self the process
   * @param update makes the new value from the old
   * @return the new value, or empty if the process does not stand under the key
   * @throws IllegalStateException if the registry is not unique
   */
  Optional<V> updateValue(K key, Self<M> self, UnaryOperator<V> update);

  /**
   * The values of a process under a key.
   *
   * @param key the key
   * @param pid the process
   * @return its values, in order of their coming
   */
  List<V> values(K key, Pid<M> pid);

  /**
   * The keys of a process. Cost: a walk over all that the process owns.
   *
   * @param pid the process
   * @return its keys, newest first, each as often as it stands there
   */
  List<K> keys(Pid<M> pid);

  /**
   * How many entries there are. Constant time.
   *
   * @return the number
   */
  long count();

  /**
   * How many entries there are under a key. Constant time.
   *
   * @param key the key
   * @return the number
   */
  int count(K key);

  /**
   * All entries for which a predicate holds. Cost: a walk over all entries; it stops nobody.
   *
   * @param predicate the predicate
   * @return the entries, in no order
   */
  List<Registered<K, M, V>> select(Predicate<? super Registered<K, M, V>> predicate);

  /**
   * From now on tells a process of what is registered and unregistered. Changes under one key are
   * told in their order.
   *
   * <p>{@code toMessage} runs in the listener when the message is taken; what it throws is thrown
   * there. Source: the listeners of Elixir's {@code Registry}.
   *
   * @param self the process that is told
   * @param toMessage turns a change into a message of that process
   * @param <S> what the listener accepts
   * @return the subscription
   * @throws IllegalStateException if the registry is closed
   * @throws IllegalArgumentException if the process lives at another node
   */
  <S> Subscription listen(Self<S> self, Function<? super Change<K, M, V>, ? extends S> toMessage);

  /**
   * Takes out everything, tells the listeners, and lets them go. Nothing can be registered any
   * more. A registry need not be closed: its entries go with their processes.
   */
  @Override
  void close();

  /**
   * One entry.
   *
   * @param key the key
   * @param pid the process
   * @param value its value, when this was made
   * @param <K> the keys
   * @param <M> what the processes accept
   * @param <V> the values
   */
  record Registered<K, M, V>(K key, Pid<M> pid, V value) {}

  /**
   * A change.
   *
   * @param <K> the keys
   * @param <M> what the processes accept
   * @param <V> the values
   */
  sealed interface Change<K, M, V> {
    /**
     * What came or went.
     *
     * @return the entry
     */
    Registered<K, M, V> entry();
  }

  /**
   * A process was registered.
   *
   * @param entry the new entry
   * @param <K> the keys
   * @param <M> what the processes accept
   * @param <V> the values
   */
  record Register<K, M, V>(Registered<K, M, V> entry) implements Change<K, M, V> {}

  /**
   * A process was unregistered, or ended.
   *
   * @param entry the entry, with its last value
   * @param <K> the keys
   * @param <M> what the processes accept
   * @param <V> the values
   */
  record Unregister<K, M, V>(Registered<K, M, V> entry) implements Change<K, M, V> {}

  /**
   * A key and a value of a registry, for a process to be spawned.
   *
   * @param <M> what the process accepts
   */
  sealed interface Place<M> permits Enlisting {}
}
