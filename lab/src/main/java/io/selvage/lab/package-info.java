/**
 * The lab: each experiment runs the same work on several runtimes, every run in an operating-system
 * process of its own, and prints one JSON object for it.
 */
package io.selvage.lab;
