/**
 * How a command changes a match: load it as the caller may see it, change it, commit, and then tell everyone concerned.
 */
import type { Pool } from 'pg';
import { once, type RequestKey, writeKey } from '../database/request-keys.ts';
import { type AtollError, refusals } from '../errors.ts';
import { isId } from '../id.ts';
import type { Player } from '../players/player.ts';
import type { Guard } from '../quotas.ts';
import { within } from '../time-limit.ts';
import { type Caller, maySee } from './commands/access.ts';
import type { Live } from './live/hints.ts';
import { concernsLobby, LOBBY } from './live/lobby.ts';
import type { Memo } from './log/memo.ts';
import type { Match } from './log/records.ts';
import type { Store } from './log/store.ts';

/** What a command makes of a match. A step that takes long may return a promise. */
export type Step = (match: Match) => Match | Promise<Match>;

/** The guard of what a step has made of a match. */
export type GuardOf = (next: Match) => Guard;

export interface Changes {
  /** The match as it is now, if this caller may see it. */
  see(caller: Caller, id: string, invite?: string | null): Promise<Match>;
  /**
   * Commits what `step` makes of the match. If another server has moved the match on meanwhile, decides again on that.
   * A guard runs in the same transaction as the commit.
   */
  change(caller: Caller, id: string, invite: string | null, step: Step, guardOf?: GuardOf): Promise<Match>;
  /** Like `change`, but on behalf of the server itself, which may see every match. */
  changeUnseen(id: string, step: Step): Promise<Match>;
  /** Remembers a match that was just committed here and announces it. `before` is null for a new match. */
  committed(before: Match | null, match: Match): void;
  /** Runs the tasks of one match one after another, so that tasks within one process do not race each other. */
  inTurn<T>(id: string, task: () => Promise<T>): Promise<T>;
  /** The result, or UNAVAILABLE once it has taken too long for the caller. The work itself continues. */
  inTime<T>(work: Promise<T>): Promise<T>;
  /** Returns what an earlier request with this key made; otherwise runs `make`. */
  once(player: Player, request: RequestKey | null, make: () => Promise<Match>): Promise<Match>;
  /** Records which match was the answer to a request. */
  remember(request: RequestKey | null, match: Match): Promise<void>;
  noSuchMatch(): AtollError;
  tooBusy(): AtollError;
}

export interface ChangesParts {
  pool: Pool;
  store: Store;
  memo: Memo;
  live: Live;
  /** Called with every match that was moved on here, so that bots can check whether it is their turn. */
  onCommit: (match: Match) => void;
}

const MAX_TRIES = 3;

const noSuchMatch = () => refusals.noSuchMatch();

const tooBusy = () => refusals.tooBusy({ retryAfter: 1 });

/**
 * A caller that waits longer than this is told that the command may still be carried out. Together with looking up its
 * token that stays below ten seconds, even if the process is late by a second.
 */
const ANSWER_MS = 7000;

const notInTime = () => refusals.notInTime({ retryAfter: 2 });

export function openChanges({ pool, store, memo, live, onCommit }: ChangesParts): Changes {
  const serial = oneAtATime();
  const inTime: Changes['inTime'] = (work) => within(ANSWER_MS, work, notInTime);
  const inTurn: Changes['inTurn'] = (id, task) => inTime(serial(id, task));

  async function see(caller: Caller, id: string, invite?: string | null): Promise<Match> {
    const match = isId(id) ? await memo.fresh(id) : null;
    if (!match || !maySee(match, caller, invite)) throw noSuchMatch();
    return match;
  }

  async function seeAny(id: string): Promise<Match> {
    const match = await memo.fresh(id);
    if (!match) throw noSuchMatch();
    return match;
  }

  const changed = (id: string, load: () => Promise<Match>, step: Step, guardOf?: GuardOf): Promise<Match> =>
    inTurn(id, async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const match = await load();
        const next = await step(match);
        if (next === match) return match;
        if (await store.append({ expected: match.version, match: next }, guardOf?.(next))) {
          committed(match, next);
          return next;
        }
      }
      throw tooBusy();
    });

  function committed(before: Match | null, match: Match): void {
    memo.put(before, match);
    const hint = { match: match.id, version: match.version, players: whoHears(before, match) };
    live.tell(hint, { match, after: before?.version ?? 0 });
    onCommit(match);
  }

  return {
    see,
    change: (caller, id, invite, step, guardOf) => changed(id, () => see(caller, id, invite), step, guardOf),
    changeUnseen: (id, step) => changed(id, () => seeAny(id), step),
    committed,
    once: (player, request, make) => once(pool, request, (id) => see(player, id), make),
    async remember(request, match) {
      if (request) await writeKey(pool, request, match.id);
    },
    inTurn,
    inTime,
    noSuchMatch,
    tooBusy,
  };
}

/** The names to wake: players whose turns have changed, and the lobby if an open table has changed. */
function whoHears(before: Match | null, after: Match): string[] {
  const players = turnsChanged(before, after);
  return concernsLobby(before, after) ? [...players, LOBBY] : players;
}

/** The players who may act after but not before, or before but not after. */
function turnsChanged(before: Match | null, after: Match): string[] {
  // Events with equal seats share one list, so most moves within a turn end here.
  if (before?.acting === after.acting && before.seats === after.seats) return [];
  const players = (match: Match | null) => match?.acting.map((seat) => match.seats[seat] ?? '') ?? [];
  const [old, current] = [players(before), players(after)];
  return old.filter((id) => !current.includes(id)).concat(current.filter((id) => !old.includes(id)));
}

/**
 * V8 chains the tables that a map has outgrown, each with what it held, and its frequent collections free none of a
 * chain. Therefore the map holds a line for each key and not the promise itself, and a line that ends is emptied.
 */
function oneAtATime() {
  const lines = new Map<string, { last: Promise<unknown> | null }>();
  return <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { last: null };
    const run = line.last ? line.last.then(task, task) : task();
    if (!line.last) lines.set(key, line);
    line.last = run;
    const forget = () => {
      if (line.last !== run) return;
      line.last = null;
      lines.delete(key);
    };
    run.then(forget, forget);
    return run;
  };
}
