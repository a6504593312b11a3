package io.selvage.otp;

import io.selvage.kernel.ExitException;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** A child for tests: it traps exits, writes down its start and end, and ends as it is told. */
record Worker(String id, List<String> told, BooleanSupplier fails)
    implements Server<Long, Worker.Msg> {
  sealed interface Msg {
    /** End by itself. */
    record End(ExitReason reason) implements Msg {}

    /** Fail while handling this. */
    record Fail(String text) implements Msg {}

    /** Remember a number. */
    record Put(long number) implements Msg {}

    record Get(ReplyTo<Long> replyTo) implements Msg {}
  }

  /** One that starts well. */
  Worker(String id, List<String> told) {
    this(id, told, () -> false);
  }

  /** Its specification. */
  static ChildSpec<Msg, Pid<Msg>> spec(String id, List<String> told) {
    return ChildSpec.of(id, Server.of(new Worker(id, told)), options());
  }

  /** Its specification, if its start may fail. */
  static ChildSpec<Msg, Pid<Msg>> spec(String id, List<String> told, BooleanSupplier fails) {
    return ChildSpec.of(id, Server.of(new Worker(id, told, fails)), options());
  }

  /** One that nobody asks what it did. */
  static ChildSpec<Msg, Pid<Msg>> silent(String id) {
    return ChildSpec.of(id, Server.of(new Worker(id, new CopyOnWriteArrayList<>())));
  }

  static SpawnOptions<Msg> options() {
    return SpawnOptions.<Msg>defaults().trappingExits(exit -> new Msg.End(exit.reason()));
  }

  @Override
  public FirstStep<Long, Msg> init(Self<Msg> self) {
    if (fails.getAsBoolean()) {
      told.add("fail " + id);
      return FirstStep.fail(new ExitReason.Shutdown("no " + id));
    }
    told.add("start " + id);
    return Next.with(0L);
  }

  @Override
  public Next<Long, Msg> onMessage(Self<Msg> self, Long state, Msg message) {
    return switch (message) {
      case Msg.End(var reason) -> throw new ExitException(reason);
      case Msg.Fail(var text) -> throw new IllegalStateException(text);
      case Msg.Put(long number) -> Next.with(number);
      case Msg.Get(var replyTo) -> {
        replyTo.send(state);
        yield Next.same();
      }
    };
  }

  @Override
  public void terminate(Self<Msg> self, Long state, ExitReason reason) {
    told.add("stop " + id + (reason.isOrderly() ? " " + reason : ""));
  }
}
