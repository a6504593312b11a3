package io.selvage.lab.program;

import io.selvage.kernel.Node;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.spi.EventSink;
import io.selvage.kernel.spi.KernelEvent;
import java.util.concurrent.atomic.AtomicReference;

/** Starts the node that a program measures. */
public final class Nodes {
  private Nodes() {}

  /**
   * A node with default options, or with the direct processes on its own workers.
   *
   * @param directOnWorkers whether direct processes run on the node's own workers
   * @return a node that the program closes
   * @throws Report.Refused if the workers are asked for and this JVM does not let the node do that:
   *     a figure of something else under that name would be a lie
   */
  public static Node start(boolean directOnWorkers) {
    if (!directOnWorkers) {
      return Node.start();
    }
    EventSink log = EventSink.logging();
    AtomicReference<KernelEvent.OptionUnavailable> refused = new AtomicReference<>();
    Node node =
        Node.start(
            NodeOptions.defaults()
                .withDirectOnWorkers(true)
                .withEvents(event -> {
                  if (event instanceof KernelEvent.OptionUnavailable unavailable) {
                    refused.set(unavailable);
                  } else {
                    log.accept(event);
                  }
                }));
    KernelEvent.OptionUnavailable unavailable = refused.get();
    if (unavailable != null) {
      node.close();
      throw new Report.Refused(unavailable.why());
    }
    return node;
  }
}
