package io.selvage.lab.program;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Plain Java threads, virtual or platform, that wait for a message in a queue of their own. */
public final class ThreadSpawn implements SpawnMeasurement.Crowd {
  private enum Msg {
    STOP
  }

  private final Thread.Builder builder;
  private final boolean virtual;
  private final boolean busy;
  private final @Nullable Thread[] threads;
  private final @Nullable TransferQueue<Msg>[] mailboxes;
  private final LongAdder waiting = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private volatile boolean spinning;

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of queues cannot be made otherwise
  private ThreadSpawn(Thread.Builder builder, int processes, boolean busy) {
    this.builder = builder;
    this.virtual = builder instanceof Thread.Builder.OfVirtual;
    this.busy = busy;
    this.threads = new Thread[processes];
    this.mailboxes = new TransferQueue[processes];
  }

  private void waitForStop(TransferQueue<Msg> mailbox) {
    waiting.increment();
    try {
      mailbox.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a process under test", e);
    }
    ended.increment();
  }

  private void spin() {
    while (spinning) {
      Thread.onSpinWait();
    }
    ended.increment();
  }

  @Override
  public void create() {
    spinning = true;
    for (int i = 0; i < threads.length; i++) {
      TransferQueue<Msg> mailbox = new LinkedTransferQueue<>();
      mailboxes[i] = mailbox;
      threads[i] = builder.start(busy ? this::spin : () -> waitForStop(mailbox));
    }
    if (!busy) {
      Waiting.until(() -> waiting.sum() == threads.length);
      waiting.reset();
    }
  }

  @Override
  public long end() throws InterruptedException {
    spinning = false;
    for (int i = 0; i < mailboxes.length; i++) {
      TransferQueue<Msg> mailbox = mailboxes[i];
      if (mailbox != null) {
        mailbox.add(Msg.STOP);
        mailboxes[i] = null;
      }
    }
    for (int i = 0; i < threads.length; i++) {
      Thread thread = threads[i];
      if (thread != null) {
        thread.join();
        threads[i] = null;
      }
    }
    return ended.sumThenReset();
  }

  @Override
  public boolean livesOutsideTheHeap() {
    return !virtual;
  }

  /**
   * Runs the program.
   *
   * @param args {@code processes=…}, {@code busy=…}, {@code threads=virtual} or {@code
   *     threads=platform}
   */
  public static void main(String[] args) {
    Report.print(
        args,
        arguments ->
            SpawnMeasurement.measure(
                arguments,
                () ->
                    new ThreadSpawn(
                        Threads.builder(arguments),
                        arguments.count("processes"),
                        arguments.flag("busy"))));
  }
}
