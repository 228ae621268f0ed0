// Shows a game that somebody without an account watches as it is now: while the page is seen, it fetches itself twice a minute and
// exchanges the parts (data-part) that are served differently.

const AGAIN = 30000;

const partsOf = (page) => new Map(Array.from(page.querySelectorAll("[data-part]"), (part) => [part.id, part.innerHTML]));
const kindOf = (page) => Array.from(page.querySelectorAll('[data-part], link[rel="stylesheet"], script[src]'), (one) => one.id || one.href || one.src).length;
const kind = kindOf(document);
let served = partsOf(document);

async function again() {
  const page = document.hidden ? null : await fetched();
  if (page) show(page);
  setTimeout(again, AGAIN * (0.9 + 0.2 * Math.random()));
}

// The page as it is served now; null if it can't be fetched. One that leads elsewhere is closed by now.
async function fetched() {
  try {
    const answer = await fetch(location.href);
    if (answer.redirected) location.reload();
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}

function show(page) {
  if (kindOf(page) !== kind) return location.reload();
  const now = partsOf(page);
  document.title = page.title;
  document.dispatchEvent(new CustomEvent("exchanging"));
  for (const [id, html] of now) if (html !== served.get(id)) exchange(document.getElementById(id), page.getElementById(id));
  served = now;
}

// What was unfolded stays so, and what has the focus leaves it to the part that it was in.
function exchange(part, fresh) {
  const open = new Set(Array.from(part.querySelectorAll("details[open] > summary"), (one) => one.textContent));
  const hasFocus = part.contains(document.activeElement);
  part.replaceChildren(...fresh.childNodes);
  part.className = fresh.className;
  for (const one of part.querySelectorAll("details > summary")) if (open.has(one.textContent)) one.parentElement.open = true;
  if (hasFocus) {
    if (!part.hasAttribute("tabindex")) part.tabIndex = -1;
    part.focus({ preventScroll: true });
  }
  part.classList.add("updated");
  part.dispatchEvent(new CustomEvent("exchanged", { bubbles: true }));
}

setTimeout(again, AGAIN);
