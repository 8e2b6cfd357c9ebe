import type { ActionOf } from './actions.ts';
import type { SeatState, State, Stock } from './state.ts';

export type Currency = 'feet' | 'shells';

/**
 * A payment of `cost` is made entirely in its currency or entirely in fruit, but exchange huts may turn some of these
 * units into any other resource. So it is legal if all but as many units as the huts can turn are of one of the two.
 */
const turned = (cost: number, own: number, fruit: number): number => cost - Math.max(own, fruit);

/** How many units these unused huts can turn. */
export const reach = (hutsI: number, hutsII: number): number => hutsI + 2 * hutsII;

/** Whether there is a way to pay. */
export function canPay(cost: number, own: number, other: number, fruit: number, huts: number): boolean {
  if (own >= cost || fruit >= cost) return true;
  return own + other + fruit >= cost && turned(cost, own, fruit) <= huts;
}

/** Every way to pay, most of the currency first. */
export function payments(cost: number, currency: Currency, stock: Stock, huts: number): ActionOf<'pay'>[] {
  const out: ActionOf<'pay'>[] = [];
  const own = currency === 'feet' ? stock.feet : stock.shells;
  const other = currency === 'feet' ? stock.shells : stock.feet;
  for (let x = Math.min(cost, own); x >= 0; x--) {
    for (let fruit = Math.min(cost - x, stock.fruit); fruit >= 0; fruit--) {
      const rest = cost - x - fruit;
      if (rest > other || turned(cost, x, fruit) > huts) continue;
      out.push({
        type: 'pay',
        feet: currency === 'feet' ? x : rest,
        shells: currency === 'feet' ? rest : x,
        fruit,
      });
    }
  }
  return out;
}

export const take = (stock: Stock, paid: Stock): void => {
  stock.feet -= paid.feet;
  stock.shells -= paid.shells;
  stock.fruit -= paid.fruit;
};

/**
 * R26: marks the huts that a payment uses: the fewest that can turn its units and, among those, the weakest. A hut II
 * that turns one unit is used up, because it cannot be divided between two payments.
 */
export function useHuts(huts: number[], units: number): void {
  const pairs = Math.min(huts[1]!, units >> 1);
  const rest = units - 2 * pairs;
  huts[1]! -= pairs;
  if (rest === 1 && huts[0] === 0) huts[1]!--;
  else huts[0]! -= rest;
}

/** How many units of a payment were turned by huts. */
export const turnedBy = (cost: number, currency: Currency, paid: Stock): number =>
  turned(cost, paid[currency], paid.fruit);

/** Whether a tile can still be paid for after this payment of the walk. */
export function leavesPrice(stock: Stock, huts: readonly number[], walk: number, paid: Stock, price: number): boolean {
  const left = [huts[0]!, huts[1]!];
  useHuts(left, turnedBy(walk, 'feet', paid));
  return canPay(
    price,
    stock.shells - paid.shells,
    stock.feet - paid.feet,
    stock.fruit - paid.fruit,
    reach(left[0]!, left[1]!),
  );
}

/** Whether a walk and then a tile can be paid for. The ways without huts are tried before all ways are listed. */
export function canWalkAndPay(stock: Stock, huts: readonly number[], walk: number, price: number): boolean {
  const { shells, feet, fruit } = stock;
  if (feet >= walk && (shells >= price || fruit >= price)) return true;
  if (fruit >= walk && (shells >= price || fruit - walk >= price)) return true;
  const units = reach(huts[0]!, huts[1]!);
  if (units === 0 || shells + feet + fruit < walk + price) return false;
  return payments(walk, 'feet', stock, units).some((paid) => leavesPrice(stock, huts, walk, paid, price));
}

/** How many units the unused huts of the turn can turn. */
export const hutReach = (state: State): number => reach(state.turn.huts[0]!, state.turn.huts[1]!);

export const canPayFeet = (state: State, stock: Stock, feet: number): boolean =>
  canPay(feet, stock.feet, stock.shells, stock.fruit, hutReach(state));

export const canPayShells = (state: State, { stock }: SeatState, shells: number): boolean =>
  canPay(shells, stock.shells, stock.feet, stock.fruit, hutReach(state));

/** Pays what is owed in the step and uses up the huts that this takes. */
export function pay(state: State, me: SeatState, paid: ActionOf<'pay'>, currency: Currency): void {
  take(me.stock, paid);
  useHuts(state.turn.huts, turnedBy(state.turn.cost, currency, paid));
}
