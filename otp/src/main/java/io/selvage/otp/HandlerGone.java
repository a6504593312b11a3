package io.selvage.otp;

/**
 * What the supervisor of a handler is told, once: that it is gone. Source: {@code gen_event_EXIT}.
 *
 * @param handler the handler; if it was swapped, the last one that stood in for it
 * @param why why it is gone
 */
public record HandlerGone(HandlerKey<?> handler, Removal why) {}
