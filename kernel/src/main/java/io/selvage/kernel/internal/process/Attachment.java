package io.selvage.kernel.internal.process;

import org.jspecify.annotations.Nullable;

/**
 * What a process has beside its mailbox and its code. Most have nothing, or one link; so the field
 * {@link LocalProcess#attachment} holds null, or one of these:
 *
 * <pre>
 *   Link        one link, and nothing else
 *   Handshake   was started with one and is not ready; perhaps the link of that start; nothing else
 *   Extras      anything
 *
 *   null ◄──── owner: its only link is gone ────── Link
 *   null ───── owner: its first link ────────────► Link ◄──── owner: ready ──── Handshake (or null, without a link)
 *     └───────────────── any thread ────────────────┴───────────────┴─────────► Extras ── owner, ended ──► null
 * </pre>
 *
 * <p>Every change but the last is a compare-and-set, since two kinds of threads make them: the
 * owner says which links there are, and any thread that enters a possession makes the {@link
 * Extras}. Why neither loses what the other does:
 *
 * <ul>
 *   <li>A value that is no {@code Extras} says all there is to say, and never changes: the two ends
 *       of a link are final, and {@link Handshake#link} is written before others know the process.
 *       So whoever makes the {@code Extras} copies what the field holds, then sets it if it still
 *       holds that. If the field has changed meanwhile and changed back, what was copied is right
 *       again. If not, it copies what is there now; or finds the {@code Extras} of another.
 *   <li>Once there, the {@code Extras} stay until the process has ended. So a change of the owner
 *       fails for one reason only, that another thread has just made them; then the owner's links
 *       stand there, and it changes them there. From then on its fields for links are the owner's
 *       alone, as most others are.
 *   <li>The compare-and-set publishes what was copied, and the owner's read of the field (volatile)
 *       precedes what it does with it. What observers see of links may be out of date, but is never
 *       half written.
 *   <li>At its end the process takes its links out one by one, as it always may, and takes whatever
 *       it finds in {@code Extras} that were made under its feet. It is not known to anybody as
 *       alive when it sets the field to null, so that whoever holds the pid holds no more than it
 *       must. A thread that makes {@code Extras} after that, or has those that were taken away,
 *       enters nothing: {@link Possessions} refuses once the process is ending, and has announced
 *       that long before.
 * </ul>
 *
 * <p>Rejected: a lock (the owner adds and removes links without one in the course of every end);
 * {@code Extras} for each process with a link (112 bytes for each child of a supervisor).
 */
abstract sealed class Attachment permits Link, Handshake, Extras {
  /** The only link of a process with such an attachment that has no table of them. Any thread. */
  static @Nullable Link link(@Nullable Attachment attachment) {
    if (attachment instanceof Link link) {
      return link;
    }
    if (attachment instanceof Extras extras) {
      return extras.link;
    }
    return attachment instanceof Handshake<?> starting ? starting.link : null;
  }
}
