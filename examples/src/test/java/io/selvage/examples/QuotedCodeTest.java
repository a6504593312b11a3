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

  private static final Pattern COMMA = Pattern.compile(",");
  private static final Pattern REPORT = Pattern.compile("```text\n(.*?)```", Pattern.DOTALL);

  /** An empty line before code that is not indented. */
  private static final Pattern PART = Pattern.compile("\n\n(?! )");

  @ParameterizedTest
  @CsvSource({
    "README.md, DirectAccount, 1",
    "docs/guide/processes.md, AuditedAccounts, 3",
    "docs/guide/names.md, ChatRooms, 3",
    "docs/guide/calls.md, AskingMany, 6",
    "docs/guide/watching.md, WatchedTill, 4",
    "docs/guide/receiving.md, 'Checkout,Connection', 3",
    "docs/guide/time.md, Clockwork, 1",
    "docs/guide/reports.md, Shop, 1",
    "docs/guide/servers.md, Thermostat, 4",
    "docs/guide/statemachines.md, TelephoneExchange, 6",
    "docs/guide/supervisors.md, Bank, 4",
    "docs/guide/tasks.md, Prices, 4",
    "docs/guide/eventmanagers.md, Alarms, 4",
    "docs/guide/pools.md, Printers, 4",
    "docs/guide/applications.md, Shopfront, 2",
    "docs/guide/channels.md, Bakery, 5",
    "docs/guide/deadletters.md, ReturnedParcels, 2",
    "docs/guide/deadlines.md, TravelDesk, 1",
    "docs/guide/overload.md, Archive, 5",
    "docs/guide/limits.md, 'Studio,TravelDesk', 4",
    "docs/guide/stages.md, SortingOffice, 7",
  })
  void block_isQuotedFromAnExample(String document, String examples, int blocks)
      throws IOException {
    StringBuilder source = new StringBuilder();
    for (String example : COMMA.splitAsStream(examples).toList()) {
      source.append(
          Files.readString(
              ROOT.resolve("examples/src/main/java/io/selvage/examples/" + example + ".java")));
    }
    List<String> quoted =
        BLOCK
            .matcher(Files.readString(ROOT.resolve(document)))
            .results()
            .map(m -> m.group(1))
            .toList();
    assertThat(quoted).hasSizeGreaterThanOrEqualTo(blocks);
    for (String block : quoted.subList(0, blocks)) {
      for (String part : PART.splitAsStream(block).toList()) {
        assertThat(squeeze(source.toString())).as(document).contains(squeeze(part));
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
  void studio_printsWhatHasRoom() {
    assertThat(printed(() -> Studio.main(new String[0])))
        .containsExactly("the order has no room", "frame 2", "frame 3", "order 1");
  }

  @Test
  void travelDesk_givesTheSeatBackForATravellerWhoHasLeft() {
    assertThat(printed(() -> TravelDesk.main(new String[0])))
        .containsExactly("the traveller has left", "30 seats left");
  }

  @Test
  void auditedAccounts_printBothBalances() {
    assertThat(printed(() -> AuditedAccounts.main(new String[0]))).containsExactly("120", "120");
  }

  @Test
  void chatRooms_printLogAndWhatIsSaid() {
    assertThat(printed(() -> ChatRooms.main(new String[0])))
        .containsExactly("lobby is open already", "hello", "1 visitor");
  }

  @Test
  void askingMany_printsWhatTheOthersSay() {
    assertThat(printed(() -> AskingMany.main(new String[0])))
        .containsExactly("120 cents, 0 missing", "100", "100 cents", "urgent first");
  }

  @Test
  void watchedTill_printsWhatIsSeen() {
    assertThat(printed(() -> WatchedTill.main(new String[0])))
        .contains(
            "2 processes, 0 crashed, 0 messages reached nobody",
            "till is BLOCKED, has taken 1, and 99 wait",
            "  in print",
            "till is back")
        .anyMatch(line -> line.startsWith("till crashed: "))
        .anyMatch(line -> line.startsWith("Received[") && line.contains("Order[number=2]"))
        .anyMatch(line -> line.startsWith("busiest: clock"));
  }

  @Test
  void checkout_printsWhatBelongsTogether() {
    assertThat(printed(() -> Checkout.main(new String[0])))
        .containsExactly("tea: paid 250", "milk: refused, no money");
  }

  @Test
  void connection_printsTheStashedFirst() {
    assertThat(printed(() -> Connection.main(new String[0])))
        .containsExactly("first", "second", "third");
  }

  @Test
  void bank_survivesCrashesWithMoneyConserved() {
    assertThat(printed(() -> Bank.main(new String[0])))
        .containsExactly("100000 cents, and the tellers were restarted");
  }

  @Test
  void clockwork_beats() {
    assertThat(printed(() -> Clockwork.main(new String[0]))).containsExactly("it beats");
  }

  @Test
  void thermostat_heatsAndIsStopped() {
    assertThat(printed(() -> Thermostat.main(new String[0])))
        .containsExactly(
            "true",
            "State[celsius=18.0, heating=true]",
            "State[celsius=21.0, heating=true]",
            "the heating is off: shutdown",
            "the heating is off: normal");
  }

  @Test
  void prices_areAskedInTasks() {
    assertThat(printed(() -> Prices.main(new String[0])))
        .containsExactly(
            "best: 90",
            "false 90",
            "no moon: crash(java.lang.IllegalArgumentException: moon is closed)",
            "210");
  }

  @Test
  void telephoneExchange_placesCalls_andNoiseCutsNoOtherThanItsOwn() {
    List<String> lines = printed(() -> TelephoneExchange.main(new String[0])).toList();
    assertThat(lines).startsWith("100000 calls are over").hasSize(6);
    assertThat(lines)
        .as("there are calls of each of these kinds")
        .anyMatch(line -> line.matches("ANSWERED: [1-9][0-9]*"))
        .anyMatch(line -> line.matches("UNANSWERED: [1-9][0-9]*"))
        .anyMatch(line -> line.matches("CUT: [1-9][0-9]*"));
  }

  @Test
  void alarms_areKept_andTheBellMelts() {
    assertThat(printed(() -> Alarms.main(new String[0])))
        .containsExactly(
            "[door open]",
            "Failed[cause=java.lang.IllegalStateException: the bell has melted]",
            "[log]",
            "[2 before]");
  }

  @Test
  void printers_shareTheWork() {
    assertThat(printed(() -> Printers.main(new String[0])))
        .containsExactly("in turn: true", "alone: true", "the same: true", "now 5");
  }

  @Test
  void archive_storesAllThatItIsSent() {
    assertThat(printed(() -> Archive.main(new String[0])))
        .containsExactly(
            "stored: 20000",
            "meters were held back: true",
            "one more: sent",
            "marks of the other: 50000",
            "heap mark: 0");
  }

  @Test
  void bakery_sellsWhatItBakes() {
    assertThat(printed(() -> Bakery.main(new String[0])))
        .containsExactly(
            "[loaf for Ann, loaf for Bob]",
            "[tuesday's, wednesday's, EMPTY]",
            "2 sold",
            "baked roll");
  }

  @Test
  void sortingOffice_deliversAll() {
    assertThat(printed(() -> SortingOffice.main(new String[0])))
        .containsExactly(
            "Letter[town=Bonn, text=letter 99, stamped]",
            "100 letters in sacks",
            "[50 to [Bonn], 50 to [Ulm], 100 to [Bonn, Ulm], 100 to [Bonn, Ulm]]",
            "2 by hand",
            "1 dropped",
            "and, with a restart, up to letter 99");
  }

  @Test
  void shopfront_startsBehindItsStore() {
    assertThat(printed(() -> Shopfront.main(new String[0])))
        .containsExactly(
            "the store is there",
            "filled",
            "the shop at 80 is there",
            "[store, shop]",
            "shop",
            "store",
            "noproc",
            "the application shop depends on store, which is not among [shop]: add it, or take the"
                + " dependency away");
  }

  @Test
  void returnedParcels_areInTheDepot_andCounted() {
    assertThat(printed(() -> ReturnedParcels.main(new String[0])))
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("in the depot: Parcel[number=1]"),
            line -> assertThat(line).isEqualTo("in the depot: Parcel[number=2]"),
            line -> assertThat(line).isEqualTo("in the depot: Parcel[number=3]"),
            line -> assertThat(line).isEqualTo("3 reached nobody"),
            line -> assertThat(line).matches("3 to <post\\.[0-9.]+>, which had ended"));
  }

  /** A program. */
  @FunctionalInterface
  private interface Program {
    void run() throws Exception;
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

  private static Stream<String> printed(Program program) {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      program.run();
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      System.setOut(before);
    }
    return out.toString(StandardCharsets.UTF_8).lines();
  }
}
