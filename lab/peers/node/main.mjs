// The programs of the lab in Node.js: async functions, which all run on one thread.

import { fanin } from "./fanin.mjs";
import { BadArgument, Failure } from "./measure.mjs";
import { pingpong } from "./pingpong.mjs";
import { pipeline } from "./pipeline.mjs";
import { ring } from "./ring.mjs";
import { skynet } from "./skynet.mjs";
import { spawn } from "./spawn.mjs";
import { tasks } from "./tasks.mjs";

const EXPERIMENTS = new Map(
  Object.entries({ spawn, tasks, ring, pipeline, pingpong, fanin, skynet }),
);

/** The arguments of an experiment: name=value. */
class Arguments {
  #values = new Map();

  constructor(words) {
    for (const word of words) {
      const equals = word.indexOf("=");
      if (equals < 0) {
        throw new BadArgument(`"${word}" is not of the form name=value`);
      }
      this.#values.set(word.slice(0, equals), word.slice(equals + 1));
    }
  }

  text(name, preset) {
    return this.#values.get(name) ?? preset;
  }

  /** A whole number of at least 1. */
  count(name, preset) {
    const text = this.text(name, String(preset));
    if (!/^0*[1-9][0-9]*$/.test(text)) {
      throw new BadArgument(`${name}=${text} is not a whole number of at least 1`);
    }
    return Number(text);
  }

  /** A time in milliseconds: 10000ms. */
  millis(name, preset) {
    const text = this.text(name, `${preset}ms`);
    if (!/^0*[1-9][0-9]*ms$/.test(text)) {
      throw new BadArgument(`${name}=${text} is not a time such as 10000ms`);
    }
    return Number(text.slice(0, -2));
  }
}

async function main([name, ...words]) {
  const experiment = EXPERIMENTS.get(name);
  if (!experiment) {
    throw new BadArgument(
      `"${name ?? ""}" is none of the experiments ${[...EXPERIMENTS.keys()].join(", ")}`,
    );
  }
  const metrics = await experiment(new Arguments(words));
  console.log(JSON.stringify({ metrics, runtime_version: `Node.js ${process.version}` }));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BadArgument || error instanceof Failure)) {
    throw error;
  }
  console.error(`${error.message}.`);
  process.exitCode = error instanceof BadArgument ? 2 : 1;
}
