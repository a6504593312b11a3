package io.selvage.kernel.internal.jfr;

import io.selvage.kernel.internal.observe.Measuring;

/** Connects a node with the JDK's flight recorder, if this JVM has one. */
public final class FlightRecording {
  private FlightRecording() {}

  /**
   * Lets the flight recorder record what the node does. Does nothing where the module {@code
   * jdk.jfr} is not there: no class that needs it is loaded.
   *
   * @param measuring the node's
   */
  public static void attach(Measuring measuring) {
    try {
      Class.forName("jdk.jfr.Event", false, FlightRecording.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return;
    }
    JdkRecorder.attach(measuring);
  }
}
