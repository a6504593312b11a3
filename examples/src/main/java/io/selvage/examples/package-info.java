/**
 * Small programs, each complete: the account of the README, as a direct and as an event process;
 * calls and aliases.
 */
package io.selvage.examples;
