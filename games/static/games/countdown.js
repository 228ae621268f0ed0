// Keeps what is left of the time fresh, in the same words as the server (presentation/time_left.py).
const language = document.documentElement.lang;
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

function refresh() {
  for (const place of document.querySelectorAll("[data-until]")) {
    const text = told((Date.parse(place.dataset.until) - Date.now()) / 1000, place.dataset);
    if (place.textContent !== text) place.textContent = text;
  }
}

setInterval(refresh, 15000);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("exchanged", refresh);
