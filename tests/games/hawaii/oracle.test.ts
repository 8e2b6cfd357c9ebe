/** Slow, plain searches that say the same as the rules: payments, boats, and whether a walk can end in a purchase. */
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/games/canonical.ts';
import { cheapest, cost, loads } from '../../../src/games/hawaii/boats.ts';
import { BOARDS, BOATS, type Boat, SLOT_NAMES, TILES, TOKENS } from '../../../src/games/hawaii/data.ts';
import { rules2 as hawaii } from '../../../src/games/hawaii/index.ts';
import {
  type Currency,
  canPay,
  canWalkAndPay,
  leavesPrice,
  payments,
  reach,
  turnedBy,
  useHuts,
} from '../../../src/games/hawaii/payments.ts';
import { kindOf, NONE, type SeatState, type State, type Stock, sideOf } from '../../../src/games/hawaii/state.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { realm } from './table.ts';

const RESOURCES = ['feet', 'shells', 'fruit'] as const;
const covers = (stock: Stock, paid: Stock) => RESOURCES.every((resource) => stock[resource] >= paid[resource]);
const less = (stock: Stock, paid: Stock): Stock => ({
  feet: stock.feet - paid.feet,
  shells: stock.shells - paid.shells,
  fruit: stock.fruit - paid.fruit,
});

/** Every payment that these huts (1 or 2 units each) make possible, and the huts left with each: unit by unit. */
function everyPayment(price: number, currency: Currency, stock: Stock, huts: number[]) {
  const found = new Map<string, { paid: Stock; left: number[][] }>();
  for (const base of [currency, 'fruit'] as const) {
    for (let set = 0; set < 1 << huts.length; set++) {
      const units = huts.reduce((sum, hut, i) => sum + ((set >> i) & 1) * hut, 0);
      const left = huts.filter((_, i) => !((set >> i) & 1));
      spread(price, base, units, (paid) => {
        if (!covers(stock, paid)) return;
        const known = found.get(canonical(paid)) ?? { paid, left: [] };
        known.left.push(left);
        found.set(canonical(paid), known);
      });
    }
  }
  return [...found.values()];
}

/** All of one resource, up to `units` of them turned into others. */
function spread(price: number, base: keyof Stock, units: number, found: (paid: Stock) => void): void {
  const [x, y] = RESOURCES.filter((resource) => resource !== base) as [keyof Stock, keyof Stock];
  for (let a = 0; a <= Math.min(units, price); a++) {
    for (let b = 0; a + b <= Math.min(units, price); b++) {
      found({ feet: 0, shells: 0, fruit: 0, [base]: price - a - b, [x]: a, [y]: b });
    }
  }
}

const HUTS = [[], [1], [2], [1, 1], [1, 2], [2, 2], [1, 1, 2]];
const counted = (huts: number[]) => [huts.filter((hut) => hut === 1).length, huts.filter((hut) => hut === 2).length];

function* stocks(most: number): Generator<Stock> {
  for (let feet = 0; feet <= most; feet++)
    for (let shells = 0; shells <= most; shells++)
      for (let fruit = 0; fruit <= most; fruit++) yield { feet, shells, fruit };
}

describe('payments agree with a search over units and huts', () => {
  it.each(HUTS.map((huts) => [huts]))('huts %j', (huts) => {
    const [one, two] = counted(huts) as [number, number];
    for (const currency of ['feet', 'shells'] as const) {
      const other = currency === 'feet' ? 'shells' : 'feet';
      for (let price = 1; price <= 5; price++) {
        for (const stock of stocks(5)) {
          const oracle = everyPayment(price, currency, stock, huts);
          const listed = payments(price, currency, stock, reach(one, two));
          const paid = listed.map(({ type: _, ...amounts }) => canonical(amounts));
          expect(new Set(paid).size).toBe(paid.length);
          expect([...paid].sort()).toEqual(oracle.map((way) => canonical(way.paid)).sort());
          const can = canPay(price, stock[currency], stock[other], stock.fruit, reach(one, two));
          expect(can).toBe(oracle.length > 0);
        }
      }
    }
  });

  it('a payment uses the fewest huts that it can, and leaves as much as any choice of huts could', () => {
    for (const huts of HUTS) {
      for (let price = 1; price <= 6; price++) {
        for (const { paid, left } of everyPayment(price, 'feet', { feet: 6, shells: 6, fruit: 6 }, huts)) {
          const mine = counted(huts);
          useHuts(mine, turnedBy(price, 'feet', paid));
          expect(Math.min(...mine)).toBeGreaterThanOrEqual(0);
          expect(mine[0]! + mine[1]!).toBe(Math.max(...left.map((rest) => rest.length)));
          const most = Math.max(...left.map((rest) => rest.reduce((a, b) => a + b, 0)));
          expect(reach(mine[0]!, mine[1]!)).toBe(most);
        }
      }
    }
  });
});

describe('a walk is offered exactly if it can end in a purchase', () => {
  const possible = (stock: Stock, huts: number[], walk: number, price: number) =>
    everyPayment(walk, 'feet', stock, huts).filter(({ paid, left }) =>
      left.some((rest) => everyPayment(price, 'shells', less(stock, paid), rest).length > 0),
    );

  it.each(HUTS.slice(0, 6).map((huts) => [huts]))('huts %j', (huts) => {
    for (let walk = 1; walk <= 3; walk++) {
      for (let price = 2; price <= 4; price++) {
        for (const stock of stocks(4)) {
          const ways = possible(stock, huts, walk, price);
          expect(canWalkAndPay(stock, counted(huts), walk, price)).toBe(ways.length > 0);
          const units = reach(counted(huts)[0]!, counted(huts)[1]!);
          const listed = payments(walk, 'feet', stock, units).filter((paid) =>
            leavesPrice(stock, counted(huts), walk, paid, price),
          );
          expect(listed).toHaveLength(ways.length);
        }
      }
    }
  });

  /** The rules of placing, said once more and naively. */
  function canPlace(me: SeatState, kind: number): boolean {
    const name = TILES[kind]!;
    if (name === 'boat') return true;
    if (name === 'kahuna') return me.kahunas < 5;
    if (name === 'tiki') return me.tikis < 6;
    const rows = me.villages.map((tiles) => tiles.map((tile) => TILES[kindOf(tile)]!));
    const gods = ['ku', 'kane', 'pele', 'lono', 'laka', 'kanaloa'];
    if (gods.includes(name)) {
      return !rows.flat().includes(name) && rows.some((row) => !row.some((tile) => gods.includes(tile)));
    }
    return (name.endsWith('Hut') && rows.length < 5) || rows.some((row) => !row.includes(name));
  }

  /** Breadth first over boards, with rows and columns as drawn in the rules. */
  function distance(from: number, to: number): number {
    const x = [1, 3, 0, 2, 4, 0, 2, 4, 1, 3];
    const y = [1, 1, 2, 2, 2, 3, 3, 3, 4, 4];
    if (from === -1) return y[to]!;
    if (from === to) return 1;
    let reached = new Set([from]);
    for (let steps = 0; ; steps++) {
      if (reached.has(to)) return steps;
      const near = (a: number, b: number) => Math.abs(x[a]! - x[b]!) <= 2 && Math.abs(y[a]! - y[b]!) <= 1;
      reached = new Set(x.map((_, slot) => slot).filter((slot) => [...reached].some((other) => near(slot, other))));
    }
  }

  function walksOf(state: State, me: SeatState): string[] {
    const all = me.villages.flat();
    const pele = all.find((tile) => TILES[kindOf(tile)] === 'pele');
    const cap = pele === undefined ? 99 : 3 - sideOf(pele);
    const huts = all.filter((tile) => TILES[kindOf(tile)] === 'exchangeHut').map(sideOf);
    return SLOT_NAMES.filter((_, slot) => {
      const prices = state.circles[slot]!.filter((token) => token !== NONE).map((token) => TOKENS[token]!.value);
      const isForSale = (kind: number) => (kind >= 15 ? state.godTops.includes(kind) : state.supply[kind]! > 0);
      if (!BOARDS[state.boards[slot]!]!.sells.some((kind) => isForSale(kind) && canPlace(me, kind))) return false;
      const walk = Math.min(cap, distance(me.chief, slot));
      return prices.some((price) => possible(me.stock, huts, walk, price).length > 0);
    });
  }

  it('in 60 random matches', () => {
    let seen = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const rng = fastRng(seed);
      const state = hawaii.setup({ openResources: false, begins: 'seat0' }, 2 + (seed % 4), rng);
      while (state.step !== 'over') {
        const seat = state.seats.findIndex((_, i) => hawaii.legal(state, i).length > 0);
        const list = hawaii.legal(state, seat);
        if (state.step === 'turn') {
          const listed = list.flatMap((action) => (action.type === 'walk' ? [action.place] : []));
          expect(listed).toEqual(walksOf(state, state.seats[seat]!));
          seen += listed.length;
        }
        // Walks are preferred, so that realms fill up.
        const walks = list.filter(({ type }) => type === 'walk');
        hawaii.apply(state, seat, rng.pick(walks.length > 0 && rng.int(4) > 0 ? walks : list), rng);
      }
    }
    expect(seen).toBeGreaterThan(5000);
  });
});

describe('boats agree with a search over what is paid onto each boat', () => {
  const ROOM: Record<Boat, number> = { fishing: 2, I: 3, II: 3 };

  /** The least that must be paid so that every boat of a set sails and together they carry the price. */
  function least(boats: Boat[], price: number): number {
    let best = Number.POSITIVE_INFINITY;
    const load = (i: number, paid: number, carried: number) => {
      if (i === boats.length) {
        if (carried >= price) best = Math.min(best, paid);
        return;
      }
      const boat = boats[i]!;
      for (let n = 0; n <= ROOM[boat]; n++) {
        const printed = boat === 'II' && n > 0 ? 1 : 0;
        if (boat !== 'II' || n > 0) load(i + 1, paid + n, carried + n + printed);
      }
    };
    load(0, 0, 0);
    return best;
  }

  const subsets = (boats: Boat[]): Boat[][] =>
    Array.from({ length: 1 << boats.length }, (_, set) => boats.filter((_, i) => (set >> i) & 1));

  it.each([[[1, 0, 0]], [[1, 1, 0]], [[1, 0, 1]], [[1, 2, 1]], [[1, 0, 3]], [[1, 2, 2]], [[0, 1, 2]]])(
    'fishing boats, boats I, boats II: %j',
    (free) => {
      const fleet = BOATS.flatMap((boat, i) => new Array<Boat>(free[i]!).fill(boat));
      for (let price = 1; price <= 8; price++) {
        const seat = realm({ boats: free.map((n) => n + 1), used: [1, 1, 1] });
        const found = new Map<string, number>();
        for (const set of subsets(fleet)) {
          const paid = least(set, price);
          const others = subsets(set).filter((other) => other.length < set.length);
          if (paid < Number.POSITIVE_INFINITY && others.every((other) => least(other, price) > paid)) {
            found.set(set.join(), paid);
          }
        }
        const listed = loads(seat, price);
        expect(listed.map(({ boats }) => boats.join()).sort()).toEqual([...found.keys()].sort());
        for (const load of listed) {
          expect(load.cost).toBe(found.get(load.boats.join()));
          expect(cost(price, load.boats)).toBe(load.cost);
        }
        expect(cheapest(seat, price)).toBe(Math.min(Number.POSITIVE_INFINITY, ...found.values()));
      }
    },
  );
});
