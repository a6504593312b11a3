package io.selvage.verify;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A module's descriptor as text in a fixed order, one directive a line, so that a test can compare
 * the whole of it at once and its failure reads as a diff.
 *
 * <p>The descriptor is the compiled one. That is the reason for {@code requires mandated
 * java.base}, which javac adds, and for the absence of what javac does not keep.
 */
final class DescriptorText {

  private DescriptorText() {}

  /**
   * Describes a module whose jar or class folder is on the class path.
   *
   * @throws IllegalArgumentException if no such module is there
   */
  static String of(String module) {
    return descriptors()
        .filter(descriptor -> descriptor.name().equals(module))
        .findFirst()
        .map(DescriptorText::describe)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "module "
                    + module
                    + " is not on the class path: add it to the dependencies of verify/pom.xml"));
  }

  private static Stream<ModuleDescriptor> descriptors() {
    try {
      return Collections.list(
              DescriptorText.class.getClassLoader().getResources("module-info.class"))
          .stream()
          .map(DescriptorText::read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ModuleDescriptor read(URL compiled) {
    try (InputStream in = compiled.openStream()) {
      return ModuleDescriptor.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + compiled, e);
    }
  }

  private static String describe(ModuleDescriptor module) {
    Stream<String> directives =
        Stream.of(
                lines(
                    module.requires(),
                    requires -> "requires " + words(requires.modifiers()) + requires.name()),
                lines(
                    module.exports(),
                    exports ->
                        "exports "
                            + words(exports.modifiers())
                            + exports.source()
                            + targets(exports.targets())),
                lines(
                    module.opens(),
                    opens ->
                        "opens "
                            + words(opens.modifiers())
                            + opens.source()
                            + targets(opens.targets())),
                lines(module.uses(), uses -> "uses " + uses),
                lines(
                    module.provides(),
                    provides ->
                        "provides "
                            + provides.service()
                            + " with "
                            + String.join(", ", provides.providers())))
            .flatMap(Function.identity());
    return directives.collect(
        Collectors.joining(
            "\n", words(module.modifiers()) + "module " + module.name() + "\n", "\n"));
  }

  private static <T> Stream<String> lines(Collection<T> directives, Function<T, String> text) {
    return directives.stream().map(text).sorted();
  }

  private static String words(Set<? extends Enum<?>> modifiers) {
    return modifiers.stream()
        .map(modifier -> modifier.name().toLowerCase(Locale.ROOT) + " ")
        .sorted()
        .collect(Collectors.joining());
  }

  private static String targets(Set<String> modules) {
    return modules.isEmpty()
        ? ""
        : modules.stream().sorted().collect(Collectors.joining(", ", " to ", ""));
  }
}
