package io.selvage.channel;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long receiving many items goes on. Whatever comes first ends it; the closing of the channel
 * always does, once it is empty.
 *
 * <pre>{@code
 * jobs.receiveEach(Intake.untilClosed().handling(10).emptyTimeout(Duration.ofSeconds(1)), this::work);
 * }</pre>
 *
 * <p>Immutable; each method answers a changed copy. Source: the parameters of SObjectizer's {@code
 * receive}.
 *
 * @param handled how many items to handle, those not counted that the handler does not want; zero
 *     for no limit
 * @param extracted how many items to take; zero for no limit
 * @param empty how long to wait for each next item; null for no limit
 * @param total how long it may take as a whole; null for no limit
 * @param stop asked after each item, on the thread that receives: whether that was the last
 */
public record Intake(
    int handled,
    int extracted,
    @Nullable Duration empty,
    @Nullable Duration total,
    BooleanSupplier stop) {
  private static final Intake UNTIL_CLOSED = new Intake(0, 0, null, null, () -> false);

  /**
   * A rule.
   *
   * @throws IllegalArgumentException if a number or a time is negative
   */
  public Intake {
    Objects.requireNonNull(stop, "stop");
    if (handled < 0 || extracted < 0) {
      throw new IllegalArgumentException(
          "to handle "
              + handled
              + " and take "
              + extracted
              + " items: neither may be negative; zero is no limit");
    }
    ensureTime("time for the next item", empty);
    ensureTime("time for all", total);
  }

  private static void ensureTime(String what, @Nullable Duration time) {
    if (time != null && time.isNegative()) {
      throw new IllegalArgumentException(
          "the " + what + " is " + time + ", but it must not be negative: give zero or more");
    }
  }

  private static int ensurePositive(int number) {
    if (number <= 0) {
      throw new IllegalArgumentException(
          "the number of items is " + number + ": give at least 1, or leave it out for no limit");
    }
    return number;
  }

  /**
   * Goes on until the channel is closed and empty.
   *
   * @return the rule
   */
  public static Intake untilClosed() {
    return UNTIL_CLOSED;
  }

  /**
   * Ends after a number of handled items.
   *
   * @param number how many; at least 1
   * @return the rule
   * @throws IllegalArgumentException if {@code number} is less than 1
   */
  public Intake handling(int number) {
    return new Intake(ensurePositive(number), extracted, empty, total, stop);
  }

  /**
   * Ends after a number of items, handled or not.
   *
   * @param number how many; at least 1
   * @return the rule
   * @throws IllegalArgumentException if {@code number} is less than 1
   */
  public Intake extracting(int number) {
    return new Intake(handled, ensurePositive(number), empty, total, stop);
  }

  /**
   * Ends when no item has come for a time.
   *
   * @param timeout how long; zero ends it when the channel is empty
   * @return the rule
   * @throws IllegalArgumentException if {@code timeout} is negative
   */
  public Intake emptyTimeout(Duration timeout) {
    return new Intake(handled, extracted, Objects.requireNonNull(timeout, "timeout"), total, stop);
  }

  /**
   * Ends after a time, however much comes; but not while an item is handled.
   *
   * @param time how long, from the beginning; zero ends it before the first item
   * @return the rule
   * @throws IllegalArgumentException if {@code time} is negative
   */
  public Intake totalTime(Duration time) {
    return new Intake(handled, extracted, empty, Objects.requireNonNull(time, "time"), stop);
  }

  /**
   * Ends when a predicate says so.
   *
   * @param predicate asked after each item, on the thread that receives
   * @return the rule
   */
  public Intake stopOn(BooleanSupplier predicate) {
    return new Intake(handled, extracted, empty, total, predicate);
  }
}
