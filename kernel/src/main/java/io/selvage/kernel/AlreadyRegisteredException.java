package io.selvage.kernel;

import java.util.Objects;

/**
 * A name or a key is taken by another process. After a spawn it means that the new process was not
 * started: its code will never run.
 *
 * <pre>{@code
 * Pid<?> account;
 * try {
 *   account = node.spawn(body, SpawnOptions.<Msg>defaults().named(ACCOUNT));
 * } catch (AlreadyRegisteredException e) {
 *   account = e.holder();
 * }
 * }</pre>
 *
 * <p>Source: {@code {error, {already_started, Pid}}} of OTP's start functions.
 */
public final class AlreadyRegisteredException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final transient Pid<?> holder;

  /**
   * Something is taken.
   *
   * @param message what is taken and what to do
   * @param holder who has it
   */
  public AlreadyRegisteredException(String message, Pid<?> holder) {
    super(message);
    this.holder = Objects.requireNonNull(holder, "holder");
  }

  /**
   * Who has it.
   *
   * @return the process; it may have ended since
   */
  public Pid<?> holder() {
    return holder;
  }
}
