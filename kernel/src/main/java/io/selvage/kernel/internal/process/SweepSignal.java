package io.selvage.kernel.internal.process;

/** Calls that this process has been asked are over: it need not hold them any more. */
final class SweepSignal extends Signal {
  @Override
  protected void act(LocalProcess<?> self) {
    self.sweepCalls();
  }
}
