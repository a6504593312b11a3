package io.selvage.kernel.internal.process;

import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Requests;
import io.selvage.kernel.internal.node.LocalNode;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls whose outcomes are taken one by one; see {@link Requests}. The outcomes come to the inbox
 * like all signals, which gives their order and lets an exit signal end the wait; when they are
 * fetched, they go to a list of the collection's own instead of the mailbox.
 *
 * @param <K> the key
 * @param <R> the reply
 */
public final class CollectedCalls<K, R> implements Requests<K, R> {
  /** One of the calls. */
  static final class Member<K, R> extends OwnedCall<R> {
    private final CollectedCalls<K, R> collection;
    private final K key;

    /** The neighbours among the members. Caller's thread only. */
    private @Nullable Member<K, R> previous;

    private @Nullable Member<K, R> following;

    /** Whether the outcome is here. Caller's thread only. */
    private boolean hasCome;

    Member(CollectedCalls<K, R> collection, K key, LocalProcess<?> target, Duration timeout) {
      super(collection.owner, target, timeout);
      this.collection = collection;
      this.key = key;
    }

    @Override
    void fetched() {
      if (!isTaken()) { // else it was dropped on its way
        hasCome = true;
        collection.open.remove(this);
        collection.arrived.add(this);
      }
    }

    @Override
    void letGo() {
      (hasCome ? collection.arrived : collection.open).remove(this);
    }

    @Override
    void callerEnded() {
      if (hasCome && hasReply()) { // on its way it counts as what is sent to a dead process
        target.node.lateReply(target, caller, raw());
      }
    }
  }

  /** Members in order. */
  private static final class Members<K, R> {
    private @Nullable Member<K, R> first;
    private @Nullable Member<K, R> last;
    private int size;

    void add(Member<K, R> member) {
      member.previous = last;
      if (last == null) {
        first = member;
      } else {
        last.following = member;
      }
      last = member;
      size++;
    }

    void remove(Member<K, R> member) {
      Member<K, R> before = member.previous;
      Member<K, R> after = member.following;
      if (before == null) {
        first = after;
      } else {
        before.following = after;
      }
      if (after == null) {
        last = before;
      } else {
        after.previous = before;
      }
      member.previous = null;
      member.following = null;
      size--;
    }
  }

  private final DirectProcess<?> owner;

  // All below: owner's thread only.
  private final Members<K, R> open = new Members<>();
  private final Members<K, R> arrived = new Members<>();
  private boolean closed;

  CollectedCalls(DirectProcess<?> owner) {
    this.owner = owner;
  }

  @Override
  public <T> void add(
      K key, Pid<T> target, Function<? super ReplyTo<R>, ? extends T> request, Duration timeout) {
    Objects.requireNonNull(key, "key");
    LocalProcess<T> process = (LocalProcess<T>) Objects.requireNonNull(target, "target");
    Objects.requireNonNull(request, "request");
    long nanos = LocalNode.nanos(timeout, "timeout of the request");
    owner.ensureRunning();
    if (closed) {
      throw new IllegalStateException(
          "this collection of requests was closed: call self.requests() for another");
    }
    Runner runner = Runner.current();
    long bound = Request.bound(runner, nanos);
    Member<K, R> member = new Member<>(this, key, process, Request.shown(timeout, nanos, bound));
    open.add(member);
    member.begin(request, bound, runner);
  }

  @Override
  public int size() {
    owner.ensureOwnThread();
    return open.size + arrived.size;
  }

  @Override
  public Response<K, R> next() {
    return Objects.requireNonNull(next(Long.MAX_VALUE));
  }

  @Override
  public @Nullable Response<K, R> next(Duration timeout) {
    return next(LocalNode.nanos(timeout, "timeout of next"));
  }

  private @Nullable Response<K, R> next(long nanos) {
    owner.ensureRunning();
    if (open.size + arrived.size == 0) {
      throw new NoSuchElementException(
          "no request is left in this collection: look at size() before next()");
    }
    if (!owner.await(this, nanos)) {
      return null;
    }
    Member<K, R> member = Objects.requireNonNull(arrived.first);
    arrived.remove(member);
    member.leave();
    return new Response<>(member.key, member.outcome(member.takeRaw()));
  }

  /** Whether an outcome can be taken. Owner's thread only. */
  boolean hasArrived() {
    return arrived.first != null;
  }

  @Override
  public void close() {
    owner.ensureOwnThread();
    closed = true;
    dropAll(open);
    dropAll(arrived);
  }

  private void dropAll(Members<K, R> members) {
    for (Member<K, R> member = members.first; member != null; member = members.first) {
      boolean _ = member.drop();
    }
  }
}
