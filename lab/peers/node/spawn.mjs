import { Mailbox } from "./mailbox.mjs";
import { BadArgument, collectGarbage, ensure, heapInUse, median, now, resident } from "./measure.mjs";

/** Many async functions that each wait for one message in a mailbox of their own. */
class Crowd {
  #mailboxes = [];
  #running = [];
  #ended = 0;

  async #wait(mailbox) {
    await mailbox.receive();
    this.#ended++;
  }

  /** An async function runs at once up to its first await, so all wait when this returns. */
  create(n) {
    for (let i = 0; i < n; i++) {
      const mailbox = new Mailbox();
      this.#mailboxes.push(mailbox);
      this.#running.push(this.#wait(mailbox));
    }
  }

  async end() {
    for (const mailbox of this.#mailboxes) {
      mailbox.send("stop");
    }
    await Promise.all(this.#running);
    return this.#ended;
  }
}

export async function spawn(args) {
  const n = args.count("processes", 100_000);
  const kind = args.text("kind", "plain");
  if (kind !== "plain") {
    throw new BadArgument(`promises have no links and no monitors, so there is no kind=${kind}`);
  }
  if (args.text("busy", "false") !== "false") {
    throw new BadArgument("all async functions run on one thread, so only one of them could spin");
  }
  let rounds = 0;
  let ended = 0;

  async function round(observe = () => 0) {
    const crowd = new Crowd();
    const start = now();
    crowd.create(n);
    const created = now() - start;
    const observed = observe();
    const end = now();
    ended += await crowd.end();
    rounds++;
    return { created, ended: now() - end, observed };
  }

  const rss = resident();
  const cold = await round(() => resident() - rss);
  const warm = [];
  for (const begin = now(); warm.length < 5 || (warm.length < 101 && now() - begin < 1000); ) {
    collectGarbage();
    warm.push(await round());
  }
  const heap = heapInUse();
  const memory = await round(() => heapInUse() - heap);

  ensure("async functions that ended", ended, rounds * n);
  return {
    ns_per_spawn: (median(warm.map((r) => r.created)) * 1e6) / n,
    bytes_per_process: memory.observed / n,
    rss_bytes_per_process: cold.observed / n,
    ns_per_spawn_cold: (cold.created * 1e6) / n,
    ns_per_end: (median(warm.map((r) => r.ended)) * 1e6) / n,
    rounds,
    ended,
  };
}
