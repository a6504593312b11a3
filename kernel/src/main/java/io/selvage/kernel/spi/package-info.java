/**
 * The seams of the kernel: {@link io.selvage.kernel.spi.Clock}, {@link
 * io.selvage.kernel.spi.ThreadSource}, {@link io.selvage.kernel.spi.Scheduler}, {@link
 * io.selvage.kernel.spi.EventSink} and {@link io.selvage.kernel.spi.HeapGauge}, given to a node by
 * {@link io.selvage.kernel.NodeOptions}. With replacements for the first three a whole node can be
 * run on one thread at a time, in virtual time. {@link io.selvage.kernel.spi.Waiter} is what
 * modules built on the kernel block with, {@link io.selvage.kernel.spi.SpinLock} what they guard a
 * few fields with, {@link io.selvage.kernel.spi.Expected} how they deliver a message later.
 *
 * <p>Missing on purpose: anything about processes themselves. A replacement decides when code runs,
 * never what it does.
 */
package io.selvage.kernel.spi;
