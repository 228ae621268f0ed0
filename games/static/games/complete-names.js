// Completes names while one types several of them, with commas or new lines between. Without this it is a plain field.

const PAUSE = 200;
let timer;
let asked = 0;

const last = (field) => {
  const typed = field.value.slice(0, field.selectionStart);
  const begin = typed.search(/[^,;\n]*$/);
  return { begin, text: typed.slice(begin).trim() };
};

const placeFor = (field) => {
  let place = field.parentElement.querySelector(".completions");
  if (!place) {
    place = Object.assign(document.createElement("p"), { className: "completions chips", hidden: true });
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", field.dataset.namesLabel);
    field.after(place);
  }
  return place;
};

const take = (field, name) => {
  const { begin } = last(field);
  const before = field.value.slice(0, begin);
  const after = field.value.slice(field.selectionStart);
  const head = `${before}${before && !before.endsWith("\n") ? " " : ""}${name}, `;
  field.value = head + after.trimStart();
  field.focus();
  field.setSelectionRange(head.length, head.length);
  placeFor(field).hidden = true;
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

const show = (field, names) => {
  const place = placeFor(field);
  place.replaceChildren(...names.map((name) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: name, translate: false });
    button.dir = "auto";
    button.addEventListener("click", () => take(field, name));
    return button;
  }));
  place.hidden = names.length === 0;
};

const ask = async (field) => {
  const { text } = last(field);
  const number = ++asked;
  if (text.length < 2 || text.includes("@")) return show(field, []);
  const answer = await fetch(`${field.dataset.names}?${new URLSearchParams({ q: text })}`, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer?.ok || number !== asked) return undefined;
  const { names } = await answer.json();
  return show(field, names.filter((name) => name !== text));
};

document.addEventListener("input", ({ target }) => {
  if (!target.dataset?.names) return;
  clearTimeout(timer);
  timer = setTimeout(() => ask(target), PAUSE);
});
document.addEventListener("keydown", ({ key, target }) => {
  if (key === "Escape" && target.dataset?.names) show(target, []);
});
