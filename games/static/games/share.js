// Buttons to copy and to share a link, where the browser can.

const offer = () => document.querySelectorAll(".share:not(:has(button))").forEach((place) => {
  const link = place.querySelector("a");
  const button = (text, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: text });
    made.addEventListener("click", () => act(made));
    place.append(" ", made);
  };
  if (navigator.clipboard) {
    button(place.dataset.copy, async (made) => {
      await navigator.clipboard.writeText(link.href);
      made.textContent = place.dataset.copied;
      setTimeout(() => { made.textContent = place.dataset.copy; }, 3000);
    });
  }
  if (navigator.share && place.dataset.share) {
    button(place.dataset.share, () => navigator.share({ url: link.href, title: document.title }).catch(() => {}));
  }
});

offer();
document.addEventListener("exchanged", offer);
