/**
 * Erlang's processes for the JVM: identities with mailboxes that cost almost nothing, fail alone,
 * and are linked and monitored by others. Start with {@link io.selvage.kernel.Node}.
 */
@org.jspecify.annotations.NullMarked
module io.selvage.kernel {
  requires static jdk.jfr;
  requires static transitive org.jspecify;

  exports io.selvage.kernel;
  exports io.selvage.kernel.spi;
}
