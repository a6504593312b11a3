package io.selvage.otp;

/** What a child of a supervisor does. */
public enum ChildState {
  /** It runs, or is being stopped. */
  RUNNING,
  /** It has ended and will be started again: its back-off lasts, or its last start failed. */
  RESTARTING,
  /** It does not run: it was stopped, has ended for good, or its start was ignored. */
  STOPPED
}
