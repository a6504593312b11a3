import { BadArgument, ensure, now, repeat } from "./measure.mjs";

/** A leaf gives its number, any other node the sum of its ten children. */
async function node(number, leaves) {
  if (leaves === 1) {
    return number;
  }
  const each = leaves / 10;
  const children = [];
  for (let i = 0; i < 10; i++) {
    children.push(node(number + i * each, each));
  }
  let sum = 0;
  for (const part of await Promise.all(children)) {
    sum += part;
  }
  return sum;
}

async function runSkynet(leaves) {
  const start = now();
  const sum = await node(0, leaves);
  const wall = now() - start;
  ensure("the sum of the leaves", sum, (leaves * (leaves - 1)) / 2);
  return wall;
}

export async function skynet(args) {
  const leaves = args.count("leaves", 1_000_000);
  for (let n = leaves; n > 1; n /= 10) {
    if (n % 10 !== 0) {
      throw new BadArgument(`leaves=${leaves} is not a power of ten`);
    }
  }
  const { cold, warm } = await repeat(() => runSkynet(leaves));
  return { ms: warm, ms_cold: cold, sum: (leaves * (leaves - 1)) / 2 };
}
