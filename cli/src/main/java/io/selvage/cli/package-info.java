/**
 * The command {@code selvage}: {@link io.selvage.cli.Main} reads the command line, every subcommand
 * is a class beside it. What builds and tests the project is done by the launcher script before a
 * JVM starts.
 */
package io.selvage.cli;
