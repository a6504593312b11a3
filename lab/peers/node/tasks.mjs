import { setTimeout as sleep } from "node:timers/promises";
import { ensure, now } from "./measure.mjs";

export async function tasks(args) {
  const n = args.count("tasks", 1_000_000);
  // A timer of Node.js may fire up to a millisecond early, as it counts whole ones.
  const wait = args.millis("wait", 10_000) + 1;
  const start = now();
  const running = [];
  for (let i = 0; i < n; i++) {
    running.push(sleep(wait, 1));
  }
  const started = now() - start;
  const ones = await Promise.all(running);
  const wall = now() - start;

  const completed = ones.reduce((sum, one) => sum + one, 0);
  ensure("completed tasks", completed, n);
  return { wall_seconds: wall / 1e3, start_seconds: started / 1e3, completed };
}
