/**
 * Small programs, each complete: the account of the README, as a direct and as an event process.
 */
package io.selvage.examples;
