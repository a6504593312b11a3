package io.selvage.kernel.internal.jfr;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.internal.observe.Measuring;
import io.selvage.kernel.internal.observe.Recorder;
import io.selvage.kernel.internal.process.LocalProcess;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * Records into the JDK's flight recorder. Messages and handlers are measured only while a recording
 * runs that has their events enabled: the listener looks whenever one starts or stops.
 *
 * <p>A recording whose settings are changed while it runs is seen at the next start or stop of any:
 * the JDK tells nobody of it.
 */
final class JdkRecorder implements Recorder, FlightRecorderListener {
  private final Measuring measuring;

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
    measuring.turn(
        EventType.getEventType(MailboxDelayEvent.class).isEnabled()
            || EventType.getEventType(HandlerEvent.class).isEnabled());
  }

  @Override
  public void spawned(@Nullable LocalProcess<?> parent, LocalProcess<?> process) {
    SpawnEvent event = new SpawnEvent();
    if (event.isEnabled()) {
      event.process = process.toString();
      event.parent = parent == null ? null : parent.toString();
      event.label = process.label();
      event.commit();
    }
  }

  @Override
  public void ended(LocalProcess<?> process, ExitReason reason, long unread) {
    ExitEvent event = new ExitEvent();
    if (event.isEnabled()) {
      event.process = process.toString();
      event.label = process.label();
      event.reason = reason.getClass().getSimpleName();
      event.orderly = reason.isOrderly();
      event.unread = unread;
      event.commit();
    }
  }

  @Override
  public @Nullable Object sent(Object message) {
    MailboxDelayEvent event = new MailboxDelayEvent();
    if (!event.isEnabled()) {
      return null;
    }
    event.message = message.getClass();
    event.begin();
    return event;
  }

  @Override
  public void taken(Object recording, LocalProcess<?> process) {
    MailboxDelayEvent event = (MailboxDelayEvent) recording;
    event.end();
    if (event.shouldCommit()) {
      event.process = process.toString();
      event.label = process.label();
      event.commit();
    }
  }

  @Override
  public @Nullable Object handlerBegins(Object message) {
    HandlerEvent event = new HandlerEvent();
    if (!event.isEnabled()) {
      return null;
    }
    event.message = message.getClass();
    event.begin();
    return event;
  }

  @Override
  public void handlerEnds(Object recording, LocalProcess<?> process) {
    HandlerEvent event = (HandlerEvent) recording;
    event.end();
    if (event.shouldCommit()) {
      event.process = process.toString();
      event.label = process.label();
      event.commit();
    }
  }

  @Override
  public void close() {
    FlightRecorder.removeListener(this);
  }
}
