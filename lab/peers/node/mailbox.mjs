/**
 * A queue with one reader, which awaits its messages. A message that finds the reader waiting is
 * handed over at once.
 */
export class Mailbox {
  #messages = [];
  #head = 0;
  #wake = undefined;
  #park = (wake) => {
    this.#wake = wake;
  };

  send(message) {
    const wake = this.#wake;
    if (wake) {
      this.#wake = undefined;
      wake(message);
    } else {
      this.#messages.push(message);
    }
  }

  /** The next message, or a promise of it. */
  receive() {
    if (this.#head === this.#messages.length) {
      return new Promise(this.#park);
    }
    const message = this.#messages[this.#head++];
    if (this.#head === this.#messages.length) {
      this.#messages = [];
      this.#head = 0;
    } else if (this.#head >= 1024 && this.#head * 2 >= this.#messages.length) {
      this.#messages = this.#messages.slice(this.#head);
      this.#head = 0;
    }
    return message;
  }
}
