package io.selvage.otp;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * In which order applications are started: each behind those that it depends on, else as given. A
 * walk in depth; the way from where it began tells the circle, if there is one.
 */
final class StartOrder {
  private final Map<String, Application> all = new LinkedHashMap<>();
  private final Map<String, Application> order = new LinkedHashMap<>();
  private final Set<String> way = new LinkedHashSet<>();

  private StartOrder() {}

  /**
   * Finds the order.
   *
   * @throws IllegalArgumentException if a name is there twice, a dependency is missing, or some
   *     depend on each other in a circle
   */
  static List<Application> of(Collection<Application> applications) {
    StartOrder walk = new StartOrder();
    for (Application each : applications) {
      if (each == null) {
        throw new NullPointerException(
            "application "
                + (walk.all.size() + 1)
                + " of "
                + applications.size()
                + " is null: give an application, or leave it out");
      }
      if (walk.all.put(each.name(), each) != null) {
        throw new IllegalArgumentException(
            "two applications are called " + each.name() + ": give one of them another name");
      }
    }
    applications.forEach(walk::visit);
    return List.copyOf(walk.order.values());
  }

  private void visit(Application application) {
    String name = application.name();
    if (order.containsKey(name)) {
      return;
    }
    if (!way.add(name)) {
      List<String> circle = new ArrayList<>(way);
      circle = circle.subList(circle.indexOf(name), circle.size());
      throw new IllegalArgumentException(
          "applications depend on each other in a circle: "
              + String.join(" → ", circle)
              + " → "
              + name
              + ": take one of these dependencies away");
    }
    for (String dependency : application.dependencies()) {
      Application other = all.get(dependency);
      if (other == null) {
        throw new IllegalArgumentException(
            "the application "
                + name
                + " depends on "
                + dependency
                + ", which is not among "
                + all.keySet()
                + ": add it, or take the dependency away");
      }
      visit(other);
    }
    way.remove(name);
    order.put(name, application);
  }
}
