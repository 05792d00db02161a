// Follows a page of a game: asks whether it has changed and swaps in what has. Every page that says
// `<main data-follow data-etag="…">` is followed. Parts with `data-live="name"` are swapped one by one, and only those
// that differ; a page without such parts is swapped as a whole.
//
// Before a swap `live:swap` is sent to the document: who cancels it keeps the page, and it is asked for again later.
// After a swap `live:swapped` is sent. `live:look` makes it look at once.
import { fits, place } from "./swap.js";

const POLL = 2000; // ms between two looks while the game is on
const RESTING = 5000; // after its end, when only a correction or a rematch can come
const FIRST_WAIT = 500; // ms before the second try without an answer; doubled with every further one
const LONGEST_WAIT = 30000;
const PATIENCE = 10000; // for an answer
const JITTER = 0.1; // so that phones woken by the same moment do not ask at the same moment

const byId = (id) => document.getElementById(id);
const main = () => document.querySelector("main");

let shown; // the HTML of each part as the server sent it, by name
let latest = null; // the newest page, while a part of it waits for a selection to end
let answered; // when the server last answered
let failed = 0; // tries without an answer since then
let paused = false;
let asking = null; // what ends the look that is under way
let timer;

const parts = (page) => new Map(Array.from(page.querySelectorAll("[data-live]"), (one) => [one.dataset.live, one]));
const sent = (page) => new Map(Array.from(parts(page), ([name, part]) => [name, part.outerHTML]));
const quiet = () => paused || document.hidden;

// Starts following the page; gives a function that looks at once.
export function follow() {
  shown = sent(document);
  answered = performance.now();
  document.addEventListener("visibilitychange", () => (document.hidden ? tell() : lookNow()));
  document.addEventListener("live:look", lookNow);
  addEventListener("online", lookNow);
  addEventListener("pageshow", ({ persisted }) => persisted && lookNow());
  document.addEventListener("click", ({ target }) => target.closest("#pause") && pause());
  document.addEventListener("selectionchange", () => latest && selected() === null && swap(latest));
  setInterval(() => document.hidden || tell(), 1000);
  tell();
  plan();
  return lookNow;
}

function pause() {
  paused = !paused;
  tell();
  if (!paused) lookNow();
}

// A look that is under way may hang in a network that is gone, or know less than what made us look.
function lookNow() {
  failed = 0;
  asking?.abort();
  look();
}

function plan() {
  const usual = "over" in main().dataset ? RESTING : POLL;
  const wait = failed ? Math.min(FIRST_WAIT * 2 ** (failed - 1), LONGEST_WAIT) : usual;
  timer = setTimeout(look, wait * (1 + JITTER * (2 * Math.random() - 1)));
}

async function look() {
  clearTimeout(timer);
  if (quiet()) return; // what ends it looks again
  const { etag } = main().dataset, mine = (asking = new AbortController());
  const late = setTimeout(() => mine.abort(), PATIENCE);
  let html = null, lost = false;
  try {
    const headers = { "If-None-Match": etag };
    const answer = await fetch(location.href, { headers, cache: "no-store", signal: mine.signal });
    if (answer.status !== 304 && !answer.ok) throw new Error(answer.status);
    if (answer.ok) html = await answer.text();
  } catch {
    lost = true;
  }
  clearTimeout(late);
  if (mine !== asking) return; // another look has taken its place
  asking = null;
  failed = lost ? failed + 1 : 0;
  if (!lost) answered = performance.now();
  // Older than the screen if someone else has swapped the page meanwhile.
  if (html && !quiet() && main().dataset.etag === etag) swap(new DOMParser().parseFromString(html, "text/html"));
  tell();
  plan();
}

// ---- swapping ----

function swap(page) {
  const next = page.querySelector("main[data-etag]");
  if (!next) return;
  if (!document.dispatchEvent(new CustomEvent("live:swap", { cancelable: true }))) return;
  if (next.dataset.next && !main().dataset.next) return location.assign(next.dataset.next); // along to the rematch
  if (!fits(page)) return location.reload();
  const back = place();
  if (!swapParts(page)) swapAll(page);
  document.title = page.title;
  const said = page.querySelector('[role="status"]'), status = document.querySelector('[role="status"]');
  if (said.textContent !== status.textContent) status.replaceChildren(...said.childNodes);
  back();
  tell();
  document.dispatchEvent(new CustomEvent("live:swapped"));
}

// Puts in every part that differs, but for one in which text is selected: that waits. False if the parts do not match.
function swapParts(page) {
  const old = parts(document), fresh = parts(page);
  if (!old.size || `${[...old.keys()]}` !== `${[...fresh.keys()]}`) return false;
  const kept = selected();
  latest = null;
  for (const [name, part] of fresh) {
    const html = part.outerHTML;
    if (shown.get(name) === html) continue;
    if (old.get(name) === kept) latest = page.cloneNode(true);
    else {
      old.get(name).replaceWith(part);
      shown.set(name, html);
    }
  }
  const { dataset } = main(), next = page.querySelector("main").dataset;
  for (const name of ["next", "over"]) delete dataset[name];
  Object.assign(dataset, next);
  return true;
}

function swapAll(page) {
  shown = sent(page);
  for (const part of ["header", "main"]) document.querySelector(part).replaceWith(page.querySelector(part));
  document.body.className = page.body.className;
}

// The part in which text is selected, else null.
function selected() {
  const selection = getSelection();
  const node = selection && !selection.isCollapsed ? selection.anchorNode : null;
  return (node?.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest?.("[data-live]") ?? null;
}

// ---- what is said of it ----

function tell() {
  const line = byId("live"), button = byId("pause");
  if (!line) return;
  const words = line.dataset, age = Math.floor((performance.now() - answered) / 5000) * 5;
  const [pattern, n] = age < 5 ? [words.now, 0] : age < 60 ? [words.seconds, age] : [words.minutes, Math.floor(age / 60)];
  const before = paused ? `${words.paused} · ` : failed ? `${words.lost} · ` : "";
  const text = before + pattern.replace("{n}", n);
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle("lost", paused || failed > 0);
  button.hidden = false;
  button.setAttribute("aria-pressed", paused);
}

if (document.querySelector("main[data-follow]")) follow();
