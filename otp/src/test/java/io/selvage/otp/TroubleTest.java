package io.selvage.otp;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.CallException;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.StartResult;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many do many things at once to one behaviour, and kill what they find: whatever they did, it is
 * whole afterwards, everybody was answered, and nobody is left behind.
 */
class TroubleTest extends KernelTest {
  private static final Duration SOON = Await.LIMIT;
  private static final int THREADS = 4;
  private static final Duration NEVER_TOO_OFTEN = Duration.ofNanos(1);

  private final long seed = Long.getLong("selvage.test.seed", System.nanoTime());

  sealed interface Msg {
    record Ask(ReplyTo<Boolean> replyTo) implements Msg {}

    record Fail() implements Msg {}
  }

  private record Worker() implements Server<Integer, Msg> {
    @Override
    public FirstStep<Integer, Msg> init(Self<Msg> self) {
      return Next.with(0);
    }

    @Override
    public Next<Integer, Msg> onMessage(Self<Msg> self, Integer state, Msg message) {
      if (!(message instanceof Msg.Ask(var replyTo))) {
        throw new ExitException(new ExitReason.Shutdown("was told to fail"));
      }
      replyTo.send(true);
      return Next.same();
    }
  }

  /** What each of several threads does, some times. */
  @FunctionalInterface
  private interface Trouble {
    void make(SplittableRandom random) throws Exception;
  }

  private void make(int times, Trouble trouble) {
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      all.add(
          CompletableFuture.supplyAsync(
              () -> {
                for (int j = 0; j < times; j++) {
                  try {
                    trouble.make(random);
                  } catch (CallException expected) {
                    // What it asked was killed, most often by another thread.
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }
                return true;
              },
              Thread::startVirtualThread));
    }
    for (CompletableFuture<Boolean> each : all) {
      assertThat(
              Await.result(
                  "the trouble of -Dselvage.test.seed=" + seed, each, SOON.multipliedBy(6)))
          .isTrue();
    }
  }

  private ChildSpec<Msg, Pid<Msg>> spec(String id, Form form) {
    return ChildSpec.of(id, Server.of(new Worker()), form.<Msg>options());
  }

  private static void pause(SplittableRandom random) {
    LockSupport.parkNanos(random.nextInt(100_000));
  }

  // ---------------------------------------------------------------- pools

  @ParameterizedTest
  @EnumSource
  void pool_whoseWorkersDie_isWholeAgain(Form form) {
    Set<Pid<Msg>> workers = ConcurrentHashMap.newKeySet();
    Pool<Msg> pool =
        node.start(
                Pool.of(
                    spawner -> {
                      StartResult<Msg, Pid<Msg>> result =
                          Server.start(spawner, new Worker(), form.<Msg>options());
                      workers.add(result.orThrow().pid());
                      return result;
                    },
                    PoolOptions.<Msg>of(3).withLoad(2)),
                SOON,
                form.<Msg>options())
            .orThrow()
            .value();
    make(
        Rounds.part(200),
        random -> {
          switch (random.nextInt(8)) {
            case 0 -> pool.resize(1 + random.nextInt(4));
            case 1 -> pool.send(new Msg.Fail());
            case 2 ->
                workers.stream()
                    .skip(random.nextInt(workers.size()))
                    .findFirst()
                    .ifPresent(Pid::kill);
            case 3 -> {
              Optional<Pool.Lease<Msg>> lease = pool.checkout(node, SOON);
              pause(random);
              lease.ifPresent(random.nextBoolean() ? Pool.Lease::close : Pool.Lease::discard);
            }
            case 4 -> {
              // An owner that is killed while it waits, or while it has one.
              Pid<?> owner =
                  Task.start(
                      node,
                      self -> {
                        Optional<Pool.Lease<Msg>> _ = pool.checkout(self, SOON);
                        Thread.sleep(SOON);
                      });
              pause(random);
              owner.kill();
            }
            case 5 -> pool.checkout(node, Duration.ZERO).ifPresent(Pool.Lease::close);
            default -> assertThat(pool.<Boolean>call(Msg.Ask::new, SOON)).isTrue();
          }
        });
    pool.resize(3);
    Await.until(
        () -> "the pool to be whole after -Dselvage.test.seed=" + seed + ": " + pool.status(),
        () -> pool.status().idle() == 3,
        SOON);
    assertThat(pool.status())
        .returns(3, Pool.Status::size)
        .returns(0, Pool.Status::waiting)
        .returns(0, Pool.Status::busy);
    Sys.stop(pool.pid(), ExitReason.shutdown(), SOON);
    Await.until("nobody to be left", () -> node.processes().isEmpty());
  }

  // ---------------------------------------------------------------- supervisors

  @ParameterizedTest
  @EnumSource
  void supervisor_whoseChildrenAreKilledStoppedAndRestarted_hasThemAllInTheEnd(Form form) {
    for (SupervisorSpec empty :
        List.of(
            SupervisorSpec.oneForOne(), SupervisorSpec.oneForAll(), SupervisorSpec.restForOne())) {
      SupervisorSpec spec = empty.withIntensity(Integer.MAX_VALUE, NEVER_TOO_OFTEN);
      for (int i = 0; i < 4; i++) {
        spec = spec.with(spec("c" + i, form));
      }
      Supervisor supervisor = Supervisor.start(node, spec, form.options()).orThrow().value();
      make(
          Rounds.part(200),
          random -> {
            String id = "c" + random.nextInt(4);
            switch (random.nextInt(7)) {
              case 0 -> {
                StopChildResult _ = supervisor.stopChild(id);
              }
              case 1 -> {
                RestartChildResult _ = supervisor.restartChild(id);
              }
              case 2 -> {
                DeleteChildResult _ = supervisor.deleteChild(id);
              }
              case 3 -> {
                StartChildResult<Msg, Pid<Msg>> _ = supervisor.startChild(spec(id, form));
              }
              case 4 -> {
                Sys.suspend(supervisor.pid(), SOON);
                pause(random);
                Sys.resume(supervisor.pid(), SOON);
              }
              default ->
                  supervisor.whichChildren().stream()
                      .filter(child -> child.id().equals(id))
                      .flatMap(child -> child.pid().stream())
                      .forEach(Pid::kill);
            }
          });
      for (int i = 0; i < 4; i++) {
        StartChildResult<Msg, Pid<Msg>> _ = supervisor.startChild(spec("c" + i, form));
        RestartChildResult _ = supervisor.restartChild("c" + i);
      }
      Await.until(
          () -> "all to run after -Dselvage.test.seed=" + seed + ": " + supervisor.whichChildren(),
          () -> supervisor.countChildren().active() == 4 && node.processes().size() == 5,
          SOON);
      assertThat(supervisor.whichChildren()).allMatch(child -> child.pid().orElseThrow().isAlive());
      Sys.stop(supervisor.pid(), ExitReason.shutdown(), SOON);
      Await.until("nobody to be left", () -> node.processes().isEmpty());
    }
  }

  @ParameterizedTest
  @EnumSource
  void dynamicSupervisor_killedInTheMiddleOfAll_leavesNoOrphan(Form form) {
    for (int round = 0; round < Rounds.part(2000); round++) {
      DynamicSupervisor supervisor =
          DynamicSupervisor.start(
                  node,
                  DynamicSpec.defaults().withIntensity(Integer.MAX_VALUE, NEVER_TOO_OFTEN),
                  form.options())
              .orThrow()
              .value();
      AtomicInteger done = new AtomicInteger();
      make(
          20,
          random -> {
            switch (random.nextInt(4)) {
              case 0 ->
                  supervisor.whichChildren().stream()
                      .flatMap(child -> child.pid().stream())
                      .findAny()
                      .ifPresent(child -> {
                        StopChildResult _ = supervisor.stopChild(child);
                      });
              case 1 ->
                  supervisor.whichChildren().stream()
                      .flatMap(child -> child.pid().stream())
                      .forEach(Pid::kill);
              default -> {
                StartChildResult<Msg, Pid<Msg>> _ = supervisor.startChild(spec("d", form));
              }
            }
            if (done.incrementAndGet() == 60) {
              supervisor.pid().kill();
            }
          });
      Await.until("nobody to be left", () -> node.processes().isEmpty());
    }
  }

  // ---------------------------------------------------------------- tasks

  @ParameterizedTest
  @EnumSource
  void ownersOfTasks_killedWhenever_leaveNoTask(Form form) {
    TaskSupervisor tasks =
        node.start(
                TaskSupervisor.<Object>of(TaskSupervisor.Limits.defaults()),
                SOON,
                form.<Object>options())
            .orThrow()
            .value();
    make(
        Rounds.part(500),
        random -> {
          int how = random.nextInt(3);
          Pid<?> owner =
              Task.start(
                  node,
                  self -> {
                    List<Integer> inputs = List.of(1, 2, 3, 4);
                    switch (how) {
                      case 0 -> Task.async(self, _ -> sleep()).await(SOON);
                      case 1 -> tasks.async(self, _ -> sleep()).await(SOON);
                      default -> {
                        try (var all =
                            tasks.stream(
                                self,
                                inputs,
                                (_, _) -> sleep(),
                                Tasks.StreamOptions.defaults().atOnce(2))) {
                          assertThat(all.toList()).hasSize(4);
                        }
                      }
                    }
                  });
          pause(random);
          owner.kill();
        });
    Await.until(
        () -> "no task to be left after -Dselvage.test.seed=" + seed + ": " + node.processes(),
        () -> tasks.children().isEmpty() && node.processes().size() == 1,
        SOON);
  }

  private static boolean sleep() throws InterruptedException {
    Thread.sleep(SOON);
    return true;
  }

  // ---------------------------------------------------------------- applications

  @ParameterizedTest
  @EnumSource
  void applications_killedWhileTheyStart_leaveNobody(Form form) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < Rounds.part(500); round++) {
      Application[] all = new Application[4];
      for (int i = 0; i < all.length; i++) {
        all[i] =
            Application.of(
                "a" + i,
                (spawner, _) ->
                    Supervisor.start(
                        spawner,
                        SupervisorSpec.oneForOne(spec("w", form)),
                        form.<SupervisorMessage>options()));
      }
      boolean kills = random.nextBoolean();
      Pid<?> starter =
          Task.start(
              node,
              self -> {
                StartResult<Object, Applications> _ =
                    self.start(
                        Applications.<Object>of(Applications.Options.defaults(), all),
                        SOON,
                        form.<Object>options().linked());
                Thread.sleep(SOON);
              });
      LockSupport.parkNanos(random.nextInt(1_000_000));
      if (kills) {
        starter.kill();
      } else {
        starter.exit(ExitReason.shutdown());
      }
      Await.until(
          () -> "nobody to be left after -Dselvage.test.seed=" + seed + ": " + node.processes(),
          () -> node.processes().isEmpty(),
          SOON);
    }
  }
}
