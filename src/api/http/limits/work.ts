/** How much work may be done for a caller: it is counted, paid for from a budget, and done in turns (see turns.ts). */
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import { steady } from '../../../database/time.ts';
import { refusals } from '../../../errors.ts';
import type { Viewer } from '../../../players/player.ts';
import { pause } from '../../../turns.ts';
import { addressKey } from './admission.ts';

/** A unit is about 20 microseconds of work, or 1,000 characters of an answer. */
export interface Work {
  /** For whom the work is done: a player, or an address. */
  readonly who: string;
  /** Takes units from the caller's budget. Throws RATE_LIMITED if nothing is left. */
  pay(units: number): void;
  /** Counts the length of an answer while it is being made. Throws BAD_INPUT when it becomes too long. */
  answer(characters: number): void;
  /** Takes units for items that are delivered without a further request. */
  owe(units: number): void;
  /** Returns units that were paid for and not used. */
  giveBack(units: number): void;
  /** Resolves when the caller may continue; undefined if that is at once. Throws once the caller has left. */
  turn(): Promise<void> | undefined;
  /** Milliseconds until the debt is paid off. */
  debtMs(): number;
}

export interface Budget {
  /** Throws RATE_LIMITED if nothing is left. Otherwise takes the units, even if that makes the balance negative. */
  pay(key: string, units: number): void;
  owe(key: string, units: number): void;
  debtMs(key: string): number;
}

const MINUTE = 60_000;

/**
 * A budget that refills steadily at this many units per minute, which is also the most it holds. It uses the steady
 * clock: if a machine's clock were set back by an hour, nobody could do anything for that hour.
 */
export function budget(perMinute: number, now = steady): Budget {
  const spent = new Map<string, { units: number; at: number }>();
  let sweepAt = 0;

  /** How much of a key's budget is still spent at this time. */
  function left(key: string, time: number): number {
    const known = spent.get(key);
    return known ? Math.max(0, known.units - ((time - known.at) * perMinute) / MINUTE) : 0;
  }

  function sweep(time: number): void {
    if (time < sweepAt) return;
    sweepAt = time + MINUTE;
    for (const key of spent.keys()) if (left(key, time) === 0) spent.delete(key);
  }

  const debtMs = (key: string) => Math.max(0, ((left(key, now()) - perMinute) / perMinute) * MINUTE);

  function owe(key: string, units: number): void {
    const time = now();
    sweep(time);
    spent.set(key, { units: Math.max(0, left(key, time) + units), at: time });
  }

  return {
    debtMs,
    owe,
    pay(key, units) {
      const ms = debtMs(key);
      if (ms > 0) throw refusals.tooMuchWork(perMinute, Math.ceil(ms / 1000));
      owe(key, units);
    },
  };
}

export type WorkOf = (viewer: Viewer | undefined, request: FastifyRequest) => Work;

/** No more work is done for a caller who has left, however much was asked for before. */
const hasLeft = (raw: FastifyRequest['raw'] | undefined): boolean => raw?.socket?.destroyed === true;

/** The work of one request or operation. */
export function workOf(config: Config): WorkOf {
  const players = budget(config.WORK_LIMIT_PER_PLAYER);
  const addresses = budget(config.WORK_LIMIT_PER_ADDRESS);
  const longest = config.ANSWER_LIMIT_BYTES;
  return (viewer, { ip, raw }) => {
    const who = viewer?.id ?? addressKey(ip);
    const purse = viewer ? players : addresses;
    let characters = 0;
    return {
      who,
      pay: (units) => purse.pay(who, units),
      owe: (units) => purse.owe(who, units),
      giveBack: (units) => purse.owe(who, -units),
      debtMs: () => purse.debtMs(who),
      turn() {
        if (hasLeft(raw)) throw refusals.hasLeft();
        return pause(who)?.then(() => {
          if (hasLeft(raw)) throw refusals.hasLeft();
        });
      },
      answer(more) {
        characters += more;
        if (characters > longest) throw refusals.answerTooLong(longest);
      },
    };
  };
}

/** After this many units others get a turn: about half of a time slice. */
const UNITS_BETWEEN_TURNS = 200;

/** Items that are paid for as they are delivered. A caller who has used up the budget gets the next ones later. */
export function paidFor<T>(items: AsyncIterator<T>, work: Work, units: number): AsyncIterableIterator<T> {
  let wake: (() => void) | undefined;
  let ended = false;
  let since = 0;

  async function wait(ms: number, turn: Promise<void> | undefined): Promise<IteratorResult<T>> {
    await turn;
    for (let left = ms; left > 0 && !ended; left = work.debtMs()) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return ended ? { done: true, value: undefined } : items.next();
  }

  return {
    next() {
      work.owe(units);
      since += units;
      const turn = since >= UNITS_BETWEEN_TURNS ? work.turn() : undefined;
      if (since >= UNITS_BETWEEN_TURNS) since = 0;
      const ms = work.debtMs();
      return turn || ms > 0 ? wait(ms, turn) : items.next();
    },
    return() {
      ended = true;
      wake?.();
      return items.return?.() ?? Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
