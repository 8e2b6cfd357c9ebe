/** Bots at the table: whenever a bot may act, some server lets it think and submits its decision. */
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
  /** Plays turns that no server has taken up, for example because the server stopped. */
  sweep(now: Date): Promise<void>;
  /** Waits for the moves that are under way. */
  close(): Promise<void>;
}

export interface BotOptions {
  matches: Pick<Matches, 'submit' | 'endFull'>;
  /** Whether a match has reached its maximum length. */
  isFull?: (match: Match) => boolean;
  store: Store;
  memo: Memo;
  thinker: Thinker;
  warn(message: string, error: unknown): void;
  /** How long a bot's turn may wait before any server takes it up. */
  patienceMs?: number;
}

export function openBots(options: BotOptions): Bots {
  const { matches, store, memo, thinker, warn, patienceMs = 5000, isFull = () => false } = options;
  const busy = new Map<string, Promise<void>>();
  let closing = false;

  /**
   * Plays the bots' turns of one match until a person has to act. A bot cannot act twice, because each submission names
   * the version that it expects.
   */
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
        // Another server or another seat was faster: decide again on the match as it is now.
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
        // A match that cannot be loaded, for example because only a newer server has its rules, must not stop the
        // others.
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

/** What the bot is asked to decide, with only what its seat may know. */
function askOf(match: Match, truth: object, seat: Seat, level: BotLevel): Ask {
  const { game, rules, engine, seatCount: seats } = match;
  const state = engine.guess(truth, seat, fastRng(randomInt(2 ** 31)));
  return { game, rules, state, seats, seat, level, seed: randomInt(2 ** 31) };
}

/** How many times this position has occurred. */
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
  'NOT_FOUND', // a private match in which somebody took the bot's seat
  'UNAVAILABLE',
]);
