// Keeps an open page up to date. A stream says that something has changed; the page then fetches itself and exchanges the parts
// (data-part) that are served differently now. What is typed, what has the focus and what is scrolled stay. Without a stream, a page
// that becomes visible again asks once.

const QUIET = 250; // milliseconds in which several changes are one
const SPREAD = 15000; // within which all pages look again after an outage
const LONGEST_PAUSE = 300000;
const FRESH = 10000; // a page that was just loaded needn't ask where there is no live process

const table = document.body.dataset.live;
const [arrival] = performance.getEntriesByType("navigation");
let madeAt = arrival?.requestStart ?? 0; // since when what is shown may be out of date
let served = partsOf(document);
let stream = null;
let failures = 0;
let isOver = false;
let planned = 0;

// What the server says of each part, without what differs each time: tokens, and what stands in a form.
function partsOf(page) {
  const parts = new Map();
  for (const part of page.querySelectorAll("[data-part]")) {
    const copy = part.cloneNode(true);
    for (const form of copy.querySelectorAll("form[data-question]")) form.replaceChildren();
    for (const token of copy.querySelectorAll('input[name="csrfmiddlewaretoken"], input[name$="token"]')) token.remove();
    parts.set(part.id, copy.innerHTML);
  }
  return parts;
}

function plan(wait) {
  if (planned) return;
  planned = setTimeout(refresh, wait);
}

function seesChat() {
  const lines = document.getElementById("chat-lines")?.getBoundingClientRect();
  return Boolean(lines && lines.top < innerHeight && lines.bottom > 0 && lines.width);
}

async function refresh() {
  planned = 0;
  if (document.hidden || isOver) return;
  const headers = { "X-Live": seesChat() ? "chat" : "page", "X-Since": document.body.dataset.since || "0" };
  const asked = performance.now();
  let page;
  try {
    const answer = await fetch(location.href, { headers, cache: "no-store" });
    if (answer.status === 429 || answer.status >= 500) return; // busy: what is shown stays
    if (!answer.ok || answer.redirected) return mustReload();
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return; // offline; the stream will say so
  }
  madeAt = asked;
  show(page);
}

function show(page) {
  const now = partsOf(page);
  const kinds = (parts) => Array.from(parts.keys()).join();
  if (kinds(now) !== kinds(served)) return mustReload();
  const changed = Array.from(now.keys()).filter((id) => now.get(id) !== served.get(id));
  served = now;
  document.title = page.title;
  const [icon, newIcon] = [document, page].map((one) => one.querySelector('link[rel="icon"]'));
  if (icon.href !== newIcon.href) icon.href = newIcon.href;
  badge(page);
  document.dispatchEvent(new CustomEvent("exchanging"));
  for (const id of changed) exchange(document.getElementById(id), page.getElementById(id));
  if (changed.includes("now")) say(document.querySelector("#now .decision h2")?.textContent ?? "");
}

// How many games wait for the reader, on the icon of the installed site.
function badge(page) {
  const count = Number(/\d+/.exec(page.querySelector(".bar .your-turn")?.textContent ?? "")?.[0] ?? 0);
  if (count) navigator.setAppBadge?.(count).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

function exchange(part, fresh) {
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const open = Array.from(part.querySelectorAll("details[open] > summary"), (one) => one.textContent);
  const lost = [];
  const children = document.importNode(fresh, true);
  for (const form of part.querySelectorAll("form")) {
    const same = Array.from(children.querySelectorAll("form")).find((one) => keyOf(one) === keyOf(form));
    if (same && (form.dataset.question || isTyped(form))) same.replaceWith(form);
    else if (form.dataset.question && !same) lost.push(...Array.from(form.elements).filter(isChanged));
  }
  part.replaceChildren(...children.childNodes);
  part.className = fresh.className;
  for (const one of part.querySelectorAll("details > summary")) {
    if (open.includes(one.textContent)) one.parentElement.open = true;
  }
  if (focused) focusAgain(focused, part);
  part.classList.add("updated");
  part.dispatchEvent(new CustomEvent("exchanged", { bubbles: true }));
  if (lost.length) tellLost(part, lost);
}

// Which form it is: where it leads, which question it asks, and what its hidden fields say.
function keyOf(form) {
  const hidden = Array.from(form.querySelectorAll('input[type="hidden"]')).filter(({ name }) => !name.endsWith("token"));
  const said = form.dataset.question ?? hidden.map(({ value }) => value).join();
  return `${form.getAttribute("action")} ${said}`;
}

function isChanged(control) {
  if (control.type === "hidden" || !control.name) return false;
  if (control.tagName === "SELECT") return Array.from(control.options).some((one) => one.selected !== one.defaultSelected);
  return control.type === "radio" || control.type === "checkbox"
    ? control.checked && !control.defaultChecked
    : "defaultValue" in control && control.value !== control.defaultValue;
}

const isTyped = (form) => Array.from(form.elements).some(isChanged);

// What was typed for a question that isn't asked any more.
function tellLost(part, controls) {
  const said = controls.map((one) => {
    const label = one.labels?.[0]?.textContent.trim() ?? one.name;
    const value = one.tagName === "SELECT" ? one.selectedOptions[0].textContent : one.type === "radio" ? "" : one.value;
    return value ? `${label}: ${value}` : label;
  });
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.textContent = `${document.body.dataset.moved} ${said.join("; ")}`;
  part.prepend(notice);
}

function focusAgain(focused, part) {
  const { id, name, href } = focused;
  const again = part.contains(focused)
    ? focused
    : Array.from(part.querySelectorAll("a, button, input, select, textarea, summary")).find(
        (one) => (id && one.id === id) || (name && one.name === name) || (href && one.href === href),
      );
  const { selectionStart, selectionEnd } = focused;
  again?.focus({ preventScroll: true });
  if (again === focused && selectionStart !== null && selectionStart !== undefined) again.setSelectionRange(selectionStart, selectionEnd);
}

function say(text) {
  document.getElementById("live-news").textContent = text;
}

// The page has become another one. It is loaded anew, unless something typed would be lost.
function mustReload() {
  if (!Array.from(document.forms).some((form) => form.method === "post" && isTyped(form))) return location.reload();
  isOver = true;
  stream?.close();
  document.getElementById("live-reload").hidden = false;
}

function listen() {
  if (stream || isOver || document.hidden) return;
  const age = (performance.now() - madeAt) / 1000;
  stream = new EventSource(`/live/?${new URLSearchParams({ table, age: age.toFixed(1) })}`);
  let isOpen = false;
  stream.onopen = () => {
    isOpen = true;
    failures = 0;
  };
  stream.addEventListener("changed", () => plan(QUIET));
  stream.addEventListener("look", () => plan(Math.random() * SPREAD));
  stream.addEventListener("over", stop);
  stream.onerror = () => {
    stop();
    const isOld = performance.now() - madeAt > FRESH;
    if (!isOpen && !failures && isOld) plan(QUIET + Math.random() * 1000); // nobody will tell
    failures += 1;
    setTimeout(listen, Math.min(1000 * 2 ** failures, LONGEST_PAUSE) * (0.5 + Math.random()));
  };
}

function stop() {
  stream?.close();
  stream = null;
}

if (table !== undefined) {
  listen();
  document.addEventListener("visibilitychange", () => {
    stop();
    failures = 0;
    listen();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) refresh();
  });
  addEventListener("pagehide", stop);
}
