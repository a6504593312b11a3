package io.selvage.kernel;

import io.selvage.kernel.internal.registry.LocalGroups;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The process groups of a node. A group is there as long as it has members: nobody creates or
 * deletes one. A process may be in many groups, and in the same one many times.
 *
 * <pre>{@code
 * node.groups().join(VIEWERS, self.pid());
 * node.groups().send(VIEWERS, new Msg.Frame(42));
 * }</pre>
 *
 * <p>A member that ends leaves all its groups before it counts as dead, so no list holds a process
 * that was dead when the list was made.
 *
 * <p>All methods may be called from any thread, those with a {@link Self} by its process alone.
 * Joining and leaving take a spin lock of the node for a few instructions, and with subscribers
 * cost an object and a compare-and-set for each that is told. Looking takes no lock: members that
 * come or go meanwhile may be seen or not.
 *
 * <p>Source: OTP's {@code pg}, with one scope for each node, and only the processes of that node.
 */
public sealed interface Groups permits LocalGroups {
  /**
   * Joins a process to a group. A process that joins twice is listed twice, and must leave twice.
   * Cost: an entry of about 120 bytes.
   *
   * @param group the group
   * @param pid the process
   * @param <M> what members accept
   * @return false if the process has ended: then it did not join
   * @throws IllegalArgumentException if the process lives at another node
   */
  <M> boolean join(Group<M> group, Pid<M> pid);

  /**
   * Joins processes to a group, one after the other; one that is in the collection twice joins
   * twice.
   *
   * @param group the group
   * @param pids the processes
   * @param <M> what members accept
   * @return how many joined; those that have ended did not
   * @throws IllegalArgumentException if one of them lives at another node; then none has joined
   */
  <M> int join(Group<M> group, Collection<Pid<M>> pids);

  /**
   * Takes a process out of a group, once. Cost: a walk over the members.
   *
   * @param group the group
   * @param pid the process
   * @param <M> what members accept
   * @return false if the process was no member
   */
  <M> boolean leave(Group<M> group, Pid<M> pid);

  /**
   * Takes processes out of a group, each once for each time that it is in the collection.
   *
   * @param group the group
   * @param pids the processes
   * @param <M> what members accept
   * @return how many memberships ended; zero if none was a member
   */
  <M> int leave(Group<M> group, Collection<Pid<M>> pids);

  /**
   * The members, in order of their joining.
   *
   * @param group the group
   * @param <M> what members accept
   * @return the members, as often as each has joined
   */
  <M> List<Pid<M>> members(Group<M> group);

  /**
   * How many memberships a group has. Constant time.
   *
   * @param group the group
   * @return the length of {@link #members}
   */
  int size(Group<?> group);

  /**
   * The groups that have members.
   *
   * @return the groups, in no order
   */
  List<Group<?>> all();

  /**
   * Sends a message to all members, to each as often as it has joined.
   *
   * @param group the group
   * @param message the message, which all of them share
   * @param <M> what members accept
   * @return to how many it was sent; zero if the group has no members
   */
  <M> int send(Group<M> group, M message);

  /**
   * A member, by turns: each call answers the next, in order of their joining. With callers on many
   * threads at once one may get its turn twice. Constant time.
   *
   * @param group the group
   * @param <M> what members accept
   * @return the member, or empty if there is none
   */
  <M> Optional<Pid<M>> next(Group<M> group);

  /**
   * From now on tells a process of who joins and leaves a group. What is answered and what is told
   * fit together: each change is in exactly one of them, and changes are told in their order.
   *
   * <p>{@code toMessage} runs in the subscriber when the message is taken; what it throws is thrown
   * there. Cost: the members are listed under the lock of the groups. Source: {@code pg:monitor/1}.
   *
   * @param self the process that is told
   * @param group the group; it need not have members
   * @param toMessage turns a change into a message of that process
   * @param <M> what members accept
   * @param <S> what the subscriber accepts
   * @return the members now, and the subscription
   */
  <M, S> Membership<M> monitor(
      Self<S> self, Group<M> group, Function<? super Change<M>, ? extends S> toMessage);

  /**
   * From now on tells a process of who joins and leaves any group; see {@link #monitor}. Source:
   * {@code pg:monitor_scope/0}.
   *
   * @param self the process that is told
   * @param toMessage turns a change into a message of that process
   * @param <S> what the subscriber accepts
   * @return the groups and their members now, and the subscription
   */
  <S> Memberships monitorAll(Self<S> self, Function<? super Change<?>, ? extends S> toMessage);

  /**
   * A change of who is in a group.
   *
   * @param <M> what members accept
   */
  sealed interface Change<M> {
    /**
     * The group.
     *
     * @return the group
     */
    Group<M> group();

    /**
     * Who joined or left.
     *
     * @return the process
     */
    Pid<M> pid();
  }

  /**
   * A process joined.
   *
   * @param group the group
   * @param pid the process
   * @param <M> what members accept
   */
  record Joined<M>(Group<M> group, Pid<M> pid) implements Change<M> {}

  /**
   * A process left, or ended.
   *
   * @param group the group
   * @param pid the process
   * @param <M> what members accept
   */
  record Left<M>(Group<M> group, Pid<M> pid) implements Change<M> {}

  /**
   * The members of a group when a subscription to its changes began.
   *
   * @param members the members
   * @param subscription takes the subscription back
   * @param <M> what members accept
   */
  record Membership<M>(List<Pid<M>> members, Subscription subscription) {
    /** Holds a copy of the list. */
    public Membership {
      members = List.copyOf(members);
    }
  }

  /**
   * The members of all groups when a subscription to all changes began.
   *
   * @param members the members of each group that has some
   * @param subscription takes the subscription back
   */
  record Memberships(Map<Group<?>, List<Pid<?>>> members, Subscription subscription) {
    /** Holds a copy of the map. */
    public Memberships {
      members = Map.copyOf(members);
    }
  }
}
