/** Which seats have their players here: no event tells of it, so it is asked for now and then. */
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
        () => {}, // the banner says it
      );
    };
    // Later than the first look at the table, which nothing should hold up.
    const first = setTimeout(read, 1500);
    const timer = setInterval(read, REFRESH_MS);
    return () => {
      closing.abort();
      clearTimeout(first);
      clearInterval(timer);
    };
    // A seat that was just taken has somebody in it: while a table fills up, every event asks anew.
  }, [id, invite, on, on && version < 12 ? version : 12]);
  return here;
}
