// Keeps what is left of the time fresh, in the same words as the server (presentation/time_left.py).
const language = document.documentElement.lang;
const JUMP = 5000; // milliseconds: two clocks that differ by less are the same
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];

function counted(count, unit) {
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}

function told(seconds, { left, soon, over }) {
  if (seconds <= 0) return over;
  if (seconds < 60) return soon;
  const first = UNITS.findIndex(([, length]) => seconds >= length);
  const parts = [];
  for (const [unit, length] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(seconds / length);
    seconds %= length;
    if (count) parts.push(counted(count, unit));
  }
  return left.replace("{time}", parts.join(" "));
}

// What time it is by the server's clock: the device's may be wrong. `ahead` is by how many milliseconds the server's is ahead of it.
let ahead = 0;
let noted = [0, 0]; // the device's clock on the wall when that was known, and one that nobody can set

function itIs(time) {
  noted = [Date.now(), performance.now()];
  ahead = time - noted[0];
}

// Whether the device's clock was set meanwhile, or it slept.
const hasJumped = () => Math.abs(Date.now() - noted[0] - (performance.now() - noted[1])) > JUMP;

async function ask() {
  let time = Date.now() + ahead;
  try {
    const answer = await fetch("/service-worker.js", { method: "HEAD", cache: "no-store" });
    time = Date.parse(answer.headers.get("Date")) || time;
  } catch { /* without the server there is nothing better */ }
  itIs(time);
  show();
}

function show() {
  for (const place of document.querySelectorAll("[data-until]")) {
    const text = told((Date.parse(place.dataset.until) - Date.now() - ahead) / 1000, place.dataset);
    if (place.textContent !== text) place.textContent = text;
  }
}

const refresh = () => (hasJumped() ? ask() : show());

const [arrival] = performance.getEntriesByType("navigation");
itIs(Date.parse(document.querySelector('meta[name="now"]').content) + performance.now() - (arrival?.responseStart ?? 0));
// Either the device's clock is wrong, or the page comes from the browser's memory and is old.
if (Math.abs(ahead) > JUMP) ask();

setInterval(refresh, 15000);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("exchanged", refresh);
