// The hand being written: shows a tap at once and lets the request follow. It knows no rule of the game: what may not
// be bid, who is next and what a result is worth it looks up in the plan that the page carries.
import { newKey, outboxOf, undone } from "./outbox.js";
import { fits, place } from "./swap.js";

const GUARD = 400; // ms in which a new phase takes no tap: its buttons stand where the old ones stood
const TOAST = 3000; // ms for which a message stands on the screen

const byId = (id) => document.getElementById(id);
const sum = (numbers) => numbers.reduce((total, one) => total + (one ?? 0), 0);
const digits = (number) => (number < 0 ? `−${-number}` : `${number}`);
const signed = (number) => (number > 0 ? `+${number}` : digits(number));

let plan; // what the server sent
let taps; // own entries since then, saved or not, without those taken back: { key, url, body, base }
let at; // the number of the hand on the screen
let done; // nothing more can be written until the server answers
let saving = null; // the last hand whose Save was tapped, until the server has it
let seat; // whose bid was tapped to be changed, else null
let drafts = {}; // tricks stepped to but not saved, by hand and seat

// ---- what is written: the server's word, and on top of it every tap of this phone ----

const handOf = (entry) => Number(/\/hands\/(\d+)$/.exec(entry.url)?.[1]);

function written(number) {
  const cells = { ...plan.written[number] };
  for (const entry of taps) if (handOf(entry) === number) Object.assign(cells, Object.fromEntries(entry.body));
  return cells;
}

function numbers(cells, name, order) {
  return order.map((one) => (cells[`${name}-${one}`] ?? "") === "" ? null : Number(cells[`${name}-${one}`]));
}

const complete = (number) => !numbers(written(number), "tricks", plan.hands[number].order).includes(null);

// Whether the plan knows who sits where in the hand after this one, and the rows are theirs.
function goesOn(number) {
  const { order } = plan.hands[number], next = plan.hands[number + 1];
  return Boolean(next?.known) && `${[...order].sort()}` === `${[...next.order].sort()}`;
}

// The hand to write on, and whether there is one.
function settle() {
  at = plan.at;
  seat = null;
  done = taps.some((entry) => !handOf(entry)); // the game was ended
  if (plan.correcting) return;
  while (!done && complete(at)) {
    if (goesOn(at)) at += 1;
    else done = true;
  }
}

function totals() {
  const have = { ...plan.totals[plan.at] };
  const end = done && complete(at) ? at + 1 : at;
  for (let number = plan.at; number < end; number++) {
    const { order, table } = plan.hands[number];
    const cells = written(number);
    const bids = numbers(cells, "bids", order), tricks = numbers(cells, "tricks", order);
    order.forEach((one, i) => {
      const points = plan.tables[table]?.[bids[i]]?.[tricks[i]];
      have[one] = have[one] == null || points == null ? null : have[one] + points;
    });
  }
  return have;
}

function state() {
  const hand = plan.hands[at], { order } = hand, cells = written(at);
  const bids = numbers(cells, "bids", order), saved = numbers(cells, "tricks", order);
  const open = seat ?? order.find((one, i) => bids[i] === null) ?? null;
  const others = bids.filter((bid, i) => order[i] !== open);
  const banned = hand.not !== null && !others.includes(null) ? hand.not - sum(others) : null;
  const won = numbers(cells, "won", order), counts = won.some((one) => one !== null);
  const begun = counts && sum(won) === hand.win ? won : bids;
  const tricks = order.map((one, i) => drafts[at]?.[one] ?? saved[i] ?? begun[i] ?? 0);
  const off = sum(tricks) - hand.win;
  return { hand, order, cells, bids, open, refused: refusals(hand, open, banned), tricks, off, won, counts };
}

// By bid that the open seat may not make, why not. Something is always left to bid.
function refusals(hand, open, banned) {
  const refused = new Map();
  const inRange = banned !== null && banned >= 0 && banned <= hand.cards;
  if (inRange) refused.set(banned, () => filled(hand.why, { n: banned }));
  if (at === plan.drawn && plan.zero[open] && refused.size < hand.cards) refused.set(0, () => filled(plan.zero[open], {}));
  return refused;
}

// ---- the screen ----

// A text of the server's with its values put in; each value keeps its own direction.
function filled(pattern, values) {
  const text = document.createDocumentFragment();
  for (const part of pattern.split(/(\{\w+\})/)) {
    const value = values[part.slice(1, -1)];
    if (!part.startsWith("{")) text.append(part);
    else {
      const isolated = document.createElement("bdi");
      isolated.textContent = typeof value === "number" ? digits(value) : value ?? "…";
      if (typeof value === "number") Object.assign(isolated, { className: "num", dir: "ltr" });
      text.append(isolated);
    }
  }
  return text;
}

function show(id, pattern, values = {}) {
  byId(id)?.replaceChildren(filled(pattern, values));
}

function setAttribute(element, name, value) {
  if (value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

function render() {
  const now = state(), { hand, order, bids, open, tricks, off } = now;
  const phase = done ? "noted" : open === null ? "playing" : "bidding";
  const form = byId("hand");
  if (form.dataset.phase !== phase) guard();
  form.dataset.phase = phase;
  for (const id of ["hand", "rest", "count", "anyway"]) byId(id).action = byId(id).action.replace(/\d+$/, at);
  byId("more").hidden = at !== plan.drawn; // its fields are those of the server's hand
  if (!plan.correcting) show("title", hand.title);
  show("cards", `${hand.cards}`);
  show("cards-word", plan.words.cards[hand.cards]);
  renderTrump(now);
  const bidsTotal = sum(bids), over = bidsTotal - hand.cards;
  show("leads", hand.leader === null ? plan.words.bids : plan.words.leads,
    { bids: bidsTotal, tricks: hand.cards, name: plan.names[hand.leader] });
  show("over", over > 0 ? plan.words.over : over < 0 ? plan.words.under : plan.words.even, { n: Math.abs(over) });
  renderRows(now);
  renderPips(phase === "bidding" ? bidsTotal : sum(tricks), hand.cards);
  show("balance", phase === "bidding" ? plan.words.bids : plan.words.won,
    { bids: bidsTotal, won: sum(tricks), tricks: phase === "bidding" ? hand.cards : hand.win });
  byId("balance").classList.toggle("bad", phase === "playing" && off !== 0);
  if (open !== null) renderPad(now);
  byId("off").hidden = off === 0;
  show("off-text", off > 0 ? plan.words.many[off] : off < 0 ? plan.words.few[-off] : "");
  show("save-text", plan.words.save, { n: at });
  setAttribute(byId("save"), "aria-disabled", off !== 0 && "true");
  setAttribute(byId("save"), "aria-describedby", off !== 0 && "off-text");
  setAttribute(byId("undo"), "aria-disabled", !plan.undo.length && !taps.length && "true");
}

function renderTrump({ hand, cells }) {
  const trump = hand.trump ?? (cells.trump || null);
  for (const radio of byId("trump").querySelectorAll("input")) {
    radio.checked = radio.value === trump;
    radio.disabled = hand.trump !== null && radio.value !== hand.trump;
    if (!radio.checked) continue;
    const sign = radio.nextElementSibling.cloneNode(true);
    sign.removeAttribute("aria-hidden");
    sign.setAttribute("role", "img");
    sign.setAttribute("aria-label", radio.getAttribute("aria-label"));
    byId("suit").replaceChildren(sign);
  }
  byId("suit").hidden = trump === null;
}

function renderRows({ hand, order, bids, open, tricks, off, won, counts }) {
  const list = byId("rows"), have = totals(), first = order[0], last = order.at(-1);
  order.forEach((one, i) => {
    const row = list.querySelector(`[data-seat="${one}"]`);
    if (list.children[i] !== row) list.insertBefore(row, list.children[i]);
    const is = { now: one === open, made: bids[i] === tricks[i], dealer: one === hand.dealer };
    row.classList.toggle("now", is.now);
    row.classList.toggle("missed", !is.made);
    setAttribute(row, "aria-current", is.now && "step");
    row.querySelector(".deals").hidden = !is.dealer;
    const about = [is.now ? plan.words.now : filled(plan.words.total, { n: have[one] })];
    if (hand.known && one === first && !is.now) about.push(plan.words.first);
    if (is.now && is.dealer && one === last) about.push(plan.words.dealer_last);
    row.querySelector(".sub.if-bidding").replaceChildren(...about.flatMap((part, n) => (n ? [" · ", part] : [part])));
    row.querySelector(".bid").replaceChildren(filled(plan.words.bid, { n: bids[i] ?? 0 }));
    const points = plan.tables[hand.table]?.[bids[i]]?.[tricks[i]];
    row.querySelector(".pts").replaceChildren(filled("{n}", { n: points == null ? "…" : signed(points) }));
    row.querySelector(".pts bdi").dir = "ltr";
    renderCount(row, { bid: bids[i] ?? 0, won: won[i] ?? 0 }, counts, sum(won) >= hand.win);
    const value = row.querySelector(".val");
    value.textContent = bids[i] ?? (is.now ? "?" : "–");
    value.classList.toggle("none", bids[i] === null && !is.now);
    row.querySelector(".got").textContent = tricks[i];
    row.querySelector("input").value = tricks[i];
    for (const [name, dead, hint] of [["fewer", tricks[i] <= 0, off > 0], ["more", tricks[i] >= hand.cards, off < 0]]) {
      const button = row.querySelector(`[name="${name}"]`);
      setAttribute(button, "aria-disabled", dead && "true");
      button.classList.toggle("hint", hint && !dead);
    }
  });
}

// How the seat of a row stands trick by trick, once one is counted; `all` tricks may be.
function renderCount(row, { bid, won }, counts, all) {
  const words = bid > won ? plan.words.needs : bid < won ? plan.words.beyond : plan.words.level;
  row.querySelector(".counted").replaceChildren(counts ? filled(words, { won, bid, n: Math.abs(bid - won) }) : "");
  const button = row.querySelector(".count");
  if (!button) return;
  button.value = won + 1;
  setAttribute(button, "aria-disabled", all && "true");
}

function renderPips(count, cards) {
  const pips = byId("pips");
  pips.replaceChildren(...Array.from({ length: Math.min(Math.max(cards, count), 2 * cards) }, (_, i) => {
    const pip = document.createElement("i");
    pip.className = i >= cards ? "over" : i < count ? "on" : "";
    return pip;
  }));
}

function renderPad({ hand, order, bids, open, refused }) {
  const pad = byId("pad");
  show("ask", plan.words.ask, { name: plan.names[open] });
  while (pad.children.length <= hand.cards) pad.append(pad.lastElementChild.cloneNode(true));
  while (pad.children.length > hand.cards + 1) pad.lastElementChild.remove();
  byId("reason").hidden = !refused.size;
  if (!refused.size) byId("reason").open = false;
  byId("why").replaceChildren(...[...refused.values()].flatMap((why, n) => (n ? [" ", why()] : [why()])));
  [...pad.children].forEach((chip, bid) => {
    chip.name = `bids-${open}`;
    chip.value = chip.textContent = bid;
    setAttribute(chip, "aria-disabled", refused.has(bid) && "true");
    setAttribute(chip, "aria-describedby", refused.has(bid) && "why");
    setAttribute(chip, "aria-pressed", bids[order.indexOf(open)] === bid && "true");
  });
  for (const input of byId("anyway").querySelectorAll('[name^="bids-"]')) input.remove();
  const [anyway] = refused.keys();
  const input = document.createElement("input");
  Object.assign(input, { type: "hidden", name: `bids-${open}`, value: anyway ?? "" });
  byId("anyway").append(input);
}

// A change of phase puts new buttons under the thumb: for a moment they take no tap. The focus goes on to them.
function guard() {
  const dock = byId("dock");
  const focused = dock.contains(document.activeElement);
  dock.inert = true;
  setTimeout(() => {
    dock.inert = false;
    const first = byId("hand")?.dataset.phase === "playing" ? byId("save") : byId("pad")?.firstElementChild;
    if (focused && document.activeElement === document.body) first?.focus({ preventScroll: true });
  }, GUARD);
}

const status = document.querySelector('[role="status"]');

function say(...parts) {
  status.classList.remove("shown");
  status.replaceChildren(...parts.flatMap((part, n) => (n ? [" ", part] : [part])));
}

// Shows for a moment what is otherwise only spoken.
function display(...parts) {
  say(...parts);
  status.classList.add("shown");
  clearTimeout(display.over);
  display.over = setTimeout(() => status.classList.remove("shown"), TOAST);
}

function sayNext() {
  const { open, refused } = state();
  if (open === null) return [];
  return [filled(plan.words.next, { name: plan.names[open] }), ...[...refused.values()].map((why) => why())];
}

// ---- taps ----

// A tap while an entry stands refused is written in its place.
function tap(url, body) {
  const entry = { key: newKey(), url, body, base: plan.base };
  document.querySelector(".trouble")?.remove();
  if (outbox.stopped) {
    outbox.replace(entry);
    taps = standing(outbox.entries());
    settle();
  } else {
    taps.push(entry);
    outbox.add(entry);
  }
  navigator.vibrate?.(8);
}

// The refused entry is left out, and what waited behind it goes on.
function leave() {
  document.querySelector(".trouble")?.remove();
  outbox.leaveOut();
  taps = standing(outbox.entries());
  settle();
  render();
  say(...sayNext());
}

function bid(chip) {
  if (chip.getAttribute("aria-disabled")) return refuse(byId("why"));
  const { hand, open, order } = state();
  // The same bid again only closes the row: there is nothing to write, and so nothing to undo.
  if (!chip.getAttribute("aria-pressed")) tap(byId("hand").action, [[chip.name, chip.value], ...stay()]);
  const noted = filled(plan.words.noted, { name: plan.names[open], n: Number(chip.value) });
  seat = null;
  const { bids } = state();
  // Bids made all at once that come out even: the server asks the table.
  if (hand.settle !== null && !bids.includes(null) && sum(bids) === hand.settle) {
    seat = order.at(-1);
    guard();
  }
  render();
  say(noted, ...sayNext());
}

// On a correction the answer is this hand again, since its tricks may have to change too.
const stay = () => (plan.correcting ? [["stay", "1"]] : []);

function refuse(reason) {
  say(reason.textContent);
  navigator.vibrate?.([8, 40, 8]);
}

function step(button) {
  if (button.getAttribute("aria-disabled")) return;
  const { order, tricks } = state(), one = Number(button.value);
  drafts[at] = Object.fromEntries(order.map((each, i) => [each, tricks[i]]));
  drafts[at][one] += button.name === "more" ? 1 : -1;
  keep();
  render();
  say(filled(plan.words.stepped, { name: plan.names[one], n: drafts[at][one] }), byId("off-text").textContent);
}

function count(button) {
  if (button.getAttribute("aria-disabled")) return;
  tap(button.form.action, [[button.name, button.value]]);
  const noted = filled(plan.words.counted, { name: plan.names[button.name.slice(4)], n: Number(button.value) });
  render();
  say(noted);
}

function save(button) {
  if (button.getAttribute("aria-disabled")) return refuse(byId("off-text"));
  const { order, tricks } = state();
  tap(byId("hand").action, order.map((one, i) => [`tricks-${one}`, `${tricks[i]}`]));
  saving = at;
  delete drafts[at];
  keep();
  settle();
  done ||= plan.correcting;
  render();
  display(filled(plan.words.kept, { n: saving }), ...sayNext());
}

function undo() {
  if (outbox.stopped) return leave();
  const tapped = taps.pop(), key = tapped?.key ?? plan.undo[0]?.key;
  if (!key) return;
  const gone = tapped?.body ?? takeBack();
  outbox.add({ key: newKey(), url: byId("undo").formAction, body: [["entry", key]], base: plan.base });
  navigator.vibrate?.(8);
  settle();
  const tricks = gone.filter(([name, value]) => name.startsWith("tricks-") && value != null);
  if (tricks.length) drafts[at] = Object.fromEntries(tricks.map(([name, value]) => [name.slice(7), Number(value)]));
  saving = null;
  render();
  say(filled(plan.words.undone, {}), ...sayNext());
}

// Takes the server's last entry off the plan; gives the fields that it had written, with their values.
function takeBack() {
  const { hand, was } = plan.undo.shift();
  if (!was) {
    plan.totals = {}; // what the sheet is without it only the server knows
    return [];
  }
  const cells = plan.written[hand], gone = Object.keys(was).map((name) => [name, cells[name]]);
  Object.assign(cells, was);
  plan.at = Math.min(plan.at, hand);
  return gone;
}

// Steps survive a reload; they are this phone's own until they are saved.
const draftsKey = () => `drafts ${location.pathname}`;
function keep() {
  try {
    sessionStorage.setItem(draftsKey(), JSON.stringify(drafts));
  } catch {} // private windows may have no storage; then a reload starts from the bids
}

function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(draftsKey())) ?? {};
  } catch {
    return {};
  }
}

// ---- answers ----

const outbox = outboxOf(/\/games\/(\w+)/.exec(location.pathname)[1]);

outbox.addEventListener("answered", ({ detail: { html, url } }) => {
  if (!typing() && seat === null) swap(html, url);
  if (plan && saving !== null) display(filled(plan.words.saved, { n: saving }), ...sayNext());
  saving = null;
});

outbox.addEventListener("refused", ({ detail: { html } }) => {
  if (!html.includes('class="wrap trouble"')) return; // not about this entry: the phone's line says it
  drafts = {};
  saving = null;
  swap(html);
  if (byId("dock")) guard();
});

let told; // the newest entry that is known to wait

outbox.addEventListener("late", () => {
  const newest = outbox.entries().at(-1)?.key;
  if (plan && newest !== told) display(plan.words.unsent);
  told = newest;
});

// What another page of this phone has sent is fetched; what it took away from the queue is not waited for.
addEventListener("storage", () => {
  if (plan && taps.length && !outbox.busy) document.dispatchEvent(new Event("live:look"));
});

// The waiting entries whose undo does not wait as well.
function standing(entries) {
  const left = [];
  for (const entry of entries) {
    const key = undone(entry), place = left.findIndex((one) => one.key === key);
    if (!key) left.push(entry);
    else if (place >= 0) left.splice(place, 1);
    else if (key === plan.undo[0]?.key) takeBack();
  }
  return left;
}

const typing = () => document.activeElement?.matches("input:not([type=radio], [type=hidden]), select, textarea");

// Puts another state of the page in place of this one.
function swap(html, url) {
  const page = new DOMParser().parseFromString(html, "text/html");
  if (!page.querySelector("main")) return;
  if (!fits(page)) return location.assign(url ?? location);
  const followed = document.querySelector("main").dataset.next, phase = byId("hand")?.dataset.phase;
  const back = place();
  for (const part of ["header", "main"]) document.querySelector(part).replaceWith(page.querySelector(part));
  document.body.className = page.body.className;
  document.title = page.title;
  const said = page.querySelector('[role="status"]');
  if (said.textContent !== status.textContent) say(...said.childNodes);
  if (url && new URL(url).pathname !== location.pathname) history.replaceState(null, "", url);
  start();
  const { next } = document.querySelector("main").dataset;
  if (next && !followed) return location.assign(next); // whoever watched the last game comes along
  if (phase && byId("hand") && byId("hand").dataset.phase !== phase) guard();
  back();
}

function start() {
  const text = byId("plan")?.textContent;
  plan = text ? JSON.parse(text) : null;
  if (!plan) return;
  plan.drawn = plan.at;
  taps = outbox.stopped ? [] : standing(outbox.entries());
  settle();
  seat = plan.seat;
  const draft = drafts[at] ?? recall()[at];
  drafts = draft ? { [at]: draft } : {};
  keep();
  if (draft || (outbox.busy && !outbox.stopped)) render();
}

// ---- events ----

document.addEventListener("click", (event) => {
  if (event.target.closest("#print")) print();
  const on = (selector) => event.target.closest(selector);
  if (!plan || event.defaultPrevented) return;
  const act = [
    [".chip", bid],
    ["#save", save],
    [".sbtn", step],
    [".count", count],
    ["#undo", undo],
    [".cover", (link) => open(Number(link.closest("[data-seat]").dataset.seat))],
  ].find(([selector]) => on(selector));
  if (!act) return;
  event.preventDefault();
  act[1](on(act[0]));
});

function open(one) {
  seat = one;
  render();
  say(...sayNext());
}

document.addEventListener("change", ({ target }) => {
  if (plan && target.name === "trump" && target.type === "radio") {
    tap(byId("hand").action, [["trump", target.value], ...stay()]);
    render();
  }
});

// Forms that write on this game join the queue, or are the answer to what was refused.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!plan) return;
  if (outbox.stopped && form.closest(".trouble") && form.method === "get") {
    event.preventDefault();
    leave();
    if (!outbox.busy) location.assign(form.action);
  }
  if (!/\/games\/\w+\/(hands\/\d+|end)$/.test(form.action)) return;
  event.preventDefault();
  tap(form.action, [...new FormData(form)].filter(([name]) => name !== "key" && name !== "base"));
  document.activeElement.blur();
  settle();
  render();
});

// Whatever leaves the page waits until every tap is saved; without a network it needs a page that the phone has kept.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href]");
  if (!link || !outbox.busy || outbox.stopped || event.defaultPrevented) return;
  event.preventDefault();
  const late = new Promise((done) => outbox.addEventListener("late", done, { once: true }));
  if (!outbox.late) await Promise.race([outbox.idle(), late]);
  if (!outbox.late || reopens()) location.assign(link.href);
  else display(plan.words.stay);
});

const reopens = () => Boolean(navigator.serviceWorker?.controller);

addEventListener("beforeunload", (event) => {
  if (outbox.late && !reopens()) event.preventDefault();
});

// ---- what other phones write: live.js looks, and swaps unless this phone is in the middle of something ----

const busy = () => outbox.busy || typing() || seat != null || Object.keys(drafts).length > 0;

let phase; // of the hand on the screen before a swap
document.addEventListener("live:swap", (event) => {
  if (busy()) event.preventDefault();
  phase = byId("hand")?.dataset.phase;
});
document.addEventListener("live:swapped", () => {
  start();
  if (phase && byId("hand") && byId("hand").dataset.phase !== phase) guard();
});

start();
outbox.run();
