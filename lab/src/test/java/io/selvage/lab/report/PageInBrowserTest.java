package io.selvage.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * The report in a real browser without a window, on screens of three widths, light and dark, and on
 * paper. The pictures are left in {@code target/report-screenshots} for people.
 */
class PageInBrowserTest {
  private static final Path PICTURES = Path.of("target", "report-screenshots");

  /** The colour of Selvage's bars. */
  private static final String OWN_LIGHT = "#0b6e64";

  private static final String OWN_DARK = "#5fd4c4";

  @TempDir private static Path folder;

  private static ChromeDriver browser;
  private static Path page;

  @BeforeAll
  static void open() throws IOException {
    Optional<Path> chromium = onPath("chromium", "chromium-browser", "google-chrome", "chrome");
    Optional<Path> driver = onPath("chromedriver");
    assumeTrue(
        chromium.isPresent() && driver.isPresent(),
        "this machine has no browser to look at the report with: apt-get install chromium"
            + " chromium-driver");
    Files.createDirectories(PICTURES);
    Findings findings = Samples.many().findings(folder);
    Findings earlier =
        new Samples()
            .on("Another machine")
            .measured("ring", "", "selvage-event", 30, 31)
            .findings(folder);
    page =
        ReportFolder.open("--report", folder.resolve("report"))
            .write(
                Page.of(
                    findings,
                    Optional.of(
                        Comparison.of(earlier, findings, experiment -> experiment.headlines())),
                    "./selvage lab all",
                    Instant.EPOCH));
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.get().toFile());
    options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu");
    options.setCapability(
        "goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL", LogType.PERFORMANCE, "ALL"));
    browser =
        new ChromeDriver(
            new ChromeDriverService.Builder().usingDriverExecutable(driver.get().toFile()).build(),
            options);
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.quit();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "phone, 390, light",
    "phone, 390, dark",
    "tablet, 820, light",
    "tablet, 820, dark",
    "desktop, 1440, light",
    "desktop, 1440, dark",
  })
  void page_onAScreen_drawsEveryChartWithinItsWidth(String screen, int width, String colours)
      throws IOException {
    show(width, colours);

    assertThat(number("return document.querySelectorAll('[data-chart]').length")).isEqualTo(3);
    assertThat(texts("[...document.querySelectorAll('[data-chart] svg')].map(s => s.textContent)"))
        .hasSize(3)
        .satisfiesExactly(
            ring -> assertThat(ring).contains("selvage-event", "27.0 ns", "go"),
            spawn -> assertThat(spawn).contains("java-virtual", "140 ns"),
            tasks -> assertThat(tasks).contains("selvage-event", "1M", "peak memory, MB"));
    assertThat(
            texts(
                "[...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll table') &&"
                    + " e.getBoundingClientRect().right >"
                    + " document.documentElement.clientWidth).map(e => e.outerHTML.slice(0, 200))"))
        .as("what is wider than the page")
        .isEmpty();
    assertThat(number("return document.documentElement.scrollWidth"))
        .as("the page does not scroll sideways")
        .isEqualTo(number("return document.documentElement.clientWidth"));
    // Paper is what text lies on; its brightness tells which palette the page took.
    String paper =
        (String) browser.executeScript("return getComputedStyle(document.body).backgroundColor");
    assertThat(paper).isEqualTo(colours.equals("dark") ? "rgb(20, 24, 29)" : "rgb(255, 255, 255)");
    assertThat(firstChart()).contains(colours.equals("dark") ? OWN_DARK : OWN_LIGHT);
    ensureNoComplaints();
    Files.write(PICTURES.resolve(screen + "-" + colours + ".png"), picture(width));
  }

  @Test
  void page_opened_fetchesNothingButItself() {
    show(1440, "light");
    List<String> requests =
        browser.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
            .map(LogEntry::getMessage)
            .filter(message -> message.contains("Network.requestWillBeSent\""))
            .filter(message -> message.contains("http:") || message.contains("https:"))
            .toList();
    assertThat(requests).isEmpty();
    assertThat(number("return performance.getEntriesByType('resource').length")).isZero();
  }

  @Test
  void page_withTheColoursOfTheScreenChanged_drawsItsChartsAnew() {
    show(820, "light");
    assertThat(firstChart()).contains(OWN_LIGHT);
    media("", "dark");
    browser.executeAsyncScript(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))");
    assertThat(firstChart()).contains(OWN_DARK).doesNotContain(OWN_LIGHT);
  }

  @Test
  void page_onPaper_isLightAndHoldsAllTables() throws IOException {
    show(1440, "dark");
    Object pdf =
        browser
            .executeCdpCommand(
                "Page.printToPDF", Map.of("printBackground", true, "preferCSSPageSize", true))
            .get("data");
    byte[] bytes = Base64.getDecoder().decode((String) pdf);
    assertThat(bytes).hasSizeGreaterThan(10_000);
    Files.write(PICTURES.resolve("paper.pdf"), bytes);
    ensureNoComplaints();
  }

  private static String firstChart() {
    return (String)
        browser.executeScript("return document.querySelector('[data-chart] svg').outerHTML");
  }

  private static void show(int width, String colours) {
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 500));
    media("", colours);
    browser.get(page.toUri().toString());
  }

  private static void media(String medium, String colours) {
    browser.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "media",
            medium,
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
  }

  private static void ensureNoComplaints() {
    assertThat(browser.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
  }

  private static long number(String script) {
    return ((Number) browser.executeScript(script)).longValue();
  }

  @SuppressWarnings("unchecked") // the scripts return texts
  private static List<String> texts(String script) {
    return (List<String>) browser.executeScript("return " + script);
  }

  private static byte[] picture(int width) {
    long height = number("return document.documentElement.scrollHeight");
    Object data =
        browser
            .executeCdpCommand(
                "Page.captureScreenshot",
                Map.of(
                    "captureBeyondViewport",
                    true,
                    "clip",
                    Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1)))
            .get("data");
    return Base64.getDecoder().decode((String) data);
  }

  private static Optional<Path> onPath(String... names) {
    return Arrays.stream(names)
        .flatMap(name ->
            Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(place -> Path.of(place, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
