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
  void deadLetter_isLogged_withItsTypeAndNotItsContent() throws Exception {
    assertThat(deadLetters(1))
        .singleElement()
        .satisfies(line ->
            assertThat(line)
                .contains("a message of type java.lang.String reached nobody: <node.", "had ended")
                .doesNotContain("letter of"));
  }

  @Test
  void floodOfDeadLetters_isLoggedInTwoLines() throws Exception {
    assertThat(deadLetters(1_500))
        .satisfiesExactly(
            line -> assertThat(line).contains("a message of type java.lang.String"),
            line -> assertThat(line).contains("1499 messages of type java.lang.String"));
  }
}
