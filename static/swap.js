// What is common to all that put a newer state of a page in place of the one on the screen.

const byId = (id) => document.getElementById(id);
const files = (page) =>
  Array.from(page.querySelectorAll("link[rel=stylesheet], script[src]"), (one) => one.getAttribute("href") ?? one.getAttribute("src"));

// Whether the page on the screen has every script and style of the other. After another release it has not: then the
// other has to be loaded as a whole.
export function fits(page) {
  const here = new Set(files(document));
  return files(page).every((file) => here.has(file));
}

// Notes where the reader is: what has the focus, is scrolled, unfolded or filled in. Gives a function that goes back there.
export function place() {
  const focus = focused(), { scrollX, scrollY } = window;
  const unfolded = [...document.querySelectorAll("details[open][id]")].map(({ id }) => id);
  const scrolled = [...document.querySelectorAll("main [id], .entry")].filter((one) => one.scrollTop || one.scrollLeft)
    .map((one) => [one.id ? `#${CSS.escape(one.id)}` : ".entry", one.scrollTop, one.scrollLeft]);
  const filled = [...document.querySelectorAll("main .input[id]")].filter(changed)
    .map(({ id, value, form }) => [id, value, form.action]);
  return () => {
    for (const id of unfolded) byId(id)?.setAttribute("open", "");
    // What was meant for one hand is not written on the next.
    for (const [id, value, action] of filled) if (byId(id)?.form.action === action) byId(id).value = value;
    for (const [selector, down, along] of scrolled) document.querySelector(selector)?.scrollTo(along, down);
    scrollTo(scrollX, scrollY);
    if (focus && document.activeElement === document.body) document.querySelector(focus)?.focus({ preventScroll: true });
  };
}

// Whether a field says something else than it came with.
function changed(field) {
  if (!field.options) return field.value !== field.defaultValue;
  const first = [...field.options].find((one) => one.defaultSelected) ?? field.options[0];
  return field.value !== first.value;
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
