package io.selvage.otp;

import io.selvage.kernel.spi.SystemMessage;

/**
 * What supervisors understand. Nothing of it is for users: call the methods of {@link Supervisor},
 * {@link DynamicSupervisor} or {@link PartitionSupervisor}, which send it.
 */
public sealed interface SupervisorMessage extends SystemMessage permits SupervisorRequest {}
