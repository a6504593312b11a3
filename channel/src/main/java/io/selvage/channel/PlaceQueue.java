package io.selvage.channel;

import org.jspecify.annotations.Nullable;

/**
 * Those who wait for one thing at one channel, in the order of arrival. Under the lock of the
 * channel.
 *
 * @param <T> what goes through the channel
 */
final class PlaceQueue<T> {
  private @Nullable Place<T> first;
  private @Nullable Place<T> last;

  PlaceQueue() {}

  void add(Place<T> place) {
    Place<T> before = last;
    place.previous = before;
    place.queued = true;
    last = place;
    if (before == null) {
      first = place;
    } else {
      before.next = place;
    }
  }

  /** Takes the first out, or answers null. */
  @Nullable Place<T> poll() {
    Place<T> place = first;
    if (place != null) {
      remove(place);
    }
    return place;
  }

  /** Takes a place out, if it is in. */
  void remove(Place<T> place) {
    if (!place.queued) {
      return;
    }
    Place<T> before = place.previous;
    Place<T> after = place.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    place.previous = null;
    place.next = null;
    place.queued = false;
  }

  /** How many wait here who are not served elsewhere. */
  int countOpen() {
    int count = 0;
    for (Place<T> p = first; p != null; p = p.next) {
      if (p.wait.isOpen()) {
        count++;
      }
    }
    return count;
  }

  /** How many places there are, those included whose waits are over and that were not left yet. */
  int countAll() {
    int count = 0;
    for (Place<T> p = first; p != null; p = p.next) {
      count++;
    }
    return count;
  }
}
