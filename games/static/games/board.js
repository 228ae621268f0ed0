// Chooses on the board what the move form offers: scholars, areas, palaces, amounts, by clicking, tapping or dragging. An extra
// for the pointer: the form stays what is sent, and the keyboard needs nothing else.

let board; // what the page shows now: live.js exchanges parts of it
let form;
let controls = [];
let occupation = ""; // whose area is chosen next
let place = 1; // which of the scholars that are sent is chosen next
let dragged = ""; // the scholar that is on its way
const sent = []; // which scholar of the board was chosen for each place: the form knows only its kind

const control = (name) => controls.find((one) => one.name === name);
const offers = (select, value) => Array.from(select?.options ?? []).some((option) => option.value === value);
const areaSelects = () => controls.filter((one) => one.name.endsWith("-area"));
const sentScholar = (at = place) => control(`send-scholar-${at}`);
const kind = (name) => name.replace(/-[12]$/, "");

function fill(one, value) {
  if (one.type === "radio") one.checked = true;
  else one.value = value;
  one.dispatchEvent(new Event("input", { bubbles: true }));
  one.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

// The bribe as high as a rival's, as far as the form allows it.
function fillAmount(amount) {
  const bribes = controls.filter((one) => one.type === "number");
  const bribe = bribes.find((one) => one === document.activeElement) ?? bribes[0];
  if (!bribe) return false;
  const within = Math.min(Math.max(Number(amount), Number(bribe.min)), Number(bribe.max));
  return fill(bribe, String(within));
}

function chooseScholar(name) {
  if (isAtHome(name)) return chooseSent(name);
  const bribe = control(name);
  if (bribe?.type === "number") return bribe.focus(), true;
  const winner = controls.find((one) => one.type === "radio" && one.value === name);
  if (winner) {
    occupation = winner.name.replace(/-winner$/, "");
    return fill(winner, name);
  }
  return Boolean(control(`${name.split("-")[1]}-area`)) && ((occupation = name.split("-")[1]), true);
}

const isAtHome = (name) => board.querySelector(`.own .home [data-scholar="${name}"]`) !== null;

function chooseSent(name) {
  const already = shownAsSent().indexOf(name);
  if (already > 0) return (place = already), true;
  const option = kindOffered(sentScholar(), name);
  if (!option || option.disabled) return false;
  sent[place] = name;
  return fill(sentScholar(), option.value);
}

const kindOffered = (select, name) => Array.from(select?.options ?? []).find((option) => kind(option.value) === kind(name));

// The scholars at home that are shown as sent, by place: those that were chosen, else any of the kind that the form names.
function shownAsSent() {
  const shown = [];
  for (const at of [1, 2]) {
    const value = sentScholar(at)?.value;
    if (!value) continue;
    const alike = Array.from(board.querySelectorAll(".own .home [data-scholar]"), (one) => one.dataset.scholar);
    const free = alike.filter((name) => kind(name) === kind(value) && !shown.includes(name));
    shown[at] = free.includes(sent[at]) ? sent[at] : free[0];
  }
  return shown;
}

// Two scholars never get one area: who had it gets the other's.
function chooseArea(area) {
  const select = control(`${occupation}-area`) ?? areaSelects()[0];
  if (!offers(select, area)) return false;
  const other = areaSelects().find((one) => one !== select && one.value === area);
  if (other) other.value = select.value;
  return fill(select, area);
}

function choosePalace(colour) {
  const select = control(`send-palace-${place}`);
  if (!offers(select, colour)) return false;
  fill(select, colour);
  place = control(`send-scholar-${place + 1}`) ? place + 1 : 1;
  return true;
}

function choose(event) {
  if (event.target.closest(".owner")) return; // it opens a menu
  const scholar = event.target.closest("[data-scholar]");
  const area = event.target.closest(".own [data-area]");
  const palace = event.target.closest("[data-palace]");
  const done =
    (scholar && chooseScholar(scholar.dataset.scholar)) ||
    (scholar?.dataset.amount && fillAmount(scholar.dataset.amount)) ||
    (area && chooseArea(area.dataset.area)) ||
    (palace && choosePalace(palace.dataset.palace));
  if (done) mark();
}

// A scholar is dragged to an area or to a palace.
function drag(event) {
  const scholar = event.target.closest?.("[draggable]");
  if (!scholar || !chooseScholar(scholar.dataset.scholar)) return event.preventDefault();
  dragged = scholar.dataset.scholar;
  event.dataTransfer.setData("text/plain", dragged);
  mark();
}

const goal = (event) => event.target.closest(isAtHome(dragged) ? "[data-palace].choosable" : ".own [data-area].choosable");

function allowDrop(event) {
  if (goal(event)) event.preventDefault();
}

function drop(event) {
  const at = goal(event);
  if (!at) return;
  event.preventDefault();
  if (at.dataset.palace ? choosePalace(at.dataset.palace) : chooseArea(at.dataset.area)) mark();
}

// Who is sent waits, as a shade, at the door to which they will go.
function showSent() {
  for (const ghost of board.querySelectorAll(".ghost")) ghost.remove();
  shownAsSent().forEach((name, at) => {
    const door = board.querySelector(`[data-palace="${control(`send-palace-${at}`)?.value}"] .door`);
    const shield = board.querySelector(`.own .home [data-scholar="${name}"] .shield`);
    if (!door || !shield) return;
    const ghost = shield.cloneNode(true);
    ghost.classList.add("ghost");
    ghost.setAttribute("aria-hidden", "true");
    door.append(ghost);
  });
}

// What the form says at the moment, shown on the board.
function mark() {
  showSent();
  const filled = controls.filter((one) => (one.type !== "radio" || one.checked) && !one.name.startsWith("send-scholar-"));
  const chosen = new Set([...filled.map((one) => one.value), ...shownAsSent()]);
  for (const one of board.querySelectorAll(".choosable")) {
    const { scholar, area, palace } = one.dataset;
    one.classList.toggle("chosen", [scholar, area, palace].some((value) => value && chosen.has(value)));
  }
}

function mayBeChosen(one) {
  const { scholar, area, amount, palace } = one.dataset;
  const values = (value) => controls.some((one) => one.value === value || offers(one.tagName === "SELECT" ? one : null, value));
  return (
    (scholar && (control(scholar) || values(scholar) || (one.matches(".own .home *") && kindOffered(sentScholar(1), scholar)))) ||
    (one.matches(".contender") && control(`${scholar.split("-")[1]}-area`)) ||
    (amount && controls.some((one) => one.type === "number")) ||
    (area && one.matches(".own *") && areaSelects().some((select) => offers(select, area))) ||
    (palace && offers(control("send-palace-1"), palace))
  );
}

function setUp() {
  board = document.querySelector(".board");
  form = document.querySelector(".decision .move-form");
  controls = form ? Array.from(form.elements).filter((one) => one.name) : [];
  if (!board || !form) return;
  for (const one of board.querySelectorAll("[data-scholar], [data-area], [data-palace]")) {
    if (!mayBeChosen(one)) continue;
    one.classList.add("choosable");
    if (one.dataset.scholar && (control("send-palace-1") || areaSelects().length)) one.draggable = true;
  }
  board.addEventListener("click", choose);
  board.addEventListener("dragstart", drag);
  board.addEventListener("dragover", allowDrop);
  board.addEventListener("drop", drop);
  form.addEventListener("change", mark);
  mark();
}

setUp();
document.addEventListener("exchanged", setUp);
