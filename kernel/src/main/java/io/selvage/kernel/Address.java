package io.selvage.kernel;

/**
 * Something a message can be sent to and a monitor can watch: a {@link Pid} (one process, for ever)
 * or a {@link Name} (whichever process holds it now). {@link Down#target()} is the address that was
 * watched, so one {@code switch} tells the two apart.
 *
 * @param <M> the messages that may be sent to it
 */
public sealed interface Address<M> permits Pid, Name {}
