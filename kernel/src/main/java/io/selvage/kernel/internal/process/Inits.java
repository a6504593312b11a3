package io.selvage.kernel.internal.process;

import io.selvage.kernel.Init;
import java.util.Objects;

/** What a process with handshake is started with. */
public final class Inits {
  private Inits() {}

  /**
   * A direct process.
   *
   * @param code its code
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   */
  public record OfBody<M, A>(Init.Code<M, A> code) implements Init<M, A> {
    /** Checks that there is code. */
    public OfBody {
      Objects.requireNonNull(code, "code");
    }
  }

  /**
   * An event process.
   *
   * @param setup its beginning
   * @param <M> the messages it accepts
   * @param <A> what it tells when it is ready
   */
  public record OfBehavior<M, A>(Init.Setup<M, A> setup) implements Init<M, A> {
    /** Checks that there is a setup. */
    public OfBehavior {
      Objects.requireNonNull(setup, "setup");
    }
  }
}
