package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.support.ChildJvm;
import io.selvage.kernel.support.DeadLetterProgram;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node without settings writes to the log, in a JVM without settings: INFO and above. */
class DefaultLogTest {
  private static List<String> deadLetters(int number) throws Exception {
    String program = DeadLetterProgram.class.getName();
    return ChildJvm.run("-cp", ChildJvm.CLASS_PATH, program, Integer.toString(number)).stream()
        .filter(line -> line.contains("reached nobody"))
        .toList();
  }

  @Test
  void fewDeadLetters_areNotLogged() throws Exception {
    assertThat(deadLetters(9)).isEmpty();
  }

  @Test
  void floodOfDeadLetters_isLoggedAtPowersOfTen() throws Exception {
    assertThat(deadLetters(1_500))
        .hasSize(3)
        .satisfiesExactly(
            line -> assertThat(line).contains("9 messages", "java.lang.String"),
            line -> assertThat(line).contains("90 messages"),
            line -> assertThat(line).contains("900 messages"));
  }
}
