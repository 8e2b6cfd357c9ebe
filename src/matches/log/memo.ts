/** Rebuilt matches, kept in memory and caught up from the log's tail. Dropping any of it changes nothing but speed. */
import type { Registry } from '../../games/registry.ts';
import { inSlices } from '../../turns.ts';
import { emptyMatch } from './match.ts';
import { advancing } from './rebuild.ts';
import type { Match } from './records.ts';
import { openShelf } from './shelf.ts';
import type { Store } from './store.ts';

export interface Memo {
  /** The match as the log has it at the time of this call or later. */
  fresh(id: string): Promise<Match | null>;
  /** The match as remembered; another server may have moved it on. */
  recall(id: string): Promise<Match | null>;
  /** The match as remembered, if it is. */
  peek(id: string): Match | undefined;
  /** The match at this version or a later one: reads the log only if the memory is behind. */
  reach(id: string, version: number): Promise<Match | null>;
  /** What was just committed here. */
  put(match: Match): void;
  /** The log was found at this version: where memory is ahead of it, the log is read again. */
  check(id: string, version: number): void;
  /** Forgets every match of which this is true; what is needed of them is read again. */
  forget(test: (match: Match) => boolean): void;
  /** Kept whatever the limit, while somebody watches. */
  pin(id: string): void;
  unpin(id: string): void;
  readonly size: number;
  /** How many events the remembered matches have together. */
  readonly events: number;
}

/** How a look-up went: found as it was, found and caught up from the log, or rebuilt from nothing. */
export type Outcome = 'hit' | 'caught_up' | 'miss';

export interface MemoOptions {
  /** Told how each look-up went. */
  count?: (outcome: Outcome) => void;
  /** Told that the log no longer has what was remembered of a match; `now` is what it has, if it has the match at all. */
  onCutBack?: (remembered: Match, now: Match | null) => void;
}

/** Rebuilding serves everybody who asks for a match, so it is scheduled under a name of its own. */
const REBUILDING = 'rebuilding';

export function openMemo(
  registry: Registry,
  store: Store,
  limit: number,
  { count = () => {}, onCutBack = () => {} }: MemoOptions = {},
): Memo {
  const shelf = openShelf(limit);
  const loading = new Map<string, Promise<Match | null>>();
  const { startReading, readAfresh, isReading } = readings(readTail);

  async function load(id: string): Promise<Match | null> {
    const row = await store.row(id);
    if (!row) return null;
    const empty = emptyMatch(registry.game(row.game, row.rules), row);
    const match = await inSlices(advancing(empty, await store.whole(row)), REBUILDING);
    shelf.put(match);
    return shelf.get(id) ?? match;
  }

  /** One cold read at a time per match; everybody who asks meanwhile shares it. */
  function loadOnce(id: string): Promise<Match | null> {
    const running = loading.get(id);
    if (running) return running;
    const started = load(id).finally(() => loading.delete(id));
    loading.set(id, started);
    return started;
  }

  async function readTail(id: string): Promise<void> {
    const known = shelf.get(id);
    if (!known) return;
    const tail = await store.since(id, known);
    if (!tail) return cutBack(known);
    const now = shelf.get(id) ?? known; // a commit of our own may have come in between
    const unknown = tail.filter(({ version }) => version > now.version);
    shelf.put(await inSlices(advancing(now, unknown), REBUILDING));
  }

  /** After a failover the log may be behind memory, or lead elsewhere: it is the truth all the same. */
  async function cutBack(remembered: Match): Promise<void> {
    const { id } = remembered;
    if (shelf.get(id)?.events.line === remembered.events.line) shelf.remove(id);
    onCutBack(remembered, shelf.get(id) ?? (await loadOnce(id)));
  }

  const memo: Memo = {
    async fresh(id) {
      if (!shelf.get(id)) {
        count('miss');
        // A cold read that is under way may have begun too early as well, so its tail is read once more.
        if (!loading.has(id)) return loadOnce(id);
        if (!(await loadOnce(id))) return null;
      }
      count('caught_up');
      await readAfresh(id);
      return shelf.get(id) ?? loadOnce(id);
    },
    async recall(id) {
      const known = memo.peek(id);
      if (known) return known;
      count('miss');
      return loadOnce(id);
    },
    peek(id) {
      const known = shelf.get(id);
      if (known) count('hit');
      return known;
    },
    async reach(id, version) {
      const known = await memo.recall(id);
      if (!known || known.version >= version) return known;
      await (isReading(id) ?? startReading(id));
      if ((shelf.get(id)?.version ?? 0) < version) await readAfresh(id);
      return memo.recall(id);
    },
    put: shelf.put,
    check(id, version) {
      // Mostly the version is just older than a commit of our own. What fails now is found the next time.
      if ((shelf.get(id)?.version ?? 0) > version) readAfresh(id).catch(() => {});
    },
    forget: shelf.removeAll,
    pin: shelf.pin,
    unpin: shelf.unpin,
    get size() {
      return shelf.size;
    },
    get events() {
      return shelf.events;
    },
  };
  return memo;
}

/** Reads of one match one after another; those who ask for the next one meanwhile share it. */
function readings(read: (id: string) => Promise<void>) {
  const reading = new Map<string, Promise<void>>();
  const queued = new Map<string, Promise<void>>();

  function startReading(id: string): Promise<void> {
    const started = read(id).finally(() => reading.delete(id));
    reading.set(id, started);
    return started;
  }

  /** A read that is under way may have begun too early for this caller: wait for the next, which all who wait share. */
  function readAfresh(id: string): Promise<void> {
    const running = reading.get(id);
    if (!running) return startReading(id);
    const waiting = queued.get(id);
    if (waiting) return waiting;
    const next = running
      .catch(() => {})
      .then(() => {
        queued.delete(id);
        return startReading(id);
      });
    queued.set(id, next);
    return next;
  }

  return { startReading, readAfresh, isReading: (id: string) => reading.get(id) };
}
