package io.selvage.kernel.internal.process;

/** The other end of a link that was removed forgets it. */
final class UnlinkSignal extends Signal {
  private final Link link;

  UnlinkSignal(Link link) {
    this.link = link;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    self.extras().links.remove(link.other(self), link);
    self.traceUnlinked(link.other(self));
  }
}
