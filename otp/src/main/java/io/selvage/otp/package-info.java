/**
 * Behaviours: processes of known kinds, of which the user writes only what is particular.
 *
 * <p>Read {@link io.selvage.otp.Server} first, then {@link io.selvage.otp.Supervisor}. {@link
 * io.selvage.otp.Sys} is what all of them understand. {@link io.selvage.otp.Task} runs code with a
 * result, {@link io.selvage.otp.EventManager} and {@link io.selvage.otp.Pool} put handlers and
 * workers behind one address, and {@link io.selvage.otp.Applications} starts and stops the units of
 * a program in order.
 *
 * <p>Every loop here runs in one process and is not safe for others; what is public says which
 * threads may call it.
 */
package io.selvage.otp;
