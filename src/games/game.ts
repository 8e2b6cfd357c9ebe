import type { TSchema } from 'typebox';

/** An index at a match's table, 0-based, in turn order of the set-up. */
export type Seat = number;

/** By seat; rank 1 wins, ties share a rank. */
export interface Result {
  scores: number[];
  ranks: number[];
}

export interface Rng {
  /** A whole number from 0 to n - 1, each equally likely. */
  int(n: number): number;
  pick<T>(items: readonly T[]): T;
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[];
}

/** What a seat may say in advance about its decisions off turn. */
export interface Orders<State extends object, Action extends object> {
  readonly schema: TSchema;
  /** The listed action that this order takes for the seat now; null: it is asked. */
  action(state: State, seat: Seat, order: object): Action | null;
}

/**
 * The contract of a game: one folder, one object. Everything here is pure: no clock, no I/O, no chance but `rng`.
 *
 * States, actions, options and views are plain JSON: no class, Map, Date, undefined.
 * Every obligation below is asserted by the conformance suite (tests/games/conformance.ts) for every registered game.
 */
export interface Game<
  Options extends object = object,
  State extends object = object,
  Action extends object = object,
  View extends object = object,
> {
  readonly id: string;
  readonly name: string;
  /** Version of the rules: +1 when any old log would replay differently. */
  readonly rules: number;
  readonly seats: { readonly min: number; readonly max: number };
  /** JSON Schemas, served to clients. Every option has a default, so that `{}` is always a valid choice. */
  readonly schema: { readonly options: TSchema; readonly action: TSchema; readonly view: TSchema };
  /** Named sets of options: each is played by the tests and has a golden transcript. The first one is the default. */
  readonly variants: Readonly<Record<string, Options>>;

  setup(options: Options, seats: number, rng: Rng): State;
  /** Every action of this seat, in a stable order; [] = it may not act now. Whose turn it is follows from this alone. */
  legal(state: State, seat: Seat): Action[];
  /** Assigns to a state it is given to keep. Never validates: the action is one of `legal(state, seat)`. */
  apply(state: State, seat: Seat, action: Action, rng: Rng): void;
  /** Non-null exactly when no seat has a legal action. */
  result(state: State): Result | null;

  /** What this seat may know, built from nothing; null = a spectator. */
  view(state: State, seat: Seat | null): View;
  /** The secrecy clock: what was secret when it was made is public once the epoch has passed. Never decreases. */
  epoch(state: State): number;
  /** Hidden from other seats in the history while the epoch in which it was made lasts. */
  isSecret(action: Action): boolean;
  /** A state that this seat cannot tell from the true one: everything it cannot know is redrawn. Does not change `state`. */
  guess(state: State, seat: Seat | null, rng: Rng): State;

  /** One readable line, unique within a legal list. Must work with the view of the acting seat and of a spectator. */
  label(action: Action, view: View): string;
  /** The table as a picture, drawn from the view, so that it cannot leak. */
  svg(view: View): string;
  /** Standing orders, where a game has trivial decisions off turn that would stall a table. */
  readonly orders?: Orders<State, Action>;
  /** Counts of pieces that must not change from the set-up to the end of a match ("tiles": 28, …). */
  accounts(state: State): Record<string, number>;
}
