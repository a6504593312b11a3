package io.selvage.kernel.internal.process;

import io.selvage.kernel.Down;
import io.selvage.kernel.ExitReason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a monitor learns that the watched process has ended. Becomes a message if the
 * monitor still stands.
 */
final class DownSignal extends Signal {
  final Monitor monitor;
  private final ExitReason reason;

  /** The message, once a selective receive has looked at it. */
  private @Nullable Object made;

  DownSignal(Monitor monitor, ExitReason reason) {
    this.monitor = monitor;
    this.reason = reason;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    if (self.extras().removeOwned(monitor)) {
      if (monitor.alias != null) {
        monitor.alias.monitorGone();
      }
      self.unread(this);
    }
  }

  @Override
  protected Object look(LocalProcess<?> self) {
    Object message = payload(self);
    made = message;
    return message;
  }

  @Override
  protected Object shown() {
    return new Down(monitor, monitor.target(), reason);
  }

  @Override
  protected Object payload(LocalProcess<?> self) {
    if (made != null) {
      return made;
    }
    Object message = monitor.toMessage.apply(new Down(monitor, monitor.target(), reason));
    return Objects.requireNonNull(message, "the function given to monitor answered null");
  }
}
