// Keyboard shortcuts: "?" lists them, and each follows a link of the page. They can be turned off.

const dialog = document.getElementById("keys");
const switched = dialog.querySelector("input");
const OFF = "keyboard-shortcuts-off";

const stored = (act) => { try { return act(localStorage); } catch { return null; } };
const opener = document.getElementById("keys-opener");
// While they are off, "?" does nothing either: its button stays on the page, also of a device that may have no keyboard.
const noteOff = () => opener.classList.toggle("off", !switched.checked);
switched.checked = !stored((store) => store.getItem(OFF));
noteOff();
switched.addEventListener("change", () => stored((store) => (switched.checked ? store.removeItem(OFF) : store.setItem(OFF, "1"))));
dialog.addEventListener("close", noteOff); // not before: the button gets the focus again

dialog.querySelector("button").addEventListener("click", () => dialog.close());

const links = () => Array.from(document.querySelectorAll("a[aria-keyshortcuts]"));

function show() {
  const lines = links().map((link) => {
    const line = document.createElement("li");
    const key = document.createElement("kbd");
    key.textContent = link.getAttribute("aria-keyshortcuts");
    line.append(key, " ", link.textContent.trim().replace(/\s+/g, " "));
    return line;
  });
  dialog.querySelector("ul").replaceChildren(...lines);
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (!switched.checked) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
  if (event.key === "?") return show();
  const link = links().find((one) => one.getAttribute("aria-keyshortcuts") === event.key);
  if (!link) return;
  event.preventDefault();
  link.click();
});

opener.hidden = false;
opener.addEventListener("click", show);
