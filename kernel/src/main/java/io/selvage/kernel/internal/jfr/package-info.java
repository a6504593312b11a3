/**
 * Events for the JDK's flight recorder. {@link io.selvage.kernel.internal.jfr.FlightRecording} is
 * the way in, and alone may be used where the module {@code jdk.jfr} may be absent: all else here
 * needs it.
 */
package io.selvage.kernel.internal.jfr;
