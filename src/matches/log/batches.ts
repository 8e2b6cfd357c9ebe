/** Appends of different matches, merged into few statements; none of them waits long for another. */
import type { Pool } from 'pg';
import { SilentDatabase } from '../../database/silence.ts';
import { steady } from '../../database/time.ts';
import type { Writes } from '../../database/writes.ts';
import { refusals } from '../../errors.ts';
import type { Append, AppendAll } from './append.ts';

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/** PostgreSQL refused a value, or a constraint did: nothing was written. */
const isOfRow = (error: unknown): boolean => /^2[23]/.test(codeOf(error));

/** Somebody else holds the lock of a row for longer than we wait: nothing was written. */
const isLocked = (error: unknown): boolean => codeOf(error) === '55P03';

/** Two statements at a time keep PostgreSQL busy while this process prepares the next; more only make batches smaller. */
const LANES = 2;
const MAX_BATCH = 64;
/** Nothing waits longer than this for its turn. */
const PATIENCE_MS = 4000;
/** For so long after a match was found locked its appends go out apart from all others, and do not wait for the lock. */
const LOCKED_MS = 5000;

interface Waiting extends Append {
  since: number;
  resolve(moved: boolean): void;
  reject(error: unknown): void;
}

export interface Appender {
  (append: Append): Promise<boolean>;
  /** How many appends wait for their turn. */
  readonly waiting: number;
}

export interface AppenderOptions {
  pool: Pool;
  appendAll: AppendAll;
  writes: Writes;
  onAlsoWrote?: () => void;
}

/**
 * Those that arrive while every lane is busy go out together in one statement. An append that finds a free lane goes out
 * at once, alone.
 */
export function appender({ pool, appendAll, writes, onAlsoWrote = () => {} }: AppenderOptions): Appender {
  let waiting: Waiting[] = [];
  let busy = 0;
  /** Matches that were found locked, and until when they go out apart. */
  const locked = new Map<string, number>();

  async function send(batch: Waiting[], skipLocked = false): Promise<void> {
    try {
      const done = await appendAll(pool, batch, skipLocked);
      if (done.alsoWrote) onAlsoWrote();
      for (const one of batch) {
        const moved = done.moved.has(one.match.id);
        if (moved || !skipLocked) one.resolve(moved);
        else refuseLocked(one);
      }
    } catch (error) {
      // One bad row must not fail its neighbours, nor one that is locked. But whatever else went wrong may have come
      // after the commit: who sends that again would take its own events for somebody else's.
      if (batch.length > 1 && isOfRow(error)) await Promise.all(batch.map((one) => send([one], skipLocked)));
      else if (isLocked(error) && !skipLocked) await send(batch, true);
      else {
        if (error instanceof SilentDatabase) writes.silent();
        for (const one of batch) one.reject(error);
      }
    }
  }

  function refuseLocked(one: Waiting): void {
    locked.set(one.match.id, steady() + LOCKED_MS);
    one.reject(refusals.matchLocked({ retryAfter: 1 }));
  }

  function isApart({ match }: Append): boolean {
    if (locked.size === 0) return false;
    const until = locked.get(match.id);
    if (until === undefined || until > steady()) return until !== undefined;
    locked.delete(match.id);
    return false;
  }

  /** The next that go out together: matches found locked among themselves. */
  function takeBatch(): { batch: Waiting[]; apart: boolean } {
    const ids = new Set<string>();
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    const apart = isApart(waiting[0] as Waiting);
    for (const one of waiting) {
      const fits = batch.length < MAX_BATCH && !ids.has(one.match.id) && isApart(one) === apart;
      (fits ? batch : rest).push(one);
      if (fits) ids.add(one.match.id);
    }
    waiting = rest;
    return { batch, apart };
  }

  /** Those who have waited too long were never sent, and whoever asked can be told so. */
  function dropLate(): void {
    const late = writes.areStalled ? Number.POSITIVE_INFINITY : steady() - PATIENCE_MS;
    while (waiting[0] && waiting[0].since < late) waiting.shift()?.reject(refusals.databaseStalled({ retryAfter: 2 }));
  }

  function pump(): void {
    while (busy < LANES && waiting.length > 0) {
      dropLate();
      if (waiting.length === 0) return;
      busy++;
      const { batch, apart } = takeBatch();
      void send(batch, apart).finally(() => {
        busy--;
        pump();
      });
    }
  }

  const append = (one: Append) =>
    new Promise<boolean>((resolve, reject) => {
      writes.check();
      waiting.push({ ...one, since: steady(), resolve, reject });
      pump();
    });
  return Object.defineProperty(append, 'waiting', { get: () => waiting.length }) as Appender;
}
