// Shows notifications, and opens what they are about.

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("push", (event) => {
  const told = event.data.json();
  event.waitUntil(Promise.all([
    registration.showNotification(told.title, {
      body: told.body, tag: told.tag, renotify: true, data: { url: told.url },
    }),
    navigator.setAppBadge?.(told.count),
  ]));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, location.origin).href;
  event.waitUntil((async () => {
    const open = await clients.matchAll({ type: "window" });
    const there = open.find((one) => one.url.split("#")[0] === url);
    return there ? there.focus() : clients.openWindow(url);
  })());
});
