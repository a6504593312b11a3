package io.selvage.kernel.semantics;

import io.selvage.kernel.AliasOptions;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.Body;
import io.selvage.kernel.MonitorRef;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ProcessKey;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.kernel.support.Msg;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Every kernel call of {@link Self}, by its name, but {@code unalias}, which {@link AliasTest}
 * looks at. Two are none: {@code pid} and {@code node}.
 */
final class SelfCalls {
  /** One call. */
  @FunctionalInterface
  interface Call {
    void make(Self<Msg> self);
  }

  private static final Msg SAY = new Msg.Say("late");
  private static final ProcessKey<String> KEY = ProcessKey.named("key");

  private SelfCalls() {}

  /**
   * All of them.
   *
   * @param other another process
   * @param monitor the monitor of another process
   */
  static Map<String, Call> all(Pid<Msg> other, MonitorRef monitor) {
    Body<Msg> body = _ -> {};
    Behavior<Msg> behavior = (_, _) -> Behavior.stop();
    SpawnOptions<Msg> options = SpawnOptions.defaults();
    Map<String, Call> all = new LinkedHashMap<>();
    all.put("link", self -> self.link(other));
    all.put("unlink", self -> self.unlink(other));
    all.put("monitor", self -> self.monitor(other, Msg.GotDown::new));
    all.put("demonitor", self -> self.demonitor(monitor));
    all.put("demonitorFlush", self -> self.demonitorFlush(monitor));
    all.put("trapExits", self -> self.trapExits(Msg.GotExit::new));
    all.put("untrapExits", self -> self.untrapExits());
    all.put("sendAfter", self -> self.sendAfter(Duration.ofDays(1), new Msg.Say("late")));
    all.put("sendAfter to another", self -> self.sendAfter(Duration.ofDays(1), self.pid(), SAY));
    all.put("startTimer", self -> self.startTimer(Duration.ofDays(1), _ -> SAY));
    all.put("startTimer to another", self -> self.startTimer(Duration.ZERO, self.pid(), _ -> SAY));
    all.put("sendEvery", self -> self.sendEvery(Duration.ofDays(1), SAY));
    all.put("sendAtFixedRate", self -> self.sendAtFixedRate(Duration.ofDays(1), SAY));
    all.put("stash", self -> self.stash(SAY));
    all.put("unstashAll", self -> self.unstashAll());
    all.put("unstash", self -> self.unstash(1));
    all.put("stashed", self -> self.stashed());
    all.put("stashCapacity", self -> self.stashCapacity(1));
    all.put("get", self -> self.get(KEY));
    all.put("put", self -> self.put(KEY, "value"));
    all.put("erase", self -> self.erase(KEY));
    all.put("hibernate", self -> self.hibernate());
    all.put("spawn a body", self -> self.spawn(body));
    all.put("spawn a body with options", self -> self.spawn(body, options));
    all.put("spawn a behavior", self -> self.spawn(behavior));
    all.put("spawn a behavior with options", self -> self.spawn(behavior, options));
    all.put("spawnLink a body", self -> self.spawnLink(body));
    all.put("spawnLink a behavior", self -> self.spawnLink(behavior));
    all.put("spawnMonitor a body", self -> self.spawnMonitor(body, Msg.GotDown::new));
    all.put("spawnMonitor a behavior", self -> self.spawnMonitor(behavior, Msg.GotDown::new));
    all.put(
        "request",
        self ->
            self.<Msg, Object>request(
                other,
                replyTo -> new Msg.Ask("never asked", replyTo),
                Duration.ofDays(1),
                Msg.Say::new));
    all.put("alias", self -> self.alias());
    all.put("alias with options", self -> self.alias(AliasOptions.defaults(), Msg.Say::new));
    all.put(
        "monitorWithAlias",
        self ->
            self.monitorWithAlias(other, Msg.GotDown::new, AliasOptions.defaults(), Msg.Say::new));
    return all;
  }
}
