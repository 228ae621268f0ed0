// Plays on the board what has happened: salaries arrive, scholars go from where they were to where they are, bribes slide in. On a page
// that has just been opened, that is what is new since the last visit. It begins when the board is seen and takes four seconds at most, and
// any key or tap ends it.

const LONGEST = 4000;
const EACH = 700;
const BETWEEN = 350;

const calm = matchMedia("(prefers-reduced-motion: reduce)");
let running = [];
let watching = null;

const board = () => document.querySelector(".board");
const scholars = () => Array.from(board()?.querySelectorAll("[data-scholar]") ?? []);
// On the board, wherever that is on the page.
const middle = (one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const origin = board().getBoundingClientRect();
  return { x: left + width / 2 - origin.left, y: top + height / 2 - origin.top };
};
const placeOf = (one) => {
  const part = one.closest(".areas, .door, .home, .island");
  return `${one.closest(".palace")?.dataset.palace} ${part?.className} ${one.dataset.area}`;
};
const activePalace = () => board()?.querySelector(".palace.active");
const palaceOf = (colour) => board().querySelector(`[data-palace="${colour}"]`);

// Where everybody stands, and what was paid for them.
function look() {
  const seen = new Map();
  for (const one of scholars()) {
    const shield = shieldOf(one);
    const { scholar, amount } = one.dataset;
    seen.set(scholar, { at: middle(shield), shown: isShown(shield), place: placeOf(one), paid: amount });
  }
  return seen;
}

const isShown = (one) => one.getClientRects().length > 0;
const shieldOf = (one) => one.querySelector(".shield") ?? one;

function slide(what, from, delay) {
  const to = middle(what);
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
  const frames = [{ transform: start, zIndex: 2 }, { transform: "none", zIndex: 2 }];
  running.push(what.animate(frames, { duration: EACH, delay, easing: "ease-in-out", fill: "backwards" }));
}

// Half of the board is in view, or the board fills half of it.
function isSeen() {
  const { top, bottom, height } = board().getBoundingClientRect();
  const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
  return document.visibilityState === "visible" && seen >= Math.min(height, innerHeight) / 2;
}

// Plays the changes that are found then.
function playOnceSeen(changes) {
  watching?.disconnect();
  watching = null;
  if (calm.matches || !board()) return;
  if (isSeen()) return void play(changes());
  const parts = Array.from({ length: 21 }, (_, part) => part / 20);
  watching = new IntersectionObserver(() => { if (isSeen()) playOnceSeen(changes); }, { threshold: parts });
  watching.observe(board());
}

// Each of these changes in turn, faster if there are many.
function play(all) {
  const changes = all.filter(({ what }) => isShown(what));
  if (calm.matches || !changes.length) return;
  const between = Math.min(BETWEEN, (LONGEST - EACH) / changes.length);
  changes.forEach(({ what, from }, place) => slide(what, from, place * between));
  const these = running;
  Promise.allSettled(these.map((one) => one.finished)).then(() => these === running && finish());
}

function finish() {
  for (const one of running) one.finish();
  for (const coin of document.querySelectorAll(".coin")) coin.remove();
  running = [];
}

// The salaries of a player's scholars, each on its way from the area that pays it: they are on the board only as long as they move.
function salaries(palace) {
  if (calm.matches) return [];
  const to = middle(palace.querySelector("header"));
  return scholars()
    .filter((one) => one.dataset.area && one.dataset.scholar.startsWith(`${palace.dataset.palace}-`))
    .map((one) => {
      const coin = document.createElement("span");
      coin.className = "coin";
      coin.textContent = one.querySelector("b").textContent;
      Object.assign(coin.style, { left: `${to.x}px`, top: `${to.y}px` });
      board().append(coin);
      return { what: coin, from: middle(one) };
    });
}

function changesSince(before) {
  const active = activePalace();
  const changes = active && active.dataset.palace !== wasActive ? salaries(active) : [];
  for (const one of scholars()) {
    const { scholar, amount } = one.dataset;
    const old = before.get(scholar);
    if (old?.shown && old.place !== placeOf(one)) changes.push({ what: shieldOf(one), from: old.at });
    const paid = one.querySelector(".paid");
    const payer = palaceOf(scholar.split("-")[0]);
    if (paid && amount !== old?.paid && payer) changes.push({ what: paid, from: middle(payer.querySelector("header")) });
  }
  return changes;
}

// Who has come came from home to a door, from the door inside, or from the court to the island.
function changesSinceLastVisit() {
  const changes = Array.from(board()?.querySelectorAll("[data-earned]") ?? []).flatMap(salaries);
  for (const one of scholars()) {
    const paid = one.querySelector(".mark.new") && one.querySelector(".paid");
    const payer = palaceOf(one.dataset.scholar.split("-")[0]);
    if (paid && payer) changes.push({ what: paid, from: middle(payer.querySelector("header")) });
    if (!("came" in one.dataset)) continue;
    const palace = one.closest(".palace");
    let from = board().querySelector(".palace.active .door");
    if (palace) from = one.closest(".areas") ? palace.querySelector(".door") : payer?.querySelector(".home");
    if (from && isShown(from)) changes.push({ what: shieldOf(one), from: middle(from) });
  }
  return changes;
}

let before = look();
let wasActive = activePalace()?.dataset.palace;
playOnceSeen(changesSinceLastVisit);
document.addEventListener("exchanging", () => {
  finish();
  if (watching) return; // nobody has seen yet what has changed since
  before = look();
  wasActive = activePalace()?.dataset.palace;
});
document.addEventListener("exchanged", ({ target }) => {
  if (target.id === "board") playOnceSeen(() => changesSince(before));
});
addEventListener("pointerdown", finish);
addEventListener("keydown", finish);
