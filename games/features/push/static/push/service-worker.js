// Shows notifications, and opens what they are about.

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("push", (event) => {
  const told = event.data.json();
  event.waitUntil(Promise.all([
    registration.showNotification(told.title, {
      body: told.body, tag: told.tag, renotify: true, data: { url: told.url, isTurn: told.is_turn },
    }),
    settle(told.waiting),
    navigator.setAppBadge?.(told.count),
  ]));
});

// Takes away what says that it is the reader's turn where it is no more, such as after a move on another device.
async function settle(waiting) {
  for (const shown of waiting ? await registration.getNotifications() : []) {
    if (shown.data?.isTurn && !waiting.includes(shown.tag)) shown.close();
  }
}

// The push service has renewed this browser's subscription, or ended it. The page has the key, and a token for the form.
addEventListener("pushsubscriptionchange", (event) => event.waitUntil((async () => {
  const page = await (await fetch("/accounts/notifications/")).text();
  const [, key] = /name="push-key" content="([^"]+)"/.exec(page) ?? [];
  const [, token] = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(page) ?? [];
  if (!key || !token) return; // signed out, or not to be notified any more
  const made = event.newSubscription ?? await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  const form = new URLSearchParams({ csrfmiddlewaretoken: token, again: "1", endpoint, p256dh: keys.p256dh, auth: keys.auth });
  await fetch("/accounts/notifications/on/", { method: "POST", body: form });
})()));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, location.origin).href;
  event.waitUntil((async () => {
    const open = await clients.matchAll({ type: "window" });
    const there = open.find((one) => one.url.split("#")[0] === url);
    return there ? there.focus() : clients.openWindow(url);
  })());
});
