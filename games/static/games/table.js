// Extras over the forms of a table's page: what an amount leaves, amounts by one click, and drafts.
const number = new Intl.NumberFormat(document.documentElement.lang);

// Whatever live.js puts on the page gets them too; what has them already is left alone.
function setUp() {
  for (const remaining of freshOnes("form .remaining")) setUpRemaining(remaining);
  for (const second of freshOnes('select[name="send-scholar-2"]')) setUpSending(second);
  for (const quick of freshOnes(".quick")) setUpQuick(quick);
  for (const breaches of freshOnes(".breaches")) setUpBreaches(breaches);
  for (const length of freshOnes(".length")) setUpLength(length);
  for (const form of freshOnes("form[data-draft]")) setUpDraft(form);
}

const done = new WeakSet();
const freshOnes = (selector) => Array.from(document.querySelectorAll(selector)).filter((one) => !done.has(one) && done.add(one));

// What the typed bribes leave of the reader's money.
function setUpRemaining(remaining) {
  const form = remaining.closest("form");
  const amounts = form.querySelectorAll('input[type="number"]');
  remaining.previousElementSibling.textContent = remaining.dataset.label;
  const refresh = () => {
    const spent = Array.from(amounts).reduce((sum, input) => sum + (Number(input.value) || 0), 0);
    const rest = Number(remaining.dataset.cash) - spent;
    const told = number.format(Math.abs(rest));
    remaining.textContent = rest < 0 ? remaining.dataset.short.replace("{money}", told) : told;
  };
  form.addEventListener("input", refresh);
  refresh();
}

// Who is sent first can't be sent again, unless there are two of the kind.
function setUpSending(second) {
  const first = second.form.elements["send-scholar-1"];
  const alone = new Set(second.dataset.alone.split(" "));
  let before = first.value;
  const refresh = () => {
    for (const option of second.options) option.disabled = alone.has(option.value) && option.value === first.value;
    if (second.selectedOptions[0]?.disabled) second.value = before;
    before = first.value;
  };
  first.addEventListener("change", refresh);
  refresh();
}

// Amounts that one click fills in.
function setUpQuick(quick) {
  const input = document.getElementById(quick.dataset.for);
  if (!input) return;
  quick.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    const { amount, step } = button.dataset;
    input.value = amount ?? Math.min(Number(input.value) + Number(step), Number(input.max));
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

// Which promises the chosen option breaks. The board chooses, too.
function setUpBreaches(breaches) {
  const select = breaches.closest(".field").querySelector("select");
  const refresh = () => {
    for (const breach of breaches.children) breach.hidden = breach.dataset.value !== select.value;
  };
  for (const event of ["input", "change"]) select.form.addEventListener(event, refresh);
  refresh();
}

// How long a text is, once it is no longer short.
function setUpLength(length) {
  const text = length.closest("form").querySelector("textarea");
  const refresh = () => {
    const most = text.maxLength;
    const close = text.value.length > most / 2;
    length.textContent = close ? `${number.format(text.value.length)} / ${number.format(most)}` : "";
  };
  text.addEventListener("input", refresh);
  refresh();
}

// Whatever is typed is kept, so that any device shows it again. It is never sent by itself.
function setUpDraft(form) {
  const status = form.querySelector(".draft-status");
  let timer = 0;
  let isSent = false;
  let saved = Promise.resolve();
  // One after the other, so that no older text arrives last; a page that is left can't wait.
  const keep = () => {
    timer = 0;
    saved = document.visibilityState === "hidden" ? save() : saved.then(save);
  };
  const save = async () => {
    if (isSent) return;
    const body = new FormData(form);
    if (form.dataset.about) body.set("about", form.dataset.about);
    try {
      const headers = { Accept: "application/json" };
      const answer = await fetch(form.dataset.draft, { method: "POST", body, headers, keepalive: true });
      status.textContent = (await answer.json()).text;
    } catch {
      status.textContent = status.dataset.failed;
    }
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = isSent ? 0 : setTimeout(keep, 1500);
  });
  // What is sent is no draft any more, until the page is shown again.
  form.addEventListener("submit", (event) => {
    clearTimeout(timer);
    timer = 0;
    isSent = !event.defaultPrevented;
  });
  addEventListener("pageshow", () => { isSent = false; });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "hidden" || !timer) return;
    clearTimeout(timer);
    keep();
  });
}

// Without a connection the browser would show a page of its own instead of what was typed: nothing is sent then, and the page says so.
function stayOffline(event) {
  const form = event.target;
  form.querySelector(".unsent")?.remove();
  if (navigator.onLine || form.method !== "post") return;
  event.preventDefault();
  const notice = document.createElement("p");
  notice.className = "notice unsent";
  notice.setAttribute("role", "alert");
  notice.textContent = document.body.dataset.unsent;
  (form.querySelector(".actions") ?? form.lastElementChild).before(notice);
}

// The log begins with the present turn, whose last line is the newest: that one is seen, and followed while it is.
function showNewest() {
  const beside = besideNewest();
  if (beside) document.querySelector(".turns").scrollTop += beside;
}

// How far to scroll the log until the end of its newest line is seen, and the log begins with a whole line; 0 if it is seen.
function besideNewest() {
  const turns = document.querySelector(".turns");
  const newest = turns?.querySelector("ol > li:last-child");
  if (!newest) return 0;
  const [line, log] = [newest.getBoundingClientRect(), turns.getBoundingClientRect()];
  if (line.bottom <= log.top) return line.top - log.top;
  const beside = Math.ceil(line.bottom - log.bottom);
  if (beside <= 0) return 0;
  const tops = Array.from(turns.querySelectorAll("h3, li"), (one) => Math.floor(one.getBoundingClientRect().top - log.top));
  const whole = tops.filter((top) => top >= beside && top <= line.top - log.top);
  return whole.length ? Math.min(...whole) : beside;
}

// While the small board of a phone sticks to the top edge, it shows the palace in question only; its place stays as high as it is.
function shrinkBoard() {
  const board = document.querySelector(".game-board");
  const isStuck = getComputedStyle(board).position === "sticky" && board.parentElement.getBoundingClientRect().top < 0;
  if (isStuck === board.classList.contains("stuck")) return;
  board.style.height = "";
  if (isStuck) board.style.height = `${board.offsetHeight}px`;
  board.classList.toggle("stuck", isStuck);
}

// Who comes to write has the cursor in the field, also where the browser itself goes there without it.
function beginToWrite() {
  if (location.hash === "#say") document.getElementById("say")?.focus({ preventScroll: true });
}

let isFollowed = true;

setUp();
beginToWrite();
addEventListener("hashchange", beginToWrite);
showNewest();
document.addEventListener("submit", stayOffline, true);
if (document.querySelector(".game-board")) {
  addEventListener("scroll", shrinkBoard, { passive: true });
  document.addEventListener("exchanged", shrinkBoard);
}
document.addEventListener("exchanging", () => { isFollowed = Math.abs(besideNewest()) < 2; });
document.addEventListener("exchanged", ({ target }) => {
  setUp();
  if (target.id === "turns" && isFollowed) showNewest();
});
