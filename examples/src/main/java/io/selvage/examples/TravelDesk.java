package io.selvage.examples;

import io.selvage.kernel.Admission;
import io.selvage.kernel.Behavior;
import io.selvage.kernel.CallException;
import io.selvage.kernel.CallTimeoutException;
import io.selvage.kernel.Limits;
import io.selvage.kernel.Node;
import io.selvage.kernel.Pid;
import io.selvage.kernel.ReplyTo;
import io.selvage.kernel.SpawnOptions;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Of the guide: work that ends when its caller waits no more, and what is put right then. */
public final class TravelDesk {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private TravelDesk() {}

  record Trip(ReplyTo<String> replyTo) {}

  record Room(ReplyTo<Integer> replyTo) {}

  sealed interface Airline {
    record Reserve(ReplyTo<Integer> seat) implements Airline {}

    record GiveBack(int seat, ReplyTo<Integer> seatsLeft) implements Airline {}
  }

  static Behavior<Trip> desk(Pid<Airline> airline, Pid<Room> hotel, BlockingQueue<String> log) {
    return (self, trip) -> {
      int seat = airline.call(Airline.Reserve::new, SECOND);
      try {
        int room = hotel.call(Room::new, MINUTE); // or as long as the traveller still waits
        trip.replyTo().send("seat " + seat + ", room " + room);
      } catch (CallException _) {
        int left =
            self.withoutDeadline(
                () -> airline.call(replyTo -> new Airline.GiveBack(seat, replyTo), SECOND));
        log.add(left + " seats left");
      }
      return Behavior.same();
    };
  }

  static Pid<Trip> open(Node node, Behavior<Trip> desk) {
    Limits<Trip> limits = Limits.<Trip>none().withAdmission(Admission.standard());
    return node.spawn(desk, SpawnOptions.<Trip>defaults().withLimits(limits));
  }

  /** An airline that sells its seats from the last row to the first. */
  private static Behavior<Airline> airline(int seats) {
    return (_, message) ->
        switch (message) {
          case Airline.Reserve(var seat) -> {
            seat.send(seats);
            yield airline(seats - 1);
          }
          case Airline.GiveBack(_, var seatsLeft) -> {
            seatsLeft.send(seats + 1);
            yield airline(seats + 1);
          }
        };
  }

  /**
   * Prints what becomes of a trip for which no room can be had.
   *
   * @param args none
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    BlockingQueue<String> log = new LinkedBlockingQueue<>();
    try (Node node = Node.start()) {
      Pid<Airline> airline = node.spawn(airline(30));
      Pid<Room> hotel = node.spawn((_, _) -> Behavior.same()); // never answers
      Pid<Trip> desk = open(node, desk(airline, hotel, log));
      try {
        System.out.println(desk.<String>call(Trip::new, SECOND));
      } catch (CallTimeoutException _) {
        System.out.println("the traveller has left");
      }
      System.out.println(log.take());
    }
  }
}
