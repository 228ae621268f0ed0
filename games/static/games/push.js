// Lets this browser be notified: asks for permission, subscribes, and tells the site.

const place = document.querySelector("[data-push-key]");
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

async function subscribe() {
  const registration = await navigator.serviceWorker.register("/service-worker.js");
  await navigator.serviceWorker.ready;
  const old = await registration.pushManager.getSubscription();
  await old?.unsubscribe();
  const made = await registration.pushManager.subscribe({
    userVisibleOnly: true, applicationServerKey: bytes(place.dataset.pushKey),
  });
  const form = new FormData(place);
  form.set("endpoint", made.endpoint);
  form.set("p256dh", text(made.getKey("p256dh")));
  form.set("auth", text(made.getKey("auth")));
  return fetch(place.action, { method: "POST", body: form });
}

if (place && "serviceWorker" in navigator && "PushManager" in window) {
  const button = place.querySelector("button");
  const said = place.querySelector("[role=status]");
  button.hidden = false;
  place.querySelector(".unsupported").hidden = true;
  place.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    said.textContent = "";
    try {
      if (await Notification.requestPermission() !== "granted") throw new Error(place.dataset.denied);
      const answer = await subscribe();
      if (!answer.ok) throw new Error(await answer.text());
      location.reload();
    } catch (error) {
      said.textContent = error.message || place.dataset.failed;
      button.disabled = false;
    }
  });
}
