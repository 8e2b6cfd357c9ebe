/** Rebuilt matches, kept in memory and caught up from the log's tail. Dropping any of it changes nothing but speed. */
import type { Registry } from '../../games/registry.ts';
import { inSlices } from '../../turns.ts';
import { emptyMatch } from './match.ts';
import { advancing } from './rebuild.ts';
import type { Match } from './records.ts';
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
  const matches = new Map<string, Match>(); // in the order of their last use
  const pins = new Map<string, number>();
  const loading = new Map<string, Promise<Match | null>>();
  const reading = new Map<string, Promise<void>>();
  const queued = new Map<string, Promise<void>>();

  function keep(match: Match): void {
    const known = matches.get(match.id);
    matches.delete(match.id);
    matches.set(match.id, known && known.version > match.version ? known : match);
    if (matches.size <= limit) return;
    for (const id of matches.keys()) {
      if (pins.has(id) || id === match.id) continue;
      matches.delete(id);
      if (matches.size <= limit) return;
    }
  }

  async function load(id: string): Promise<Match | null> {
    const row = await store.row(id);
    if (!row) return null;
    const empty = emptyMatch(registry.game(row.game, row.rules), row);
    const match = await inSlices(advancing(empty, await store.whole(row)), REBUILDING);
    keep(match);
    return matches.get(id) ?? match;
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
    const known = matches.get(id);
    if (!known) return;
    const tail = await store.since(id, known);
    if (!tail) return cutBack(known);
    const now = matches.get(id) ?? known; // a commit of our own may have come in between
    const unknown = tail.filter(({ version }) => version > now.version);
    keep(await inSlices(advancing(now, unknown), REBUILDING));
  }

  /** After a failover the log may be behind memory, or lead elsewhere: it is the truth all the same. */
  async function cutBack(remembered: Match): Promise<void> {
    const { id } = remembered;
    if (matches.get(id)?.events.line === remembered.events.line) matches.delete(id);
    onCutBack(remembered, matches.get(id) ?? (await loadOnce(id)));
  }

  function startReading(id: string): Promise<void> {
    const started = readTail(id).finally(() => reading.delete(id));
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

  const memo: Memo = {
    async fresh(id) {
      if (!matches.has(id)) {
        count('miss');
        // A cold read that is under way may have begun too early as well, so its tail is read once more.
        if (!loading.has(id)) return loadOnce(id);
        if (!(await loadOnce(id))) return null;
      }
      count('caught_up');
      await readAfresh(id);
      return matches.get(id) ?? loadOnce(id);
    },
    async recall(id) {
      const known = memo.peek(id);
      if (known) return known;
      count('miss');
      return loadOnce(id);
    },
    peek(id) {
      const known = matches.get(id);
      if (known) count('hit');
      return known;
    },
    async reach(id, version) {
      const known = await memo.recall(id);
      if (!known || known.version >= version) return known;
      await (reading.get(id) ?? startReading(id));
      if ((matches.get(id)?.version ?? 0) < version) await readAfresh(id);
      return memo.recall(id);
    },
    put: keep,
    check(id, version) {
      // Mostly the version is just older than a commit of our own. What fails now is found the next time.
      if ((matches.get(id)?.version ?? 0) > version) readAfresh(id).catch(() => {});
    },
    forget(test) {
      for (const [id, match] of matches) if (test(match)) matches.delete(id);
    },
    pin(id) {
      pins.set(id, (pins.get(id) ?? 0) + 1);
    },
    unpin(id) {
      const left = (pins.get(id) ?? 1) - 1;
      if (left > 0) pins.set(id, left);
      else pins.delete(id);
    },
    get size() {
      return matches.size;
    },
  };
  return memo;
}
