package io.selvage.lab;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How a JVM like this one is started for a measured program. */
final class Launch {
  private Launch() {}

  /** The {@code java} that runs this JVM. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /**
   * The class path of a measured program: wherever this JVM found its own classes. Programs run on
   * the class path also if the lab runs from modules; the JVM does the same work for either.
   */
  static String classPath() {
    Module lab = Launch.class.getModule();
    if (!lab.isNamed()) {
      return System.getProperty("java.class.path");
    }
    return lab.getLayer().configuration().modules().stream()
        .map(module -> module.reference().location())
        .flatMap(Optional::stream)
        .filter(location -> "file".equals(location.getScheme()))
        .map(Launch::path)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The version of Selvage: the module's if the lab runs from modules, else its jar's. */
  static String version() {
    Module lab = Launch.class.getModule();
    Optional<String> version =
        lab.isNamed()
            ? lab.getDescriptor().rawVersion()
            : Optional.ofNullable(Launch.class.getPackage().getImplementationVersion());
    return version.orElse("development");
  }

  /** The whole command of a measured program. */
  static List<String> command(List<String> flags, Class<?> program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(flags);
    command.add("-cp");
    command.add(classPath());
    command.add(program.getName());
    command.addAll(arguments);
    return command;
  }

  private static String path(URI location) {
    return Path.of(location).toString();
  }
}
