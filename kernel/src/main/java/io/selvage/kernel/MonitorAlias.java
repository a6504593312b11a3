package io.selvage.kernel;

/**
 * A monitor and the alias made with it; see {@link Self#monitorWithAlias}.
 *
 * @param monitor the monitor
 * @param alias the alias
 * @param <T> what may be sent to the alias
 */
public record MonitorAlias<T>(MonitorRef monitor, Alias<T> alias) {}
