/**
 * The measured programs of the Java runtimes, each with a {@code main} of its own that runs in an
 * operating-system process of its own.
 *
 * <p>Read a program to judge whether the comparison is fair: {@link
 * io.selvage.lab.program.EventRing}, {@link io.selvage.lab.program.DirectRing}, {@link
 * io.selvage.lab.program.ThreadRing} and {@link io.selvage.lab.program.ParkRing} pass the token,
 * and {@link io.selvage.lab.program.RingMeasurement} holds the watch for all four; the other
 * experiments are built the same way. Where {@link io.selvage.lab.program.Repeats} does the work
 * again and again, all of its runtimes are measured by one rule. The programs of the Savina suite
 * have a package of their own.
 *
 * <p>A program is given its parameters as {@code name=value}, counts what it did, and prints one
 * JSON object as its last line: see {@link io.selvage.lab.program.Report}. Whether the counts are
 * right is decided by the one who started it.
 */
package io.selvage.lab.program;
