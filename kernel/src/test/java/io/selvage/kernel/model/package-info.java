/**
 * Protocols of the kernel as small models, whose interleavings are searched without exception. What
 * a model leaves out, its class says.
 */
package io.selvage.kernel.model;
