/**
 * What the kernel's tests are told with: {@link io.selvage.kernel.support.Probe}, a process that
 * does what a test tells it to, of each {@link io.selvage.kernel.support.Kind}; {@link
 * io.selvage.kernel.support.KernelTest}, which gives each test a node and looks at its health
 * afterwards; replacements for the seams of {@code io.selvage.kernel.spi}.
 */
package io.selvage.kernel.support;
