/**
 * Behaviours: processes of known kinds, of which the user writes only what is particular. Read
 * {@link io.selvage.otp.Server} first; {@link io.selvage.otp.Sys} is what all of them understand.
 */
package io.selvage.otp;
