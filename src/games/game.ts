import type { TSchema } from 'typebox';

/** An index at a match's table, 0-based, in turn order of the set-up. */
export type Seat = number;

/** Scores and ranks by seat. Rank 1 wins, and ties share a rank. */
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

/**
 * What a picture or a description shows besides the view: who sits where and what has just happened. Every viewer knows
 * all of it anyway, so it cannot leak.
 */
export interface Scene {
  /** Player names by seat; null if nobody sits there yet. */
  readonly names: readonly (string | null)[];
  /** The seats that may act now. */
  readonly acting: readonly Seat[];
  /** The final result, which also takes into account who gave up; null while the match runs. */
  readonly result: Result | null;
  /** The last action that the viewer may know of, and the things it was about; null if there is none yet. */
  readonly last: { readonly seat: Seat; readonly targets: readonly string[] } | null;
  /** Every target of the viewer's legal actions; empty for spectators and in replays. */
  readonly legal: readonly string[];
  /** NARROW is laid out for a phone and readable at a width of 390 pixels. */
  readonly width: 'WIDE' | 'NARROW';
}

/** Something that followed from an action without a decision of its own: a forced fill, a harvest, a drawn tile. */
export interface Effect {
  readonly type: string;
}

/** Receives the effects of an action in the order in which they happened. */
export type Tell<E extends Effect = Effect> = (effect: E) => void;

/** A list in a view, item by item, so that whoever reads one of them need not make all. */
export interface Items<State extends object, Item> {
  count(state: State): number;
  item(state: State, index: number, seat: Seat | null): Item;
}

/** How a field of a view is made. */
export type Part<State extends object, Value> =
  | ((state: State, seat: Seat | null) => Value)
  | (Value extends readonly (infer Item)[] ? Items<State, Item> : never);

/** For each field of a view, how it is made. */
export type Parts<State extends object, View extends object> = {
  readonly [Field in keyof View]: Part<State, View[Field]>;
};

/** The view that consists of these parts. */
export function wholeView<State extends object, View extends object>(
  parts: Parts<State, View>,
  state: State,
  seat: Seat | null,
): View {
  const view = {} as View;
  for (const field in parts) {
    const part: Part<State, unknown> | Items<State, unknown> = parts[field];
    view[field] = (typeof part === 'function' ? part(state, seat) : itemsOf(part, state, seat)) as View[typeof field];
  }
  return view;
}

function itemsOf<State extends object>(
  { count, item }: Items<State, unknown>,
  state: State,
  seat: Seat | null,
): unknown[] {
  return Array.from({ length: count(state) }, (_, i) => item(state, i, seat));
}

/** Anything that a client sent in place of an action. */
export type Wanted = Readonly<Record<string, unknown>>;

/** Whether an action with this value of a field can be the one that is wanted. Without a wanted one, all of them are. */
export const mayBe = (wanted: Wanted | undefined, field: string, value: string | number): boolean =>
  wanted === undefined || wanted[field] === value;

/** What a seat may decide in advance about its decisions off turn. */
export interface Orders<State extends object, Action extends object> {
  readonly schema: TSchema;
  /** The listed action that this order takes for the seat now; null if the seat has to be asked. */
  action(state: State, seat: Seat, order: object): Action | null;
}

/**
 * The contract of a game: one folder, one object. Everything here is pure: no clock, no I/O, no chance but `rng`.
 *
 * States, actions, options and views are plain JSON: no class, Map, Date, undefined.
 * Every obligation below is asserted by the conformance suite (tests/games/conformance/) for every registered game.
 */
export interface Game<
  Options extends object = object,
  State extends object = object,
  Action extends object = object,
  View extends object = object,
> {
  readonly id: string;
  readonly name: string;
  /** The version of the rules. It increases by 1 whenever an old log would replay differently or tell other effects. */
  readonly rules: number;
  readonly seats: { readonly min: number; readonly max: number };
  /** How long a match takes when all players sit at one table, according to the box; left out if unknown. */
  readonly minutes?: { readonly min: number; readonly max: number };
  /**
   * True if there is no chance: the set-up and `apply` never use `rng`. Otherwise two seeds give two different matches.
   */
  readonly drawsNothing?: boolean;
  /** JSON Schemas, served to clients. Every option has a default, so that `{}` is always a valid choice. */
  readonly schema: {
    readonly options: TSchema;
    readonly action: TSchema;
    readonly view: TSchema;
    /** The schema of what `apply` tells; left out by games in which nothing happens by itself. */
    readonly effect?: TSchema;
  };
  /** Named sets of options: each is played by the tests and has a golden transcript. The first one is the default. */
  readonly variants: Readonly<Record<string, Options>>;

  setup(options: Options, seats: number, rng: Rng): State;
  /**
   * Every action of this seat, in a stable order; [] if it may not act now. This alone determines whose turn it is. When
   * an action is looked up, it is given as `wanted`: all actions that differ from it may then be left out, so that a long
   * list need not be made.
   */
  legal(state: State, seat: Seat, wanted?: Wanted): Action[];
  /** Whether `legal` lists anything. Left out by games whose lists are short: they are made with every action. */
  mayAct?(state: State, seat: Seat): boolean;
  /**
   * Changes a state that it is given to keep. Never validates: the action is one of `legal(state, seat)`. Tells
   * everything that happened by itself, as far as everybody may know it once the action is public: if two states look
   * the same to somebody before and after an action, its effects must be the same too. The only exception is a decision
   * that the engine takes for a seat: it is told with the `action` that the seat would have taken, and is as public as
   * that action.
   */
  apply(state: State, seat: Seat, action: Action, rng: Rng, tell?: Tell): void;
  /**
   * A copy that shares nothing with the state. Left out by games whose states are small: they are copied in a general
   * way, which is slower, with every action.
   */
  copy?(state: State): State;
  /** Non-null exactly when no seat has a legal action. */
  result(state: State): Result | null;

  /** What this seat may know, built from nothing; null stands for a spectator. */
  view(state: State, seat: Seat | null): View;
  /**
   * How each part of the same view is made. A label is made with every action and reads one or two parts, so that the
   * others need not be made. Left out by games whose views are cheap.
   */
  readonly parts?: Parts<State, View>;
  /**
   * A number that decides when secrets become public: what was secret when it was made is public once the epoch has
   * passed. It never decreases.
   */
  epoch(state: State): number;
  /** Whether the action is hidden from other seats in the history until the epoch in which it was made has passed. */
  isSecret(action: Action): boolean;
  /**
   * A state that this seat cannot distinguish from the true one: everything that it cannot know is redrawn. Does not
   * change `state`.
   */
  guess(state: State, seat: Seat | null, rng: Rng): State;

  /**
   * One readable line, unique within a legal list. Must work with the view of the acting seat and of a spectator. The
   * log keeps what a spectator would read or, for a secret action, what its own seat would read, because that line is
   * hidden for just as long.
   */
  label(action: Action, view: View): string;
  /** One readable sentence for an effect. Required if the game tells any. */
  explain?(effect: Effect): string;
  /**
   * The things on the table that an action is about, in the order in which a person would point at them:
   * ['hand:2-1-0-1', 'cell:3,4', 'turn:1']. Every target of every legal action is in the picture of its seat as
   * `data-target`, with a title. Within a legal list no two actions have the same set of targets. Must work with the view
   * of the acting seat and of a spectator.
   */
  targets(action: Action, view: View): string[];
  /** The table in sentences of at most 300 characters, for screen readers, chat bots and language models. */
  describe(view: View, scene?: Scene): string[];
  /**
   * The table as a picture, drawn from the view, so that it cannot leak. Without a scene seats are called by letter.
   * Ids are unique within it and stay the same from version to version. Every player is named in it.
   */
  svg(view: View, scene?: Scene): string;
  /** Standing orders, for games with trivial decisions off turn that would stall a table. */
  readonly orders?: Orders<State, Action>;
  /** Counts of pieces that must not change from the set-up to the end of a match ("tiles": 28, …). */
  accounts(state: State): Record<string, number>;
}
