// The browser's own zone: chosen in the sign-up form, unless the form came back with one chosen; and
// offered once, where the profile has one in which clocks show another time.
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

for (const select of document.querySelectorAll("select[data-own-time-zone]")) {
  const known = Array.from(select.options).some((option) => option.value === own);
  if (known && !document.querySelector(".errorlist")) select.value = own;
}

// Now by the server's clock: the device's may be wrong by more than a zone.
const now = new Date(document.querySelector('meta[name="now"]')?.content ?? Date.now());
const clock = (timeZone) => now.toLocaleString("en", { timeZone });
const stored = (act) => { try { return act(localStorage); } catch { return "none"; } };

for (const hint of document.querySelectorAll("[data-time-zone]")) {
  const kept = `${hint.dataset.timeZone} ${own}`;
  if (clock(hint.dataset.timeZone) === clock(own) || stored((store) => store.getItem("time-zone")) === kept) continue;
  hint.querySelector("strong").textContent = own;
  hint.querySelector("a").search = new URLSearchParams({ time_zone: own });
  hint.querySelector("button").addEventListener("click", () => {
    stored((store) => store.setItem("time-zone", kept));
    hint.hidden = true;
  });
  hint.hidden = false;
}
