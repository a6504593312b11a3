package io.selvage.kernel.support;

import io.selvage.kernel.Body;
import io.selvage.kernel.Down;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import java.util.concurrent.CompletableFuture;

/** How a process will end, learned by a monitor that stands when {@link #of} returns. */
public final class Fate {
  private final CompletableFuture<ExitReason> reason = new CompletableFuture<>();
  private final String what;

  private Fate(Node node, Pid<?> pid) {
    what = "the end of " + pid;
    CompletableFuture<Boolean> watching = new CompletableFuture<>();
    Body<Down> watcher =
        self -> {
          self.monitor(pid, down -> down);
          watching.complete(true);
          reason.complete(self.receive().reason());
        };
    Pid<Down> _ = node.spawn(watcher);
    boolean _ = Await.result("a monitor on " + pid, watching);
  }

  /** Watches a process. */
  public static Fate of(Node node, Pid<?> pid) {
    return new Fate(node, pid);
  }

  /** Watches a probe. */
  public static Fate of(Node node, Probe probe) {
    return of(node, probe.pid());
  }

  /** Waits for the end of the process and tells its reason. */
  public ExitReason reason() {
    return Await.result(what, reason);
  }

  /** Whether the end is known already. */
  public boolean isKnown() {
    return reason.isDone();
  }
}
