package io.selvage.channel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The locks of several channels, taken together.
 *
 * <p>There is no order among channels by which they could be taken (an address or a hash is none,
 * and a number of its own for each channel would have to be handed out by something all nodes
 * share). So only the first is waited for, and the others are tried: if one is taken by somebody
 * else, all are let go, and that one is the first of the next attempt. Who waits holds nothing, so
 * nobody waits in a circle.
 */
final class LockSet {
  private final LocalChannel<?>[] channels;

  private LockSet(LocalChannel<?>[] channels) {
    this.channels = channels;
  }

  /** The channels of some cases, each once. */
  static <R> LockSet of(List<SelectCase<?, R>> cases) {
    List<LocalChannel<?>> distinct = new ArrayList<>();
    for (SelectCase<?, R> each : cases) {
      if (!distinct.contains(each.channel())) { // by identity; there are few
        distinct.add(each.channel());
      }
    }
    return new LockSet(distinct.toArray(LocalChannel<?>[]::new));
  }

  void lock() {
    int first = 0;
    while (channels.length > 0) {
      channels[first].lock();
      int taken = lockOthers(first);
      if (taken < 0) {
        return;
      }
      first = taken;
    }
  }

  /** Answers which one is taken by somebody else, and then none is held; or -1 if all are held. */
  private int lockOthers(int first) {
    for (int i = 0; i < channels.length; i++) {
      if (i != first && !channels[i].tryLock()) {
        for (int held = 0; held < i; held++) {
          if (held != first) {
            channels[held].unlock();
          }
        }
        channels[first].unlock();
        return i;
      }
    }
    return -1;
  }

  /** Frees all, and then wakes who was served: who is woken may take these locks. */
  void unlock() {
    @Nullable Wait served = null;
    for (LocalChannel<?> channel : channels) {
      served = channel.release(served);
    }
    Wait.wakeAll(served);
  }
}
