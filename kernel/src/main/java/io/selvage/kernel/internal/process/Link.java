package io.selvage.kernel.internal.process;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One act of linking, shared by the two processes; it is the whole {@link Attachment} of each that
 * has no other link and nothing else. Its identity tells a link from an earlier or later one
 * between the same two, so that an exit signal carried by a link that has been removed is known as
 * such.
 *
 * <pre>
 *   ACTIVE ── either end: unlink ──────────────────► REVOKED  (an end that dies later sends nothing over it)
 *   ACTIVE ── one end dies: about to signal ──► FIRING ── has signalled ──► FIRED
 * </pre>
 *
 * <p>An {@code unlink} that finds FIRING waits the few instructions until FIRED: then the exit
 * signal is in its inbox, where it is recognized as stale, and the interrupt that may have come
 * with it is taken back before {@code unlink} returns.
 */
final class Link extends Attachment implements Bond {
  private static final int ACTIVE = 0;
  private static final int REVOKED = 1;
  private static final int FIRING = 2;
  private static final int FIRED = 3;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Link.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final LocalProcess<?> one;
  private final LocalProcess<?> two;

  @SuppressWarnings("unused") // through STATE
  private volatile int state;

  Link(LocalProcess<?> one, LocalProcess<?> two) {
    this.one = one;
    this.two = two;
  }

  LocalProcess<?> other(LocalProcess<?> end) {
    return end == one ? two : one;
  }

  @Override
  public List<Link> links() {
    return List.of(this);
  }

  @Override
  public boolean holds(Link link) {
    return link == this;
  }

  @Override
  public @Nullable Bond without(Link link) {
    return link == this ? null : this;
  }

  /**
   * An end removes the link. Returns whether an exit signal from the other end is in the inbox now.
   */
  boolean revoke() {
    if (STATE.compareAndSet(this, ACTIVE, REVOKED)) {
      return false;
    }
    while (state == FIRING) {
      Thread.onSpinWait();
    }
    return state == FIRED;
  }

  /** An end that dies is about to signal the other. If true, {@link #fired} must follow. */
  boolean fire() {
    return STATE.compareAndSet(this, ACTIVE, FIRING);
  }

  void fired() {
    state = FIRED;
  }
}
