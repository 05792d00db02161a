// Follows a page of a game: asks whether it has changed and swaps in what has. Every page that says
// `<main data-follow data-etag="…">` is followed. Parts with `data-live="name"` are swapped one by one, and only those
// that differ; a page without such parts is swapped as a whole.
//
// Before a swap `live:swap` is sent to the document: who cancels it keeps the page, and it is asked for again later.
// After a swap `live:swapped` is sent. `live:look` makes it look at once.

const POLL = 2000; // ms between two looks while the game is on
const RESTING = 5000; // after its end, when only a correction or a rematch can come
const LONGEST_WAIT = 30000; // between two tries without an answer
const PATIENCE = 10000; // for an answer
const JITTER = 0.1; // so that phones woken by the same moment do not ask at the same moment

const byId = (id) => document.getElementById(id);
const main = () => document.querySelector("main");

let shown; // the HTML of each part as the server sent it, by name
let latest = null; // the newest page, while a part of it waits for a selection to end
let answered; // when the server last answered
let failed = 0; // tries without an answer since then
let paused = false;
let asking = false;
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

function lookNow() {
  failed = 0;
  plan(0);
}

function plan(wait) {
  clearTimeout(timer);
  const usual = "over" in main().dataset ? RESTING : POLL;
  const next = wait ?? Math.min(usual * 2 ** Math.max(0, failed - 1), LONGEST_WAIT) * (1 + JITTER * (2 * Math.random() - 1));
  timer = setTimeout(look, next);
}

async function look() {
  if (asking || quiet()) return; // what ends either of the two looks again
  asking = true;
  const { etag } = main().dataset, patience = new AbortController();
  const late = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const headers = { "If-None-Match": etag };
    const answer = await fetch(location.href, { headers, cache: "no-store", signal: patience.signal });
    if (answer.status !== 304 && !answer.ok) throw new Error(answer.status);
    const html = answer.ok ? await answer.text() : null;
    failed = 0;
    answered = performance.now();
    // Older than the screen if someone else has swapped the page meanwhile.
    if (html && !quiet() && main().dataset.etag === etag) swap(new DOMParser().parseFromString(html, "text/html"));
  } catch {
    failed += 1;
  }
  clearTimeout(late);
  asking = false;
  tell();
  plan();
}

// ---- swapping ----

function swap(page) {
  const next = page.querySelector("main[data-etag]");
  if (!next) return;
  if (!document.dispatchEvent(new CustomEvent("live:swap", { cancelable: true }))) return;
  if (next.dataset.next && !main().dataset.next) return location.assign(next.dataset.next); // along to the rematch
  const focus = focused(), open = [...document.querySelectorAll("details[open][id]")].map((one) => one.id);
  const scrolled = [...document.querySelectorAll("[id]")].filter((one) => one.scrollTop || one.scrollLeft)
    .map((one) => [one.id, one.scrollTop, one.scrollLeft]);
  const top = scrollY;
  if (!swapParts(page)) swapAll(page);
  document.title = page.title;
  const said = page.querySelector('[role="status"]'), status = document.querySelector('[role="status"]');
  if (said.textContent !== status.textContent) status.replaceChildren(...said.childNodes);
  for (const id of open) byId(id)?.setAttribute("open", "");
  for (const [id, down, along] of scrolled) byId(id)?.scrollTo(along, down);
  if (scrollY !== top) scrollTo(0, top);
  if (focus && document.activeElement === document.body) document.querySelector(focus)?.focus({ preventScroll: true });
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

// A selector that finds the focused control again in the next page.
function focused() {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  if (one.id) return `#${CSS.escape(one.id)}`;
  if (one.name) return `[name="${CSS.escape(one.name)}"][value="${CSS.escape(one.value)}"]`;
  const href = one.getAttribute("href");
  return href ? `a[href="${CSS.escape(href)}"]` : null;
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
