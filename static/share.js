// Passing on an address, on phones that can: browsers have neither of the two on plain http.
const button = (id) => document.getElementById(id);
const { url, title } = document.querySelector("[data-url]").dataset;

if (navigator.share) {
  button("share").hidden = false;
  button("share").addEventListener("click", () => navigator.share({ url, title }).catch(() => {})); // or not, after all
}
if (navigator.clipboard) {
  button("copy").hidden = false;
  button("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(url);
    const status = document.querySelector('[role="status"]');
    status.textContent = button("copy").dataset.said;
    status.classList.add("shown");
    setTimeout(() => status.classList.remove("shown"), 3000);
  });
}
