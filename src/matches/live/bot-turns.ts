/** Bots at the table: whenever one may act, some server lets it think and submits what it decides. */
import { randomInt } from 'node:crypto';
import { isStuck } from '../../bots/stuck.ts';
import type { Ask, Thinker } from '../../bots/thinker.ts';
import { AtollError } from '../../errors.ts';
import type { Seat } from '../../games/game.ts';
import { fastRng } from '../../games/rng.ts';
import { BOT_IDS, BOTS, type BotLevel, isBot, levelOf } from '../../players/bot-accounts.ts';
import type { Memo } from '../log/memo.ts';
import type { Match } from '../log/records.ts';
import type { Store } from '../log/store.ts';
import type { Matches } from '../matches.ts';

export interface Bots {
  /** To be called with every match that was moved on here. */
  consider(match: Match): void;
  /** Takes up turns that nobody took: of a server that stopped, say. */
  sweep(now: Date): Promise<void>;
  /** Waits for the moves that are under way. */
  close(): Promise<void>;
}

export interface BotOptions {
  matches: Pick<Matches, 'submit' | 'endFull'>;
  /** Whether a match has reached its greatest length. */
  isFull?: (match: Match) => boolean;
  store: Store;
  memo: Memo;
  thinker: Thinker;
  warn(message: string, error: unknown): void;
  /** How long a bot's turn may lie before any server takes it up. */
  patienceMs?: number;
}

export function openBots(options: BotOptions): Bots {
  const { matches, store, memo, thinker, warn, patienceMs = 5000, isFull = () => false } = options;
  const busy = new Map<string, Promise<void>>();
  let closing = false;

  /** Plays every bot's turn of one match until it is somebody else's. Acting twice is impossible: the version is expected. */
  async function play(id: string): Promise<void> {
    for (let match = await memo.recall(id); match && !closing; match = await memo.recall(id)) {
      const seat = match.acting.find((acting) => isBot(match?.seats[acting]));
      const playerId = seat === undefined ? null : match.seats[seat];
      if (seat === undefined || !playerId || !match.state) return;
      if (isFull(match)) return void (await matches.endFull(id));
      const level = levelOf(playerId) as BotLevel;
      const { version } = match;
      const action = isStuck(timesHere(match), version)
        ? fastRng(randomInt(2 ** 31)).pick(match.engine.legal(match.state, seat))
        : await thinker.decide(askOf(match, match.state, seat, level));
      if (closing) return;
      try {
        await matches.submit(BOTS[level], {
          matchId: id,
          expectedVersion: version,
          actionId: `bot ${version}`,
          action,
        });
      } catch (error) {
        // Another server, or another seat, was faster: decide again on what is there now.
        if (!(error instanceof AtollError) || !RACES.has(error.code)) throw error;
        await memo.fresh(id);
      }
    }
  }

  function start(id: string): void {
    if (closing || busy.has(id)) return;
    const run = play(id)
      .catch((error) => warn('a bot could not act', error))
      .finally(() => busy.delete(id));
    busy.set(id, run);
  }

  return {
    consider(match) {
      if (match.acting.some((seat) => isBot(match.seats[seat]))) start(match.id);
    },
    async sweep(now) {
      for (const id of await store.awaiting(BOT_IDS)) {
        // One that cannot be loaded, such as one by rules that only a newer server has, must not stop the others.
        const match = busy.has(id) ? null : await memo.fresh(id).catch((error) => void warn('a bot waits', error));
        const last = match?.events.at(-1)?.at.getTime() ?? now.getTime();
        if (now.getTime() - last >= patienceMs) start(id);
      }
    },
    async close() {
      closing = true;
      await thinker.close();
      await Promise.allSettled(busy.values());
    },
  };
}

/** The question as the seat knows it. */
function askOf(match: Match, truth: object, seat: Seat, level: BotLevel): Ask {
  const { game, rules, engine, seatCount: seats } = match;
  const state = engine.guess(truth, seat, fastRng(randomInt(2 ** 31)));
  return { game, rules, state, seats, seat, level, seed: randomInt(2 ** 31) };
}

/** How often this position has come about. */
function timesHere({ events }: Match): number {
  const here = events.at(-1)?.stateHash;
  return events.filter(({ type, stateHash }) => type === 'ACTED' && stateHash === here).length;
}

const RACES = new Set([
  'STALE_VERSION',
  'NOT_YOUR_TURN',
  'ILLEGAL_ACTION',
  'ACTION_ID_REUSED',
  'MATCH_OVER',
  'NOT_SEATED',
  'NOT_FOUND', // a private match that somebody took its seat in
  'UNAVAILABLE',
]);
