package io.selvage.kernel.internal.process;

/** The watched process learns that it is watched. */
final class MonitorSignal extends Signal {
  private final Monitor monitor;

  MonitorSignal(Monitor monitor) {
    this.monitor = monitor;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    self.extras().addWatching(monitor);
  }
}
