// Plays the scene of the front page once, when it is in view: the board as it was, and what moves on it (moves.js). Less than five
// seconds after it has begun, everything stands as it does without this script.

const scene = document.querySelector(".scene");
const board = scene.querySelector(".game-board");
const captions = scene.querySelectorAll("figcaption p");
const pictures = [...Array.from(scene.querySelectorAll("template"), ({ content }) => content), document.createDocumentFragment()];
const EACH = 1800;

function show(place) {
  document.dispatchEvent(new CustomEvent("exchanging"));
  board.replaceChildren(pictures[place]);
  captions.forEach((caption, number) => caption.classList.toggle("other", number !== place));
}

function play(place) {
  show(place);
  board.dispatchEvent(new CustomEvent("exchanged", { bubbles: true }));
  if (place + 1 < pictures.length) setTimeout(play, EACH, place + 1);
}

if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
  pictures.at(-1).append(...board.childNodes);
  show(0);
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    setTimeout(play, EACH, 1);
  }, { threshold: .6 });
  seen.observe(scene);
}
scene.classList.add("ready");
