package io.selvage.kernel.internal.process;

/** The other end of a new link learns of it. */
final class LinkSignal extends Signal {
  private final Link link;

  LinkSignal(Link link) {
    this.link = link;
  }

  @Override
  protected void act(LocalProcess<?> self) {
    Links.add(self, link);
    self.traceLinked(link.other(self));
  }
}
