package io.selvage.otp;

import io.selvage.kernel.SpawnOptions;

/** How a behaviour is run: every case holds for both. */
enum Form {
  EVENT,
  VIRTUAL_THREAD;

  /** The options of a process of this form. */
  <M> SpawnOptions<M> options() {
    SpawnOptions<M> defaults = SpawnOptions.defaults();
    return this == EVENT ? defaults : defaults.onVirtualThread();
  }
}
