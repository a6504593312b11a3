package io.selvage.kernel.internal.process;

import io.selvage.kernel.Address;
import io.selvage.kernel.Name;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Timer;
import io.selvage.kernel.internal.node.LocalNode;
import io.selvage.kernel.internal.time.TimerNode;
import io.selvage.kernel.internal.time.TimerWheel;
import io.selvage.kernel.spi.KernelEvent.DeadLetter.Cause;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way through time. It is its own signal: when it fires it is pushed as it is, so
 * that firing allocates nothing.
 */
abstract sealed class Delivery extends TimerNode {
  /** Null only until {@link #carrying} has been called. */
  private @Nullable Object message;

  private Delivery() {}

  /**
   * A timer for any target, which has not been set.
   *
   * @param node the node whose names count
   * @param setter the process that sets it, or null if a thread that is none does
   * @param target where to
   */
  static Delivery to(LocalNode node, @Nullable LocalProcess<?> setter, Address<?> target) {
    return switch (target) {
      case Pid<?> pid when pid == setter -> new Own(setter);
      case Pid<?> pid -> new FromOther((LocalProcess<?>) pid);
      case Name<?> name -> new ToName(node, setter, name);
    };
  }

  /**
   * Asks for the message, on the thread that sets the timer: the timer thread never runs code of
   * users. What it throws is thrown here, before anything is set.
   */
  final Delivery carryingMade(Function<? super Timer, ?> toMessage) {
    return carrying(
        Objects.requireNonNull(
            toMessage.apply(this), "the function that makes the timer's message answered null"));
  }

  final Delivery carrying(Object what) {
    message = what;
    return this;
  }

  /** Sets it. */
  final Timer set(long nanos) {
    beforeSet();
    return wheel().schedule(nanos, this);
  }

  void beforeSet() {}

  @Override
  protected final void act(LocalProcess<?> self) {
    self.unread(this);
  }

  @Override
  protected final boolean isMessage() {
    return true;
  }

  @Override
  protected final Object payload(LocalProcess<?> self) {
    return content();
  }

  @Override
  protected final Object shown() {
    return content();
  }

  final Object content() {
    return Objects.requireNonNull(message);
  }

  /** One for a process, to which it belongs. */
  abstract static sealed class ToProcess extends Delivery {
    final LocalProcess<?> process;

    private ToProcess(LocalProcess<?> process) {
      this.process = process;
    }

    @Override
    protected final LocalProcess<?> owner() {
      return process;
    }

    @Override
    protected final TimerWheel wheel() {
      return process.node.wheel();
    }

    @Override
    protected final void fire() {
      if (!process.push(this, null)) {
        process.node.deadLetter(null, process, content(), Cause.ENDED, false);
      }
    }
  }

  /** One that a process has set for itself. */
  static final class Own extends ToProcess {
    Own(LocalProcess<?> process) {
      super(process);
    }
  }

  /**
   * One that somebody else has set for a process, to which it belongs. So the process may be ending
   * while it is set, and if it is not sent for that reason, it is a message that reached nobody.
   */
  static final class FromOther extends ToProcess {
    FromOther(LocalProcess<?> process) {
      super(process);
    }

    @Override
    void beforeSet() {
      process.expectTimersOfOthers();
    }

    @Override
    protected boolean isFromOther() {
      return true;
    }

    @Override
    protected boolean isRefused() {
      return process.isEnding();
    }

    @Override
    protected void dropped() {
      process.node.deadLetter(null, process, content(), Cause.ENDED, false);
    }

    @Override
    protected void closed() {
      dropped();
    }
  }

  /** One for whoever holds a name when it fires. Belongs to the process that has set it, if any. */
  static final class ToName extends Delivery {
    private final LocalNode node;
    private final @Nullable LocalProcess<?> setter;
    private final Name<?> name;

    ToName(LocalNode node, @Nullable LocalProcess<?> setter, Name<?> name) {
      this.node = node;
      this.setter = setter;
      this.name = name;
    }

    @Override
    protected @Nullable LocalProcess<?> owner() {
      return setter;
    }

    @Override
    protected TimerWheel wheel() {
      return node.wheel();
    }

    @Override
    protected void fire() {
      HeldName hold = node.names().held(name);
      if (hold != null && hold.offer(this)) {
        return;
      }
      LocalProcess<?> holder = node.names().find(name);
      if (holder == null || !holder.push(this, null)) {
        closed();
      }
    }

    @Override
    protected void closed() {
      node.deadLetter(null, name, content(), Cause.ENDED, false);
    }
  }
}
