/**
 * Benchmarks of the kernel and what stands on it. {@code ./selvage bench} runs all, {@code ./selvage
 * bench Ring} those whose name contains {@code Ring}, and whatever follows goes to JMH.
 */
@NullMarked
package io.selvage.bench;

import org.jspecify.annotations.NullMarked;
