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

/**
 * What a picture or a description says beside the view: who sits where and what has just happened.
 * Whoever looks knows all of it anyway, so it cannot leak.
 */
export interface Scene {
  /** Player names by seat; null: nobody sits there yet. */
  readonly names: readonly (string | null)[];
  /** The seats that may act now. */
  readonly acting: readonly Seat[];
  /** The final result, which also knows who gave up; null while the match runs. */
  readonly result: Result | null;
  /** The last action that the viewer may know of, by the things it was about; null: none yet. */
  readonly last: { readonly seat: Seat; readonly targets: readonly string[] } | null;
  /** Every target of the viewer's legal actions; empty for spectators and in replays. */
  readonly legal: readonly string[];
  /** NARROW: laid out for a phone, readable at a width of 390 pixels. */
  readonly width: 'WIDE' | 'NARROW';
}

/** Something that followed from an action without a decision of its own: a forced fill, a harvest, a drawn tile. */
export interface Effect {
  readonly type: string;
}

/** Takes the effects of an action in the order in which they happened. */
export type Tell<E extends Effect = Effect> = (effect: E) => void;

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
  /** Version of the rules: +1 when any old log would replay differently or tell other effects. */
  readonly rules: number;
  readonly seats: { readonly min: number; readonly max: number };
  /** How long a match takes when all sit at one table, as the box has it; left out where nobody knows. */
  readonly minutes?: { readonly min: number; readonly max: number };
  /** True: there is no chance, so that the set-up and `apply` never ask `rng`. Else two seeds give two matches. */
  readonly drawsNothing?: boolean;
  /** JSON Schemas, served to clients. Every option has a default, so that `{}` is always a valid choice. */
  readonly schema: {
    readonly options: TSchema;
    readonly action: TSchema;
    readonly view: TSchema;
    /** Of what `apply` tells; left out by games in which nothing happens by itself. */
    readonly effect?: TSchema;
  };
  /** Named sets of options: each is played by the tests and has a golden transcript. The first one is the default. */
  readonly variants: Readonly<Record<string, Options>>;

  setup(options: Options, seats: number, rng: Rng): State;
  /** Every action of this seat, in a stable order; [] = it may not act now. Whose turn it is follows from this alone. */
  legal(state: State, seat: Seat): Action[];
  /**
   * Assigns to a state it is given to keep. Never validates: the action is one of `legal(state, seat)`.
   * Tells everything that happened by itself, as far as everybody may know it once the action is public: where two
   * states look the same to somebody, before an action and after it, its effects are the same, too. Only a decision that
   * the engine takes for a seat, told with the `action` that the seat would have taken, is as public as that action.
   */
  apply(state: State, seat: Seat, action: Action, rng: Rng, tell?: Tell): void;
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

  /**
   * One readable line, unique within a legal list. Must work with the view of the acting seat and of a spectator. The
   * log keeps what a spectator would read; of a secret action what its seat would read, as it is hidden just as long.
   */
  label(action: Action, view: View): string;
  /** One readable sentence for an effect; needed by every game that tells some. */
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
  /** Standing orders, where a game has trivial decisions off turn that would stall a table. */
  readonly orders?: Orders<State, Action>;
  /** Counts of pieces that must not change from the set-up to the end of a match ("tiles": 28, …). */
  accounts(state: State): Record<string, number>;
}
