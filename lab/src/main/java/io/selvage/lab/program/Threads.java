package io.selvage.lab.program;

/** The threads of the programs that use plain Java. */
public final class Threads {
  private Threads() {}

  /**
   * What {@code threads=virtual} or {@code threads=platform} asks for.
   *
   * @param arguments the arguments
   * @return what starts such threads
   */
  public static Thread.Builder builder(Arguments arguments) {
    String kind = arguments.text("threads");
    return switch (kind) {
      case "virtual" -> Thread.ofVirtual();
      case "platform" -> Thread.ofPlatform();
      default ->
          throw new IllegalArgumentException(
              "threads=" + kind + " is neither threads=virtual nor threads=platform");
    };
  }
}
