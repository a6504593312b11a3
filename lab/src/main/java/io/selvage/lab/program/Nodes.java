package io.selvage.lab.program;

import io.selvage.kernel.Marks;
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
    return start(directOnWorkers, Marks.defaults());
  }

  /** When mailboxes are too long: as by default, or never if the program is to do without that. */
  static Marks marks(Arguments arguments) {
    return arguments.flag("unbounded") ? Marks.off() : Marks.defaults();
  }

  /** The same with marks of one's own. */
  static Node start(boolean directOnWorkers, Marks marks) {
    NodeOptions options = NodeOptions.defaults().withMarks(marks);
    if (!directOnWorkers) {
      return Node.start(options);
    }
    EventSink log = EventSink.logging();
    AtomicReference<KernelEvent.OptionUnavailable> refused = new AtomicReference<>();
    Node node =
        Node.start(
            options
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
