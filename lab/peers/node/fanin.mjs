import { Mailbox } from "./mailbox.mjs";
import { ensure, now, repeat } from "./measure.mjs";

async function sender(begun, receiver, each) {
  await begun;
  for (let i = 0; i < each; i++) {
    receiver.send(i);
  }
}

async function receiver(inbox, messages) {
  let sum = 0;
  for (let i = 0; i < messages; i++) {
    sum += await inbox.receive();
  }
  return sum;
}

async function runFanin(senders, each) {
  let begin;
  const begun = new Promise((resolve) => {
    begin = resolve;
  });
  const inbox = new Mailbox();
  const received = receiver(inbox, senders * each);
  for (let i = 0; i < senders; i++) {
    sender(begun, inbox, each);
  }
  const start = now();
  begin();
  const sum = await received;
  const wall = now() - start;
  ensure("the sum", sum, (senders * each * (each - 1)) / 2);
  return wall;
}

export async function fanin(args) {
  const senders = args.count("senders", 1000);
  const each = args.count("messages", 1000);
  const { cold, warm } = await repeat(() => runFanin(senders, each));
  const messages = senders * each;
  return {
    messages_per_second: (messages * 1e3) / warm,
    messages_per_second_cold: (messages * 1e3) / cold,
    messages,
  };
}
