/** A game of a few lines in which all seats bid at once and in secret. */
import { type Static, Type } from 'typebox';
import type { Effect, Game, Seat, Tell } from '../../../src/games/game.ts';
import { at, choices, NO_SCENE, nameOf, picture, text } from '../../../src/games/svg.ts';

const LOTS = [3, 5, 4];
const closed = { additionalProperties: false };
const Numbers = Type.Array(Type.Integer());
const Nobody = Type.Union([Type.Integer(), Type.Null()]);

interface State {
  lot: number;
  coins: number[];
  paid: number;
  bids: (number | null)[];
  points: number[];
}
const Action = Type.Object({ type: Type.Literal('bid'), coins: Type.Integer() }, closed);
type Action = Static<typeof Action>;
const View = Type.Object(
  { lot: Type.Integer(), coins: Numbers, ready: Type.Array(Type.Boolean()), mine: Nobody, points: Numbers },
  closed,
);
type View = Static<typeof View>;
const AuctionEffect = Type.Union([
  Type.Object({ type: Type.Literal('sold'), seat: Nobody, bids: Numbers }, closed),
  Type.Object({ type: Type.Literal('broke'), seat: Type.Integer() }, closed),
]);
type AuctionEffect = Static<typeof AuctionEffect>;

/** Whoever has no coin left bids nothing, without being asked. */
function askNext(state: State, tell?: Tell<AuctionEffect>): void {
  state.bids = state.coins.map((coins) => (coins === 0 ? 0 : null));
  if (state.lot < LOTS.length)
    for (const [seat, bid] of state.bids.entries()) if (bid === 0) tell?.({ type: 'broke', seat });
}

/** All pay, and the highest bid takes the lot; of equal ones none does. */
function sell(state: State, tell?: Tell<AuctionEffect>): void {
  while (state.lot < LOTS.length && !state.bids.includes(null)) {
    const bids = state.bids as number[];
    const best = Math.max(...bids);
    const winners = [...bids.keys()].filter((seat) => bids[seat] === best);
    const [winner] = winners.length === 1 && best > 0 ? winners : [];
    if (winner !== undefined) state.points[winner] = (state.points[winner] as number) + (LOTS[state.lot] as number);
    state.coins = state.coins.map((coins, seat) => coins - (bids[seat] as number));
    state.paid += bids.reduce((sum, bid) => sum + bid, 0);
    tell?.({ type: 'sold', seat: winner ?? null, bids: [...bids] });
    state.lot++;
    askNext(state, tell);
  }
}

/** Auction: three lots, six coins. All bid at once and in secret, all pay, the highest bid takes the lot. */
export const auction: Game<object, State, Action, View> = {
  id: 'auction',
  name: 'Auction',
  rules: 1,
  seats: { min: 2, max: 4 },
  drawsNothing: true,
  schema: { options: Type.Object({}, closed), action: Action, view: View, effect: AuctionEffect },
  variants: { base: {} },
  setup: (_options, seats) => ({
    lot: 0,
    coins: new Array(seats).fill(6),
    paid: 0,
    bids: new Array(seats).fill(null),
    points: new Array(seats).fill(0),
  }),
  legal({ lot, bids, coins }, seat) {
    if (lot === LOTS.length || bids[seat] !== null) return [];
    return Array.from({ length: (coins[seat] as number) + 1 }, (_, n) => ({ type: 'bid', coins: n }));
  },
  apply(state, seat, { coins }, _rng, tell) {
    state.bids[seat] = coins;
    sell(state, tell);
  },
  result({ lot, points }) {
    if (lot < LOTS.length) return null;
    return { scores: [...points], ranks: points.map((p) => 1 + points.filter((q) => q > p).length) };
  },
  view: ({ lot, coins, bids, points }, seat) => ({
    lot,
    coins: [...coins],
    ready: bids.map((bid) => bid !== null),
    mine: seat === null ? null : (bids[seat] as number | null),
    points: [...points],
  }),
  epoch: ({ lot }) => lot,
  isSecret: () => true,
  guess(state, eyes, rng) {
    const unknown = (bid: number | null, seat: Seat) => bid !== null && seat !== eyes;
    const bids = state.bids.map((bid, seat) => (unknown(bid, seat) ? rng.int((state.coins[seat] as number) + 1) : bid));
    return { ...state, bids, coins: [...state.coins], points: [...state.points] };
  },
  label: ({ coins }) => (coins === 1 ? 'bid 1 coin' : `bid ${coins} coins`),
  explain(told: Effect) {
    const effect = told as AuctionEffect;
    if (effect.type === 'broke') return `Seat ${effect.seat} has no coin left and bids nothing.`;
    const taken = effect.seat === null ? 'nobody takes the lot' : `seat ${effect.seat} takes the lot`;
    return `With bids of ${effect.bids.join(', ')} ${taken}.`;
  },
  targets: ({ coins }) => [`bid:${coins}`],
  describe: (view, scene = NO_SCENE) => [
    view.lot < LOTS.length ? `A lot of ${LOTS[view.lot]} points is sold.` : 'Every lot is sold.',
    ...view.coins.map((coins, seat) => `${nameOf(scene, seat)} has ${coins} coins and ${view.points[seat]} points.`),
  ],
  svg(view, scene = NO_SCENE) {
    const rows = view.coins.map((coins, seat) =>
      text(10, 20 + 20 * seat, 14, `${nameOf(scene, seat)}: ${coins} coins, ${view.points[seat]} points`, {
        'text-anchor': 'start',
      }),
    );
    const all = Array.from({ length: 7 }, (_, n) => ({ target: `bid:${n}`, text: `${n}` }));
    return picture(300, 300, 'Auction', ...rows, at(10, 120, choices(scene, all, 280).markup));
  },
  accounts: ({ coins, paid }) => ({ coins: coins.reduce((sum, one) => sum + one, paid) }),
};
