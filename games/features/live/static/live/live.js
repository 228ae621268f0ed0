// Keeps an open page up to date. A stream says that something has changed; the page then fetches itself and exchanges the parts
// (data-part) that are served differently now. What is typed, what has the focus and what is scrolled stay. Where a stream ends, the
// page looks once, and asks for another stream. Whatever happens, a page that is seen asks now and then.

const QUIET = 250; // milliseconds in which several changes are one
const SPREAD = 8000; // within which all pages look again after an outage
const SELDOM = 300000; // how often a page asks though nobody told it anything
const LONGEST_PAUSE = 300000;
const LONGEST_DEAF = 4000; // between two tries to listen, where there is a live process
const LONGEST_AWAY = 8000; // between two tries to fetch the page, the first TRIES times
const TRIES = 20;
const FRESH = 10000; // a page that was just loaded needn't ask where there is no live process
const READING = 1000; // in which a question that came by itself takes no answer
const LEAVING = 10000; // in which the reader is on the way to another page, which may be slow
const GREETING = 3000; // a stream that hasn't said hello by then may be held back by a proxy

const table = document.body.dataset.live;
const [arrival] = performance.getEntriesByType("navigation");
// Since when what is shown may be out of date. By the clock on the wall: others stand still while a phone sleeps.
let madeAt = performance.timeOrigin + (arrival?.requestStart ?? 0);
let madeAtSteady = arrival?.requestStart ?? 0;
let served = partsOf(document);
let stream = null;
let greeting = 0;
let failures = 0;
let isOver = false;
let planned = 0;
let plannedAt = Infinity;
let isAsking = false;
let isStale = false; // something has changed since it was asked
let misses = 0;
let isBusy = false; // the site says that this is too much
let leftAt = -LEAVING;

// The longer of two: the clock on the wall may be set back, and others stand still while a phone sleeps.
const age = () => Math.max(0, Date.now() - madeAt, performance.now() - madeAtSteady);
const backoff = (times, longest = LONGEST_PAUSE) => Math.min(1000 * 2 ** times, longest) * (0.5 + Math.random());
const seldom = () => SELDOM * (0.5 + Math.random());
const hasHeard = () => sessionStorage.getItem("live") === "heard"; // a stream, on this page or another one

// What the server says of each part, without what differs each time: tokens, and what stands in a form.
function partsOf(page) {
  const parts = new Map();
  for (const part of page.querySelectorAll("[data-part]")) {
    const copy = part.cloneNode(true);
    for (const form of copy.querySelectorAll("form[data-question]")) form.replaceChildren();
    for (const left of copy.querySelectorAll(".time-left")) left.replaceChildren(); // countdown.js keeps it
    for (const token of copy.querySelectorAll('input[name="csrfmiddlewaretoken"], input[name$="token"]')) token.remove();
    parts.set(part.id, copy.innerHTML);
  }
  return parts;
}

// Asks after so many milliseconds, or earlier if that is planned. What is on its way may have been answered too early.
function plan(wait) {
  if (isAsking) {
    isStale = true;
    return;
  }
  const at = performance.now() + wait;
  if (planned && plannedAt <= at) return;
  clearTimeout(planned);
  [planned, plannedAt] = [setTimeout(refresh, wait), at];
}

function seesChat() {
  const lines = document.getElementById("chat-lines")?.getBoundingClientRect();
  return Boolean(lines && lines.top < innerHeight && lines.bottom > 0 && lines.width);
}

async function refresh() {
  planned = 0;
  if (document.hidden || isOver) return;
  [isAsking, isStale] = [true, false];
  const asked = [Date.now(), performance.now()];
  const page = await fetched();
  isAsking = false;
  if (page === null) {
    misses += 1;
    return plan(backoff(misses, isBusy || misses > TRIES ? LONGEST_PAUSE : LONGEST_AWAY));
  }
  misses = 0;
  if (!page) return mustReload();
  [madeAt, madeAtSteady] = asked;
  show(page);
  plan(isStale ? QUIET : seldom());
}

// The page as it is served now; null if the site is busy or can't be reached, undefined if it leads elsewhere.
async function fetched() {
  const headers = { "X-Live": seesChat() ? "chat" : "page", "X-Since": document.body.dataset.since || "0" };
  try {
    const answer = await fetch(location.href, { headers, cache: "no-store" });
    isBusy = answer.status === 429;
    if (isBusy || answer.status >= 500) return null;
    if (!answer.ok || answer.redirected) return undefined;
    await morphing();
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    isBusy = false;
    return null;
  }
}

// Loads what morphs pages, when it is first needed: most visits end before anything changes.
function morphing() {
  if (globalThis.Idiomorph) return undefined;
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = document.querySelector("script[data-morphing]").dataset.morphing;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
}

// The style sheets and scripts of a page.
const loads = (page) => Array.from(page.querySelectorAll('link[rel="stylesheet"], script[src]'), (one) => one.getAttribute("href") ?? one.getAttribute("src"));

function show(page) {
  const now = partsOf(page);
  const kinds = (parts) => Array.from(parts.keys()).join();
  const loaded = new Set(loads(document));
  if (kinds(now) !== kinds(served) || !loads(page).every((one) => loaded.has(one))) return mustReload();
  const changed = Array.from(now.keys()).filter((id) => now.get(id) !== served.get(id));
  served = now;
  document.title = page.title;
  const [icon, newIcon] = [document, page].map((one) => one.querySelector('link[rel="icon"]'));
  if (icon.href !== newIcon.href) icon.href = newIcon.href;
  badge(page);
  document.dispatchEvent(new CustomEvent("exchanging"));
  for (const id of changed) exchange(document.getElementById(id), page.getElementById(id));
  if (changed.includes("now")) {
    for (const done of document.querySelectorAll(".messages .success")) done.remove(); // "Next to move: …" was so before
    say(document.querySelector("#now .decision h2")?.textContent ?? "");
  }
}

// How many games wait for the reader, on the icon of the installed site.
function badge(page) {
  const count = Number(/\d+/.exec(page.querySelector(".bar .your-turn")?.textContent ?? "")?.[0] ?? 0);
  if (count) navigator.setAppBadge?.(count).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

// Morphs a part into what is served now. What is typed, what has the focus and what is unfolded stay with what is the same to its reader.
function exchange(part, fresh) {
  const hasFocus = part.contains(document.activeElement);
  const questions = Array.from(part.querySelectorAll("form[data-question]"));
  const typed = questions.map((form) => [form, Array.from(form.elements).filter(isChanged).map(inWords)]);
  identify(part);
  identify(fresh);
  const callbacks = {
    beforeNodeMorphed: (one) => one.tagName !== "FORM" || !(one.dataset.question || isTyped(one)),
    beforeAttributeUpdated: (name, one, change) => name !== "open" || change !== "remove",
  };
  Idiomorph.morph(part, Array.from(fresh.childNodes), { morphStyle: "innerHTML", callbacks });
  part.className = fresh.className;
  if (hasFocus && !part.contains(document.activeElement)) {
    if (!part.hasAttribute("tabindex")) part.tabIndex = -1;
    part.focus({ preventScroll: true }); // reading goes on from there
  }
  void part.offsetWidth; // so that it fades again
  part.classList.add("updated");
  part.dispatchEvent(new CustomEvent("exchanged", { bubbles: true }));
  for (const form of part.querySelectorAll("form[data-question]")) if (!questions.includes(form)) letBeRead(form);
  const lost = typed.filter(([form]) => !form.isConnected).flatMap(([, said]) => said);
  if (lost.length) tellLost(part, lost);
}

// Gives whatever may have a state an id that says what it is, so that it becomes nothing else: the form, where it leads, what it says.
function identify(part) {
  const times = {};
  for (const one of part.querySelectorAll("form:not([id]), details:not([id]), a:not([id]), button:not([id])")) {
    const form = one.closest("form");
    const text = one === form ? "" : (one.querySelector("summary") ?? one).textContent.trim();
    const said = [one.tagName, form && keyOf(form), one.getAttribute("href"), one.value, text].join(" ");
    times[said] = (times[said] ?? 0) + 1;
    one.setAttribute("id", `${said} ${times[said]}`);
  }
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

// What somebody has chosen or typed, with the label of its field.
function inWords(one) {
  const label = one.labels?.[0]?.textContent.trim() ?? one.name;
  const value = one.tagName === "SELECT" ? one.selectedOptions[0].textContent : one.type === "radio" ? "" : one.value;
  return value ? `${label}: ${value}` : label;
}

// A finger that was about to send the question before sends nothing: a question that came by itself takes no answer before it can have
// been read, or one of its fields is touched.
function letBeRead(form) {
  const refuse = (event) => event.preventDefault();
  const accept = () => form.removeEventListener("submit", refuse, true);
  form.addEventListener("submit", refuse, true);
  form.addEventListener("input", accept, { once: true });
  setTimeout(accept, READING);
}

// What was typed for a question that isn't asked any more.
function tellLost(part, said) {
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.textContent = `${document.body.dataset.moved} ${said.join("; ")}`;
  part.prepend(notice);
}

function say(text) {
  document.getElementById("live-news").textContent = text;
}

// The page has become another one. It is loaded anew, unless something typed would be lost.
function mustReload() {
  if (performance.now() - leftAt < LEAVING) return plan(LEAVING);
  if (!Array.from(document.forms).some((form) => form.method === "post" && isTyped(form))) return location.reload();
  isOver = true;
  stream?.close();
  document.getElementById("live-reload").hidden = false;
}

function listen() {
  if (stream || isOver || document.hidden) return;
  stream = new EventSource(`/live/?${new URLSearchParams({ table, age: (age() / 1000).toFixed(1) })}`);
  let isHeard = false;
  if (!failures) greeting = setTimeout(() => plan(0), GREETING);
  stream.addEventListener("hello", () => {
    clearTimeout(greeting);
    isHeard = true;
    failures = 0;
    sessionStorage.setItem("live", "heard");
    document.getElementById("live-stopped").hidden = true;
  });
  stream.addEventListener("changed", () => plan(QUIET));
  stream.addEventListener("look", () => plan(Math.random() * SPREAD));
  stream.addEventListener("over", ({ data }) => {
    stop();
    if (data === "too many") document.getElementById("live-stopped").hidden = false;
    else plan(0); // signed out: the page leads elsewhere
  });
  stream.onerror = () => {
    stop();
    if (isHeard) plan(Math.random() * SPREAD); // what changes now, nobody tells
    else if (!failures && age() > FRESH) plan(QUIET + Math.random() * 1000); // nobody will tell
    failures += 1;
    setTimeout(listen, backoff(failures, hasHeard() ? LONGEST_DEAF : LONGEST_PAUSE));
  };
}

function stop() {
  clearTimeout(greeting);
  stream?.close();
  stream = null;
}

// A page that is seen again asks, unless it is as good as new.
function seenAgain() {
  stop();
  failures = 0;
  listen();
  if (!document.hidden) plan(age() > FRESH ? QUIET : seldom());
}

if (table !== undefined) {
  listen();
  plan(seldom());
  document.addEventListener("visibilitychange", seenAgain);
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) seenAgain();
  });
  addEventListener("pagehide", stop);
  addEventListener("beforeunload", () => { leftAt = performance.now(); });
}
badge(document);
