package io.selvage.channel.stage;

import io.selvage.kernel.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects items into lists; see {@link Stage#batches}. */
final class Batching<T> implements StageProgram<T, List<T>> {
  private final int size;
  private final Duration time;
  private List<T> batch = new ArrayList<>();

  /** Runs while there is something in the batch. */
  private @Nullable Timer timer;

  private @Nullable StageLoop<T, List<T>> stage;

  Batching(int size, Duration time) {
    this.size = size;
    this.time = time;
  }

  @Override
  public void begin(StageLoop<T, List<T>> loop) {
    stage = loop;
  }

  @Override
  public void onItem(T item, Output<List<T>> out) {
    batch.add(item);
    if (batch.size() >= size) {
      give(out);
    } else if (timer == null && stage != null) {
      timer = stage.self().startTimer(time, set -> StageLoop.awaited(loop -> timeOver(set, loop)));
    }
  }

  private void timeOver(Timer gone, Output<List<T>> out) {
    if (gone == timer) { // else its batch was full before
      give(out);
    }
  }

  @Override
  public void onEnd(Output<List<T>> out) {
    if (!batch.isEmpty()) {
      give(out);
    }
  }

  private void give(Output<List<T>> out) {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    List<T> full = batch;
    batch = new ArrayList<>();
    out.emit(Collections.unmodifiableList(full));
  }
}
