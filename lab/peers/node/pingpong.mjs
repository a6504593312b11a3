import { Mailbox } from "./mailbox.mjs";
import { ensure, now, repeat } from "./measure.mjs";

async function pong(inbox, asker) {
  let count = 0;
  for (let i = await inbox.receive(); i >= 0; i = await inbox.receive()) {
    asker.send(i);
    count++;
  }
  return count;
}

async function ping(inbox, answerer, rounds) {
  for (let i = 0; i < rounds; i++) {
    answerer.send(i);
    ensure("the number of a pong", await inbox.receive(), i);
  }
}

async function runPingpong(rounds) {
  const pings = new Mailbox();
  const pongs = new Mailbox();
  const answered = pong(pings, pongs);
  const start = now();
  await ping(pongs, pings, rounds);
  const wall = now() - start;
  pings.send(-1);
  ensure("pings", await answered, rounds);
  return wall;
}

export async function pingpong(args) {
  const rounds = args.count("rounds", 1_000_000);
  const { cold, warm } = await repeat(() => runPingpong(rounds));
  return {
    ns_per_round: (warm * 1e6) / rounds,
    ns_per_round_cold: (cold * 1e6) / rounds,
    messages: 2 * rounds,
  };
}
