package io.selvage.kernel.support;

import io.selvage.kernel.Self;

/**
 * What a process does with a message, told once and run by a process of any {@link Kind}. It ends
 * the process by throwing.
 *
 * @param <M> the messages the process accepts
 */
@FunctionalInterface
public interface Step<M> {
  /** Handles one message. */
  void on(Self<M> self, M message) throws Exception;
}
