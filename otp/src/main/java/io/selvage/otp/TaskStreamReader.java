package io.selvage.otp;

import io.selvage.kernel.CallException;
import io.selvage.kernel.Outcome;
import io.selvage.kernel.Pid;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The owner's side of {@link Tasks#stream}: takes elements from the collection when the {@link
 * TaskStream} wants one, and waits for outcomes. The collection is used by the owner because it may
 * be the owner's own.
 */
final class TaskStreamReader<T, R> implements Iterator<Tasks.Element<T, R>> {
  /** How long tasks that are killed may take to end. */
  private static final Duration CLOSING = Duration.ofSeconds(1);

  private final Task.Owner owner;
  private final @Nullable TaskSupervisor supervisor;
  private final Iterator<? extends T> input;
  private final Tasks.Step<T, R> step;
  private final Tasks.StreamOptions options;

  /** Null until somebody reads. */
  private @Nullable Pid<TaskStream.Msg<T, R>> stream;

  private Tasks.@Nullable Element<T, R> next;
  private boolean over;

  TaskStreamReader(
      Task.Owner owner,
      @Nullable TaskSupervisor supervisor,
      Iterator<? extends T> input,
      Tasks.Step<T, R> step,
      Tasks.StreamOptions options) {
    this.owner = owner;
    this.supervisor = supervisor;
    this.input = input;
    this.step = step;
    this.options = options;
  }

  @Override
  public boolean hasNext() {
    if (next == null && !over) {
      next = fetch();
    }
    return next != null;
  }

  @Override
  public Tasks.Element<T, R> next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the stream is over");
    }
    Tasks.Element<T, R> element = next;
    next = null;
    if (element == null) {
      throw new AssertionError();
    }
    return element;
  }

  /** The next outcome; null if there is none. Whatever goes wrong here ends the stream. */
  private Tasks.@Nullable Element<T, R> fetch() {
    Pid<TaskStream.Msg<T, R>> from = stream;
    if (from == null) {
      from = TaskStream.start(owner, supervisor, step, options);
      stream = from;
    } else {
      owner.ensureAwaits(from);
    }
    boolean done = false;
    try {
      TaskStream.Answer<T, R> answer = from.call(TaskStream.Msg.Ask<T, R>::new, Sys.FOREVER);
      while (answer instanceof TaskStream.Answer.Want) {
        if (input.hasNext()) {
          T element = input.next();
          answer =
              from.call(replyTo -> new TaskStream.Msg.Offer<T, R>(element, replyTo), Sys.FOREVER);
        } else {
          answer = from.call(TaskStream.Msg.NoMore<T, R>::new, Sys.FOREVER);
        }
      }
      Tasks.Element<T, R> element =
          switch (answer) {
            case TaskStream.Answer.Got<T, R>(var got) -> got;
            case TaskStream.Answer.Exit<T, R>(var pid) -> {
              R _ = new Outcome.TimedOut<R>(pid, options.timeout()).orThrow();
              throw new AssertionError();
            }
            case TaskStream.Answer.Refused<T, R>(var why) -> throw hereToo(why);
            case TaskStream.Answer.End<T, R>() -> null;
            case TaskStream.Answer.Want<T, R>() -> throw new AssertionError();
          };
      done = element != null;
      return element;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  /** What was thrown in the stream's process, to be thrown in this one. */
  private static RuntimeException hereToo(RuntimeException there) {
    String message = Objects.requireNonNull(there.getMessage());
    RuntimeException here =
        there instanceof CallException call
            ? new CallException(message, call.reason())
            : new IllegalStateException(message);
    here.initCause(there);
    return here;
  }

  /** Ends all tasks. Again has no effect. */
  void close() {
    next = null;
    if (!over) {
      over = true;
      Pid<TaskStream.Msg<T, R>> from = stream;
      if (from != null) {
        try {
          Boolean _ = from.<Boolean>call(TaskStream.Msg.Close<T, R>::new, CLOSING);
        } catch (CallException ended) {
          // It has ended, as it should; or a task takes longer to end, and it waits for that.
        }
      }
    }
  }
}
