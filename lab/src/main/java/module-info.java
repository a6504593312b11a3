import org.jspecify.annotations.NullMarked;

/** Experiments on Selvage and the runtimes it competes with; a program's parts, not a library. */
@NullMarked
module io.selvage.lab {
  requires com.samskivert.jmustache;
  requires io.selvage.kernel;
  requires tools.jackson.jr.ob;
  requires static transitive org.jspecify;

  exports io.selvage.lab;
  exports io.selvage.lab.report;

  // The page's template reads the records that hold what it shows.
  opens io.selvage.lab.report to
      com.samskivert.jmustache;
}
