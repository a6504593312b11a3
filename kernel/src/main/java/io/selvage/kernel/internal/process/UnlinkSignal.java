package io.selvage.kernel.internal.process;

/** The other end of a link that was removed forgets it. */
final class UnlinkSignal extends Signal {
  private final Link link;

  UnlinkSignal(Link link) {
    this.link = link;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    Links.remove(self, link);
    self.traceUnlinked(link.other(self));
  }
}
