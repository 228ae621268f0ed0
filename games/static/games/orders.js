// Whoever fills in an amount means it: its way of paying is chosen with it. The keyboard only passes
// through a field on its way, so that the focus alone chooses nothing.
for (const input of document.querySelectorAll("input[data-way]")) {
  const ways = input.form.querySelectorAll(`input[type="radio"][value="${input.dataset.way}"]`);
  const choose = () => ways.forEach((way) => { way.checked = true; });
  input.addEventListener("input", choose);
  input.addEventListener("click", choose);
}
