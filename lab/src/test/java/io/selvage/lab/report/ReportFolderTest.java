package io.selvage.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.selvage.lab.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFolderTest {
  @TempDir private Path folder;

  @Test
  void folder_thatIsNewOrEmptyOrAReport_isTaken() throws IOException {
    Path report = folder.resolve("some").resolve("where");
    Findings findings = new Samples().measured("ring", "", "go", 1).findings(folder);
    Path page = ReportFolder.open("--report", report).write(page(findings));
    assertThat(page).isEqualTo(report.resolve("index.html")).isNotEmptyFile();
    ReportFolder.open("--report", report).write(page(findings).replace("Summary", "Again"));
    assertThat(Files.readString(page)).contains("Again");
    assertThat(report).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void folder_withAnythingElse_isRefusedAndLeftAlone() throws IOException {
    Path other = Files.writeString(folder.resolve("index.html"), "<h1>My garden</h1>");
    refused(
        folder,
        " holds an index.html that is not a report of the lab: name a new folder, or an empty"
            + " one.");
    assertThat(other).hasContent("<h1>My garden</h1>");
    Files.delete(other);
    Files.writeString(folder.resolve("thesis.tex"), "");
    refused(
        folder, " holds thesis.tex and may not be a report's: name a new folder, or an empty one.");
    refused(
        folder.resolve("thesis.tex"), " is a file, and a report needs a folder: name another one.");
    refused(
        folder.resolve("thesis.tex").resolve("report"),
        " cannot be written to: "
            + folder.resolve("thesis.tex")
            + " is a file; name another folder.");
  }

  @Test
  void page_thatCannotBeWritten_isToldInASentence() throws IOException {
    Path report = folder.resolve("report");
    ReportFolder open = ReportFolder.open("--report", report);
    Files.createDirectories(report.resolve("index.html").resolve("in the way"));
    assertThatIOException()
        .isThrownBy(() -> open.write("page"))
        .withMessageStartingWith(
            "the report cannot be written to " + report.resolve("index.html") + ": ");
    assertThat(report.resolve("index.html.new")).doesNotExist();
  }

  @Test
  void page_ofNames_thatAreMarkup_escapesThem() throws IOException {
    String evil = "<script>alert('\"&{{x}}')</script>";
    Findings findings =
        new Samples()
            .measured("ring", "", evil, 1)
            .failed("spawn", "", "node", evil)
            .version(evil)
            .measured("tasks", "", "go", 1e6)
            .findings(folder);
    String html = page(findings);
    assertThat(html)
        .doesNotContain("<script>alert")
        .contains("&lt;script&gt;alert(")
        .containsPattern("&quot;name&quot;:&quot;&lt;script&gt;");
  }

  @Test
  void page_loadsNothing() throws IOException {
    String html = page(Samples.many().findings(folder));
    assertThat(html)
        .doesNotContainPattern("(src|href)=[\"']?(https?:)?//")
        .doesNotContain("@import", "<link")
        .contains("default-src 'none'");
  }

  private static String page(Findings findings) {
    return Page.of(findings, Optional.empty(), "./selvage lab", Instant.EPOCH);
  }

  private static void refused(Path path, String sentence) {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> ReportFolder.open("--report", path))
        .withMessage("--report " + path + sentence);
  }
}
