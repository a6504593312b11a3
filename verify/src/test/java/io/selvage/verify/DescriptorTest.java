package io.selvage.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The exact surface of every released module. A test here fails when a package becomes public, a
 * dependency appears or a service is offered: if that was meant, change the text; if not, the
 * module has leaked.
 *
 * <p>A new module needs a dependency in {@code verify/pom.xml} and one method here.
 */
class DescriptorTest {

  @Test
  void kernel_descriptor_isExactly() {
    assertThat(DescriptorText.of("io.selvage.kernel"))
        .isEqualTo(
            """
            module io.selvage.kernel
            requires mandated java.base
            requires static jdk.jfr
            requires static transitive org.jspecify
            exports io.selvage.kernel
            exports io.selvage.kernel.spi
            """);
  }

  @Test
  void otp_descriptor_isExactly() {
    assertThat(DescriptorText.of("io.selvage.otp"))
        .isEqualTo(
            """
            module io.selvage.otp
            requires mandated java.base
            requires static transitive org.jspecify
            requires transitive io.selvage.kernel
            exports io.selvage.otp
            """);
  }

  @Test
  void channel_descriptor_isExactly() {
    assertThat(DescriptorText.of("io.selvage.channel"))
        .isEqualTo(
            """
            module io.selvage.channel
            requires mandated java.base
            requires static transitive org.jspecify
            requires transitive io.selvage.kernel
            exports io.selvage.channel
            exports io.selvage.channel.stage
            """);
  }
}
