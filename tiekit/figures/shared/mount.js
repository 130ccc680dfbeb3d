// What has the host not heard yet? Only the last state reaches it, so each one repeats all changes that have not been
// heard; data carry the serial of the last that was.

export const QUIET = 500; // milliseconds after the last key until the host hears of it

export class Outbox {
  #send;
  #serial = 0; // of the last change that was sent
  #unheard = []; // changes that were sent, with their serials
  #unsaid = null; // a change that is not sent yet
  #waiting;

  constructor(send) {
    this.#send = send;
  }

  /** Tell the host: at once after a drag, else when the keys have come to rest. */
  tell(change, wait = 0) {
    this.#unsaid = merged(this.#unsaid, change);
    clearTimeout(this.#waiting);
    if (wait) this.#waiting = setTimeout(() => this.flush(), wait);
    else this.flush();
  }

  /** Send what waits. */
  flush() {
    clearTimeout(this.#waiting);
    if (!this.#unsaid) return;
    this.#unheard.push({ serial: ++this.#serial, change: this.#unsaid });
    this.#unsaid = null;
    const all = this.#unheard.reduce((sum, { change }) => merged(sum, change), null);
    this.#send({ serial: this.#serial, ...all });
  }

  /** Whether data of this serial hold every change; what has not been sent goes out. */
  isHeard(serial) {
    this.#unheard = this.#unheard.filter((change) => change.serial > serial);
    this.#serial = Math.max(this.#serial, serial);
    this.flush();
    return !this.#unheard.length;
  }
}

/** Two changes as one; of scores each item's last. */
function merged(before, after) {
  const scores = { ...before?.scores };
  for (const [line, items] of Object.entries(after.scores ?? {})) scores[line] = { ...scores[line], ...items };
  return { ...before, ...after, scores };
}

// --------------------------------------------------------------------------------------------------------------------
// When is a picture drawn? Once a frame.

/** A function that runs another once in the next frame, however often it is called before. */
export function inNextFrame(run) {
  let frame;
  return () => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      run();
    });
  };
}
