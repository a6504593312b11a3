package io.selvage.lab;

import io.selvage.lab.program.savina.DirectBanking;
import io.selvage.lab.program.savina.DirectBig;
import io.selvage.lab.program.savina.DirectBoundedBuffer;
import io.selvage.lab.program.savina.DirectChameneos;
import io.selvage.lab.program.savina.DirectCounting;
import io.selvage.lab.program.savina.DirectFib;
import io.selvage.lab.program.savina.DirectForkJoinCreate;
import io.selvage.lab.program.savina.DirectForkJoinThroughput;
import io.selvage.lab.program.savina.DirectSieve;
import io.selvage.lab.program.savina.EventBanking;
import io.selvage.lab.program.savina.EventBig;
import io.selvage.lab.program.savina.EventBoundedBuffer;
import io.selvage.lab.program.savina.EventChameneos;
import io.selvage.lab.program.savina.EventCounting;
import io.selvage.lab.program.savina.EventFib;
import io.selvage.lab.program.savina.EventForkJoinCreate;
import io.selvage.lab.program.savina.EventForkJoinThroughput;
import io.selvage.lab.program.savina.EventSieve;
import io.selvage.lab.program.savina.ThreadChameneos;
import io.selvage.lab.program.savina.ThreadCounting;
import io.selvage.lab.program.savina.ThreadFib;
import io.selvage.lab.program.savina.ThreadForkJoinCreate;
import io.selvage.lab.program.savina.ThreadForkJoinThroughput;
import java.util.Map;

/** The programs of the Savina experiments: by experiment, the class with the {@code main}. */
final class SavinaPrograms {
  /** Of event processes. */
  static final Map<String, Class<?>> EVENT =
      Map.of(
          "counting",
          EventCounting.class,
          "fork-join-create",
          EventForkJoinCreate.class,
          "fork-join-throughput",
          EventForkJoinThroughput.class,
          "big",
          EventBig.class,
          "chameneos",
          EventChameneos.class,
          "bounded-buffer",
          EventBoundedBuffer.class,
          "banking",
          EventBanking.class,
          "sieve",
          EventSieve.class,
          "fib",
          EventFib.class);

  /** Of direct processes, on either scheduler. */
  static final Map<String, Class<?>> DIRECT =
      Map.of(
          "counting",
          DirectCounting.class,
          "fork-join-create",
          DirectForkJoinCreate.class,
          "fork-join-throughput",
          DirectForkJoinThroughput.class,
          "big",
          DirectBig.class,
          "chameneos",
          DirectChameneos.class,
          "bounded-buffer",
          DirectBoundedBuffer.class,
          "banking",
          DirectBanking.class,
          "sieve",
          DirectSieve.class,
          "fib",
          DirectFib.class);

  /** Of plain Java threads; the other four would be as long again and say nothing new. */
  static final Map<String, Class<?>> THREADS =
      Map.of(
          "counting",
          ThreadCounting.class,
          "fork-join-create",
          ThreadForkJoinCreate.class,
          "fork-join-throughput",
          ThreadForkJoinThroughput.class,
          "chameneos",
          ThreadChameneos.class,
          "fib",
          ThreadFib.class);

  private SavinaPrograms() {}
}
