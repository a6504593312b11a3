package io.selvage.examples;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.Self;
import io.selvage.kernel.Spawner;
import io.selvage.kernel.StartResult;
import io.selvage.otp.Application;
import io.selvage.otp.Applications;
import io.selvage.otp.FirstStep;
import io.selvage.otp.Next;
import io.selvage.otp.Server;
import io.selvage.otp.Setting;
import java.time.Duration;

/** The guide's applications: a shop that needs its store. */
public final class Shopfront {
  private Shopfront() {}

  static final Setting<Integer> PORT = Setting.of("port", 8080);

  record Part(String name) implements Server<String, String> {
    @Override
    public FirstStep<String, String> init(Self<String> self) {
      System.out.println(name + " is there");
      return Next.with(name);
    }

    @Override
    public Next<String, String> onMessage(Self<String> self, String state, String message) {
      return Next.same();
    }
  }

  static StartResult<String, Pid<String>> part(Spawner spawner, String name) {
    return Server.start(spawner, new Part(name));
  }

  static final Application STORE =
      Application.of("store", (spawner, _) -> part(spawner, "the store"))
          .phase("fill", (_, _) -> System.out.println("filled"))
          .as(Application.Type.PERMANENT);

  static final Application SHOP =
      Application.of("shop", (spawner, env) -> part(spawner, "the shop at " + env.get(PORT)))
          .after("store")
          .withShutdown(Duration.ofSeconds(10));

  /** Prints what starts and stops. */
  public static void main(String[] args) {
    try (Node node = Node.start()) {
      Applications.Options options = Applications.Options.defaults().with(PORT, 80);
      Applications all = Applications.run(node, options, SHOP, STORE);
      System.out.println(all.running());

      all.stop(Duration.ofSeconds(20)).stops().forEach(stop -> System.out.println(stop.name()));
      ExitReason end = all.awaitEnd();
      System.out.println(end);

      try {
        Applications.run(node, SHOP);
      } catch (IllegalArgumentException refused) {
        System.out.println(refused.getMessage());
      }
    }
  }
}
