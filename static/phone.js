// What a phone does on every page: it sends what waits, says how much that is, keeps the screen on while a game goes on,
// and can open the pages again without a network. Where the browser has none of it, the rest works all the same.
import { gamesWaiting, outboxOf } from "./outbox.js";

const byId = (id) => document.getElementById(id);
const remembered = {
  get: (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  set: (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {} // then it is forgotten with the page
  },
};

// ---- entries that wait ----

const line = byId("waiting");
const words = JSON.parse(line.dataset.words);
const plural = new Intl.PluralRules(document.documentElement.lang);
const here = /\/games\/(\w{10})(?![\w])/.exec(location.pathname)?.[1];
const followed = new Set();

function follow(code) {
  if (followed.has(code)) return;
  followed.add(code);
  const outbox = outboxOf(code);
  outbox.addEventListener("changed", show);
  outbox.late = outbox.busy; // left by an earlier page
  if (code !== here || !byId("plan")) outbox.run(); // the hand's own script sends when it has shown them
}

function show() {
  const waiting = [...followed].map(outboxOf).filter((outbox) => outbox.busy && (outbox.late || outbox.stopped));
  line.hidden = !waiting.length;
  if (!waiting.length) return;
  const stopped = waiting.find((outbox) => outbox.stopped);
  const count = waiting.reduce((total, outbox) => total + outbox.entries().length, 0);
  const number = document.createElement("bdi");
  Object.assign(number, { className: "num", dir: "ltr", textContent: count });
  const [before, after] = words[stopped ? "stopped" : "late"][plural.select(count)].split("{n}");
  byId("waiting-text").replaceChildren(before, number, after);
  const asked = document.querySelector(".trouble form"); // the hand's page asks itself
  byId("waiting-ways").hidden = !stopped || Boolean(asked);
  const sheet = byId("waiting-sheet");
  sheet.hidden = !stopped || stopped.code === here;
  if (stopped) sheet.href = `/games/${stopped.code}`;
}

byId("waiting-again").addEventListener("click", () => [...followed].map(outboxOf).forEach((outbox) => outbox.retry()));
byId("waiting-out").addEventListener("click", () => {
  for (const outbox of [...followed].map(outboxOf)) if (outbox.stopped) outbox.leaveAllOut();
});
addEventListener("storage", () => gamesWaiting().forEach(follow));
new Set([...(here ? [here] : []), ...gamesWaiting()]).forEach(follow);
show();

// ---- the screen stays on ----

let lock = null; // what the browser gave
const wanted = () => !document.hidden && remembered.get("awake") !== "off" && document.querySelector("[data-awake]");

function showSwitch() {
  const toggle = document.querySelector("[data-awake-switch]");
  if (!toggle) return;
  toggle.parentElement.hidden = false;
  toggle.checked = remembered.get("awake") !== "off";
}

async function stayAwake() {
  if (!wanted()) {
    const held = lock;
    lock = null;
    return held?.release();
  }
  if (lock) return;
  lock = { release() {} }; // asked for
  try {
    const given = await navigator.wakeLock.request("screen");
    lock = given;
    given.addEventListener("release", () => lock === given && (lock = null)); // the tab was hidden
    if (!wanted()) stayAwake();
  } catch {
    lock = null; // the battery is low: the next tap asks again
  }
}

if (navigator.wakeLock) {
  document.addEventListener("visibilitychange", stayAwake);
  document.addEventListener("click", stayAwake);
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("[data-awake-switch]")) return;
    remembered.set("awake", target.checked ? "on" : "off");
    stayAwake();
  });
  const seen = () => {
    showSwitch();
    stayAwake();
  };
  new MutationObserver(seen).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["data-awake"],
  });
  seen();
}

// ---- opened without a network ----

if (isSecureContext) {
  navigator.serviceWorker?.register("/sw.js").catch(() => {}); // private windows may refuse
} else if (byId("advice") && !remembered.get("advised")) {
  byId("advice").hidden = false;
  byId("advised").addEventListener("click", () => {
    remembered.set("advised", "yes");
    byId("advice").hidden = true;
  });
}
