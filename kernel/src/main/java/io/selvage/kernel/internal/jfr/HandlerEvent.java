package io.selvage.kernel.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A process has handled a message: from taking it until it asks for the next, or ends. */
@Name("io.selvage.Handler")
@Label("Message Handler")
@Description("Time from taking a message until asking for the next")
@Category("Selvage")
@Enabled(false)
@StackTrace(false)
@Threshold("20 ms")
final class HandlerEvent extends Event {
  @Label("Process")
  @Nullable String process;

  @Label("Process Label")
  @Nullable String label;

  /** The era of {@link JdkRecorder} in which it began. Not recorded. */
  transient int era;

  @Label("Message Type")
  @Nullable Class<?> message;
}
