package io.selvage.lab;

import static java.util.Map.entry;

import io.selvage.lab.program.DirectFanin;
import io.selvage.lab.program.DirectOverload;
import io.selvage.lab.program.DirectPingpong;
import io.selvage.lab.program.DirectPipeline;
import io.selvage.lab.program.DirectRing;
import io.selvage.lab.program.DirectSkynet;
import io.selvage.lab.program.DirectStartup;
import io.selvage.lab.program.DirectTasks;
import io.selvage.lab.program.EventFanin;
import io.selvage.lab.program.EventOverload;
import io.selvage.lab.program.EventPingpong;
import io.selvage.lab.program.EventPipeline;
import io.selvage.lab.program.EventRing;
import io.selvage.lab.program.EventSkynet;
import io.selvage.lab.program.EventStartup;
import io.selvage.lab.program.EventTasks;
import io.selvage.lab.program.ParkRing;
import io.selvage.lab.program.ParkSpawn;
import io.selvage.lab.program.SelvageSpawn;
import io.selvage.lab.program.ThreadFanin;
import io.selvage.lab.program.ThreadOverload;
import io.selvage.lab.program.ThreadPingpong;
import io.selvage.lab.program.ThreadPipeline;
import io.selvage.lab.program.ThreadRing;
import io.selvage.lab.program.ThreadSkynet;
import io.selvage.lab.program.ThreadSpawn;
import io.selvage.lab.program.ThreadStartup;
import io.selvage.lab.program.ThreadTasks;
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

/** Which class is the program of which experiment: a line for each. */
final class Programs {
  /** Event processes. */
  static final Map<String, Class<?>> EVENT =
      Map.ofEntries(
          entry("ring", EventRing.class),
          entry("spawn", SelvageSpawn.class),
          entry("tasks", EventTasks.class),
          entry("pipeline", EventPipeline.class),
          entry("pingpong", EventPingpong.class),
          entry("fanin", EventFanin.class),
          entry("overload", EventOverload.class),
          entry("skynet", EventSkynet.class),
          entry("startup", EventStartup.class),
          entry("counting", EventCounting.class),
          entry("fork-join-create", EventForkJoinCreate.class),
          entry("fork-join-throughput", EventForkJoinThroughput.class),
          entry("big", EventBig.class),
          entry("chameneos", EventChameneos.class),
          entry("bounded-buffer", EventBoundedBuffer.class),
          entry("banking", EventBanking.class),
          entry("sieve", EventSieve.class),
          entry("fib", EventFib.class));

  /** Direct processes, on whichever threads. */
  static final Map<String, Class<?>> DIRECT =
      Map.ofEntries(
          entry("ring", DirectRing.class),
          entry("spawn", SelvageSpawn.class),
          entry("tasks", DirectTasks.class),
          entry("pipeline", DirectPipeline.class),
          entry("pingpong", DirectPingpong.class),
          entry("fanin", DirectFanin.class),
          entry("overload", DirectOverload.class),
          entry("skynet", DirectSkynet.class),
          entry("startup", DirectStartup.class),
          entry("counting", DirectCounting.class),
          entry("fork-join-create", DirectForkJoinCreate.class),
          entry("fork-join-throughput", DirectForkJoinThroughput.class),
          entry("big", DirectBig.class),
          entry("chameneos", DirectChameneos.class),
          entry("bounded-buffer", DirectBoundedBuffer.class),
          entry("banking", DirectBanking.class),
          entry("sieve", DirectSieve.class),
          entry("fib", DirectFib.class));

  /** Threads of plain Java, of either kind. */
  static final Map<String, Class<?>> THREADS =
      Map.ofEntries(
          entry("ring", ThreadRing.class),
          entry("spawn", ThreadSpawn.class),
          entry("tasks", ThreadTasks.class),
          entry("pipeline", ThreadPipeline.class),
          entry("pingpong", ThreadPingpong.class),
          entry("fanin", ThreadFanin.class),
          entry("overload", ThreadOverload.class),
          entry("skynet", ThreadSkynet.class),
          entry("startup", ThreadStartup.class),
          entry("counting", ThreadCounting.class),
          entry("fork-join-create", ThreadForkJoinCreate.class),
          entry("fork-join-throughput", ThreadForkJoinThroughput.class),
          entry("chameneos", ThreadChameneos.class),
          entry("fib", ThreadFib.class));

  /** Virtual threads that park; where no message is waited for they would be like the others. */
  static final Map<String, Class<?>> PARK =
      Map.ofEntries(
          entry("ring", ParkRing.class),
          entry("spawn", ParkSpawn.class),
          entry("pipeline", ThreadPipeline.class),
          entry("pingpong", ThreadPingpong.class),
          entry("fanin", ThreadFanin.class),
          entry("skynet", ThreadSkynet.class),
          entry("counting", ThreadCounting.class),
          entry("fork-join-create", ThreadForkJoinCreate.class),
          entry("fork-join-throughput", ThreadForkJoinThroughput.class),
          entry("chameneos", ThreadChameneos.class),
          entry("fib", ThreadFib.class));

  /** Event processes without any back-pressure. */
  static final Map<String, Class<?>> EVENT_UNBOUNDED = Map.of("overload", EventOverload.class);

  /** Direct processes without any back-pressure. */
  static final Map<String, Class<?>> DIRECT_UNBOUNDED = Map.of("overload", DirectOverload.class);

  /** Threads with queues that have bounds. */
  static final Map<String, Class<?>> THREADS_BOUNDED = Map.of("overload", ThreadOverload.class);

  private Programs() {}
}
