// An extra over the links and the form: arrow keys, Home and End step through the history, and
// dragging the slider goes to its step at once.

const steps = document.querySelector("nav.steps");
const slider = steps.querySelector("input[type=range]");
const position = steps.querySelector("label b");
const ways = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const held = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  const typing = event.target.closest("input, select, textarea, [contenteditable]");
  if (!(event.key in ways) || held || typing || event.defaultPrevented) return;
  event.preventDefault();
  steps.querySelector(`a[rel=${ways[event.key]}]`)?.click();
});

// By keyboard the slider only counts, and Enter or the button goes: a page that leaves at every
// press of an arrow could not be used.
let dragged = false;
slider.addEventListener("pointerdown", () => { dragged = true; });
slider.addEventListener("keydown", () => { dragged = false; });
slider.addEventListener("input", () => { position.textContent = slider.value; });
slider.addEventListener("change", () => { if (dragged) slider.form.requestSubmit(); });
steps.querySelector(".help").hidden = false;
