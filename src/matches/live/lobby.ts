/** The tables at which somebody can sit down: all of them now, then each one that appears, changes or goes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Match, Summary } from '../log/records.ts';
import type { Store } from '../log/store.ts';
import type { Live } from './hints.ts';
import { cancellable } from './streams.ts';

/** A table that is open, or the id of a table that has begun or was called off. */
export type LobbyChange = { match: Summary } | { gone: string };

/** Hints list this name among the players whose turns have changed; those who watch the lobby wait for it. */
export const LOBBY = 'lobby';

/** Only the newest tables are listed. */
const MOST = 100;
/** Changes within this time are looked up together, once for all who watch. */
const GATHER_MS = 150;

/** Whether this change of a match affects the lobby. */
export const concernsLobby = (before: Match | null, after: Match): boolean =>
  after.visibility === 'PUBLIC' && (after.status === 'OPEN' || before?.status === 'OPEN');

export function openLobby({ store, live }: { store: Store; live: Live }) {
  const reads = new Map<string | null, Promise<Summary[]>>();

  /** Reads the open tables. The answer is never older than the call. */
  function read(game: string | null): Promise<Summary[]> {
    const coming = reads.get(game);
    if (coming) return coming;
    const next = sleep(GATHER_MS).then(() => {
      reads.delete(game);
      return store.list({ status: 'OPEN', limit: MOST, ...(game !== null && { game }) });
    });
    reads.set(game, next);
    return next;
  }

  async function* follow(signal: AbortSignal, game: string | null): AsyncGenerator<LobbyChange, void> {
    const watcher = live.watchTurns(LOBBY);
    signal.addEventListener('abort', () => watcher.close(), { once: true });
    let known = new Map<string, number>();
    try {
      while (!signal.aborted) {
        const open = await read(game);
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

  return (game?: string | null) => cancellable((signal) => follow(signal, game ?? null));
}
