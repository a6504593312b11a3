/**
 * Benchmarks of the kernel and what stands on it. {@code ./selvage bench} runs all; a pattern after
 * it picks those whose name contains it, and whatever follows the pattern goes to JMH.
 */
@NullMarked
package io.selvage.bench;

import org.jspecify.annotations.NullMarked;
