package io.selvage.kernel.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A process has ended. */
@Name("io.selvage.Exit")
@Label("Process Exit")
@Description("A process has ended")
@Category("Selvage")
@Enabled(false)
@StackTrace(false)
final class ExitEvent extends Event {
  @Label("Process")
  @Nullable String process;

  @Label("Process Label")
  @Nullable String label;

  @Label("Reason")
  @Nullable String reason;

  @Label("Orderly")
  boolean orderly;

  @Label("Unread Messages")
  long unread;
}
