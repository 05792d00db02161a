// Shows moments in the reader's own time zone; the page has them in UTC, and says so.

function show() {
  const words = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const one of document.querySelectorAll("main time")) {
    one.textContent = words.format(new Date(one.dateTime));
    one.removeAttribute("dir"); // in the reader's own words now
  }
  document.querySelector("[data-utc]")?.remove();
}

document.addEventListener("live:swapped", show);
show();
