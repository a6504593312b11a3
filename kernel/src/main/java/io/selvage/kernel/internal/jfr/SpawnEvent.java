package io.selvage.kernel.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A process was started. */
@Name("io.selvage.Spawn")
@Label("Process Spawn")
@Description("A process was started")
@Category("Selvage")
@Enabled(false)
@StackTrace(false)
final class SpawnEvent extends Event {
  @Label("Process")
  @Nullable String process;

  @Label("Parent")
  @Nullable String parent;

  @Label("Process Label")
  @Nullable String label;
}
