/** The seats whose players are online. No event reports this, so it is polled. */
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../api.ts';
import { Presence } from '../generated/operations.ts';

const REFRESH_MS = 20_000;
const NOBODY: ReadonlySet<number> = new Set();

export function usePresence(id: string, invite: string | undefined, on: boolean, version: number): ReadonlySet<number> {
  const [here, setHere] = useState(NOBODY);
  useEffect(() => {
    if (!on) return setHere(NOBODY);
    const closing = new AbortController();
    const read = () => {
      if (document.visibilityState === 'hidden') return;
      ask(Presence, { id, ...(invite && { invite }) }, closing.signal).then(
        ({ match }) => setHere(new Set(match?.seats.filter(({ online }) => online).map(({ index }) => index))),
        () => {}, // the banner shows it
      );
    };
    // After the first look at the table, which nothing should delay.
    const first = setTimeout(read, 1500);
    const timer = setInterval(read, REFRESH_MS);
    return () => {
      closing.abort();
      clearTimeout(first);
      clearInterval(timer);
    };
    // A seat that was just taken has somebody in it, so while a table fills up, every event polls again.
  }, [id, invite, on, on && version < 12 ? version : 12]);
  return here;
}
