package io.selvage.examples;

import io.selvage.kernel.Node;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.Self;
import io.selvage.kernel.SpawnOptions;
import io.selvage.otp.EventHandler;
import io.selvage.otp.EventManager;
import io.selvage.otp.Handled;
import io.selvage.otp.HandlerGone;
import io.selvage.otp.HandlerKey;
import io.selvage.otp.Removal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The guide's event manager: alarms that a log keeps, and a bell that rings. */
public final class Alarms {
  private Alarms() {}

  private static final Duration SECOND = Duration.ofSeconds(1);

  record Alarm(String what) {}

  record Recent(ReplyTo<List<String>> replyTo) {}

  static final HandlerKey<Recent> LOG = HandlerKey.named("log");
  static final HandlerKey<Void> BELL = HandlerKey.named("bell");

  record Log(List<String> first) implements EventHandler<List<String>, Alarm, Recent> {
    @Override
    public List<String> init(Self<Alarm> self) {
      return first;
    }

    @Override
    public Handled<List<String>, Alarm> onEvent(Self<Alarm> self, List<String> kept, Alarm alarm) {
      return Handled.with(Stream.concat(kept.stream(), Stream.of(alarm.what())).toList());
    }

    @Override
    public Handled<List<String>, Alarm> onCall(
        Self<Alarm> self, List<String> kept, Recent request) {
      request.replyTo().send(kept);
      return Handled.same();
    }

    @Override
    public Optional<Object> terminate(Self<Alarm> self, List<String> kept, Removal why) {
      return Optional.of(kept.size());
    }
  }

  record Bell() implements EventHandler<Integer, Alarm, Void> {
    @Override
    public Integer init(Self<Alarm> self) {
      return 0;
    }

    @Override
    public Handled<Integer, Alarm> onEvent(Self<Alarm> self, Integer rung, Alarm alarm) {
      if (alarm.what().equals("fire")) {
        throw new IllegalStateException("the bell has melted");
      }
      return Handled.with(rung + 1);
    }
  }

  /** Prints what the log and the owner of the bell learn. */
  public static void main(String[] args) {
    try (Node node = Node.start()) {
      EventManager<Alarm> alarms =
          EventManager.<Alarm>start(node, SpawnOptions.defaults()).orThrow().value();
      alarms.add(LOG, new Log(List.of()));
      alarms.notify(new Alarm("door open"));
      System.out.println(alarms.<Recent, List<String>>call(LOG, Recent::new, SECOND));

      record Ask(ReplyTo<HandlerGone> replyTo) {}
      var owner =
          node.<Object>spawn(self -> {
            alarms.addSupervised(self, BELL, new Bell(), gone -> gone);
            Ask ask = self.receive(Ask.class);
            alarms.notify(new Alarm("fire"));
            ask.replyTo().send(self.receive(HandlerGone.class));
          });
      System.out.println(owner.<HandlerGone>call(Ask::new, SECOND).why());
      System.out.println(alarms.handlers());

      alarms.swap(LOG, LOG, count -> new Log(List.of(count.orElse(0) + " before")));
      System.out.println(alarms.<Recent, List<String>>call(LOG, Recent::new, SECOND));
    }
  }
}
