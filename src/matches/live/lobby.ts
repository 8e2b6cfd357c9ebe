/** The tables at which somebody can sit down: all of them now, then each that appears, changes or goes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Match, Summary } from '../log/records.ts';
import type { Store } from '../log/store.ts';
import type { Live } from './hints.ts';
import { cancellable } from './streams.ts';

/** A table that is open, or the id of one that was: it has begun, or was called off. */
export type LobbyChange = { match: Summary } | { gone: string };

/** In hints it stands among the players whose turns have changed: whoever watches the lobby waits by this name. */
export const LOBBY = 'lobby';

/** The newest tables: more than anybody looks through. */
const MOST = 100;
/** Changes that come together are looked up together, once for everybody who watches. */
const GATHER_MS = 150;

/** Whether a change of this match is seen in the lobby. */
export const concernsLobby = (before: Match | null, after: Match): boolean =>
  after.visibility === 'PUBLIC' && (after.status === 'OPEN' || before?.status === 'OPEN');

export function openLobby({ store, live }: { store: Store; live: Live }) {
  let next: Promise<Summary[]> | undefined;

  /** The open tables, read after now. */
  function read(): Promise<Summary[]> {
    next ??= sleep(GATHER_MS).then(() => {
      next = undefined;
      return store.list({ status: 'OPEN', limit: MOST });
    });
    return next;
  }

  async function* follow(signal: AbortSignal): AsyncGenerator<LobbyChange, void> {
    const watcher = live.watchTurns(LOBBY);
    signal.addEventListener('abort', () => watcher.close(), { once: true });
    let known = new Map<string, number>();
    try {
      while (!signal.aborted) {
        const open = await read();
        const current = new Map(open.map(({ id, version }) => [id, version]));
        for (const id of known.keys()) if (!current.has(id)) yield { gone: id };
        for (const match of open) if (known.get(match.id) !== match.version) yield { match };
        known = current;
        await watcher.wait();
      }
    } finally {
      watcher.close();
    }
  }

  return () => cancellable(follow);
}
