package io.selvage.channel;

import io.selvage.kernel.DirectSelf;
import io.selvage.kernel.Self;
import io.selvage.kernel.spi.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One wait for several things: to receive from channels, to send to channels, to take a message
 * from the mailbox. Exactly one of them happens, and its action is run.
 *
 * <pre>{@code
 * static final Select<String> NEXT =
 *     Select.<String>cases()
 *         .receive(urgent, job -> "urgent " + job)
 *         .receive(jobs, job -> "job " + job)
 *         .send(idle, Worker::name, () -> "idle");
 *
 * String done = NEXT.select(Duration.ofSeconds(1));   // null after a second
 * }</pre>
 *
 * <p>If several can happen at once, they take turns: each call begins with the next case. If none
 * can, the caller waits at all of the channels, in line with others, and is served once. A send
 * case waits for room whatever the channel's {@link Overflow} says, since another case may go
 * first.
 *
 * <p>Immutable but for whose turn it is: made once and used often, by any thread, and extended by
 * adding cases to it, which makes another. A select with the mailbox belongs to that process.
 *
 * <p>The action runs on the calling thread, after the choice, under no lock; it may send, receive
 * and select. What it throws is thrown by the select.
 *
 * <p>Cost: the locks of all channels, held together for the look at them, and after a wait each
 * again. Source: Go's {@code select}, and the prepared and extensible selects of SObjectizer.
 *
 * @param <R> what the actions answer
 */
public final class Select<R> {
  private final List<SelectCase<?, R>> cases;

  /** The channels of the cases, each once. */
  private final LockSet locks;

  /** What takes a message of the mailbox, or null. */
  private final @Nullable MailboxCase<?, R> mailbox;

  /** How often it was used: whose turn it is. */
  private final AtomicInteger uses = new AtomicInteger();

  private Select(List<SelectCase<?, R>> cases, @Nullable MailboxCase<?, R> mailbox) {
    this.cases = cases;
    this.locks = LockSet.of(cases);
    this.mailbox = mailbox;
  }

  /** A case of the mailbox. */
  private record MailboxCase<M, R>(DirectSelf<M> self, Function<? super M, ? extends R> action) {
    /** What is to be done with the next message, or null if there is none. */
    @Nullable Supplier<R> poll() {
      M message = self.receive(Duration.ZERO);
      return message == null ? null : () -> action.apply(message);
    }
  }

  /**
   * No cases yet.
   *
   * @param <R> what the actions answer
   * @return no cases
   */
  public static <R> Select<R> cases() {
    return new Select<>(List.of(), null);
  }

  // ---------------------------------------------------------------- cases

  /**
   * Receives from a channel. If that is closed and empty, the select throws.
   *
   * @param source the channel
   * @param action what to do with the item
   * @param <T> what goes through the channel
   * @return these cases and then this one
   */
  public <T> Select<R> receive(Source<T> source, Function<? super T, ? extends R> action) {
    Objects.requireNonNull(action, "action");
    LocalChannel<T> channel = LocalChannel.of(source);
    return with(
        new SelectCase.Receiving<>(
            channel, received -> action.apply(Objects.requireNonNull(channel.item(received)))));
  }

  /**
   * Receives from a channel, or finds out that it is closed and empty.
   *
   * @param source the channel
   * @param action what to do with the item, or with the closing
   * @param <T> what goes through the channel
   * @return these cases and then this one
   */
  public <T> Select<R> receiveOrClosed(
      Source<T> source, Function<? super Received<T>, ? extends R> action) {
    Objects.requireNonNull(action, "action");
    return with(new SelectCase.Receiving<>(LocalChannel.of(source), action));
  }

  /**
   * Sends to a channel, if there is room. If that is closed, the select throws.
   *
   * @param sink the channel
   * @param item makes what is sent; asked at the beginning of each select, whatever comes of it
   * @param action what to do then
   * @param <T> what goes through the channel
   * @return these cases and then this one
   */
  public <T> Select<R> send(
      Sink<T> sink, Supplier<? extends T> item, Supplier<? extends R> action) {
    Objects.requireNonNull(item, "item");
    Objects.requireNonNull(action, "action");
    LocalChannel<T> channel = LocalChannel.of(sink);
    return with(
        new SelectCase.Sending<>(
            channel,
            item,
            result -> {
              channel.ensureOpen(result);
              return action.get();
            }));
  }

  /**
   * Sends to a channel, if there is room, or finds out that it is closed.
   *
   * @param sink the channel
   * @param item makes what is sent; asked at the beginning of each select, whatever comes of it
   * @param action what to do then: with {@link SendResult#SENT} or {@link SendResult#CLOSED}
   * @param <T> what goes through the channel
   * @return these cases and then this one
   */
  public <T> Select<R> sendOrClosed(
      Sink<T> sink, Supplier<? extends T> item, Function<? super SendResult, ? extends R> action) {
    Objects.requireNonNull(item, "item");
    Objects.requireNonNull(action, "action");
    return with(new SelectCase.Sending<>(LocalChannel.of(sink), item, action));
  }

  /**
   * Takes the next message of the process's own mailbox. The handler of an event process cannot:
   * its messages come to it anyway.
   *
   * @param self the process, which alone may use this select
   * @param action what to do with the message
   * @param <M> the messages of the process
   * @return these cases and this one
   * @throws IllegalStateException if there is such a case already
   */
  public <M> Select<R> mailbox(DirectSelf<M> self, Function<? super M, ? extends R> action) {
    Objects.requireNonNull(self, "self");
    Objects.requireNonNull(action, "action");
    if (mailbox != null) {
      throw new IllegalStateException(
          "the select has the mailbox of "
              + mailbox.self.pid()
              + " already: branch by the message in the action");
    }
    return new Select<>(cases, new MailboxCase<>(self, action));
  }

  private Select<R> with(SelectCase<?, R> added) {
    List<SelectCase<?, R>> more = new ArrayList<>(cases);
    more.add(added);
    return new Select<>(List.copyOf(more), mailbox);
  }

  // ---------------------------------------------------------------- selecting

  /**
   * Waits until one of the cases can happen, and does it.
   *
   * @return what its action answered
   * @throws ChannelClosedException if the case is one that throws when its channel is closed
   * @throws InterruptedException if the thread was interrupted while it waited
   * @throws IllegalStateException if there are no cases, or the calling thread does not run the
   *     process whose mailbox is one
   */
  public R select() throws InterruptedException {
    return Objects.requireNonNull(choose(Waiter.FOR_EVER)).get();
  }

  /**
   * Waits until one of the cases can happen, no longer than a time, and does it.
   *
   * @param timeout how long to wait; zero or more, of any length
   * @return what its action answered, or null if none could happen in time
   * @throws ChannelClosedException if the case is one that throws when its channel is closed
   * @throws InterruptedException if the thread was interrupted while it waited
   * @throws IllegalArgumentException if {@code timeout} is negative
   * @throws IllegalStateException as for {@link #select()}
   */
  public @Nullable R select(Duration timeout) throws InterruptedException {
    Supplier<R> chosen = choose(LocalChannel.nanos(timeout));
    return chosen == null ? null : chosen.get();
  }

  /**
   * Does one of the cases, if any can happen now.
   *
   * @return what its action answered, or null if none can happen
   * @throws ChannelClosedException if the case is one that throws when its channel is closed
   * @throws IllegalStateException as for {@link #select()}
   */
  public @Nullable R trySelect() {
    Supplier<R> chosen = tryChoose(begin(), uses.getAndIncrement());
    return chosen == null ? null : chosen.get();
  }

  /**
   * Does not wait: what happens comes as a message to the process that calls this. For event
   * processes, whose worker is not blocked by it; direct ones may use it, too. The action of the
   * case runs in the process when it takes the message, and so does {@code toMessage}; what they
   * throw is thrown there.
   *
   * <p>For a timeout, set a timer of the process and {@linkplain ChannelRequest#cancel cancel} the
   * request when it fires.
   *
   * @param self the process
   * @param toMessage turns what the action answers into a message of the process
   * @param <M> the messages of the process
   * @return the request, which ends with the process
   * @throws IllegalStateException if there are no cases, one is the mailbox, or the calling thread
   *     does not run the process
   */
  public <M> ChannelRequest request(Self<M> self, Function<? super R, ? extends M> toMessage) {
    Objects.requireNonNull(self, "self");
    Objects.requireNonNull(toMessage, "toMessage");
    if (mailbox != null) {
      throw new IllegalStateException(
          "the outcome would come as a message to "
              + self.pid()
              + ", so the mailbox cannot be a case: leave it out, messages come anyway");
    }
    return MessageWait.start(begin(), uses.getAndIncrement(), self, toMessage);
  }

  private SelectAttempt<R> begin() {
    if (cases.isEmpty() && mailbox == null) {
      throw new IllegalStateException(
          "the select has no cases, so it would wait for ever: add one, such as receive(channel,"
              + " action)");
    }
    Waiter.checkpoint();
    return new SelectAttempt<>(cases, locks);
  }

  /** What is to be done, or null if nothing can be done now. */
  private @Nullable Supplier<R> tryChoose(SelectAttempt<R> attempt, int turn) {
    Supplier<R> chosen = isTurnOfMailbox(turn) ? pollMailbox() : null;
    if (chosen == null) {
      chosen = attempt.look(turn, null);
    }
    return chosen == null ? pollMailbox() : chosen;
  }

  /** What is to be done, or null if the time is over. */
  private @Nullable Supplier<R> choose(long nanos) throws InterruptedException {
    SelectAttempt<R> attempt = begin();
    int turn = uses.getAndIncrement();
    if (nanos == 0) {
      return tryChoose(attempt, turn);
    }
    if (isTurnOfMailbox(turn)) {
      Supplier<R> message = pollMailbox();
      if (message != null) {
        return message;
      }
    }
    Waiter clock = Waiter.current();
    long start = clock.nanoTime();
    while (true) {
      ThreadWait wait = new ThreadWait();
      Supplier<R> chosen = attempt.look(turn, wait);
      if (chosen != null) {
        return chosen;
      }
      long left =
          nanos == Waiter.FOR_EVER
              ? Waiter.FOR_EVER
              : Math.max(0, nanos - (clock.nanoTime() - start));
      Waiter.End end = Waiter.End.TIME;
      try {
        end = await(wait, left);
      } finally {
        attempt.leave();
      }
      switch (end) {
        case CONDITION -> {
          return attempt.served(wait);
        }
        case TIME -> {
          return null;
        }
        case MESSAGE -> {
          Supplier<R> message = pollMailbox();
          if (message != null) {
            return message;
          }
        }
      }
    }
  }

  private Waiter.End await(ThreadWait wait, long nanos) throws InterruptedException {
    if (mailbox == null) {
      return wait.await(nanos) ? Waiter.End.CONDITION : Waiter.End.TIME;
    }
    return wait.awaitOrMessage(mailbox.self, nanos);
  }

  private boolean isTurnOfMailbox(int turn) {
    return mailbox != null && Math.floorMod(turn, cases.size() + 1) == cases.size();
  }

  private @Nullable Supplier<R> pollMailbox() {
    return mailbox == null ? null : mailbox.poll();
  }
}
