package io.selvage.kernel.internal.registry;

import io.selvage.kernel.Group;
import io.selvage.kernel.Groups;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.process.LocalProcess;
import io.selvage.kernel.internal.process.StackReserve;
import io.selvage.kernel.spi.SpinLock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The process groups of a node: a {@link KeyTable} whose keys are the groups. It and the table of
 * those who are told of changes share one lock, so that a subscription and the list of members that
 * it begins with are one step.
 */
public final class LocalGroups implements Groups {
  private final LocalNode node;
  private final SpinLock lock = new SpinLock();
  private final Listeners listeners = new Listeners(true, LocalGroups::news, lock);
  private final KeyTable table = new KeyTable(0, false, listeners, lock);

  /**
   * No members.
   *
   * @param node the node
   */
  public LocalGroups(LocalNode node) {
    this.node = node;
  }

  @SuppressWarnings("unchecked") // only what fits has joined
  private static Object news(Entry entry, boolean put) {
    Group<Object> group = (Group<Object>) entry.key;
    Pid<Object> pid = (Pid<Object>) entry.process;
    return put ? new Joined<>(group, pid) : new Left<>(group, pid);
  }

  private LocalProcess<?> local(Object process) {
    LocalProcess<?> local = (LocalProcess<?>) process;
    if (local.node != node) {
      throw new IllegalArgumentException(
          local
              + " lives at another node: it can be a member of groups of its own node only, not of \""
              + node.name()
              + "\"");
    }
    return local;
  }

  @Override
  public <M> boolean join(Group<M> group, Pid<M> pid) {
    Objects.requireNonNull(group, "group");
    LocalProcess<?> process = local(Objects.requireNonNull(pid, "pid"));
    StackReserve.ensure();
    return enter(group, process);
  }

  private boolean enter(Group<?> group, LocalProcess<?> process) {
    return table.put(new Entry(table, process, group, null)) == KeyTable.Outcome.PUT;
  }

  @Override
  public <M> int join(Group<M> group, Collection<Pid<M>> pids) {
    Objects.requireNonNull(group, "group");
    List<LocalProcess<?>> processes = new ArrayList<>();
    for (Pid<M> pid : Objects.requireNonNull(pids, "pids")) {
      processes.add(local(Objects.requireNonNull(pid, "a pid of the list")));
    }
    StackReserve.ensure();
    int count = 0;
    for (LocalProcess<?> each : processes) {
      if (enter(group, each)) {
        count++;
      }
    }
    return count;
  }

  @Override
  public <M> boolean leave(Group<M> group, Pid<M> pid) {
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(pid, "pid");
    StackReserve.ensure();
    for (Entry e = table.first(group); e != null; e = KeyTable.after(e)) {
      if (e.process == pid && table.takeBack(e)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public <M> int leave(Group<M> group, Collection<Pid<M>> pids) {
    Objects.requireNonNull(group, "group");
    List<Pid<M>> copy = List.copyOf(Objects.requireNonNull(pids, "pids"));
    int count = 0;
    for (Pid<M> each : copy) {
      if (leave(group, each)) {
        count++;
      }
    }
    return count;
  }

  @Override
  @SuppressWarnings("unchecked") // only what fits has joined
  public <M> List<Pid<M>> members(Group<M> group) {
    Objects.requireNonNull(group, "group");
    List<Pid<M>> all = new ArrayList<>();
    for (Entry e = table.first(group); e != null; e = KeyTable.after(e)) {
      all.add((Pid<M>) e.process);
    }
    return Collections.unmodifiableList(all);
  }

  @Override
  public int size(Group<?> group) {
    KeyTable.Slot slot = table.find(Objects.requireNonNull(group, "group"));
    return slot == null ? 0 : slot.size;
  }

  @Override
  public List<Group<?>> all() {
    List<Group<?>> all = new ArrayList<>();
    table.walkKeys(slot -> all.add((Group<?>) slot.key));
    return Collections.unmodifiableList(all);
  }

  @Override
  @SuppressWarnings("unchecked") // only what fits has joined
  public <M> int send(Group<M> group, M message) {
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(message, "message");
    int count = 0;
    for (Entry e = table.first(group); e != null; e = KeyTable.after(e)) {
      ((Pid<M>) e.process).send(message);
      count++;
    }
    return count;
  }

  @Override
  @SuppressWarnings("unchecked") // only what fits has joined
  public <M> Optional<Pid<M>> next(Group<M> group) {
    Entry e = table.pick(Objects.requireNonNull(group, "group"));
    return e == null ? Optional.empty() : Optional.of((Pid<M>) e.process);
  }

  @Override
  @SuppressWarnings("unchecked") // only what fits has joined
  public <M, S> Membership<M> monitor(
      Self<S> self, Group<M> group, Function<? super Change<M>, ? extends S> toMessage) {
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(toMessage, "toMessage");
    LocalProcess<?> process = own(Objects.requireNonNull(self, "self"));
    KeyTable.Picture picture = new KeyTable.Picture(table, group);
    Listening subscription = listeners.add(process, group, toMessage, picture);
    List<Pid<M>> members = new ArrayList<>();
    picture.show(e -> members.add((Pid<M>) e.process));
    return new Membership<>(members, subscription);
  }

  @Override
  public <S> Memberships monitorAll(
      Self<S> self, Function<? super Change<?>, ? extends S> toMessage) {
    Objects.requireNonNull(toMessage, "toMessage");
    LocalProcess<?> process = own(Objects.requireNonNull(self, "self"));
    KeyTable.Picture picture = new KeyTable.Picture(table, null);
    Listening subscription = listeners.add(process, Listeners.EVERYTHING, toMessage, picture);
    Map<Group<?>, List<Pid<?>>> members = new HashMap<>();
    picture.show(
        e -> members.computeIfAbsent((Group<?>) e.key, _ -> new ArrayList<>()).add(e.process));
    members.replaceAll((_, pids) -> Collections.unmodifiableList(pids));
    return new Memberships(members, subscription);
  }

  private LocalProcess<?> own(Self<?> self) {
    LocalProcess<?> process = local(self);
    process.ensureRunning();
    return process;
  }

  @Override
  public String toString() {
    return "groups of " + node.name();
  }
}
