package io.selvage.kernel.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.selvage.kernel.ExitReason;
import io.selvage.kernel.Limit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The steps of one limit, one by one: what races seldom show. */
class LimitStateTest {
  private final AtomicInteger dropped = new AtomicInteger();

  private LimitState state(Limit<?> limit) {
    return new LimitState(null, limit, 1_000_000_000, dropped);
  }

  private static Ticket ticket(LimitState state, long weight) {
    return new Ticket(state, weight);
  }

  private static RoomWait entered(LimitState state, long weight) {
    RoomWait wait = new RoomWait(ticket(state, weight));
    state.enter(wait);
    return wait;
  }

  @Test
  void whoEntersAClosedLimit_isToldAtOnce() {
    LimitState state = state(Limit.messages(1).thenRefuse());
    state.close();
    RoomWait wait = entered(state, 1);
    assertThat(wait.end).isEqualTo(RoomWait.End.CLOSED);
    assertThat(state.used()).isZero();
  }

  @Test
  void whoWaits_whenItCloses_isTold() {
    LimitState state = state(Limit.messages(1).thenRefuse());
    assertThat(state.admit(ticket(state, 1))).isTrue();
    RoomWait first = entered(state, 1);
    RoomWait second = entered(state, 1);
    state.close();
    assertThat(first.end).isEqualTo(RoomWait.End.CLOSED);
    assertThat(second.end).isEqualTo(RoomWait.End.CLOSED);
    assertThat(state.giveUp(second)).isEqualTo(RoomWait.End.CLOSED);
  }

  @Test
  void whoEnters_whenAPlaceHasJustComeFree_getsIt() {
    LimitState state = state(Limit.messages(1).thenRefuse());
    RoomWait wait = entered(state, 1);
    assertThat(wait.end).isEqualTo(RoomWait.End.ROOM);
    assertThat(state.used()).isEqualTo(1);
    assertThat(state.giveUp(wait)).isEqualTo(RoomWait.End.ROOM);
    assertThat(wait.ticket.claim()).isTrue();
    assertThat(state.used()).isZero();
  }

  @Test
  void aHeavyOneThatLeaves_makesRoomForSeveral_inOrder() {
    LimitState state = state(Limit.weight(10, _ -> 1).thenRefuse());
    Ticket heavy = ticket(state, 10);
    assertThat(state.admit(heavy)).isTrue();
    RoomWait first = entered(state, 4);
    RoomWait second = entered(state, 4);
    RoomWait third = entered(state, 4);
    RoomWait fourth = entered(state, 1); // would have room, and does not overtake
    assertThat(heavy.claim()).isTrue();
    assertThat(first.end).isEqualTo(RoomWait.End.ROOM);
    assertThat(second.end).isEqualTo(RoomWait.End.ROOM);
    assertThat(third.end).isNull();
    assertThat(fourth.end).isNull();
    assertThat(state.used()).isEqualTo(8);
    assertThat(state.giveUp(third)).isNull();
    assertThat(fourth.end).isEqualTo(RoomWait.End.ROOM);
    assertThat(state.used()).isEqualTo(9);
  }

  @Test
  void dropOldest_givesWhatIsLeftOver_toThoseWhoWait() {
    LimitState state = state(Limit.weight(10, _ -> 1).thenDropOldest());
    Ticket heavy = ticket(state, 10);
    assertThat(state.admit(heavy)).isTrue();
    RoomWait wait = entered(state, 5);
    Ticket light = ticket(state, 5);
    assertThat(state.admitDroppingOldest(light)).isSameAs(heavy);
    assertThat(wait.end).isEqualTo(RoomWait.End.ROOM);
    assertThat(state.used()).isEqualTo(10);
    assertThat(heavy.isDropped()).isTrue();
    assertThat(dropped).hasValue(1);
    assertThat(heavy.claim()).isFalse();
    assertThat(dropped).hasValue(0);
    assertThat(state.used()).isEqualTo(10);
  }

  @Test
  void dropOldest_pastTheBound_admitsNone() {
    LimitState state = state(Limit.messages(1).thenDropOldest());
    Ticket first = ticket(state, 1);
    assertThat(state.admit(first)).isTrue();
    dropped.set(Limiting.MOST_DROPPED);
    Ticket second = ticket(state, 1);
    assertThat(state.admitDroppingOldest(second)).isNull();
    assertThat(second.isAdmitted()).isFalse();
    assertThat(first.isDropped()).isFalse();
  }

  @Test
  void greatestWeights_doNotOverflow() {
    LimitState state = state(Limit.weight(Long.MAX_VALUE, _ -> 1).thenRefuse());
    assertThat(state.admit(ticket(state, Long.MAX_VALUE - 1))).isTrue();
    assertThat(state.admit(ticket(state, 2))).isFalse();
    assertThat(state.admit(ticket(state, Long.MAX_VALUE))).isFalse();
    assertThat(state.admit(ticket(state, 1))).isTrue();
    assertThat(state.admit(ticket(state, 0))).as("weighs nothing").isTrue();
    assertThat(state.used()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void limitEndsItsProcess_once() {
    LimitState state = state(Limit.messages(1).thenEnd(ExitReason.normal()));
    assertThat(state.endsProcess()).isTrue();
    assertThat(state.endsProcess()).isFalse();
  }
}
