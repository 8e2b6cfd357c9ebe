/** A game of a few lines with everything the contract knows: hidden hands, secret simultaneous actions, chance, orders. */
import { type Static, Type } from 'typebox';
import type { Effect, Game, Rng, Seat } from '../../../src/games/game.ts';
import { at, el, NO_SCENE, nameOf, picture, target, text } from '../../../src/games/svg.ts';

const ROUNDS = 3;

export interface State {
  round: number;
  bag: number[];
  hands: number[][];
  chosen: (number | null)[];
  played: number[];
  points: number[];
}
export interface Action {
  type: 'card';
  card: number;
}

const View = Type.Object(
  {
    you: Type.Union([Type.Number(), Type.Null()]),
    round: Type.Number(),
    hand: Type.Array(Type.Number()),
    ready: Type.Array(Type.Boolean()),
    played: Type.Array(Type.Number()),
    points: Type.Array(Type.Number()),
  },
  { additionalProperties: false },
);
type View = Static<typeof View>;

const HighestEffect = Type.Union([
  Type.Object(
    { type: Type.Literal('laid'), seat: Type.Number(), card: Type.Number() },
    { additionalProperties: false },
  ),
  Type.Object({ type: Type.Literal('won'), seat: Type.Number() }, { additionalProperties: false }),
  Type.Object({ type: Type.Literal('drew'), seat: Type.Number() }, { additionalProperties: false }),
]);
type HighestEffect = Static<typeof HighestEffect>;

function draw(state: State, rng: Rng): number {
  return state.bag.splice(rng.int(state.bag.length), 1)[0] as number;
}

/** Highest: three rounds, everybody plays a card of two, the highest takes a point. */
export const highest: Game<object, State, Action, View> = {
  id: 'highest',
  name: 'Highest',
  rules: 1,
  seats: { min: 2, max: 3 },
  minutes: { min: 1, max: 2 },
  schema: {
    options: Type.Object({}, { additionalProperties: false }),
    action: Type.Object({ type: Type.Literal('card'), card: Type.Number() }, { additionalProperties: false }),
    view: View,
    effect: HighestEffect,
  },
  variants: { base: {} },
  setup(_options, seats, rng) {
    const state: State = {
      round: 1,
      bag: Array.from({ length: 15 }, (_, i) => i + 1),
      hands: [],
      chosen: new Array(seats).fill(null),
      played: [],
      points: new Array(seats).fill(0),
    };
    for (let seat = 0; seat < seats; seat++) state.hands.push([draw(state, rng), draw(state, rng)]);
    return state;
  },
  legal(state, seat) {
    if (state.round > ROUNDS || state.chosen[seat] !== null) return [];
    return (state.hands[seat] ?? []).map((card) => ({ type: 'card', card }));
  },
  apply(state, seat, { card }, rng, tell?: (effect: HighestEffect) => void) {
    state.chosen[seat] = card;
    tell?.({ type: 'laid', seat, card });
    if (state.chosen.includes(null)) return;
    const cards = state.chosen as number[];
    const winner = cards.indexOf(Math.max(...cards));
    state.points[winner] = (state.points[winner] as number) + 1;
    tell?.({ type: 'won', seat: winner });
    state.played.push(...cards);
    state.hands = state.hands.map((hand, i) => [...hand.filter((c) => c !== cards[i]), draw(state, rng)]);
    for (const drawer of state.hands.keys()) tell?.({ type: 'drew', seat: drawer });
    state.chosen = cards.map(() => null);
    state.round++;
  },
  result(state) {
    if (state.round <= ROUNDS) return null;
    return { scores: [...state.points], ranks: state.points.map((p) => 1 + state.points.filter((q) => q > p).length) };
  },
  view(state, seat) {
    return {
      you: seat,
      round: state.round,
      hand: seat === null ? [] : [...(state.hands[seat] ?? [])],
      ready: state.chosen.map((card) => card !== null),
      played: [...state.played],
      points: [...state.points],
    };
  },
  epoch: (state) => state.round,
  isSecret: () => true,
  guess(state, seat, rng) {
    const unknown = (other: Seat) => other !== seat;
    const cards = [...state.bag, ...state.hands.filter((_, i) => unknown(i)).flat()];
    const pool = rng.shuffle(cards.sort((a, b) => a - b)); // sorted, so that nothing of where they were is left
    const hands = state.hands.map((hand, i) => (unknown(i) ? [pool.pop() as number, pool.pop() as number] : [...hand]));
    const chosen = state.chosen.map((card, i) => (card !== null && unknown(i) ? rng.pick(hands[i] as number[]) : card));
    return { ...state, bag: pool, hands, chosen, played: [...state.played], points: [...state.points] };
  },
  orders: {
    schema: Type.Object({ play: Type.Enum(['lowest', 'ask']) }, { additionalProperties: false }),
    action(state, seat, order) {
      if ((order as { play: string }).play === 'ask') return null;
      return { type: 'card', card: Math.min(...(state.hands[seat] ?? [])) };
    },
  },
  label: ({ card }) => `play the ${card}`,
  explain(told: Effect) {
    const effect = told as HighestEffect;
    const who = `Seat ${effect.seat}`;
    if (effect.type === 'laid') return `${who} lays the ${effect.card}.`;
    return effect.type === 'won' ? `${who} takes a point.` : `${who} draws a card.`;
  },
  targets: ({ card }) => [`card:${card}`],
  describe(view, scene = NO_SCENE) {
    const points = view.points.map((n, seat) => `${nameOf(scene, seat)} has ${n} points.`);
    return [`It is round ${view.round} of ${ROUNDS}.`, ...points, ...view.hand.map((card) => `You hold the ${card}.`)];
  },
  svg(view, scene = NO_SCENE) {
    const names = view.points.map((n, seat) => text(100, 20 + 20 * seat, 12, `${nameOf(scene, seat)}: ${n}`));
    const hand = view.hand.map((card, i) =>
      at(50 * i, 100, target(`card:${card}`, `the ${card}`, {}, el('rect', { width: 40, height: 40 }))),
    );
    const last = scene.last?.targets.map((name) => text(100, 180, 12, `last: ${name}`)) ?? [];
    return picture(
      scene.width === 'NARROW' ? 150 : 200,
      200,
      `Highest, round ${view.round}`,
      ...names,
      ...hand,
      ...last,
    );
  },
  accounts: (state) => ({ cards: state.bag.length + state.hands.flat().length + state.played.length }),
};
