package io.selvage.otp;

/** Who is restarted when a child of a {@link Supervisor} ends. Source: {@code supervisor}. */
public enum Strategy {
  /** Only the one that ended. */
  ONE_FOR_ONE,
  /** All: the others are stopped, last started first, then all are started in order. */
  ONE_FOR_ALL,
  /** The one that ended and those that were started after it. */
  REST_FOR_ONE
}
