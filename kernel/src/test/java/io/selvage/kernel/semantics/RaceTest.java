package io.selvage.kernel.semantics;

import io.selvage.kernel.Down;
import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Monitored;
import io.selvage.kernel.Name;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Pair;
import io.selvage.kernel.support.Rounds;
import io.selvage.kernel.support.Step;
import io.selvage.kernel.support.Story;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** M: the racing cases, again and again. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.selvage.kernel.support.Pair#core")
class RaceTest extends KernelTest {
  @Parameter Pair pair;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return pair.configure(defaults);
  }

  /** A process that passes a moment and ends. */
  private static Step<Msg> shortLived(int spins, ExitReason reason) {
    return Story.beginning(_ -> {
      Referee.dawdle(spins);
      throw new ExitException(reason);
    });
  }

  /** What a receiver saw of the messages 1, 2, 3 and so on. */
  private static final class Seen implements Step<Msg> {
    private volatile int last;
    private volatile boolean outOfOrder;

    @Override
    public void on(Self<Msg> self, Msg message) {
      int next = last + 1;
      if (!message.equals(new Msg.Say(next))) {
        outOfOrder = true;
      }
      last = next;
    }
  }

  // A12
  @Test
  void messagesExitMessages_sentByOne_onlyThoseBeforeTheExitAreSeen() {
    Kind receiverKind = pair.other();
    Referee.run(
        node,
        pair.one(),
        Rounds.RACES,
        () ->
            new Referee() {
              private Seen seen = new Seen();

              @Override
              void round(Self<Msg> self) {
                seen = new Seen();
                Pid<Msg> receiver = receiverKind.spawnMonitor(self, seen, Msg.GotDown::new).pid();
                dawdle();
                for (int i = 1; i <= 3; i++) {
                  receiver.send(new Msg.Say(i));
                }
                dawdle();
                receiver.exit(new Reasons.Numbered(present));
                for (int i = 4; i <= 6; i++) {
                  receiver.send(new Msg.Say(i));
                }
              }

              @Override
              void down(Self<Msg> self, Down down) throws Exception {
                check(down.reason().equals(new Reasons.Numbered(present)), down);
                check(!seen.outOfOrder, "messages out of order");
                check(seen.last <= 3, "saw message " + seen.last);
                over(self);
              }
            });
  }

  // B17
  @Test
  void spawnLink_childEndsAtOnce_exitIsNeverLost() {
    Kind childKind = pair.other();
    Referee.run(
        node,
        pair.one(),
        Rounds.RACES,
        () ->
            new Referee() {
              private Pid<Msg> child;

              @Override
              void round(Self<Msg> self) {
                child =
                    childKind.spawnLink(
                        self, shortLived(random.nextInt(100), new Reasons.Numbered(present)));
              }

              @Override
              void exited(Self<Msg> self, Exit exit) throws Exception {
                check(exit.equals(new Exit(child, new Reasons.Numbered(present))), exit);
                over(self);
              }
            });
  }

  // B17, for monitors
  @Test
  void spawnMonitor_childEndsAtOnce_downHasItsReason() {
    Kind childKind = pair.other();
    Referee.run(
        node,
        pair.one(),
        Rounds.RACES,
        () ->
            new Referee() {
              private Monitored<Msg> child;

              @Override
              void round(Self<Msg> self) {
                child =
                    childKind.spawnMonitor(
                        self,
                        shortLived(random.nextInt(100), new Reasons.Numbered(present)),
                        Msg.GotDown::new);
              }

              @Override
              void down(Self<Msg> self, Down down) throws Exception {
                check(
                    down.equals(
                        new Down(child.monitor(), child.pid(), new Reasons.Numbered(present))),
                    down);
                over(self);
              }
            });
  }

  // B18
  @Test
  void unlink_whileTheOtherEnds_noExitComesLaterThanItsReturn() {
    Kind childKind = pair.other();
    Referee.run(
        node,
        pair.one(),
        Rounds.RACES,
        () ->
            new Referee() {
              private Pid<Msg> child;
              private int exits;

              @Override
              void round(Self<Msg> self) {
                exits = 0;
                child = childKind.spawnLink(self, shortLived(random.nextInt(200), Reasons.DIE));
                dawdle();
                self.unlink(child);
                check(!Thread.currentThread().isInterrupted(), "an interrupt was left");
                mark(self);
              }

              @Override
              void exited(Self<Msg> self, Exit exit) {
                check(exit.equals(new Exit(child, Reasons.DIE)), exit);
                check(++exits == 1, "two exits");
              }

              @Override
              void said(Self<Msg> self, Object what) throws Exception {
                child = self.pid(); // an exit of the child that is still to come is a fault
                over(self);
              }
            });
  }

  // B18, for a process that does not trap exits
  @Test
  void unlink_returnedWhileTheOtherEnds_callerIsSafe() {
    Kind subjectKind = pair.other();
    Kind childKind = pair.one();

    final class Subject implements Story<Msg> {
      private final int spins;
      private volatile boolean unlinked;

      Subject(int spins) {
        this.spins = spins;
      }

      @Override
      public void start(Self<Msg> self) {
        Pid<Msg> child = childKind.spawnLink(self, shortLived(spins % 150, Reasons.DIE));
        Referee.dawdle(spins % 190);
        self.unlink(child);
        unlinked = true;
        for (int i = 0; i < 20; i++) {
          if (Thread.currentThread().isInterrupted()) {
            throw new IllegalStateException("an interrupt was left");
          }
          self.untrapExits(); // would end here if the link still could
        }
        self.pid().send(new Msg.Say("done"));
      }

      @Override
      public void on(Self<Msg> self, Msg message) {
        throw new ExitException(ExitReason.normal());
      }
    }

    Referee.run(
        node,
        pair.one(),
        Rounds.RACES,
        () ->
            new Referee() {
              private Subject subject;

              @Override
              void round(Self<Msg> self) {
                subject = new Subject(random.nextInt(10_000));
                Monitored<Msg> _ = subjectKind.spawnMonitor(self, subject, Msg.GotDown::new);
              }

              @Override
              void down(Self<Msg> self, Down down) throws Exception {
                check(
                    down.reason().equals(subject.unlinked ? ExitReason.normal() : Reasons.DIE),
                    down + ", unlinked: " + subject.unlinked);
                over(self);
              }
            });
  }

  /** How the process that traps exits behaves when the other has unlinked and ends. */
  enum Relink {
    NEVER,
    WHEN_TOLD,
    AT_ONCE
  }

  // B19
  @ParameterizedTest
  @CsvSource({"NEVER", "WHEN_TOLD", "AT_ONCE"})
  void unlinkThenExit_againstLink_removedLinkHasNoEffect(Relink relink) {
    Kind childKind = pair.other();
    Referee.run(
        node,
        pair.one(),
        Rounds.RACES,
        () ->
            new Referee() {
              private Pid<Msg> child;
              private int exits;
              private boolean told;
              private boolean marked;

              @Override
              void round(Self<Msg> self) {
                exits = 0;
                told = false;
                marked = false;
                int spins = random.nextInt(100);
                ExitReason reason = new Reasons.Numbered(present);
                Pid<Msg> parent = self.pid();
                child =
                    childKind
                        .spawnMonitor(
                            self,
                            Story.<Msg>beginning(inChild -> {
                              inChild.unlink(parent);
                              parent.send(new Msg.Say("unlinked"));
                              dawdle(spins);
                              throw new ExitException(reason);
                            }),
                            Msg.GotDown::new,
                            SpawnOptions.<Msg>defaults().linked())
                        .pid();
                if (relink == Relink.AT_ONCE) {
                  dawdle();
                  self.link(child);
                }
              }

              @Override
              void said(Self<Msg> self, Object what) throws Exception {
                if (what.equals("unlinked")) {
                  told = true;
                  if (relink == Relink.WHEN_TOLD) {
                    dawdle(random.nextInt(60));
                    self.link(child);
                  }
                } else {
                  marked = true;
                  checkEnd(self);
                }
              }

              @Override
              void exited(Self<Msg> self, Exit exit) throws Exception {
                check(relink != Relink.NEVER, "exit of a removed link");
                check(child.equals(exit.from()), exit + " of an earlier round");
                check(
                    exit.reason().equals(new Reasons.Numbered(present))
                        || exit.reason().equals(ExitReason.noProc()),
                    exit);
                check(++exits == 1, "two exits");
                checkEnd(self);
              }

              @Override
              void down(Self<Msg> self, Down down) throws Exception {
                check(told, "the down overtook a message");
                if (relink == Relink.AT_ONCE) {
                  self.unlink(child); // the new link may be still to be told of
                }
                mark(self);
              }

              private void checkEnd(Self<Msg> self) throws Exception {
                if (marked && (relink != Relink.WHEN_TOLD || exits == 1)) {
                  marked = false;
                  over(self);
                }
              }
            });
  }

  /** Who links when one of the two ends. */
  enum Linker {
    PARENT,
    BOTH
  }

  // B16, B19
  @ParameterizedTest
  @CsvSource({"PARENT", "BOTH"})
  void link_againstExit_exactlyOneExitComes(Linker linker) {
    Kind childKind = pair.other();
    Referee.run(
        node,
        pair.one(),
        Rounds.RACES,
        () ->
            new Referee() {
              private Pid<Msg> child;
              private int exits;
              private boolean noProc;
              private boolean marked;

              @Override
              void round(Self<Msg> self) {
                exits = 0;
                noProc = false;
                marked = false;
                int spins = random.nextInt(100);
                Pid<Msg> parent = self.pid();
                child =
                    childKind
                        .spawnMonitor(
                            self,
                            Story.<Msg>beginning(inChild -> {
                              if (linker == Linker.BOTH) {
                                inChild.link(parent);
                              }
                              dawdle(spins);
                              throw new ExitException(Reasons.DIE);
                            }),
                            Msg.GotDown::new)
                        .pid();
                dawdle();
                self.link(child);
              }

              @Override
              void exited(Self<Msg> self, Exit exit) throws Exception {
                check(child.equals(exit.from()), exit + " of an earlier round");
                check(
                    exit.reason().equals(Reasons.DIE) || exit.reason().equals(ExitReason.noProc()),
                    exit);
                // The link that the child made may have ended before the parent links: only then
                // two.
                boolean ofNone = exit.reason().equals(ExitReason.noProc());
                check(
                    exits == 0 || (linker == Linker.BOTH && ofNone && !noProc),
                    "told twice: " + exit);
                noProc = ofNone;
                exits++;
                checkEnd(self);
              }

              @Override
              void down(Self<Msg> self, Down down) {
                check(down.reason().equals(Reasons.DIE), down);
                mark(self);
              }

              @Override
              void said(Self<Msg> self, Object what) throws Exception {
                marked = true;
                checkEnd(self);
              }

              private void checkEnd(Self<Msg> self) throws Exception {
                if (marked && exits >= 1) {
                  marked = false;
                  over(self);
                }
              }
            });
  }

  /** How the first process of a chain ends. */
  enum End {
    KILLED_BY_ANOTHER,
    KILLED_BY_ITSELF,
    EXIT_WITH_KILL
  }

  // A6, A7
  @ParameterizedTest
  @CsvSource({
    "1, KILLED_BY_ANOTHER",
    "2, KILLED_BY_ANOTHER",
    "9, KILLED_BY_ANOTHER",
    "10, KILLED_BY_ANOTHER",
    "1, KILLED_BY_ITSELF",
    "10, KILLED_BY_ITSELF",
    "1, EXIT_WITH_KILL",
    "2, EXIT_WITH_KILL",
    "9, EXIT_WITH_KILL",
    "10, EXIT_WITH_KILL"
  })
  void chain_firstIsKilledOrExitsWithKill_lastLearnsWhich(int length, End end) {
    Kind[] kinds = {pair.other(), pair.one()};
    ExitReason expected = end == End.EXIT_WITH_KILL ? ExitReason.kill() : ExitReason.killed();
    Referee.run(
        node,
        pair.one(),
        Rounds.part(2 * length),
        () ->
            new Referee() {
              private Pid<Msg> last;

              @Override
              void round(Self<Msg> self) {
                last = member(self, self.pid(), length);
              }

              // A member of the chain, linked to its parent; the first is the one spawned last.
              private Pid<Msg> member(Self<Msg> parent, Pid<Msg> referee, int number) {
                return kinds[number % 2].spawnLink(
                    parent,
                    Story.<Msg>beginning(self -> {
                      if (number > 1) {
                        Pid<Msg> _ = member(self, referee, number - 1);
                        return;
                      }
                      switch (end) {
                        case KILLED_BY_ANOTHER -> referee.send(new Msg.Say(self.pid()));
                        case KILLED_BY_ITSELF -> self.pid().kill();
                        case EXIT_WITH_KILL -> throw new ExitException(ExitReason.kill());
                      }
                    }));
              }

              @Override
              void said(Self<Msg> self, Object what) {
                ((Pid<?>) what).kill();
              }

              @Override
              void exited(Self<Msg> self, Exit exit) throws Exception {
                check(exit.equals(new Exit(last, expected)), exit);
                over(self);
              }
            });
  }

  // C23, C24
  @Test
  void monitor_againstExit_exactlyOneDownComes() {
    Kind childKind = pair.other();
    Referee.run(
        node,
        pair.one(),
        Rounds.RACES,
        () ->
            new Referee() {
              private MonitorRef monitor;

              @Override
              void round(Self<Msg> self) {
                Pid<Msg> child =
                    childKind.spawn(self, shortLived(random.nextInt(100), Reasons.DIE));
                dawdle();
                monitor = self.monitor(child, Msg.GotDown::new);
              }

              @Override
              void down(Self<Msg> self, Down down) throws Exception {
                check(down.monitor().equals(monitor), down + " of an earlier round");
                check(
                    down.reason().equals(Reasons.DIE) || down.reason().equals(ExitReason.noProc()),
                    down);
                over(self);
              }
            });
  }

  // C25, C26
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void demonitor_againstExit_noDownComesLaterThanItsReturn(boolean flush) {
    Kind childKind = pair.other();
    Referee.run(
        node,
        pair.one(),
        Rounds.RACES,
        () ->
            new Referee() {
              private MonitorRef monitor;
              private int downs;

              @Override
              void round(Self<Msg> self) {
                downs = 0;
                monitor =
                    childKind
                        .spawnMonitor(
                            self, shortLived(random.nextInt(200), Reasons.DIE), Msg.GotDown::new)
                        .monitor();
                dawdle();
                if (flush) {
                  self.demonitorFlush(monitor);
                } else {
                  self.demonitor(monitor);
                }
                mark(self);
              }

              @Override
              void down(Self<Msg> self, Down down) {
                check(!flush, "a down after demonitorFlush");
                check(down.monitor().equals(monitor), "a down after demonitor returned");
                check(++downs == 1, "two downs");
              }

              @Override
              void said(Self<Msg> self, Object what) throws Exception {
                monitor = null; // its down, if it is still to come, is a fault
                over(self);
              }
            });
  }

  // C28
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void messagesThenExit_withMonitor_downComesLast(boolean byName) {
    Kind childKind = pair.other();
    AtomicInteger names = new AtomicInteger();
    Referee.run(
        node,
        pair.one(),
        Rounds.RACES,
        () ->
            new Referee() {
              private final Name<Msg> name = Name.of("ordered" + names.incrementAndGet());
              private Pid<Msg> noise;
              private int expected;

              @Override
              void round(Self<Msg> self) {
                expected = 1;
                Pid<Msg> parent = self.pid();
                if (noise == null) {
                  noise = childKind.spawn(self, (_, m) -> parent.send(m));
                }
                Step<Msg> ordered =
                    (_, _) -> {
                      parent.send(new Msg.Say(1));
                      parent.send(new Msg.Say(2));
                      throw new ExitException(Reasons.DIE);
                    };
                Pid<Msg> child;
                if (byName) {
                  child = childKind.spawn(self, ordered, SpawnOptions.<Msg>defaults().named(name));
                  MonitorRef _ = self.monitor(name, Msg.GotDown::new);
                } else {
                  child = childKind.spawnMonitor(self, ordered, Msg.GotDown::new).pid();
                }
                child.send(new Msg.Say("go"));
                noise.send(new Msg.Say("noise"));
              }

              @Override
              void said(Self<Msg> self, Object what) {
                if (!what.equals("noise")) {
                  check(what.equals(expected), "message " + what + ", expected " + expected);
                  expected++;
                }
              }

              @Override
              void down(Self<Msg> self, Down down) throws Exception {
                check(expected == 3, "the down overtook message " + expected);
                check(down.reason().equals(Reasons.DIE), down);
                check(!byName || down.target().equals(name), down);
                over(self);
              }
            });
  }

  // C29
  @Test
  void name_ofKilledProcess_isFreeWhenTheDownComes() {
    Kind childKind = pair.other();
    AtomicInteger names = new AtomicInteger();
    Referee.run(
        node,
        pair.one(),
        Rounds.RACES,
        () ->
            new Referee() {
              private final Name<Msg> name = Name.of("named" + names.incrementAndGet());

              @Override
              void round(Self<Msg> self) {
                // Throws if the name is taken.
                Pid<Msg> child =
                    childKind.spawn(self, (_, _) -> {}, SpawnOptions.<Msg>defaults().named(name));
                MonitorRef _ = self.monitor(name, Msg.GotDown::new);
                dawdle();
                child.kill();
              }

              @Override
              void down(Self<Msg> self, Down down) throws Exception {
                check(down.target().equals(name), down);
                check(down.reason().equals(ExitReason.killed()), down);
                over(self);
              }
            });
  }
}
