// Lets this browser be notified: asks for permission, subscribes, and tells the site; and again where its subscription was renewed or
// lost, as long as the session wants it.

const place = document.querySelector("form[data-push-key]");
const wanted = document.querySelector('meta[name="push-key"]');
const DAY = 86400000;
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

async function registered() {
  const registration = await navigator.serviceWorker.register("/service-worker.js");
  await navigator.serviceWorker.ready;
  return registration;
}

const subscribed = (registration, key) => registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });

function tell(action, made, form = new FormData()) {
  form.set("endpoint", made.endpoint);
  form.set("p256dh", text(made.getKey("p256dh")));
  form.set("auth", text(made.getKey("auth")));
  return fetch(action, { method: "POST", body: form });
}

async function subscribe() {
  const registration = await registered();
  const old = await registration.pushManager.getSubscription();
  await old?.unsubscribe();
  return tell(place.action, await subscribed(registration, place.dataset.pushKey), new FormData(place));
}

// Once a day the site is told anew: it may have found that an old subscription doesn't work.
async function subscribeAgain() {
  const registration = await registered();
  settle(registration);
  const own = await registration.pushManager.getSubscription() ?? await subscribed(registration, wanted.content);
  const [told, at] = (localStorage.getItem("push") ?? "").split(" ");
  if (told === own.endpoint && Math.abs(Date.now() - at) < DAY) return;
  const form = new FormData();
  form.set("csrfmiddlewaretoken", document.querySelector('input[name="csrfmiddlewaretoken"]').value);
  form.set("again", "1");
  const answer = await tell(wanted.dataset.action, own, form);
  if (answer.ok) localStorage.setItem("push", `${own.endpoint} ${Date.now()}`);
}

// Where nothing waits for the reader any more, no notification says so.
async function settle(registration) {
  if (document.querySelector(".bar .your-turn")) return;
  for (const shown of await registration.getNotifications()) if (shown.data?.isTurn) shown.close();
}

const isPossible = "serviceWorker" in navigator && "PushManager" in window;

if (wanted && isPossible && Notification.permission === "granted") subscribeAgain().catch(() => {}); // the next page tries again

if (place && isPossible) {
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
} else if (place) {
  place.querySelector(".unsupported").textContent = place.dataset.unsupported;
}
