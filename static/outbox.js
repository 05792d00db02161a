// Entries on their way to the server: in order, one in flight, each under the key made for it at the tap.
// An entry is a plain value { key, url, body, base }. Until the server has answered, localStorage keeps it under a name
// of its own: closing the page loses none, and two pages of one phone cannot overwrite each other's.

const SLOW = 2000; // ms after which a missing answer is told
const PATIENCE = 10000; // ms after which the entry is sent again; the server knows it by its key
const FIRST_WAIT = 500; // ms before the second try; doubled with every further one
const LONGEST_WAIT = 30000;
const LEASE = 2 * PATIENCE; // ms for which a page may send alone, where the browser has no locks
const LATER = new Set([408, 425, 429]); // refusals that say nothing about the entry

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// ---- what is kept ----

const unkept = new Map(); // private windows may have no storage: then entries live as long as this page

function everything() {
  let kept = {};
  try {
    kept = { ...localStorage };
  } catch {}
  return Object.entries({ ...kept, ...Object.fromEntries(unkept) }).filter(([name]) => name.startsWith("entry "));
}

function keep(name, entry) {
  const text = JSON.stringify(entry);
  try {
    localStorage.setItem(name, text);
  } catch {
    unkept.set(name, text);
  }
}

function drop(name) {
  unkept.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {}
}

export const gamesWaiting = () => [...new Set(everything().map(([name]) => name.split(" ")[1]))];

// ---- one page at a time ----

const me = newKey();
const leases = new Set(); // that this page has or is about to have

addEventListener("pagehide", () => leases.forEach(release)); // the next page need not wait for their end

function holder(name) {
  const { by, until } = JSON.parse(localStorage.getItem(name)) ?? {};
  return until > Date.now() && until <= Date.now() + LEASE ? by : null; // a clock may have been set back
}

function release(name) {
  leases.delete(name);
  if (holder(name) === me) drop(name); // it may have run out, and be another's by now
}

async function leased(name, work) {
  const take = () => localStorage.setItem(name, JSON.stringify({ by: me, until: Date.now() + LEASE }));
  try {
    leases.add(name);
    while (holder(name) !== me) {
      if (holder(name) === null) take();
      await pause(20 + 40 * Math.random()); // of two that took it at once, the later stands
    }
    take();
  } catch {
    leases.delete(name);
    return work(); // no storage, so no other page has these entries
  }
  try {
    return await work();
  } finally {
    release(name);
  }
}

const alone = (name, work) => (navigator.locks ? navigator.locks.request(name, work) : leased(name, work));

// ---- the queue of a game ----

// Events: `changed`; `answered` { html, url }: all entries are saved; `refused` { html, entry }: the server said no to
// this one, which stays first until it is replaced or left out; `late`: there is no answer, it is tried again.
class Outbox extends EventTarget {
  #running = null;
  #wake = null;
  stopped = null; // the key of the entry that was refused
  late = false;

  constructor(code) {
    super();
    this.code = code;
    addEventListener("online", () => this.#wake?.(true));
    document.addEventListener("visibilitychange", () => document.hidden || this.#wake?.(true));
    addEventListener("storage", ({ key }) => (key ?? "").startsWith(`entry ${code} `) && this.#changedElsewhere());
  }

  #named() {
    const mine = everything().filter(([name]) => name.startsWith(`entry ${this.code} `));
    return mine.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, text]) => [name, JSON.parse(text)]);
  }

  entries() {
    return this.#named().map(([, entry]) => entry);
  }

  get busy() {
    return this.#named().length > 0;
  }

  // Ends when everything is saved or the queue has stopped.
  idle() {
    return this.#running ?? Promise.resolve();
  }

  add(entry) {
    const last = this.#named().at(-1)?.[0].split(" ")[2] ?? 0;
    keep(`entry ${this.code} ${`${Number(last) + 1}`.padStart(9, "0")} ${entry.key}`, entry);
    this.#tell("changed");
    this.run();
  }

  // Something else in place of the refused entry; what is to be undone by its key stays so.
  replace({ url, body, base }) {
    const [name, { key }] = this.#named().find(([, entry]) => entry.key === this.stopped);
    keep(name, { key, url, body, base });
    this.retry();
  }

  leaveOut(key = this.stopped) {
    for (const [name, entry] of this.#named()) if (entry.key === key || undone(entry) === key) drop(name);
    this.retry();
  }

  leaveAllOut() {
    for (const [name] of this.#named()) drop(name);
    this.retry();
  }

  retry() {
    this.stopped = null;
    this.#tell("changed");
    this.run();
  }

  run() {
    if (this.stopped || !this.busy) return;
    this.#running ??= this.#send().finally(() => {
      this.#running = null;
      this.run(); // for what was added between the last look and here
    });
  }

  async #send() {
    for (let wait = FIRST_WAIT; !this.stopped && this.busy; ) {
      if (await alone(`outbox ${this.code}`, () => this.#sendFirst())) {
        wait = FIRST_WAIT;
        continue;
      }
      this.#tellLate();
      const woken = new Promise((wake) => (this.#wake = wake));
      wait = (await Promise.race([woken, pause(wait * (0.5 + Math.random() / 2))]))
        ? FIRST_WAIT
        : Math.min(2 * wait, LONGEST_WAIT);
      this.#wake = null;
    }
  }

  // Whether there was an answer.
  async #sendFirst() {
    const [first] = this.#named();
    if (!first) return true; // another page has sent it
    const [name, entry] = first;
    const slow = setTimeout(() => this.#tellLate(), SLOW);
    const answer = await post(entry, this.code);
    clearTimeout(slow);
    if (!answer) return false;
    if (answer.saved) {
      await keepPage(answer);
      drop(name);
      if (!this.busy) this.late = false;
      this.#tell("changed");
      if (!this.busy) this.#tell("answered", answer);
    } else if (this.entries().some((one) => undone(one) === entry.key)) {
      this.leaveOut(entry.key); // it was taken back already
    } else {
      this.stopped = entry.key;
      this.#tell("changed");
      this.#tell("refused", { ...answer, entry });
    }
    return true;
  }

  #changedElsewhere() {
    if (!this.entries().some((entry) => entry.key === this.stopped)) this.stopped = null;
    if (!this.busy) this.late = false;
    this.#tell("changed");
    this.run();
  }

  #tellLate() {
    this.late = true;
    this.#tell("changed");
    this.#tell("late");
  }

  #tell(what, detail) {
    this.dispatchEvent(new CustomEvent(what, { detail }));
  }
}

const outboxes = new Map();

export function outboxOf(code) {
  if (!outboxes.has(code)) outboxes.set(code, new Outbox(code));
  return outboxes.get(code);
}

// The key of the entry that this one takes back.
export const undone = ({ body }) => body.find(([name]) => name === "entry")?.[1];

// What the server said: { saved, status, html, url }; null where it said nothing of the entry.
async function post({ key, url, body, base }, code) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const response = await fetch(url, {
      method: "POST",
      keepalive: true, // goes on if the page is left
      signal: patience.signal,
      body: new URLSearchParams([...body, ["key", key], ["base", base]]),
    });
    const html = await response.text(), { status } = response;
    if (status >= 500 || LATER.has(status)) return null;
    // A stranger's network may answer in the server's place; the sheet of a scorer always has its Undo.
    if (response.ok && !html.includes(`/games/${code}/undo"`)) return null;
    return { saved: response.ok, status, html, url: response.url };
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

// What the service worker opens without a network is the sheet as of the last saved entry.
async function keepPage({ html, url }) {
  try {
    const { origin, pathname } = new URL(url);
    for (const name of await caches.keys()) {
      const headers = { "Content-Type": "text/html; charset=utf-8" };
      await (await caches.open(name)).put(origin + pathname, new Response(html, { headers }));
    }
  } catch {} // on plain http there are no caches
}
