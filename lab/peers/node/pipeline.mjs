import { Mailbox } from "./mailbox.mjs";
import { ensure, Failure, now, repeat } from "./measure.mjs";

const STOP = Symbol("stop");

async function stage(inbox, word, by, next) {
  let text;
  while ((text = await inbox.receive()) !== STOP) {
    next.send(text.replace(word, by));
  }
  next.send(STOP);
}

async function writer(inbox) {
  let count = 0;
  let text;
  while ((text = await inbox.receive()) !== STOP) {
    const wrote = text.replace("Indexed", "Wrote");
    if (wrote !== `Wrote ${count}`) {
      throw new Failure(`the last stage wrote "${wrote}"`);
    }
    count++;
  }
  return count;
}

async function runPipeline(items) {
  const start = now();
  const requested = new Mailbox();
  const downloaded = new Mailbox();
  const indexed = new Mailbox();
  stage(requested, "Requested", "Downloaded", downloaded);
  stage(downloaded, "Downloaded", "Indexed", indexed);
  const written = writer(indexed);
  for (let i = 0; i < items; i++) {
    requested.send(`Requested ${i}`);
  }
  requested.send(STOP);
  const count = await written;
  const wall = now() - start;
  ensure("written strings", count, items);
  return wall;
}

export async function pipeline(args) {
  const items = args.count("items", 1_000_000);
  const { cold, warm } = await repeat(() => runPipeline(items));
  return { wall_seconds: warm / 1e3, wall_seconds_cold: cold / 1e3, completed: items };
}
