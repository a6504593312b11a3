package io.selvage.otp;

/**
 * How many children a supervisor has. Source: {@code supervisor:count_children}.
 *
 * @param specs how many specifications it holds
 * @param active how many children run
 * @param supervisors how many of the specifications are of supervisors, running or not
 * @param workers how many are not
 */
public record ChildCounts(int specs, int active, int supervisors, int workers) {}
