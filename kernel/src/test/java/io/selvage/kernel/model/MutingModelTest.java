package io.selvage.kernel.model;

import static io.selvage.kernel.model.MutingModel.CALL;
import static io.selvage.kernel.model.MutingModel.GET;
import static io.selvage.kernel.model.MutingModel.PUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.model.MutingModel.Departure;
import io.selvage.kernel.model.MutingModel.Result;
import io.selvage.kernel.model.MutingModel.Role;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Back-pressure in all interleavings of small systems: nobody is held back for ever, and mailboxes
 * keep their bound; and each step that is left out or moved shows. The table of {@code
 * docs/design/overload.md} is what the tests report.
 */
class MutingModelTest {
  /** More pressed sends than any handler here makes. */
  private static final int NO_LIMIT = 9;

  private static final String LASTING = "is muted";
  private static final String TOO_LONG = "longer than";

  /**
   * What an event process puts into an overloaded mailbox before it is muted.
   *
   * @param sends what one handler sends there
   * @param most how many pressed sends of a handler do not wait
   * @param slowed whether the first press only ends its turn
   */
  private static int k(int sends, int most, boolean slowed) {
    int unlimited = slowed ? 2 * sends : sends;
    return sends <= most ? unlimited : (slowed ? most : 0) + most + 1;
  }

  /** The same, of one that holds others back, which put n into its mailbox: one message each. */
  private static int holderK(int n) {
    return n + 1;
  }

  /** The search finds nothing, and is no smaller than it was. */
  private static void assertHolds(MutingModel system, int atLeast, TestInfo test, TestReporter to) {
    Result result = system.search();
    assertThat(result.fault()).isEmpty();
    assertThat(result.states()).isGreaterThanOrEqualTo(atLeast);
    to.publishEntry(
        test.getDisplayName(),
        result.states() + " states, longest " + Arrays.toString(result.longest()));
  }

  private static void assertFinds(MutingModel system, String fault, Departure... departures) {
    String first = system.with(departures).search().fault().lines().findFirst().orElse("nothing");
    assertThat(first).contains(fault);
  }

  // ---------------------------------------------------------------- systems

  /** One floods another. */
  private static MutingModel flood() {
    return MutingModel.of(1, 2, NO_LIMIT, Role.source(1), Role.server())
        .bounds(0, 2 + k(1, NO_LIMIT, false));
  }

  /** Two flood a third. */
  private static MutingModel fanIn() {
    return MutingModel.of(0, 1, NO_LIMIT, Role.source(2), Role.source(2), Role.server())
        .bounds(0, 0, 1 + 2 * k(1, NO_LIMIT, false));
  }

  /** The same, which wait inside send. */
  private static MutingModel fanInOfThreads() {
    return MutingModel.of(
            0, 1, 0, Role.source(2).direct(), Role.source(2).outside(), Role.server().direct())
        .bounds(0, 0, 1 + 1 + 1);
  }

  /** One forwards what another floods it with. */
  private static MutingModel forward() {
    int n = k(1, NO_LIMIT, false);
    return MutingModel.of(0, 1, NO_LIMIT, Role.source(1), Role.server(2), Role.server())
        .bounds(0, 1 + n, 1 + holderK(n));
  }

  /** One receiver is fast, the other slow. */
  private static MutingModel twoReceivers() {
    return MutingModel.of(0, 1, NO_LIMIT, Role.source(1, 2, 2), Role.server(), Role.server())
        .bounds(0, 1 + k(1, NO_LIMIT, false), 1 + k(2, NO_LIMIT, false));
  }

  /** Two that send to each other whatever comes: nothing comes or goes. */
  private static MutingModel pingPong() {
    return MutingModel.of(
            0, 1, NO_LIMIT, Role.server(1).holdsAtStart(2), Role.server(0).holdsAtStart(2))
        .bounds(4, 4);
  }

  private static MutingModel circleOfThree() {
    return MutingModel.of(
            0,
            1,
            NO_LIMIT,
            Role.server(1).holdsAtStart(2),
            Role.server(2).holdsAtStart(2),
            Role.server(0).holdsAtStart(1))
        .bounds(6, 6, 6);
  }

  /** A flood that ends. */
  private static MutingModel finite() {
    return MutingModel.of(1, 2, NO_LIMIT, Role.source(1).ticks(5), Role.server())
        .bounds(0, 2 + k(1, NO_LIMIT, false));
  }

  /** Two floods that end. */
  private static MutingModel finiteFanIn() {
    return MutingModel.of(
            0, 1, NO_LIMIT, Role.source(2).ticks(4), Role.source(2).ticks(2), Role.server())
        .bounds(0, 0, 1 + 2 * k(1, NO_LIMIT, false));
  }

  /** The receiver wants only what the slower of two senders sends. */
  private static MutingModel selective() {
    return MutingModel.of(
            0,
            1,
            NO_LIMIT,
            Role.source(2).ticks(4),
            Role.source(2).ticks(2),
            Role.server().wants(1))
        .bounds(0, 0, 6);
  }

  private static MutingModel ends() {
    return MutingModel.of(0, 1, NO_LIMIT, Role.source(1), Role.server().endsAfter(2))
        .bounds(0, 1 + k(1, NO_LIMIT, false));
  }

  private static MutingModel killed() {
    return MutingModel.of(0, 1, NO_LIMIT, Role.source(1), Role.server())
        .bounds(0, 1 + k(1, NO_LIMIT, false))
        .killing(0);
  }

  /** The receiver calls another for each message. */
  private static MutingModel callsForEach() {
    return MutingModel.of(0, 1, NO_LIMIT, Role.source(1), Role.server(CALL + 2), Role.server())
        .bounds(0, 1 + k(1, NO_LIMIT, false), 1);
  }

  /** A calls B, which floods A. */
  private static MutingModel calledFloodsCaller() {
    return MutingModel.of(
            0, 1, NO_LIMIT, Role.server(CALL + 1).holdsAtStart(2), Role.server(0).holdsAtStart(3))
        .bounds(6, 6);
  }

  /** A calls B, B calls C, C floods A. */
  private static MutingModel chainOfCalls() {
    return MutingModel.of(
            0,
            1,
            NO_LIMIT,
            Role.server(CALL + 1).holdsAtStart(2),
            Role.server(CALL + 2).holdsAtStart(1),
            Role.server(0).holdsAtStart(3))
        .bounds(6, 6, 6);
  }

  /** A calls B, B floods C, and C calls A. */
  private static MutingModel crossing() {
    return MutingModel.of(
            0,
            1,
            NO_LIMIT,
            Role.server(CALL + 1).ticks(1).drops(2),
            Role.server(2).holdsAtStart(3),
            Role.server(CALL).ticks(1).drops(1))
        .bounds(6, 6, 6);
  }

  /** One that is flooded waits for an item for each message; the items come after the flood. */
  private static MutingModel waitsForItem() {
    return MutingModel.of(
            0,
            1,
            NO_LIMIT,
            Role.source(1, 1, 1, PUT + 1, PUT + 1, PUT + 1).direct().ticks(1),
            Role.server(GET))
        .bounds(0, 4);
  }

  /** One that is flooded puts an item for each message into the channel of who floods it. */
  private static MutingModel waitsForRoom() {
    return MutingModel.of(
            0, 1, NO_LIMIT, Role.source(1, 1, 1, GET, GET, GET).direct().ticks(1), Role.server(PUT))
        .bounds(0, 4);
  }

  /** One handler's own flood, some of which waits inside send. */
  private static MutingModel handlersFlood(int sends, int most) {
    int[] handler = new int[sends];
    Arrays.fill(handler, 1);
    return MutingModel.of(0, 1, most, Role.source(handler), Role.server())
        .bounds(0, 1 + k(sends, most, true))
        .slowing();
  }

  /** One that is flooded asks for each message the one that it came from. */
  private static MutingModel asksItsSender() {
    int n = k(1, NO_LIMIT, false);
    return MutingModel.of(
            0, 1, NO_LIMIT, Role.source(1), Role.server(2).drops(2), Role.server(CALL + 1))
        .bounds(0, 9, 1 + holderK(n) + 1);
  }

  // ---------------------------------------------------------------- what holds

  @Test
  void flood_isBounded(TestInfo test, TestReporter to) {
    assertHolds(flood(), 300, test, to);
  }

  @Test
  void fanIn_isBounded(TestInfo test, TestReporter to) {
    assertHolds(fanIn(), 10_000, test, to);
  }

  @Test
  void fanInOfThreads_isBounded(TestInfo test, TestReporter to) {
    assertHolds(fanInOfThreads(), 5_000, test, to);
  }

  @Test
  void forward_isBounded(TestInfo test, TestReporter to) {
    assertHolds(forward(), 10_000, test, to);
  }

  @Test
  void twoReceivers_areBounded(TestInfo test, TestReporter to) {
    assertHolds(twoReceivers(), 10_000, test, to);
  }

  @Test
  void handlersOwnFlood_withinWhatMayBeSent_isBounded(TestInfo test, TestReporter to) {
    assertHolds(handlersFlood(2, 2), 500, test, to);
  }

  @Test
  void handlersOwnFlood_pastWhatMayBeSent_isBounded(TestInfo test, TestReporter to) {
    assertHolds(handlersFlood(5, 2), 500, test, to);
  }

  @Test
  void pingPong_goesOn(TestInfo test, TestReporter to) {
    assertHolds(pingPong(), 500, test, to);
  }

  @Test
  void circleOfThree_goesOnByTheListsAlone(TestInfo test, TestReporter to) {
    // With the arrows it has more than four million states.
    assertHolds(circleOfThree().with(Departure.SENDER_DOES_NOT_FOLLOW), 5_000, test, to);
  }

  @Test
  void finite_isHandled(TestInfo test, TestReporter to) {
    assertHolds(finite(), 1_000, test, to);
  }

  @Test
  void finiteFanIn_isHandled(TestInfo test, TestReporter to) {
    assertHolds(finiteFanIn(), 10_000, test, to);
  }

  @Test
  void selective_isFound(TestInfo test, TestReporter to) {
    assertHolds(selective(), 10_000, test, to);
  }

  @Test
  void receiverThatEnds_holdsNobody(TestInfo test, TestReporter to) {
    assertHolds(ends(), 500, test, to);
  }

  @Test
  void senderThatIsKilled_isReleased(TestInfo test, TestReporter to) {
    assertHolds(killed(), 1_000, test, to);
  }

  @Test
  void receiverThatCallsForEach_isBounded(TestInfo test, TestReporter to) {
    assertHolds(callsForEach(), 5_000, test, to);
  }

  @Test
  void calledFloodsCaller_goesOn(TestInfo test, TestReporter to) {
    assertHolds(calledFloodsCaller(), 500, test, to);
  }

  @Test
  void chainOfCalls_goesOn(TestInfo test, TestReporter to) {
    assertHolds(chainOfCalls(), 1_000, test, to);
  }

  @Test
  void crossingCalls_goOn(TestInfo test, TestReporter to) {
    assertHolds(crossing(), 1_000, test, to);
  }

  @Test
  void waitForItem_letsGo(TestInfo test, TestReporter to) {
    assertHolds(waitsForItem(), 200, test, to);
  }

  @Test
  void waitForRoom_ofWhoIsHeldBack_isEndedByTheBound(TestInfo test, TestReporter to) {
    assertFinds(waitsForRoom(), LASTING);
    assertHolds(waitsForRoom().withTimer(), 200, test, to);
  }

  @Test
  void receiverThatAsksItsSender_getsMoreThanOthers() {
    assertFinds(asksItsSender(), TOO_LONG);
  }

  // ---------------------------------------------------------------- what each step is for

  @Test
  void fault_circleIsNotLookedFor() {
    assertFinds(pingPong(), LASTING, Departure.NO_LOOK_AT_SELF, Departure.SENDER_DOES_NOT_FOLLOW);
  }

  @Test
  void fault_circleOfThreeIsNotLookedFor() {
    assertFinds(
        circleOfThree(), LASTING, Departure.NO_LOOK_AT_SELF, Departure.SENDER_DOES_NOT_FOLLOW);
  }

  @ParameterizedTest
  @EnumSource(
      value = Departure.class,
      names = {"NO_LOOK_AT_SELF", "SENDER_DOES_NOT_FOLLOW"})
  void circlesOfMutes_needOneOfTwoLooks(Departure departure, TestInfo test, TestReporter to) {
    assertHolds(pingPong().with(departure), 1_000, test, to);
  }

  @Test
  void lookAtSelf_mayComeBeforeFollowing(TestInfo test, TestReporter to) {
    assertHolds(forward().with(Departure.SELF_BEFORE_FOLLOWING), 10_000, test, to);
    assertHolds(chainOfCalls().with(Departure.SELF_BEFORE_FOLLOWING), 10_000, test, to);
  }

  @Test
  void fault_senderLooksAtItselfBeforeItEnters() {
    assertFinds(pingPong(), LASTING, Departure.SELF_BEFORE_ENTRY, Departure.SENDER_DOES_NOT_FOLLOW);
  }

  @ParameterizedTest
  @EnumSource(
      value = Departure.class,
      names = {
        "SENDER_DOES_NOT_FOLLOW",
        "SENDER_FOLLOWS_FIRST",
        "CALLER_DOES_NOT_FOLLOW",
        "CALLER_FOLLOWS_FIRST"
      })
  void fault_arrowsAreNotFollowed(Departure departure) {
    assertFinds(calledFloodsCaller(), LASTING, departure);
    assertFinds(chainOfCalls(), LASTING, departure);
    assertFinds(crossing(), LASTING, departure);
  }

  @Test
  void fault_callersLetAllGo() {
    assertFinds(callsForEach(), TOO_LONG, Departure.CALLERS_LET_ALL_GO);
  }

  @Test
  void fault_receiverIsLookedAtBeforeEntry() {
    assertFinds(finite(), LASTING, Departure.RECEIVER_BEFORE_ENTRY);
  }

  @Test
  void fault_waitIsAnnouncedAfterRelease() {
    assertFinds(selective(), LASTING, Departure.RELEASE_BEFORE_WAIT);
  }

  @Test
  void fault_noReleaseAtWait() {
    assertFinds(selective(), LASTING, Departure.NO_RELEASE_AT_WAIT);
    assertFinds(waitsForItem(), LASTING, Departure.NO_RELEASE_AT_WAIT);
  }

  @Test
  void fault_noReleaseAtEnd() {
    assertFinds(ends(), LASTING, Departure.NO_RELEASE_AT_END);
  }

  @Test
  void fault_exitSignalDoesNotRelease() {
    assertFinds(killed(), "stays muted", Departure.NO_RELEASE_BY_EXIT);
  }

  @Test
  void fault_exitSignalIsLookedForTooEarly() {
    assertFinds(killed(), "stays muted", Departure.EXIT_BEFORE_PUBLISHED);
  }

  @Test
  void fault_releaseSchedulesAlways() {
    assertFinds(flood().withTimer(), "scheduled while", Departure.RELEASE_SCHEDULES_ALWAYS);
  }

  @Test
  void fault_holdingIsSetWithoutTheLock() {
    assertFinds(finiteFanIn(), LASTING, Departure.HOLDING_WITHOUT_LOCK);
  }

  @Test
  void fault_releaseIsStale() {
    assertFinds(fanIn(), TOO_LONG, Departure.STALE_RELEASE);
  }

  @Test
  void fault_holdersAreExempt() {
    assertFinds(forward(), TOO_LONG, Departure.HOLDERS_ARE_EXEMPT);
  }

  @Test
  void fault_holdersAreMutedHoweverLongTheirMailboxes() {
    assertFinds(forward(), TOO_LONG, Departure.HOLDERS_ALWAYS_MUTED);
  }

  @Test
  void fault_lastOfSeveralReceiversMutes() {
    assertFinds(twoReceivers(), TOO_LONG, Departure.LAST_RECEIVER_ONLY);
  }
}
