package io.selvage.kernel.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A process was started that stands in for one that has ended. */
@Name("io.selvage.Restart")
@Label("Process Restart")
@Description("A process was started in the place of one that has ended")
@Category("Selvage")
@Enabled(false)
@StackTrace(false)
final class RestartEvent extends Event {
  @Label("Process")
  @Nullable String process;

  @Label("Predecessor")
  @Nullable String predecessor;

  @Label("Process Label")
  @Nullable String label;
}
