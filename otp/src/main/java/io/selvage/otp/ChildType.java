package io.selvage.otp;

/** What a child is. */
public enum ChildType {
  /** Anything but a supervisor. */
  WORKER,
  /** A supervisor: it is given as long as it needs to stop its own children. */
  SUPERVISOR
}
