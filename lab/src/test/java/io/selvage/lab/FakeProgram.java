package io.selvage.lab;

/** A measured program that does what its only argument says, mostly wrong. Needs no library. */
final class FakeProgram {
  private FakeProgram() {}

  public static void main(String[] args) throws InterruptedException {
    switch (args[0]) {
      case "good" -> {
        System.out.println("some talk before the report");
        System.out.println("{\"metrics\":{\"messages\":100,\"ns_per_message\":27.5}}");
      }
      case "slow" -> {
        Thread.sleep(300);
        System.out.println("{\"metrics\":{\"answers\":1,\"ms\":0.001}}");
      }
      case "hanging" -> {
        System.out.println("{\"metrics\":{\"messages\":100}}");
        Thread.sleep(600_000);
      }
      case "nonsense" -> System.out.println("I am fine, thank you.");
      case "half-a-report" -> System.out.print("{\"metrics\":{\"messages\":1");
      case "no-numbers" -> System.out.println("{\"metrics\":{\"messages\":\"many\"}}");
      case "silent" -> {}
      case "endless-line" -> {
        for (int i = 0; i < 100_000; i++) {
          System.out.print("and so on, and so on, and so on, and so on, ");
        }
      }
      case "losing" -> System.out.println("{\"metrics\":{\"messages\":99,\"ns_per_message\":1}}");
      case "exit-3" -> {
        System.err.println("I give up");
        System.exit(3);
      }
      case "good-but-exit-4" -> {
        System.out.println("{\"metrics\":{\"messages\":100}}");
        System.exit(4);
      }
      case "failing" -> System.out.println("{\"error\":\"java.lang.IllegalStateException: ouch\"}");
      case "declining" -> System.out.println("{\"refused\":\"this JVM has no such flag\"}");
      case "hungry" -> {
        System.out.println("Terminating due to java.lang.OutOfMemoryError: Java heap space");
        System.exit(3);
      }
      case "threadless" -> {
        System.out.println(
            "Terminating due to java.lang.OutOfMemoryError: unable to create native thread");
        System.exit(3);
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }
}
