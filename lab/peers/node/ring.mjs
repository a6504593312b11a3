import { Mailbox } from "./mailbox.mjs";
import { collectGarbage, ensure, now } from "./measure.mjs";

async function member(inbox, next) {
  let count = 0;
  while ((await inbox.receive()) === "token") {
    count++;
    next.send("token");
  }
  next.send("stop");
  return count;
}

async function lastMember(inbox, first, rounds, ranAllRounds) {
  let count = 0;
  while ((await inbox.receive()) === "token") {
    count++;
    if (count === rounds) {
      ranAllRounds();
    } else {
      first.send("token");
    }
  }
  return count;
}

async function runRing(processes, rounds) {
  let ranAllRounds;
  const done = new Promise((resolve) => {
    ranAllRounds = resolve;
  });

  const start = now();
  const members = [];
  const first = new Mailbox();
  let inbox = first;
  for (let i = 1; i < processes; i++) {
    const next = new Mailbox();
    members.push(member(inbox, next));
    inbox = next;
  }
  members.push(lastMember(inbox, first, rounds, ranAllRounds));
  const ready = now();

  first.send("token");
  await done;
  const end = now();

  first.send("stop");
  const counts = await Promise.all(members);
  ensure(
    "delivered messages",
    counts.reduce((sum, count) => sum + count, 0),
    processes * rounds,
  );
  return { setup: ready - start, run: end - ready };
}

export async function ring(args) {
  const processes = args.count("processes", 3000);
  const rounds = args.count("rounds", 1000);
  const few = Math.max(1, Math.floor(rounds / 10));
  const messages = processes * rounds;

  const begin = now();
  const cold = await runRing(processes, few);
  for (let i = 1; i < 3 || now() - begin < 3000; i++) {
    await runRing(processes, few);
  }
  collectGarbage();
  const { setup, run } = await runRing(processes, rounds);

  return {
    us_per_spawn: (setup * 1e3) / processes,
    ns_per_message: (run * 1e6) / messages,
    messages,
    setup_seconds: setup / 1e3,
    run_seconds: run / 1e3,
    us_per_spawn_cold: (cold.setup * 1e3) / processes,
    ns_per_message_cold: (cold.run * 1e6) / (processes * few),
  };
}
