/** Merges appends of different matches into few statements, without letting any of them wait long for another. */
import type { Pool } from 'pg';
import { SilentDatabase } from '../../database/silence.ts';
import { steady } from '../../database/time.ts';
import type { Writes } from '../../database/writes.ts';
import { refusals } from '../../errors.ts';
import { askWhenTurnEnds } from '../../turn-end.ts';
import type { Append, AppendAll } from './append.ts';

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/** PostgreSQL or a constraint refused a value, so nothing was written. */
const isOfRow = (error: unknown): boolean => /^2[23]/.test(codeOf(error));

/** Two servers locked the same rows in different orders, and PostgreSQL undid this one's statement. */
const isDeadlocked = (error: unknown): boolean => codeOf(error) === '40P01';

/** Somebody else held the lock of a row for longer than we wait, so nothing was written. */
const isLocked = (error: unknown): boolean => codeOf(error) === '55P03';

/** The most statements under way at a time. */
const LANES = 2;
/**
 * While a statement with at least this many appends is under way, others wait for it: a few large statements cost
 * PostgreSQL much less than many small ones. A smaller one is a sign that there is time for both.
 */
const CROWD = 4;
/** After this time a statement counts as slow, and others no longer wait for it. */
const SLOW_MS = 5;
const MAX_BATCH = 64;
/** No append waits longer than this for its turn. */
const PATIENCE_MS = 4000;
/**
 * For this long after a match was found locked, its appends are sent separately from all others and do not wait for the
 * lock.
 */
const LOCKED_MS = 5000;

interface Waiting extends Append {
  since: number;
  resolve(moved: boolean): void;
  reject(error: unknown): void;
}

export interface Appender {
  (append: Append): Promise<boolean>;
  /** How many appends are waiting for their turn. */
  readonly waiting: number;
}

export interface AppenderOptions {
  pool: Pool;
  appendAll: AppendAll;
  writes: Writes;
  onAlsoWrote?: () => void;
}

/**
 * Appends of different matches are sent together in one statement if they are made in the same turn of the event loop,
 * or while others are under way that they wait for. They are sent when the turn ends: the server reads all moves that
 * have arrived in one turn, and a statement for each of the first few would cost PostgreSQL several times as much and
 * keep the lanes busy until the turn is over, because nothing reads the answers before that. An append that is alone in
 * its turn loses nothing.
 */
export function appender({ pool, appendAll, writes, onAlsoWrote = () => {} }: AppenderOptions): Appender {
  let waiting: Waiting[] = [];
  const underWay = new Set<{ size: number; since: number }>();
  /** Whether waiting appends are looked at again when the statement under way counts as slow. */
  let reminding = false;
  /** Whether waiting appends are sent when the current turn of the event loop ends. */
  let pumping = false;
  /** Matches that were found locked, with the time until which they are sent separately. */
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
      // One bad or locked row must not fail the others in its batch. Any other error may have come after the commit, so
      // the batch is not sent again: that would mistake our own events for somebody else's.
      if (batch.length > 1 && (isOfRow(error) || isDeadlocked(error))) {
        await Promise.all(batch.map((one) => send([one], skipLocked)));
      } else if (isLocked(error) && !skipLocked) await send(batch, true);
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

  /** The next appends that go out together. Matches that were found locked form a batch of their own. */
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

  /** Appends that have waited too long were never sent, and the caller can be told so. */
  function dropLate(): void {
    const late = writes.areStalled ? Number.POSITIVE_INFINITY : steady() - PATIENCE_MS;
    while (waiting[0] && waiting[0].since < late) waiting.shift()?.reject(refusals.databaseStalled({ retryAfter: 2 }));
  }

  /** Whether a statement may be sent beside those that are under way. */
  function isFree(): boolean {
    if (underWay.size === 0) return true;
    if (underWay.size >= LANES) return false;
    if (waiting.length >= MAX_BATCH) return true;
    const slow = steady() - SLOW_MS;
    for (const { size, since } of underWay) if (size >= CROWD && since > slow) return false;
    return true;
  }

  function remind(): void {
    if (reminding) return;
    reminding = true;
    setTimeout(() => {
      reminding = false;
      pump();
    }, SLOW_MS);
  }

  function pump(): void {
    while (waiting.length > 0 && isFree()) {
      dropLate();
      if (waiting.length === 0) return;
      const { batch, apart } = takeBatch();
      const statement = { size: batch.length, since: steady() };
      underWay.add(statement);
      void send(batch, apart).finally(() => {
        underWay.delete(statement);
        pumpAfterTurn();
      });
    }
    if (waiting.length > 0 && underWay.size < LANES) remind();
  }

  function pumpAfterTurn(): void {
    if (pumping) return;
    pumping = true;
    askWhenTurnEnds(() => {
      pumping = false;
      pump();
    });
  }

  const append = (one: Append) =>
    new Promise<boolean>((resolve, reject) => {
      writes.check();
      waiting.push({ expected: one.expected, match: one.match, since: steady(), resolve, reject });
      pumpAfterTurn();
    });
  return Object.defineProperty(append, 'waiting', { get: () => waiting.length }) as Appender;
}
