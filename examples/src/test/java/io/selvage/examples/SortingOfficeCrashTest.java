package io.selvage.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.channel.stage.Stage;
import io.selvage.examples.SortingOffice.Letter;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.otp.ChildInfo;
import io.selvage.otp.Supervisor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Stages that are killed in the middle, under a supervisor. */
class SortingOfficeCrashTest {
  private static final int LETTERS = 2000;
  private static final int KILLS = 10;

  /** What the postman asks for at most. */
  private static final int MAX_DEMAND = 10;

  private static void kill(Supervisor office, String id) {
    for (ChildInfo each : office.whichChildren()) {
      if (each.id().equals(id)) {
        each.pid().ifPresent(Pid::kill);
      }
    }
  }

  private static List<Integer> delivered(String victim) throws InterruptedException {
    List<Integer> delivered = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch last = new CountDownLatch(1);
    List<Letter> written =
        IntStream.range(0, LETTERS).mapToObj(i -> new Letter("Ulm", String.valueOf(i))).toList();
    try (Node node = Node.start()) {
      Stage<Letter, Void> delivery =
          Stage.sink(letter -> {
            int number = Integer.parseInt(letter.text());
            delivered.add(number);
            if (number == LETTERS - 1) {
              last.countDown();
            }
          });
      Supervisor office =
          Supervisor.start(node, SortingOffice.office(written.iterator(), delivery))
              .orThrow()
              .value();
      for (int i = 0; i < KILLS; i++) {
        int before = delivered.size();
        kill(office, victim);
        while (delivered.size() <= before && last.getCount() > 0) {
          Thread.onSpinWait();
        }
      }
      assertThat(last.await(10, TimeUnit.SECONDS)).as("the last letter comes").isTrue();
    }
    return List.copyOf(delivered);
  }

  @Test
  void killedSource_isReplaced_andThePostmanGoesOn() throws InterruptedException {
    List<Integer> delivered = delivered("letters");
    assertThat(delivered).isSorted().doesNotHaveDuplicates();
    // A source that is killed takes with it what it has made and not sent.
    assertThat(delivered.size()).isGreaterThanOrEqualTo(LETTERS - KILLS * MAX_DEMAND);
  }

  @Test
  void killedPostman_isReplaced_andLosesNoMoreThanHeHadAskedFor() throws InterruptedException {
    List<Integer> delivered = delivered("postman");
    assertThat(new HashSet<>(delivered)).hasSameSizeAs(delivered);
    assertThat(delivered.size()).isGreaterThanOrEqualTo(LETTERS - KILLS * MAX_DEMAND);
  }
}
