package io.selvage.kernel;

/**
 * A process and what it was compared by.
 *
 * @param pid the process
 * @param value its counter, or by how much that has grown
 */
public record Ranked(Pid<?> pid, long value) {}
