package io.selvage.kernel.internal.process;

/** The watched process forgets a monitor. */
final class DemonitorSignal extends Signal {
  private final Monitor monitor;

  DemonitorSignal(Monitor monitor) {
    this.monitor = monitor;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    self.extras().removeWatching(monitor);
  }
}
