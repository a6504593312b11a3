/**
 * What OTP gives on top of processes: servers, state machines, supervisors, event managers, tasks,
 * pools and applications. Start with {@link io.selvage.otp.Server}.
 */
@org.jspecify.annotations.NullMarked
module io.selvage.otp {
  requires transitive io.selvage.kernel;
  requires static transitive org.jspecify;

  exports io.selvage.otp;
}
