import { Value } from 'typebox/value';
import { hmacSha256Hex } from '../crypto.ts';
import { refusals } from '../errors.ts';
import { canonicalBytes } from './canonical.ts';
import type { Effect, Game, Seat, Wanted } from './game.ts';
import { rngFor } from './rng.ts';

/** An action of a seat, and the number of the stream from which it draws its chance. */
export interface Move {
  stream: number;
  seat: Seat;
  action: object;
}

/** The set-up of a match, with the chance of the event that starts it. `options` are complete, as `optionsFor` makes them. */
export const start = (game: Game, options: object, seats: number, seed: Uint8Array, stream: number): object =>
  game.setup(options, seats, rngFor(seed, stream));

const MAX_OPTIONS = 100;

/** The options with their defaults filled in. */
export function optionsFor(game: Game, options: unknown): object {
  if (!isPlainJson(options ?? {})) throw refusals.badOptions();
  // Finding out what is wrong with thousands of options would take long.
  if (Object.keys(options ?? {}).length > MAX_OPTIONS)
    throw refusals.optionsDoNotFit(game.name, 'there are too many of them');
  const full = Value.Default(game.schema.options, clone(options ?? {}));
  if (!Value.Check(game.schema.options, full)) {
    throw refusals.optionsDoNotFit(game.name, optionFault(game, full));
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
  throw refusals.badSeatCount(game.name, range, String(seats));
}

/** The seats that may act now. */
export function acting(game: Game, state: object, seats: number): Seat[] {
  const out: Seat[] = [];
  for (let seat = 0; seat < seats; seat++) if (mayAct(game, state, seat)) out.push(seat);
  return out;
}

const mayAct = (game: Game, state: object, seat: Seat): boolean =>
  game.mayAct ? game.mayAct(state, seat) : game.legal(state, seat).length > 0;

/**
 * The legal action equal to what was submitted, or the typed error that says what is wrong. The listed object is what
 * is then played, so there is no second validator that could disagree.
 */
export function lookUp(game: Game, state: object, seat: Seat, action: unknown): object {
  if (!isPlainJson(action) || action === null || typeof action !== 'object' || Array.isArray(action)) {
    throw refusals.badAction();
  }
  for (const listed of game.legal(state, seat, action as Wanted)) if (same(listed, action)) return listed;
  if (mayAct(game, state, seat)) throw refusals.illegalAction();
  if (game.result(state)) throw refusals.matchOver();
  throw refusals.notYourTurn();
}

/** What a move led to. */
export interface Played {
  state: object;
  /** Whether chance was drawn. */
  drew: boolean;
  effects: Effect[];
}

/** Plays a new move, whose action `lookUp` has found. `state` itself is not changed. */
export function play(game: Game, state: object, { stream, seat, action }: Move, seed: Uint8Array): Played {
  const next = copyOf(game, state);
  const rng = rngFor(seed, stream);
  const effects: Effect[] = [];
  game.apply(next, seat, action, rng, (effect) => effects.push(effect));
  // A list that was pushed to has room for many more, which a remembered event would keep.
  return { state: next, drew: rng.used, effects: effects.slice() };
}

/** Repeats a committed move by changing `state`. It is trusted and not looked up, and its effects are not told. */
export function replay(game: Game, state: object, { stream, seat, action }: Move, seed: Uint8Array): void {
  game.apply(state, seat, action, rngFor(seed, stream));
}

/** A copy of a state that shares nothing with it. */
export const copyOf = (game: Game, state: object): object => (game.copy ? game.copy(state) : clone(state));

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

/** Whether two JSON values have the same canonical form. Descends only as far as `a`, so a hostile `b` does no harm. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && sameItems(a, b);
  }
  let keys = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !same(a[key as keyof typeof a], b[key as keyof typeof b])) return false;
    keys++;
  }
  return keys === Object.keys(b).length;
}

/** By itself, because a closure in `same` would make every call of it allocate memory, and most calls compare words. */
function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!same(a[i], b[i])) return false;
  return true;
}

const MAX_DEPTH = 32;

/** Whether a value would survive a JSON round trip unchanged. */
export function isPlainJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isPlainJson(value[i], depth + 1)) return false;
    return true;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  if (Object.hasOwn(value, '__proto__')) return false; // a copy would inherit from it
  for (const key in value) if (!isPlainJson(value[key as keyof typeof value], depth + 1)) return false;
  return true;
}

/** As bytes, because joining a text with the others takes longer. */
const OF_STATE = new TextEncoder().encode('atoll/state/');

/**
 * Keyed by the seed, because an opponent could find a state with few unknowns by trying all of them against a bare
 * hash.
 */
export function stateHash(seed: Uint8Array, state: object): string {
  return hmacSha256Hex(seed, OF_STATE, canonicalBytes(state));
}
