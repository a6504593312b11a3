package io.selvage.kernel;

/**
 * A process that was spawned with a monitor on it.
 *
 * @param pid the new process
 * @param monitor the monitor that the spawning process holds
 * @param <M> what the new process accepts
 */
public record Monitored<M>(Pid<M> pid, MonitorRef monitor) {}
