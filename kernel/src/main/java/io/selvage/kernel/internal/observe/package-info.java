/**
 * Watching a node: {@link io.selvage.kernel.internal.observe.Observation} knows who wants events,
 * {@link io.selvage.kernel.internal.observe.Tracing} which processes are traced by whom, and {@link
 * io.selvage.kernel.internal.observe.Outlet} hands news over to one subscriber without ever waiting
 * for it.
 *
 * <p>What happens in a node is told by calls at the places where it happens, each behind one read
 * that is false while nobody listens.
 */
package io.selvage.kernel.internal.observe;
