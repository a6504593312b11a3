package io.selvage.lab;

import java.time.Duration;
import java.util.List;

/** Is told how a plan goes. All calls come from the thread that runs the plan. */
public interface Progress {
  /**
   * A plan is about to start.
   *
   * @param steps all its runs
   */
  default void planned(List<Plan.Step> steps) {}

  /**
   * The programs of a runtime are being built, before anything is measured. Comes several times a
   * second; not at all if they are built.
   *
   * @param contender the runtime
   * @param elapsed since the start of the build
   */
  default void building(Contender contender, Duration elapsed) {}

  /**
   * A program is about to start.
   *
   * @param step the run
   */
  void started(Plan.Step step);

  /**
   * A program is still running. Comes several times a second.
   *
   * @param step the run
   * @param elapsed since its start
   */
  void running(Plan.Step step, Duration elapsed);

  /**
   * A program has ended, or was refused without having been started.
   *
   * @param step the run
   * @param result what it gave
   */
  void ended(Plan.Step step, Result result);
}
