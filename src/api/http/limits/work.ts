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
  /** Takes units for items that are delivered without a further request. Returns `debtMs` after that. */
  owe(units: number): number;
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
  /** Takes the units in any case, and returns `debtMs` after that. */
  owe(key: string, units: number): number;
  debtMs(key: string): number;
}

interface Spent {
  units: number;
  at: number;
}

const MINUTE = 60_000;

/**
 * A budget that refills steadily at this many units per minute, which is also the most it holds. It uses the steady
 * clock: if a machine's clock were set back by an hour, nobody could do anything for that hour.
 */
export function budget(perMinute: number, now = steady): Budget {
  const spent = new Map<string, Spent>();
  let sweepAt = 0;

  /** How much of a budget is still spent at this time. */
  const left = (known: Spent | undefined, time: number): number =>
    known ? Math.max(0, known.units - ((time - known.at) * perMinute) / MINUTE) : 0;

  const debtOf = (units: number): number => Math.max(0, ((units - perMinute) / perMinute) * MINUTE);

  function sweep(time: number): void {
    if (time < sweepAt) return;
    sweepAt = time + MINUTE;
    for (const [key, known] of spent) if (left(known, time) === 0) spent.delete(key);
  }

  function take(key: string, known: Spent | undefined, units: number, time: number): number {
    const all = Math.max(0, left(known, time) + units);
    if (known) {
      known.units = all;
      known.at = time;
    } else {
      spent.set(key, { units: all, at: time });
    }
    sweep(time);
    return debtOf(all);
  }

  return {
    debtMs: (key) => debtOf(left(spent.get(key), now())),
    owe: (key, units) => take(key, spent.get(key), units, now()),
    pay(key, units) {
      const time = now();
      const known = spent.get(key);
      const ms = debtOf(left(known, time));
      if (ms > 0) throw refusals.tooMuchWork(perMinute, Math.ceil(ms / 1000));
      take(key, known, units, time);
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
  return (viewer, request) => {
    const who = viewer?.id ?? addressKey(request.ip);
    return new OneWork(who, viewer ? players : addresses, request.raw, config.ANSWER_LIMIT_BYTES);
  };
}

/** A class, because one is made for every request, and an object with a function for each method takes much more. */
class OneWork implements Work {
  readonly who: string;
  readonly #purse: Budget;
  readonly #raw: FastifyRequest['raw'];
  readonly #longest: number;
  #characters = 0;

  constructor(who: string, purse: Budget, raw: FastifyRequest['raw'], longest: number) {
    this.who = who;
    this.#purse = purse;
    this.#raw = raw;
    this.#longest = longest;
  }

  pay(units: number): void {
    this.#purse.pay(this.who, units);
  }

  owe(units: number): number {
    return this.#purse.owe(this.who, units);
  }

  giveBack(units: number): void {
    this.#purse.owe(this.who, -units);
  }

  debtMs(): number {
    return this.#purse.debtMs(this.who);
  }

  turn(): Promise<void> | undefined {
    if (hasLeft(this.#raw)) throw refusals.hasLeft();
    return pause(this.who)?.then(() => {
      if (hasLeft(this.#raw)) throw refusals.hasLeft();
    });
  }

  answer(characters: number): void {
    this.#characters += characters;
    if (this.#characters > this.#longest) throw refusals.answerTooLong(this.#longest);
  }
}

/** After this many units others get a turn: about half of a time slice. */
const UNITS_BETWEEN_TURNS = 200;

/** Items that are paid for as they are delivered. A caller who has used up the budget gets the next ones later. */
export interface Paid<T> extends AsyncIterableIterator<T> {
  /** Pays for one item that is delivered in another way. Resolves when the next may come; undefined if that is at once. */
  pay(): Promise<void> | undefined;
}

export function paidFor<T>(items: AsyncIterator<T>, work: Work, units: number): Paid<T> {
  let wake: (() => void) | undefined;
  let ended = false;
  let since = 0;

  async function wait(ms: number, turn: Promise<void> | undefined): Promise<void> {
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
  }

  function pay(): Promise<void> | undefined {
    const ms = work.owe(units);
    since += units;
    const turn = since >= UNITS_BETWEEN_TURNS ? work.turn() : undefined;
    if (since >= UNITS_BETWEEN_TURNS) since = 0;
    return turn || ms > 0 ? wait(ms, turn) : undefined;
  }

  return {
    pay,
    next() {
      const paid = pay();
      if (!paid) return items.next();
      return paid.then(() => (ended ? { done: true, value: undefined } : items.next()));
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
