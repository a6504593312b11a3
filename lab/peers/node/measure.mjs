// The watch, and what a program says when something is wrong.

import { readFileSync } from "node:fs";
import v8 from "node:v8";
import vm from "node:vm";

/** A program was asked for what cannot be done. */
export class BadArgument extends Error {}

/** The result of a program is wrong. */
export class Failure extends Error {}

export function ensure(what, actual, expected) {
  if (actual !== expected) {
    throw new Failure(`${what}: ${actual} instead of ${expected}`);
  }
}

/** Milliseconds with fractions, which never run backwards. */
export const now = () => performance.now();

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/**
 * Runs once, then for two seconds while the compiler is at work, then at least three times and for
 * at least three seconds; what run returns are milliseconds.
 */
export async function repeat(run) {
  const start = now();
  const cold = await run();
  while (now() - start < 2000) {
    await run();
  }
  const warm = [];
  for (const begin = now(); warm.length < 3 || now() - begin < 3000; ) {
    warm.push(await run());
  }
  return { cold, warm: median(warm) };
}

/** The bytes that this process has resident; 0 where nobody tells. */
export function resident() {
  try {
    const kB = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "latin1"));
    return kB ? Number(kB[1]) * 1024 : 0;
  } catch {
    return 0;
  }
}

let collect;

/** The bytes of the heap that are in use after a collection. */
export function heapInUse() {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Collects garbage, which a program may do only once it has asked for the function. */
export function collectGarbage() {
  if (!collect) {
    v8.setFlagsFromString("--expose-gc");
    collect = vm.runInNewContext("gc");
  }
  collect();
}
