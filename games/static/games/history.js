// An extra over the links and the form: arrow keys, Home and End step through the history, dragging
// the slider goes to its step at once, and a button, or Space, plays step after step.

const steps = document.querySelector("nav.steps");
const slider = steps.querySelector("input[type=range]");
const position = steps.querySelector("label b");
const ways = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
const link = (way) => steps.querySelector(`a[rel=${way}]`);

document.addEventListener("keydown", (event) => {
  const held = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  const typing = event.target.closest("input, select, textarea, [contenteditable]");
  if (!(event.key in ways) || held || typing || event.defaultPrevented) return;
  event.preventDefault();
  link(ways[event.key])?.click();
});

// By keyboard the slider only counts, and Enter or the button goes: a page that leaves at every
// press of an arrow could not be used.
let dragged = false;
slider.addEventListener("pointerdown", () => { dragged = true; });
slider.addEventListener("keydown", () => { dragged = false; });
slider.addEventListener("input", () => { position.textContent = slider.value; });
slider.addEventListener("change", () => { if (dragged) slider.form.requestSubmit(); });
steps.querySelector(".help").hidden = false;

// What plays is shown in this page, so the focus and what is scrolled stay. It never begins by itself, and ends with the last
// step, or as soon as one does anything else here. Without a step to go to there is no button.
const button = steps.querySelector(".autoplay button");
const seconds = steps.querySelector(".autoplay select");
const play = button?.textContent;
const PARTS = ".told > header, .steps .actions, .history > section, .side";
let playing = null;
let timer;

function pause() {
  playing?.abort();
  playing = null;
  clearTimeout(timer);
  button.textContent = play;
}

function show(html, address) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const parts = page.querySelectorAll(PARTS);
  document.querySelectorAll(PARTS).forEach((part, place) => part.replaceChildren(...parts[place].childNodes));
  slider.value = page.querySelector("#step").value;
  position.textContent = slider.value;
  document.title = page.title;
  history.replaceState(null, "", address);
}

async function playFrom(address) {
  const { signal } = playing;
  try {
    const response = await fetch(address, { signal });
    if (!response.ok || response.redirected) throw new Error(response.status);
    show(await response.text(), address);
  } catch {
    if (!signal.aborted) location.assign(address); // the page itself says what is wrong
    return;
  }
  if (link("next")) timer = setTimeout(() => playFrom(link("next").href), seconds.value * 1000);
  else pause();
}

if (button) {
  document.querySelector(".told > header").ariaLive = "polite"; // screen readers say what plays
  button.addEventListener("click", () => {
    if (playing) return pause();
    playing = new AbortController();
    button.textContent = button.dataset.pause;
    playFrom((link("next") ?? link("first")).href);
  });
  addEventListener("keydown", (event) => {
    const isOff = document.getElementById("keys-on")?.checked === false;
    const held = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat;
    const used = event.target.closest("input, select, textarea, button, summary, a, dialog, [contenteditable]");
    if (event.key !== " " || isOff || held || used || !button.checkVisibility()) return;
    event.preventDefault();
    button.click();
  });
  addEventListener("focusin", ({ target }) => target.closest(".autoplay") || pause());
  addEventListener("pagehide", pause);
  matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", pause);
}
