// The new game's buttons at once, without asking the server. It knows no rule: sentences and seats come from there.

const form = document.getElementById("new-game");
const field = (name) => form.elements.namedItem(name);
const seats = () => [...form.querySelectorAll(".seats .input")];
const same = (one, other) => fold(one) === fold(other);
const fold = (name) => name.normalize("NFKC").trim().toLowerCase();
const SWITCHES = ["hook", "at_once", "must_trump", "miss_scores_tricks", "zero_scores_cards", "no_trump_in_last"];

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const [action, argument] = (button?.value ?? "").split("-");
  if (action === "seat") seat(button.querySelector("bdi").textContent);
  else if (action === "up") moveUp(Number(argument));
  else if (action === "draw") draw();
  else return;
  event.preventDefault();
  markSeated();
});

function seat(name) {
  const taken = seats().find((input) => same(input.value, name));
  const place = taken ?? seats().find((input) => !input.value.trim());
  if (place) place.value = taken ? "" : name;
}

function moveUp(place) {
  const [above, moved] = seats().slice(place - 1, place + 1);
  [above.value, moved.value] = [moved.value, above.value];
  const deals = Number(field("dealer").value);
  if (deals === place || deals === place - 1) field("dealer").value = String(2 * place - 1 - deals);
}

function draw() {
  const taken = seats().flatMap((input, place) => (input.value.trim() ? [place] : []));
  if (!taken.length) return;
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  field("dealer").value = String(taken[random % taken.length]);
}

function markSeated() {
  const names = seats().map((input) => input.value);
  for (const button of form.querySelectorAll(".person")) {
    const name = button.querySelector("bdi").textContent;
    button.setAttribute("aria-pressed", String(names.some((seated) => same(seated, name))));
  }
}

form.addEventListener("input", markSeated);

// Enter goes on to the next seat.
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches(".input")) return;
  event.preventDefault();
  const all = seats();
  const next = all[all.indexOf(event.target) + 1];
  if (next) next.focus();
  else event.target.blur();
});

// A tap on the rules shows the whole list; left alone, they are what they were.
const rules = document.getElementById("rules");
rules.addEventListener("click", () => {
  rules.placeholder = rules.value || rules.placeholder;
  rules.value = "";
});
rules.addEventListener("blur", () => {
  rules.value ||= rules.placeholder;
});

form.addEventListener("change", (event) => {
  if (event.target === rules) choose();
  if (event.target.closest("details") || event.target === rules) refresh();
});

function choose() {
  const named = [...document.getElementById("presets").options].find((option) => same(option.value, rules.value));
  const preset = named && document.querySelector(`#presets [data-id="${named.dataset.id}"][data-on]`);
  if (!preset) return;
  const on = preset.dataset.on.split(" ");
  field("preset").value = preset.dataset.id;
  for (const name of SWITCHES) field(name).checked = on.includes(name);
  for (const radio of form.querySelectorAll("[name=schedule]")) {
    if (radio.value === "") radio.closest("label").hidden = on[0] !== "own";
    radio.checked = radio.value === on[0] || (radio.value === "" && on[0] === "own");
  }
}

let asked;
async function refresh() {
  asked?.abort();
  asked = new AbortController();
  const body = new URLSearchParams(new FormData(form));
  try {
    const answer = await fetch(form.action, { method: "POST", body, signal: asked.signal });
    show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // Without a network the sentence stays; Start will say what is wrong.
  }
}

function show(page) {
  const words = page.getElementById("words");
  if (!words) return;
  document.getElementById("words").replaceWith(words);
  const rows = [...form.querySelectorAll(".seats > li")];
  const fresh = [...page.querySelectorAll(".seats > li")];
  document.querySelector(".seats").append(...fresh.slice(rows.length));
  for (const row of rows.slice(fresh.length)) if (!row.querySelector(".input").value) row.remove();
}
