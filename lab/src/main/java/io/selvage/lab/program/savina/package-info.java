/**
 * The programs of the nine experiments of the Savina suite.
 *
 * <p>{@code Event…} is written with event processes, {@code Direct…} with direct ones, {@code
 * Thread…} with plain Java threads; {@link io.selvage.lab.program.savina.Measurement} holds the
 * watch for all. What is no matter of actors, such as the work that an item is, is shared by the
 * programs of an experiment: {@link io.selvage.lab.program.savina.Computation}, {@link
 * io.selvage.lab.program.savina.Generator}, {@link io.selvage.lab.program.savina.Color}, {@link
 * io.selvage.lab.program.savina.Transfers}, {@link io.selvage.lab.program.savina.Primes}.
 *
 * <p>Within a run processes share nothing; they report its end by answering the call of the main
 * thread, or, where there is nobody to answer, in a {@link io.selvage.lab.program.savina.Tally}.
 */
package io.selvage.lab.program.savina;
