package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.NodeOptions;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReportOptions;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.spi.CrashReport;
import io.selvage.kernel.spi.KernelEvent;
import io.selvage.kernel.support.Await;
import io.selvage.kernel.support.Fate;
import io.selvage.kernel.support.KernelTest;
import io.selvage.kernel.support.Kind;
import io.selvage.kernel.support.Msg;
import io.selvage.kernel.support.Probe;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Crash reports: G65. */
@ParameterizedClass(name = "{0}")
@EnumSource
class ReportTest extends KernelTest {
  @Parameter Kind kind;

  @Override
  protected NodeOptions options(NodeOptions defaults) {
    return kind.configure(defaults);
  }

  private List<CrashReport> reports() {
    return events.of(KernelEvent.ProcessCrashed.class).stream()
        .map(KernelEvent.ProcessCrashed::report)
        .toList();
  }

  private void end(Probe probe, ExitReason reason) {
    Fate fate = Fate.of(node, probe.pid());
    probe.tell(_ -> {
      throw new ExitException(reason);
    });
    assertThat(fate.reason()).isEqualTo(reason);
    awaitAllTold(0);
  }

  /** Until those who ended have done all, their reports among it. */
  private void awaitAllTold(long alive) {
    Await.until("the ends", () -> node.stats().processes() == alive);
    Await.until("the news", () -> node.stats().ended() + alive == node.stats().spawned());
  }

  @Test
  void orderlyEnd_isNotReported() {
    for (ExitReason reason :
        List.of(ExitReason.normal(), ExitReason.shutdown(), new ExitReason.Shutdown("detail"))) {
      end(Probe.start(kind, node), reason);
    }
    node.close();
    assertThat(reports()).isEmpty();
  }

  @Test
  void crash_isReportedOnceWithLabelOfTheLastMomentAndAncestors() {
    Probe parent = Probe.start(kind, node);
    Probe child =
        parent.run(self -> {
          self.label("the parent");
          return Probe.start(kind, self, SpawnOptions.<Msg>defaults().labelled("first"));
        });
    List<String> ancestors =
        child.run(self -> {
          self.label("second");
          assertThat(self.initialCall()).contains("support.Kind");
          return self.ancestors();
        });
    assertThat(ancestors).containsExactly(parent.pid() + " \"the parent\"");
    child.tell(_ -> {
      throw new IllegalStateException("planned");
    });
    child.awaitEnd();
    Await.until("the report", () -> !reports().isEmpty());
    node.close();
    assertThat(reports()).hasSize(1);
    CrashReport report = reports().getFirst();
    assertThat(report.label()).isEqualTo("second");
    assertThat(report.ancestors()).isEqualTo(ancestors);
    assertThat(report.toString())
        .contains(child.pid() + " \"second\" crashed", "planned", "ReportTest");
  }

  @Test
  void processEndedBySignal_isNotReported() {
    Probe killed = Probe.start(kind, node);
    Probe crashes = Probe.start(kind, node);
    Probe linked = Probe.start(kind, node);
    linked.act(self -> self.link(crashes.pid()));
    killed.pid().exit(Reasons.DIE);
    killed.awaitEnd();
    crashes.tell(_ -> {
      throw new IllegalStateException("planned");
    });
    linked.awaitEnd();
    Await.until("the report", () -> !reports().isEmpty());
    node.close();
    assertThat(reports()).hasSize(1);
    assertThat(reports().getFirst().pid()).isEqualTo(crashes.pid());
  }

  @Test
  void report_isBoundedAndSurvivesTextThatCannotBeMade() {
    restart(
        kind.configure(NodeOptions.defaults())
            .withReports(
                ReportOptions.defaults()
                    .withSize(20, 2)
                    .withText(value -> {
                      if (value instanceof Msg.Say(Object what) && what.equals("bad")) {
                        throw new IllegalStateException("no text");
                      }
                      return "x".repeat(1000);
                    })));
    Probe probe = Probe.start(kind, node);
    probe.tell(self -> {
      self.pid().send(new Msg.Say("bad"));
      throw new IllegalStateException("y".repeat(100_000));
    });
    probe.awaitEnd();
    Await.until("the report", () -> !reports().isEmpty());
    CrashReport report = reports().getFirst();
    assertThat(report.toString().length()).isLessThan(20_000);
    assertThat(report.mailbox()).hasSizeLessThanOrEqualTo(2);
    assertThat(report.mailbox().getFirst()).startsWith("(the text of a ").contains("characters)");
  }

  @Test
  void linkWithEndedProcess_failsWithItsPid() {
    Probe ended = Probe.start(kind, node);
    end(ended, ExitReason.normal());
    Pid<Msg> pid = ended.pid();
    assertThatThrownBy(() -> Probe.start(kind, node).act(self -> self.link(pid)))
        .isInstanceOf(ExitException.class)
        .hasMessageContaining(pid.toString());
  }
}
