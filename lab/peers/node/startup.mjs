// The smallest program: one async function answers one question. It loads nothing but a mailbox,
// since what a program of Node.js loads is part of its start.

import { Mailbox } from "./mailbox.mjs";

async function answerer(questions, answers) {
  answers.send((await questions.receive()) + 1);
}

const questions = new Mailbox();
const answers = new Mailbox();
answerer(questions, answers);
questions.send(41);
const answer = await answers.receive();
if (answer === 42) {
  console.log(
    JSON.stringify({ metrics: { answers: 1 }, runtime_version: `Node.js ${process.version}` }),
  );
} else {
  console.error(`the answer is ${answer} instead of 42.`);
  process.exitCode = 1;
}
