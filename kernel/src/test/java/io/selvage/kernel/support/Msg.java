package io.selvage.kernel.support;

import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ReplyTo;

/** What a {@link Probe} accepts. */
public sealed interface Msg {
  /** Do this, with your self. What it throws leaves the process's code. */
  record Do(Job<?> job) implements Msg {}

  /** Anything. */
  record Say(Object what) implements Msg {}

  /** A request. */
  record Ask(Object what, ReplyTo<Object> replyTo) implements Msg {}

  /** A trapped exit signal. */
  record GotExit(Exit exit) implements Msg {}

  /** A monitor's answer. */
  record GotDown(Down down) implements Msg {}
}
