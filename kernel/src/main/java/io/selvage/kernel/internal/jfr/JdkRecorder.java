package io.selvage.kernel.internal.jfr;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.internal.observe.Measuring;
import io.selvage.kernel.internal.observe.Recorder;
import io.selvage.kernel.internal.process.LocalProcess;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * Records into the JDK's flight recorder. What is recorded is asked whenever a recording starts or
 * stops; meanwhile the kernel makes no event that nobody wants. The JDK tells nobody when the
 * settings of a recording are changed while it runs: that is seen at the next start or stop of any.
 *
 * <p>An event that cannot be recorded for want of memory is left out: the process goes on.
 */
final class JdkRecorder implements Recorder, FlightRecorderListener {
  private final Measuring measuring;

  /**
   * How often measuring has begun. What a process began to record before it was off is forgotten
   * and not, long after, taken for a handler that never returned. Written under the lock of the
   * measuring.
   */
  private volatile int era;

  private JdkRecorder(Measuring measuring) {
    this.measuring = measuring;
  }

  static void attach(Measuring measuring) {
    JdkRecorder recorder = new JdkRecorder(measuring);
    measuring.recorder(recorder);
    FlightRecorder.addListener(recorder);
    if (FlightRecorder.isInitialized()) {
      recorder.look();
    }
  }

  @Override
  public void recordingStateChanged(Recording recording) {
    look();
  }

  private void look() {
    measuring.turn(this::wanted);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock of the measuring
  private int wanted() {
    boolean processes =
        isEnabled(SpawnEvent.class) || isEnabled(ExitEvent.class) || isEnabled(RestartEvent.class);
    boolean messages = isEnabled(MailboxDelayEvent.class) || isEnabled(HandlerEvent.class);
    if (messages && !measuring.measures()) {
      era++;
    }
    return (processes ? Measuring.PROCESSES : 0) | (messages ? Measuring.MESSAGES : 0);
  }

  private static boolean isEnabled(Class<? extends Event> event) {
    return EventType.getEventType(event).isEnabled();
  }

  @Override
  public void spawned(@Nullable LocalProcess<?> parent, LocalProcess<?> process) {
    try {
      SpawnEvent event = new SpawnEvent();
      if (event.isEnabled()) {
        event.process = process.toString();
        event.parent = parent == null ? null : parent.toString();
        event.label = process.label();
        event.commit();
      }
    } catch (OutOfMemoryError e) {
      // Left out.
    }
  }

  @Override
  public void restarted(LocalProcess<?> predecessor, LocalProcess<?> process) {
    try {
      RestartEvent event = new RestartEvent();
      if (event.isEnabled()) {
        event.process = process.toString();
        event.predecessor = predecessor.toString();
        event.label = process.label();
        event.commit();
      }
    } catch (OutOfMemoryError e) {
      // Left out.
    }
  }

  @Override
  public void ended(LocalProcess<?> process, ExitReason reason, long unread) {
    try {
      ExitEvent event = new ExitEvent();
      if (event.isEnabled()) {
        event.process = process.toString();
        event.label = process.label();
        event.reason = reason.getClass().getSimpleName();
        event.orderly = reason.isOrderly();
        event.unread = unread;
        event.commit();
      }
    } catch (OutOfMemoryError e) {
      // Left out.
    }
  }

  @Override
  public @Nullable Object sent(Object message) {
    try {
      MailboxDelayEvent event = new MailboxDelayEvent();
      if (event.isEnabled()) {
        event.message = message.getClass();
        event.begin();
        return event;
      }
    } catch (OutOfMemoryError e) {
      // Left out.
    }
    return null;
  }

  @Override
  public void taken(Object recording, LocalProcess<?> process) {
    try {
      MailboxDelayEvent event = (MailboxDelayEvent) recording;
      event.end();
      if (event.shouldCommit()) {
        event.process = process.toString();
        event.label = process.label();
        event.commit();
      }
    } catch (OutOfMemoryError e) {
      // Left out.
    }
  }

  @Override
  public @Nullable Object handlerBegins(Object message) {
    try {
      HandlerEvent event = new HandlerEvent();
      if (event.isEnabled()) {
        event.message = message.getClass();
        event.era = era;
        event.begin();
        return event;
      }
    } catch (OutOfMemoryError e) {
      // Left out.
    }
    return null;
  }

  @Override
  public void handlerEnds(Object recording, LocalProcess<?> process) {
    try {
      HandlerEvent event = (HandlerEvent) recording;
      event.end();
      if (event.era == era && event.shouldCommit()) {
        event.process = process.toString();
        event.label = process.label();
        event.commit();
      }
    } catch (OutOfMemoryError e) {
      // Left out.
    }
  }

  @Override
  public void close() {
    FlightRecorder.removeListener(this);
  }
}
