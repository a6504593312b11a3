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
          "process.AliasMessage",
          "node.DeadLetterLedger",
          "node.DeadLetterLedger$From",
          "node.DeadLetterLedger$Interval",
          "node.DeadLetterLedger$Key",
          "node.DeadLetterLedger$Kind",
          "node.CollectionGauge$Watch",
          "node.HeapWatch",
          "node.Origins",
          "node.ReportText",
          "process.Autopsy",
          "process.Behaviors",
          "process.Call",
          "process.Backpressure",
          "process.Call$Failure",
          "process.Delivery$FromOther",
          "process.Delivery$Own",
          "process.Delivery$ToName",
          "process.Delivery$ToProcess",
          "process.DemonitorSignal",
          "process.DirectProcess",
          "process.DownSignal",
          "process.EventProcess",
          "process.ExitSignal",
          "process.ExpectedSignal",
          "process.Extras",
          "process.Handshake",
          "process.LimitSet",
          "process.LimitState",
          "process.LimitedMessage",
          "process.Limiting",
          "process.Link",
          "process.LinkSignal",
          "process.Links",
          "process.LocalProcess",
          "process.LocalProcess$Telling",
          "process.Message",
          "process.MessageCall",
          "process.Monitor",
          "process.MonitorSignal",
          "process.Mute",
          "process.NewsSignal",
          "process.OpenCalls",
          "process.Periodic",
          "process.Periodic$Tick",
          "process.Origin",
          "process.PendingCall",
          "process.Possession",
          "process.Possessions",
          "process.Pressure",
          "process.ProcessAlias",
          "process.Request",
          "process.RoomWait",
          "process.RoomWait$End",
          "process.Runner",
          "process.SentCalls",
          "process.Signal",
          "process.StackReserve",
          "process.StageCall",
          "process.StageCall$Stage",
          "process.SweepSignal",
          "process.Stash",
          "process.StashedMessage",
          "process.Ticket",
          "process.Ticket$Step",
          "process.UnlinkSignal",
          "process.WaitGauge",
          "process.WaitGauge$Mark",
          "registry.Entry",
          "registry.Entry$State",
          "registry.KeyTable",
          "registry.KeyTable$Slot",
          "registry.Listeners",
          "registry.Listening",
          "schedule.RunQueue",
          "schedule.Spin",
          "schedule.ThreadLocals",
          "schedule.Worker",
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
