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

/** A message has waited in a mailbox, from its send until it was taken. */
@Name("io.selvage.MailboxDelay")
@Label("Mailbox Delay")
@Description("Time from the send of a message until its receiver took it")
@Category("Selvage")
@Enabled(false)
@StackTrace(false)
@Threshold("20 ms")
final class MailboxDelayEvent extends Event {
  @Label("Process")
  @Nullable String process;

  @Label("Process Label")
  @Nullable String label;

  @Label("Message Type")
  @Nullable Class<?> message;
}
