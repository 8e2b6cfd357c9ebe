/**
 * Rebuilt matches, kept in memory and caught up from the end of the log. Dropping any of them changes nothing but
 * speed.
 */
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Registry } from '../../games/registry.ts';
import { inSlices } from '../../turns.ts';
import { emptyMatch } from './match.ts';
import { advance, advancing } from './rebuild.ts';
import { type LoggedEvent, type Match, sameHash } from './records.ts';
import { openShelf } from './shelf.ts';
import type { Store } from './store.ts';

export interface Memo {
  /** The match as the log has it at the time of this call or later. */
  fresh(id: string): Promise<Match | null>;
  /** The match as it is remembered; another server may have moved it on. */
  recall(id: string): Promise<Match | null>;
  /** The match in memory, or undefined if it is not remembered. */
  peek(id: string): Match | undefined;
  /** The match at this version or a later one. Reads the log only if the memory is behind. */
  reach(id: string, version: number): Promise<Match | null>;
  /** The version at which the match is remembered, or 0. */
  versionOf(id: string): number;
  /**
   * Takes over events that another process on this machine has committed, if they follow what is remembered. If they do
   * not, the log is read when somebody needs them.
   */
  take(continuation: Continuation): void;
  /** Remembers a match that was just committed here, unless it was forgotten since `before`, on which it was decided. */
  put(before: Match | null, match: Match): void;
  /** Called when the log was found at this version: if the memory is ahead of it, the log is read again. */
  check(id: string, version: number): void;
  /** Forgets every match that passes the test. It is read again when needed. */
  forget(test: (match: Match) => boolean): void;
  /** Keeps the match regardless of the limit, while somebody watches it. */
  pin(id: string): void;
  unpin(id: string): void;
  readonly size: number;
  /** The total number of events of the remembered matches. */
  readonly events: number;
}

/** Committed events that follow a version of a match directly. */
export interface Continuation {
  match: string;
  after: { version: number; hash: string };
  events: readonly LoggedEvent[];
}

/** How a look-up went: found up to date, found and caught up from the log, or rebuilt from the start. */
export type Outcome = 'hit' | 'caught_up' | 'miss';

export interface MemoOptions {
  /** Called with the outcome of each look-up. */
  count?: (outcome: Outcome) => void;
  /**
   * Called when the log no longer has what was remembered of a match. `now` is what the log has, or null if the match
   * is gone.
   */
  onCutBack?: (remembered: Match, now: Match | null) => void;
}

/**
 * Rebuilding serves everyone who asks for a match, so it is scheduled under a name of its own and not under a caller's.
 */
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

  /** How often rows were said to have changed. A row that was read before that may be the old one. */
  let forgotten = 0;

  async function load(id: string): Promise<Match | null> {
    const before = forgotten;
    const row = await store.row(id);
    if (!row) return null;
    const empty = emptyMatch(registry.game(row.game, row.rules), row);
    const match = await inSlices(advancing(empty, await store.whole(row)), REBUILDING);
    if (forgotten === before) shelf.put(match);
    return shelf.get(id) ?? match;
  }

  /** Only one cold read per match at a time; everyone who asks meanwhile shares it. */
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
    const now = shelf.get(id); // our own commit may have come in between
    if (!now) return; // its row has changed meanwhile, so whoever needs it reads all of it again
    const unknown = tail.filter(({ version }) => version > now.version);
    keep(now, await inSlices(advancing(now, unknown), REBUILDING));
  }

  /** Remembers what became of a match, unless it was forgotten meanwhile: then its row may be another one. */
  function keep(before: Match, after: Match): void {
    if (shelf.get(after.id)?.events.line === before.events.line) shelf.put(after);
  }

  /** After a failover the log may be behind memory or may have continued differently. The log is right in any case. */
  async function cutBack(remembered: Match): Promise<void> {
    const { id } = remembered;
    if (shelf.get(id)?.events.line === remembered.events.line) shelf.remove(id);
    onCutBack(remembered, shelf.get(id) ?? (await loadOnce(id)));
  }

  const memo: Memo = {
    async fresh(id) {
      if (!shelf.get(id)) {
        count('miss');
        // A cold read that is already under way may have begun too early, so the end of the log is read once more.
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
    versionOf: (id) => shelf.get(id)?.version ?? 0,
    take({ match: id, after, events }) {
      const known = shelf.get(id);
      if (!known || known.version !== after.version || !sameHash(known, after)) return;
      shelf.put(advance(known, events));
    },
    put: (before, match) => (before ? keep(before, match) : shelf.put(match)),
    check(id, version) {
      // Usually the version is just older than our own commit. A failure here is found at the next check.
      if ((shelf.get(id)?.version ?? 0) > version) readAfresh(id).catch(() => {});
    },
    forget(test) {
      forgotten++;
      shelf.removeAll(test);
    },
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

/** Runs the reads of one match one after another. Callers who ask for the next read meanwhile share it. */
function readings(read: (id: string) => Promise<void>) {
  const reading = new Map<string, Promise<void>>();
  const queued = new Map<string, Promise<void>>();

  function startReading(id: string): Promise<void> {
    const started = read(id).finally(() => reading.delete(id));
    reading.set(id, started);
    return started;
  }

  async function readNext(id: string): Promise<void> {
    await endOfTurn();
    while (reading.has(id)) await reading.get(id)?.catch(() => {});
    queued.delete(id);
    return startReading(id);
  }

  /**
   * A read that is under way may have begun too early for this caller, who therefore waits for the next. It begins when
   * this turn of the event loop ends, or after the one that is under way, and all who ask before that share it: the
   * players of a match often come in the same turn.
   */
  function readAfresh(id: string): Promise<void> {
    let next = queued.get(id);
    if (!next) {
      next = readNext(id);
      queued.set(id, next);
    }
    return next;
  }

  return { startReading, readAfresh, isReading: (id: string) => reading.get(id) };
}
