package io.selvage.kernel.internal.process;

/**
 * Makes a stack overflow happen before a kernel operation begins, not in the middle of it.
 *
 * <p>User code may call the kernel from any depth of recursion. HotSpot raises {@link
 * StackOverflowError} when a method is entered and too little is left, so it may come between any
 * two calls inside the kernel (or inside the JDK's {@code unpark}): after a message was pushed and
 * before its receiver was woken, or while a lock is held. That would harm processes which did
 * nothing wrong. So every entry to the kernel first asks for more stack than it can need, in any
 * mode of execution.
 *
 * <p>How to ask without using it: by entering a method with a frame of 8 kB. Interpreted, the frame
 * has room for all declared variables. Compiled, the variables are gone and the frame is small, but
 * HotSpot still checks at entry for the room that the interpreter would need, since it may have to
 * go back to it at any time; it does so only for methods that call others, hence the recursion.
 *
 * <p>A thread that runs a process asks in a way that costs next to nothing once compiled. The
 * method is small in bytecodes, so the compiler inlines it, recursion once included, into the
 * kernel operation; and then the operation's own entry checks for the room of all frames it has
 * inlined, as long as there is a place inside them from which the interpreter might have to go on.
 * The call of the third level is such a place. It must not be folded away, so the depth is not a
 * constant, and must not be taken for dead, so one time in 64 it is made. Where the compiler
 * decides not to inline, each frame checks for itself.
 *
 * <p>Measured on JDK 25.0.3, in the ring of event processes: 8 ns a message less than with a
 * constant depth, and as fast as without any reserve. Interpreted: 2 microseconds. Guaranteed: 16
 * kB.
 *
 * <p>Rejected: going down 64 small frames (50 ns, and 2 kB at most once compiled); catching the
 * error and repairing (there may be no stack for the repair); noting what is owed and paying later
 * (does not help threads that are no processes, nor held locks).
 */
public final class StackReserve {
  private StackReserve() {}

  /**
   * Does nothing, if there is room. For threads that run no process.
   *
   * @throws StackOverflowError if there is not
   */
  public static void ensure() {
    ensure(2);
  }

  /**
   * Does nothing, if there is room.
   *
   * @param runner the runner of the calling thread
   * @throws StackOverflowError if there is not
   */
  static void ensure(Runner runner) {
    ensure((runner.entries++ & 63) == 0 ? 2 : 1);
  }

  private static void ensure(int depth) {
    if (enter(depth) != 0) {
      throw new IllegalStateException("unreachable");
    }
  }

  @SuppressWarnings({"MultiVariableDeclaration", "UnusedVariable"}) // they are the frame
  private static int enter(int again) {
    // spotless:off
    long
        a00, a01, a02, a03, a04, a05, a06, a07, a08, a09, a10, a11, a12, a13, a14, a15,
        a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31,
        b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15,
        b16, b17, b18, b19, b20, b21, b22, b23, b24, b25, b26, b27, b28, b29, b30, b31,
        c00, c01, c02, c03, c04, c05, c06, c07, c08, c09, c10, c11, c12, c13, c14, c15,
        c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31,
        d00, d01, d02, d03, d04, d05, d06, d07, d08, d09, d10, d11, d12, d13, d14, d15,
        d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31,
        e00, e01, e02, e03, e04, e05, e06, e07, e08, e09, e10, e11, e12, e13, e14, e15,
        e16, e17, e18, e19, e20, e21, e22, e23, e24, e25, e26, e27, e28, e29, e30, e31,
        f00, f01, f02, f03, f04, f05, f06, f07, f08, f09, f10, f11, f12, f13, f14, f15,
        f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31,
        g00, g01, g02, g03, g04, g05, g06, g07, g08, g09, g10, g11, g12, g13, g14, g15,
        g16, g17, g18, g19, g20, g21, g22, g23, g24, g25, g26, g27, g28, g29, g30, g31,
        h00, h01, h02, h03, h04, h05, h06, h07, h08, h09, h10, h11, h12, h13, h14, h15,
        h16, h17, h18, h19, h20, h21, h22, h23, h24, h25, h26, h27, h28, h29, h30, h31,
        i00, i01, i02, i03, i04, i05, i06, i07, i08, i09, i10, i11, i12, i13, i14, i15,
        i16, i17, i18, i19, i20, i21, i22, i23, i24, i25, i26, i27, i28, i29, i30, i31,
        j00, j01, j02, j03, j04, j05, j06, j07, j08, j09, j10, j11, j12, j13, j14, j15,
        j16, j17, j18, j19, j20, j21, j22, j23, j24, j25, j26, j27, j28, j29, j30, j31,
        k00, k01, k02, k03, k04, k05, k06, k07, k08, k09, k10, k11, k12, k13, k14, k15,
        k16, k17, k18, k19, k20, k21, k22, k23, k24, k25, k26, k27, k28, k29, k30, k31,
        l00, l01, l02, l03, l04, l05, l06, l07, l08, l09, l10, l11, l12, l13, l14, l15,
        l16, l17, l18, l19, l20, l21, l22, l23, l24, l25, l26, l27, l28, l29, l30, l31,
        m00, m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11, m12, m13, m14, m15,
        m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31,
        n00, n01, n02, n03, n04, n05, n06, n07, n08, n09, n10, n11, n12, n13, n14, n15,
        n16, n17, n18, n19, n20, n21, n22, n23, n24, n25, n26, n27, n28, n29, n30, n31,
        o00, o01, o02, o03, o04, o05, o06, o07, o08, o09, o10, o11, o12, o13, o14, o15,
        o16, o17, o18, o19, o20, o21, o22, o23, o24, o25, o26, o27, o28, o29, o30, o31,
        p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15,
        p16, p17, p18, p19, p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31;
    // spotless:on
    return again == 0 ? 0 : enter(again - 1);
  }
}
