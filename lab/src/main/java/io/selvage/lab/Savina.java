package io.selvage.lab;

import io.selvage.lab.program.savina.Expected;
import java.util.List;

/**
 * Nine experiments of the Savina actor benchmark suite (Shams Imam and Vivek Sarkar, AGERE! 2014),
 * with its parameters: what programs of actors do, from nothing but messages to a dialogue in the
 * middle of a handler.
 */
final class Savina {
  private static final List<Experiment> ALL =
      List.of(
          new SavinaExperiment(
              "counting",
              "Savina: a producer sends increments to a counter, then asks for its value",
              List.of(
                  number("messages", "how many increments are sent", 1, 100_000_000, 1_000_000)),
              count("messages", "what the counter had counted when it was asked"),
              "counted",
              settings -> settings.count("messages"),
              settings -> settings.count("messages"),
              settings -> 2),
          new SavinaExperiment(
              "fork-join-create",
              "Savina: processes that are created one after the other, get a message and end",
              List.of(number("actors", "how many are created", 1, 10_000_000, 40_000)),
              count("ended", "how many have computed their value and ended"),
              "ended",
              settings -> settings.count("actors"),
              settings -> settings.count("actors") * 10,
              settings -> settings.count("actors")),
          new SavinaExperiment(
              "fork-join-throughput",
              "Savina: a sender's messages to many, round robin; each computes a little for each",
              List.of(
                  number("messages", "how many each gets", 1, 100_000_000, 10_000),
                  number("actors", "how many get them", 1, 100_000, 60)),
              count("messages", "the sum of what each has counted"),
              "delivered",
              Savina::messagesOfAll,
              Savina::messagesOfAll,
              settings -> settings.count("actors") + 1),
          new SavinaExperiment(
              "big",
              "Savina: each sends a ping to any other, and on its pong the next; many to many",
              List.of(
                  number("messages", "how many pings each sends", 1, 100_000_000, 20_000),
                  number("actors", "how many there are", 2, 100_000, 120)),
              count("messages", "the sum of the pongs that each has got"),
              "answered",
              Savina::messagesOfAll,
              settings -> messagesOfAll(settings) * 2,
              settings -> settings.count("actors") + 1),
          new SavinaExperiment(
              "chameneos",
              "Savina: a mall pairs creatures, which change their colours; all want the mall",
              List.of(
                  number("meetings", "after how many the mall closes", 1, 100_000_000, 200_000),
                  number("creatures", "how many there are", 2, 100_000, 100)),
              count("meetings", "the sum of what each creature has counted, so twice as many"),
              "counted",
              settings -> settings.count("meetings") * 2,
              settings -> settings.count("meetings") * 4 + settings.count("creatures"),
              settings -> settings.count("creatures") + 1),
          new SavinaExperiment(
              "bounded-buffer",
              "Savina: producers and consumers that work, and a buffer that makes them wait",
              List.of(
                  number("buffer", "how many items the buffer holds", 1, 1_000_000, 50),
                  number("producers", "how many produce", 1, 100_000, 40),
                  number("consumers", "how many consume", 1, 100_000, 40),
                  number("items", "how many each producer makes", 1, 10_000_000, 1000),
                  number(
                      "cost",
                      "how much work an item is to either, in hundreds of logarithms",
                      1,
                      100_000,
                      25)),
              count("items", "the sum of what each consumer has counted"),
              "consumed",
              Savina::itemsOfAll,
              settings -> itemsOfAll(settings) * (4 + settings.count("cost")),
              settings -> settings.count("producers") + settings.count("consumers") + 1),
          new SavinaExperiment(
              "banking",
              "Savina: transfers; an account waits for the other one before it goes on",
              List.of(
                  number("accounts", "how many there are", 2, 1_000_000, 1000),
                  number("transactions", "how many transfers", 1, 100_000_000, 50_000)),
              count("transactions", "how many the teller was told of"),
              "completed",
              settings -> settings.count("transactions"),
              settings -> settings.count("transactions") * 4 + settings.count("accounts"),
              settings -> settings.count("accounts") + 1),
          new SavinaExperiment(
              "sieve",
              "Savina: odd numbers through a pipeline of filters, which grows by the primes found",
              List.of(
                  number("limit", "up to where primes are looked for", 2, 10_000_000, 100_000),
                  number("primes", "how many primes a filter holds at most", 1, 1_000_000, 1000)),
              count("primes", "the sum of what the filters hold"),
              "found",
              settings -> primes(settings.count("limit")),
              Savina::sieving,
              settings -> primes(settings.count("limit")) / settings.count("primes") + 2),
          new SavinaExperiment(
              "fib",
              "Savina: Fibonacci's numbers by recursion, a process for each call",
              List.of(number("n", "which number", 1, 40, 25)),
              count("value", "the number"),
              "computed",
              settings -> fibonacci(settings.count("n")),
              settings -> fibonacci(settings.count("n")) * 10,
              settings -> fibonacci(settings.count("n")) * 2));

  private Savina() {}

  /** All nine, in the order in which they are shown. */
  static List<Experiment> all() {
    return ALL;
  }

  private static Parameter number(
      String name, String description, long least, long most, long standard) {
    return new Parameter.Count(name, description, least, most, standard);
  }

  private static Metric count(String name, String description) {
    return new Metric(name, name, Metric.Unit.COUNT, true, description);
  }

  private static long messagesOfAll(Settings settings) {
    return settings.count("messages") * settings.count("actors");
  }

  private static long itemsOfAll(Settings settings) {
    return settings.count("producers") * settings.count("items");
  }

  /**
   * A prime goes through all filters, a thousand divisions are as much as a message, and of the
   * other numbers few go far.
   */
  private static long sieving(Settings settings) {
    long limit = settings.count("limit");
    long primes = primes(limit);
    long divisions = primes * primes / 2;
    return limit + divisions / settings.count("primes") + divisions / 1000;
  }

  private static long primes(long limit) {
    return Expected.primes((int) limit);
  }

  private static long fibonacci(long n) {
    return Expected.fibonacci((int) n);
  }
}
