package io.selvage.channel.stage;

import io.selvage.kernel.ExitReason;
import java.util.Objects;

/**
 * A subscription was refused by the producer: a mistake of whoever subscribed, which is not tried
 * again. The consumer ends with it unless its mode is {@link SubscribeOptions.Mode#TEMPORARY}.
 *
 * @param why what was wrong, and what to do
 */
public record StageRefusal(String why) implements ExitReason.UserReason {
  /** Checks the text. */
  public StageRefusal {
    Objects.requireNonNull(why, "why");
  }

  @Override
  public String toString() {
    return "refused(" + why + ")";
  }
}
