/**
 * Notifications of turns in this browser while the page is closed. They are requested by a button, never by a pop-up.
 */
import { useEffect, useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import { Push, Subscribe, Unsubscribe } from '../generated/operations.ts';

const possible = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function subscription(): Promise<PushSubscription | null> {
  return (await navigator.serviceWorker.ready).pushManager.getSubscription();
}

const keysOf = (found: PushSubscription) => {
  const { p256dh = '', auth = '' } = found.toJSON().keys ?? {};
  return { p256dh, auth };
};

async function turnOn(): Promise<void> {
  const { pushKey, webhooks } = await ask(Push, {});
  const { pushManager } = await navigator.serviceWorker.ready;
  const found = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey });
  const known = webhooks.find(({ url, enabled }) => url === found.endpoint && enabled);
  if (!known) await ask(Subscribe, { url: found.endpoint, keys: keysOf(found) });
}

async function turnOff(): Promise<void> {
  const found = await subscription();
  const { webhooks } = await ask(Push, {});
  for (const { id, url } of webhooks) if (url === found?.endpoint) await ask(Unsubscribe, { id });
  await found?.unsubscribe();
}

export function PushSwitch() {
  const [on, setOn] = useState<boolean | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    if (possible)
      subscription().then(
        (found) => setOn(found !== null),
        () => setOn(false),
      );
  }, []);
  if (!possible) return <p class="quiet">This browser cannot show notices while the page is closed.</p>;
  const change = async () => {
    setError(null);
    try {
      if (on) {
        await turnOff();
      } else {
        if ((await Notification.requestPermission()) !== 'granted')
          return setError('This browser does not allow notices from this page. You can change that in its settings.');
        await turnOn();
      }
      setOn(!on);
    } catch (failure) {
      setError(
        failure instanceof DOMException ? 'This browser could not subscribe to push messages.' : sentence(failure),
      );
    }
  };
  return (
    <div class="push">
      <p>When it is your turn, this device can say so, even while the page is closed.</p>
      <button type="button" data-push aria-pressed={on === true} disabled={on === null} onClick={() => void change()}>
        {on ? 'Stop telling me here' : 'Tell me on this device'}
      </button>
      {error && (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
