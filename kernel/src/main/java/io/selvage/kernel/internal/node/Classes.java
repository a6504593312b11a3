package io.selvage.kernel.internal.node;

import java.util.List;

/**
 * Initializes the kernel's classes when a node starts. A class whose initializer runs out of memory
 * can never be used again in this JVM; so none of those that end a process or wake one may be used
 * for the first time when memory is short.
 */
final class Classes {
  private static final String INTERNAL = "io.selvage.kernel.internal.";
  private static final List<String> NEEDED =
      List.of(
          "node.Origins",
          "node.ReportText",
          "process.Autopsy",
          "process.Behaviors",
          "process.DemonitorSignal",
          "process.DirectProcess",
          "process.DownSignal",
          "process.EventProcess",
          "process.ExitSignal",
          "process.Extras",
          "process.Handshake",
          "process.Link",
          "process.LinkSignal",
          "process.Links",
          "process.LocalProcess",
          "process.LocalProcess$Telling",
          "process.Message",
          "process.Monitor",
          "process.MonitorSignal",
          "process.OpenCalls",
          "process.Origin",
          "process.PendingCall",
          "process.Request",
          "process.Runner",
          "process.Signal",
          "process.StackReserve",
          "process.UnlinkSignal",
          "schedule.RunQueue",
          "schedule.ThreadLocals",
          "schedule.Worker",
          "time.SpinLock",
          "time.TimerNode");

  private Classes() {}

  static void initialize() {
    try {
      for (String name : NEEDED) {
        Class.forName(INTERNAL + name);
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the kernel is not complete", e);
    }
  }
}
