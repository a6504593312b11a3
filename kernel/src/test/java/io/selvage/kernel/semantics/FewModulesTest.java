package io.selvage.kernel.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.support.ChildJvm;
import io.selvage.kernel.support.SmallProgram;
import org.junit.jupiter.api.Test;

/** A JVM that has {@code java.base} alone, as jlink makes them, runs the kernel. */
class FewModulesTest {
  private static final String MODULE = "io.selvage.kernel";
  private static final String PROGRAM = SmallProgram.class.getName();
  private static final String CLASSES = ChildJvm.CLASSES;
  private static final String TESTS = ChildJvm.TESTS;

  @Test
  void classPath_withoutFlightRecorder_works() throws Exception {
    assertThat(ChildJvm.run("--limit-modules", "java.base", "-cp", ChildJvm.CLASS_PATH, PROGRAM))
        .containsExactly("jdk.jfr false", "42");
  }

  @Test
  void modulePath_withoutFlightRecorder_works() throws Exception {
    assertThat(
            ChildJvm.run(
                "--limit-modules",
                "java.base",
                "--module-path",
                CLASSES,
                "--patch-module",
                MODULE + "=" + TESTS,
                "--module",
                MODULE + "/" + PROGRAM))
        .containsExactly("jdk.jfr false", "42");
  }

  /** An image made for the kernel alone has no jdk.jfr; one that names it has. */
  @Test
  void modulePath_withFlightRecorderNamed_findsIt() throws Exception {
    assertThat(
            ChildJvm.run(
                "--add-modules",
                "jdk.jfr",
                "--module-path",
                CLASSES,
                "--patch-module",
                MODULE + "=" + TESTS,
                "--module",
                MODULE + "/" + PROGRAM))
        .containsExactly("jdk.jfr true", "42");
  }
}
