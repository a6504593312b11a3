package io.selvage.otp;

import io.selvage.kernel.Exit;
import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Node;
import io.selvage.kernel.Self;
import java.time.Duration;

/** A program of its own JVM whose applications are stopped by its shutdown; one is too slow. */
public final class ApplicationsProgram {
  private record Top(String name) implements Server<String, Exit> {
    @Override
    public FirstStep<String, Exit> init(Self<Exit> self) {
      self.trapExits(exit -> exit);
      return Next.with("");
    }

    @Override
    public Next<String, Exit> onMessage(Self<Exit> self, String state, Exit message) {
      return Next.same();
    }

    @Override
    public void terminate(Self<Exit> self, String state, ExitReason reason) throws Exception {
      if (name.equals("slow")) {
        Thread.sleep(Duration.ofDays(1)); // it does not end by itself
      }
      System.out.println("-" + name);
    }
  }

  private ApplicationsProgram() {}

  private static Application app(String name) {
    return Application.of(name, (spawner, _) -> Server.start(spawner, new Top(name)));
  }

  /** Runs three applications and exits. */
  public static void main(String[] args) {
    Applications _ =
        Applications.run(
            Node.start(),
            app("b").after("a", "slow"),
            app("a"),
            app("slow").withShutdown(Duration.ofMillis(50)));
    System.exit(0);
  }
}
