// Opens the app without a network. The server puts two constants before this text: CACHE, a name with the release in
// it, and FILES, the addresses of our own scripts and styles.

const PAGES = 30; // pages kept, the latest
const RENEWED = 5; // of an older release's pages, how many are fetched again
const own = (url) => url.origin === location.origin && !url.pathname.startsWith("/pen/");
const isFile = (url) => url.pathname.startsWith("/static/") || url.pathname === "/offline";

addEventListener("install", (event) => event.waitUntil(fill().then(() => self.skipWaiting())));

// Takes all or nothing: while something is missing the release before this one stays, whole, and the browser tries anew.
async function fill() {
  const cache = await caches.open(CACHE);
  await cache.addAll(["/offline", ...FILES]);
  // The pages that are open, and those that the release before this one kept last.
  const seen = (await self.clients.matchAll({ includeUncontrolled: true, type: "window" })).map((client) => client.url);
  for (const name of await caches.keys()) if (name !== CACHE) seen.push(...(await keptPages(name)).slice(-RENEWED));
  for (const url of new Set(["/", ...seen])) {
    const page = await fetch(url);
    if (page.status >= 500) throw new Error(page.status);
    await keep(url, page);
  }
}

addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}

addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || !own(url)) return;
  if (url.pathname.startsWith("/static/")) {
    event.respondWith(url.searchParams.has("v") ? fileFirst(request) : networkFirst(request));
  } else if (request.mode === "navigate") event.respondWith(networkFirst(request));
  else if (request.headers.has("If-None-Match")) event.respondWith(fetched(request)); // what others write
});

async function fileFirst(request) {
  return (await found(request.url)) ?? networkFirst(request);
}

async function networkFirst(request) {
  try {
    return await fetched(request);
  } catch (error) {
    // A page that came just before the network went may name a file of the next release: this one's is better than none.
    const ignoreSearch = isFile(new URL(request.url));
    const copy = (await found(request.url, ignoreSearch)) ?? (request.mode === "navigate" && (await found("/offline")));
    if (copy) return copy;
    throw error;
  }
}

async function found(url, ignoreSearch = false) {
  return (await caches.open(CACHE)).match(url, { ignoreVary: true, ignoreSearch });
}

async function fetched(request) {
  const response = await fetch(request);
  if (request.url.includes("/static/") || /^text\/html/.test(response.headers.get("Content-Type"))) {
    await keep(request.url, response.clone());
  }
  return response;
}

async function keep(address, response) {
  const url = new URL(address, location.href);
  // Hands that were asked about would push out the pages of the game.
  if (!response.ok || response.redirected || !own(url) || url.pathname === "/advise") return;
  const cache = await caches.open(CACHE);
  await cache.delete(url.href); // so that the latest is the last
  await cache.put(url.href, response);
  for (const page of (await keptPages(CACHE)).slice(0, -PAGES)) await cache.delete(page);
}

async function keptPages(name) {
  const kept = await (await caches.open(name)).keys();
  return kept.map(({ url }) => url).filter((url) => !isFile(new URL(url)));
}
