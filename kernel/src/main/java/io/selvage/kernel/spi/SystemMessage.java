package io.selvage.kernel.spi;

import io.selvage.kernel.Behavior;
import io.selvage.kernel.Exit;
import io.selvage.kernel.Init;
import io.selvage.kernel.Pid;
import io.selvage.kernel.internal.process.LocalProcess;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a behaviour (a server, a state machine, a supervisor, an agent) understands beside the
 * messages of its user: to show its state, to be suspended, to stop in order. Such a message is no
 * {@code M} of the process's {@code Pid<M>}, and travels in the same queue, so that its order among
 * the others is that of any message.
 *
 * <p>A process takes such messages if it was started with an {@link Init#behavior} whose setup is a
 * {@link Program}. No other process can be sent one: {@link #addressOf} gives no address, since
 * code that does not expect it would crash.
 *
 * <p>Source: the system messages of {@code sys}, and the {@code 'EXIT'} of the parent in {@code
 * gen_server:loop}.
 */
public interface SystemMessage {
  /**
   * Where to send system messages to a process.
   *
   * @param pid the process
   * @return the same process as others of its kind see it; empty if its code takes none. A process
   *     that has ended keeps what it was.
   */
  @SuppressWarnings("unchecked") // the code of such a process takes both its M and these
  static Optional<Pid<SystemMessage>> addressOf(Pid<?> pid) {
    return ((LocalProcess<?>) pid).takesSystemMessages()
        ? Optional.of((Pid<SystemMessage>) pid)
        : Optional.empty();
  }

  /** The setup of an {@link Init#behavior} whose process takes system messages. */
  interface Program {
    /**
     * The user's code, for reports.
     *
     * @return its class
     */
    Class<?> code();
  }

  /**
   * A {@link Behavior} that takes system messages: what such a setup answers. All methods are
   * called by the process itself.
   */
  interface Receiver {
    /**
     * What a crash report shows as its state.
     *
     * @return the state, as its user wants it shown; null if there is none to show
     */
    @Nullable Object shownState();

    /**
     * Turns an exit signal of the parent, which this process traps, into a message; in place of the
     * function that traps all others, because a behaviour ends with its parent whatever it traps.
     *
     * @param exit the signal
     * @return the message
     */
    SystemMessage onParentExit(Exit exit);

    /**
     * Turns an exit signal of another process than the parent, which this process traps, into a
     * message of its own, if it wants to.
     *
     * @param exit the signal
     * @param lastMessage what the other process was handling when its code failed; null if it is
     *     not known
     * @return the message; null to leave it to the function that traps exits
     */
    default @Nullable SystemMessage onOtherExit(Exit exit, @Nullable Object lastMessage) {
      return null;
    }
  }
}
