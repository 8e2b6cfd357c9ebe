/* The service worker: shows notices of turns while the page is closed, and a sentence when the server is away. */

const OFFLINE = 'atoll-offline-1';

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(OFFLINE)
      .then((cache) => cache.addAll(['/offline.html', '/offline.css']))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// Only for whole pages: a table is never shown from a copy, because it would be out of date.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const isPage = request.mode === 'navigate';
  if (!isPage && !request.url.endsWith('/offline.css')) return;
  event.respondWith(
    fetch(request).catch(async () => {
      const copy = await caches.match(isPage ? '/offline.html' : '/offline.css');
      return copy ?? Response.error();
    }),
  );
});

self.addEventListener('push', (event) => event.waitUntil(tell(event.data?.json() ?? {})));

/* Whoever looks at the match already knows. */
async function tell({ title = 'Your turn', body = '', matchId, url = '/' }) {
  for (const page of await pages()) {
    if (page.visibilityState === 'visible' && (await pathOf(page)) === url) return;
  }
  await self.registration.showNotification(title, {
    body,
    tag: matchId,
    icon: '/icon-192.png',
    data: { url },
  });
}

const pages = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/* A page is asked where it is by now: its url is the one that it was loaded from. */
function pathOf(page) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => resolve(new URL(page.url).pathname), 500);
    port1.onmessage = ({ data }) => {
      clearTimeout(timer);
      resolve(data);
    };
    page.postMessage('where are you?', [port2]);
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data?.url ?? '/', self.location.origin)));
});

/* A page that already shows the match is brought to the front. */
async function open({ origin, pathname, search }) {
  const path = origin === self.location.origin ? pathname + search : '/';
  for (const page of await pages()) {
    if ((await pathOf(page)) === pathname) return page.focus();
  }
  return self.clients.openWindow(path);
}
