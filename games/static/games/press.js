// How players talk follows the time for a move until the host has chosen: privately, too, from a day on.
const MINUTES = { minutes: 1, hours: 60, days: 1440 };

for (const form of document.querySelectorAll("[data-press-by-time]")) {
  const { answer_number: number, answer_unit: unit, press } = form.elements;
  let chosen = false;
  const follow = () => {
    const minutes = number.valueAsNumber * MINUTES[unit.value];
    if (!chosen && minutes > 0) press.value = minutes >= MINUTES.days ? "private" : "public";
  };
  for (const radio of press) radio.addEventListener("change", () => { chosen = true; });
  number.addEventListener("input", follow);
  unit.addEventListener("change", follow);
}
