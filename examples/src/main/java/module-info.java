/** Programs that the documentation quotes. */
@org.jspecify.annotations.NullMarked
module io.selvage.examples {
  requires io.selvage.kernel;
  requires io.selvage.channel;
  requires io.selvage.otp;
  requires static transitive org.jspecify;
}
