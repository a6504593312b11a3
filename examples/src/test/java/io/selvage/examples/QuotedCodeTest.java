package io.selvage.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the documentation quotes stands in a program that compiles, and the programs do what they
 * say.
 */
class QuotedCodeTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final Pattern REPORT = Pattern.compile("```text\n(.*?)```", Pattern.DOTALL);

  /** An empty line before code that is not indented. */
  private static final Pattern PART = Pattern.compile("\n\n(?! )");

  @ParameterizedTest
  @CsvSource({
    "README.md, DirectAccount, 1",
    "docs/guide/processes.md, AuditedAccounts, 3",
    "docs/guide/reports.md, Shop, 1",
  })
  void block_isQuotedFromAnExample(String document, String example, int blocks) throws IOException {
    String source =
        Files.readString(
            ROOT.resolve("examples/src/main/java/io/selvage/examples/" + example + ".java"));
    List<String> quoted =
        BLOCK
            .matcher(Files.readString(ROOT.resolve(document)))
            .results()
            .map(m -> m.group(1))
            .toList();
    assertThat(quoted).hasSizeGreaterThanOrEqualTo(blocks);
    for (String block : quoted.subList(0, blocks)) {
      for (String part : PART.splitAsStream(block).toList()) {
        assertThat(squeeze(source)).as(document).contains(squeeze(part));
      }
    }
  }

  private static String squeeze(String code) {
    return code.replaceAll("\\s+", "");
  }

  @Test
  void directAccount_printsBalance() {
    assertThat(printed(() -> DirectAccount.main(new String[0]))).containsExactly("100");
  }

  @Test
  void auditedAccounts_printBothBalances() {
    assertThat(printed(() -> AuditedAccounts.main(new String[0]))).containsExactly("120", "120");
  }

  @Test
  void reportOfProcessThreeLevelsDeep_isTheQuotedOne() throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/guide/reports.md"));
    Matcher quoted = REPORT.matcher(guide);
    assertThat(quoted.find()).isTrue();
    List<String> printed =
        printed(() -> Shop.main(new String[0])).map(QuotedCodeTest::mask).toList();
    assertThat(printed)
        .containsExactlyElementsOf(quoted.group(1).lines().map(QuotedCodeTest::mask).toList());
  }

  /**
   * Leaves out what differs from run to run, and from one version of the kernel or the JDK to
   * another.
   */
  private static String mask(String line) {
    return line.replaceAll("<shop\\.[0-9]+\\.[0-9]+>", "<shop.N.N>")
        .replaceAll("at [^/ ]*@[^/ ]*/", "at ")
        .replaceAll("\\.java:[0-9]+", ".java:N");
  }

  private static Stream<String> printed(Runnable program) {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      program.run();
    } finally {
      System.setOut(before);
    }
    return out.toString(StandardCharsets.UTF_8).lines();
  }
}
