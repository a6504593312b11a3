/**
 * What the kernel promises, case by case: the cases of SEMANTICS A, B, C and M by their numbers,
 * and the promises of the public documentation. Every case runs on every {@link
 * io.selvage.kernel.support.Kind} of process, or on pairs of kinds; only what is about one kind
 * says so. Black-box: only the public API is used.
 */
package io.selvage.kernel.semantics;
