// Chooses the browser's own zone in the sign-up form, unless the form came back with one chosen.
for (const select of document.querySelectorAll("select[data-own-time-zone]")) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = Array.from(select.options).some((option) => option.value === own);
  if (known && !document.querySelector(".errorlist")) select.value = own;
}
