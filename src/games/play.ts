import { createHmac } from 'node:crypto';
import { Value } from 'typebox/value';
import { AtollError } from '../errors.ts';
import type { Game, Rng, Seat } from './game.ts';
import { rngFor } from './rng.ts';

/** An action as the log keeps it: the version names its stream of chance. */
export interface Move {
  version: number;
  seat: Seat;
  action: object;
}

/** The set-up of a match; refuses a seat count or options that do not fit the game. */
export function start(game: Game, options: unknown, seats: number, rng: Rng): object {
  return game.setup(optionsFor(game, options), seatsFor(game, seats), rng);
}

/** The options with their defaults filled in. */
export function optionsFor(game: Game, options: unknown): object {
  if (!isPlainJson(options ?? {})) throw new AtollError('BAD_INPUT', 'Options are a plain JSON object');
  const full = Value.Default(game.schema.options, clone(options ?? {}));
  if (!Value.Check(game.schema.options, full)) {
    throw new AtollError('BAD_INPUT', `These options do not fit ${game.name}: ${optionFault(game, full)}`);
  }
  return full as object;
}

/** The first thing that is wrong with these options. */
function optionFault({ schema }: Game, options: unknown): string {
  const [first] = Value.Errors(schema.options, options);
  const { properties = {} } = schema.options as { properties?: Record<string, { enum?: unknown[]; anyOf?: object[] }> };
  const name = first?.instancePath.split('/')[1];
  if (!first || !name) return `they ${first?.message ?? 'have the wrong shape'}`;
  const option = properties[name];
  const others = Object.keys(properties).join(', ');
  if (!option) return `there is no option ${name}${others ? `, only ${others}` : ''}`;
  const values = option.enum ?? option.anyOf?.map((one) => (one as { const?: unknown }).const);
  return values
    ? `${name} is one of ${values.map((value) => JSON.stringify(value)).join(', ')}`
    : `${name} ${first.message}`;
}

export function seatsFor(game: Game, seats: number): number {
  const { min, max } = game.seats;
  if (Number.isInteger(seats) && seats >= min && seats <= max) return seats;
  const range = min === max ? `exactly ${min}` : `${min} to ${max}`;
  throw new AtollError('BAD_INPUT', `${game.name} is played by ${range} seats, not ${String(seats)}`);
}

/** The seats that may act now. */
export function acting(game: Game, state: object, seats: number): Seat[] {
  const out: Seat[] = [];
  for (let seat = 0; seat < seats; seat++) if (game.legal(state, seat).length > 0) out.push(seat);
  return out;
}

/**
 * The state after this seat's action; `state` itself is not touched. The submitted JSON is looked up in the legal list
 * and the listed object is applied: there is no second validator that could disagree.
 */
export function play(game: Game, state: object, seat: Seat, action: unknown, rng: Rng): object {
  return take(game, state, seat, lookUp(game, state, seat, action), rng);
}

/** The state after a listed action, on a copy. */
export function take(game: Game, state: object, seat: Seat, listed: object, rng: Rng): object {
  const next = clone(state);
  game.apply(next, seat, listed, rng);
  return next;
}

/** The legal action equal to what was submitted, or the typed error that says what is wrong. */
export function lookUp(game: Game, state: object, seat: Seat, action: unknown): object {
  if (!isPlainJson(action) || action === null || typeof action !== 'object' || Array.isArray(action)) {
    throw new AtollError('BAD_INPUT', 'An action is a plain JSON object, copied from the list of legal actions');
  }
  const list = game.legal(state, seat);
  const listed = list.find((legal) => same(legal, action));
  if (listed) return listed;
  if (list.length > 0) {
    throw new AtollError('ILLEGAL_ACTION', 'This action is not in the list of legal actions of this seat');
  }
  if (game.result(state)) throw new AtollError('MATCH_OVER', 'This match is over');
  throw new AtollError('NOT_YOUR_TURN', 'This seat may not act now');
}

/** Rebuilds a state in place from committed moves: they are trusted, not validated again. */
export function replay(game: Game, state: object, moves: Iterable<Move>, seed: Uint8Array): object {
  for (const { version, seat, action } of moves) game.apply(state, seat, action, rngFor(seed, version));
  return state;
}

/** A copy of plain JSON, several times faster than structuredClone. */
export function clone<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const out = new Array(value.length);
    for (let i = 0; i < value.length; i++) out[i] = clone(value[i]);
    return out as T;
  }
  const out: Record<string, unknown> = {};
  for (const key in value) out[key] = clone(value[key]);
  return out as T;
}

/** Whether two JSON values have the same canonical form. Descends only as far as `a`, so a hostile `b` cannot hurt. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => same(item, b[i]));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) => Object.hasOwn(b, key) && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

const MAX_DEPTH = 32;

/** Whether a value would survive a JSON round trip unchanged. */
export function isPlainJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isPlainJson(item, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  if (Object.hasOwn(value, '__proto__')) return false; // a copy would inherit from it
  return Object.values(value).every((item) => isPlainJson(item, depth + 1));
}

/** JSON with sorted keys and no white space: equal values have equal text. Hashed with every action, so it must be fast. */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let out = '';
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) out += i ? `,${canonical(value[i])}` : canonical(value[i]);
    return `[${out}]`;
  }
  for (const key of inOrder(Object.keys(value))) {
    const item = canonical((value as Record<string, unknown>)[key]);
    out += out ? `,${quoted(key)}:${item}` : `${quoted(key)}:${item}`;
  }
  return `{${out}}`;
}

const PLAIN = /^[ !#-[\]-~]*$/;

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

function inOrder(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return keys.sort();
  return keys;
}

/** Keyed by the seed, because the bare hash of a state with few unknowns can be searched by an opponent. */
export function stateHash(seed: Uint8Array, state: object): string {
  return createHmac('sha256', seed).update('atoll/state/').update(canonical(state)).digest('hex');
}
