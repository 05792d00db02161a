// Entries on their way to the server: in order, one in flight, each under the key made for it at the tap.
// They are plain values { key, url, body, base }, so they can be kept elsewhere as well as in memory.

const LONGEST_WAIT = 15000;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Outbox {
  #entries = [];
  #sending = null;

  // answered(html, url): all entries are saved. refused(html, url): the server said no, the rest waits no longer.
  // waiting(): no answer, it is tried again.
  constructor({ answered, refused, waiting }) {
    Object.assign(this, { answered, refused, waiting });
  }

  get busy() {
    return this.#entries.length > 0;
  }

  idle() {
    return this.#sending ?? Promise.resolve();
  }

  add(entry) {
    this.#entries.push(entry);
    this.#sending ??= this.#send().finally(() => (this.#sending = null));
  }

  async #send() {
    for (let wait = 500; this.busy; ) {
      const entry = this.#entries[0];
      let response, html;
      try {
        response = await fetch(entry.url, {
          method: "POST",
          keepalive: true, // goes on if the page is left
          body: new URLSearchParams([...entry.body, ["key", entry.key], ["base", entry.base]]),
        });
        html = await response.text();
      } catch {
        response = null;
      }
      if (!response || response.status >= 500 || response.status === 429) {
        this.waiting();
        await pause(wait);
        wait = Math.min(wait * 2, LONGEST_WAIT);
        continue;
      }
      wait = 500;
      if (!response.ok) {
        this.#entries = [];
        this.refused(html, response.url);
        return;
      }
      this.#entries = this.#entries.filter((one) => one.key !== entry.key);
      if (!this.busy) this.answered(html, response.url);
    }
  }
}
