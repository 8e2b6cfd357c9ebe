/** How a command changes a match: it is loaded as the caller may see it, changed, committed, and then told of. */
import type { Pool } from 'pg';
import { once, type RequestKey, writeKey } from '../database/request-keys.ts';
import { type AtollError, refusals } from '../errors.ts';
import { isId } from '../id.ts';
import type { Player } from '../players/player.ts';
import { type Caller, maySee } from './commands/access.ts';
import type { Live } from './live/hints.ts';
import { concernsLobby, LOBBY } from './live/lobby.ts';
import type { Memo } from './log/memo.ts';
import type { Match } from './log/records.ts';
import type { Store } from './log/store.ts';

/** What a command makes of a match; long work may be waited for. */
export type Step = (match: Match) => Match | Promise<Match>;

export interface Changes {
  /** The match as it is now, if this caller may see it. */
  see(caller: Caller, id: string, invite?: string | null): Promise<Match>;
  /** Commits what `step` makes of the match, or tries again on what another server has made of it meanwhile. */
  change(caller: Caller, id: string, invite: string | null, step: Step): Promise<Match>;
  /** The same for the server itself, which may see every match. */
  changeUnseen(id: string, step: Step): Promise<Match>;
  /** Remembers a match that was just committed here and tells of it. `before` is null for a new match. */
  committed(before: Match | null, match: Match): void;
  /** Runs the tasks of one match one after another: within a process they need not race each other. */
  inTurn<T>(id: string, task: () => Promise<T>): Promise<T>;
  /** What an earlier request with this key made, or what `make` makes now. */
  once(player: Player, request: RequestKey | null, make: () => Promise<Match>): Promise<Match>;
  /** Writes down which match was the answer to a request. */
  remember(request: RequestKey | null, match: Match): Promise<void>;
  noSuchMatch(): AtollError;
  tooBusy(): AtollError;
}

export interface ChangesParts {
  pool: Pool;
  store: Store;
  memo: Memo;
  live: Live;
  /** Told of every match that was moved on here: bots look whether it is their turn. */
  onCommit: (match: Match) => void;
}

const MAX_TRIES = 3;

const noSuchMatch = () => refusals.noSuchMatch();

const tooBusy = () => refusals.tooBusy({ retryAfter: 1 });

/** Whoever waits longer for a command is told that it may still be done. */
const ANSWER_MS = 9000;

export function openChanges({ pool, store, memo, live, onCommit }: ChangesParts): Changes {
  const serial = oneAtATime();
  const inTurn: Changes['inTurn'] = (id, task) => answered(serial(id, task));

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

  const changed = (id: string, load: () => Promise<Match>, step: Step): Promise<Match> =>
    inTurn(id, async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const match = await load();
        const next = await step(match);
        if (next === match) return match;
        if (await store.append({ expected: match.version, match: next })) {
          committed(match, next);
          return next;
        }
      }
      throw tooBusy();
    });

  function committed(before: Match | null, match: Match): void {
    memo.put(match);
    live.tell({ match: match.id, version: match.version, players: whoHears(before, match) });
    onCommit(match);
  }

  return {
    see,
    change: (caller, id, invite, step) => changed(id, () => see(caller, id, invite), step),
    changeUnseen: (id, step) => changed(id, () => seeAny(id), step),
    committed,
    once: (player, request, make) => once(pool, request, (id) => see(player, id), make),
    async remember(request, match) {
      if (request) await writeKey(pool, request, match.id);
    },
    inTurn,
    noSuchMatch,
    tooBusy,
  };
}

/** Whoever waits for turns that have changed, and whoever looks for a table. */
function whoHears(before: Match | null, after: Match): string[] {
  const players = turnsChanged(before, after);
  return concernsLobby(before, after) ? [...players, LOBBY] : players;
}

/** The players who may act after but not before, or before but not after. */
function turnsChanged(before: Match | null, after: Match): string[] {
  const players = (match: Match | null) => new Set(match?.acting.map((seat) => match.seats[seat] ?? '') ?? []);
  const [old, current] = [players(before), players(after)];
  return [...old].filter((id) => !current.has(id)).concat([...current].filter((id) => !old.has(id)));
}

/** The result, or UNAVAILABLE once it has taken too long; the work itself goes on. */
function answered<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(refusals.notInTime({ retryAfter: 2 })), ANSWER_MS);
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

function oneAtATime() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const before = last.get(key);
    const run = before ? before.then(task, task) : task();
    last.set(key, run);
    const forget = () => {
      if (last.get(key) === run) last.delete(key);
    };
    run.then(forget, forget);
    return run;
  };
}
