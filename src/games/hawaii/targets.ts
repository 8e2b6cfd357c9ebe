import type { Action } from './actions.ts';
import { BOATS, type Boat } from './data.ts';
import type { Stock } from './state.ts';

const RESOURCES = ['shells', 'feet', 'fruit'] as const;

/** Each resource with its amount is a choice of its own, so that a mixed payment is chosen part by part. */
const payment = (paid: Stock): string[] =>
  RESOURCES.filter((resource) => paid[resource] > 0).map((resource) => `pay:${resource}:${paid[resource]}`);

/** Things of a kind are counted, because they cannot be distinguished. */
const counted = <T extends string | number>(prefix: string, kinds: readonly T[], things: readonly T[]): string[] =>
  kinds
    .map((kind) => ({ kind, count: things.filter((thing) => thing === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${prefix}:${kind}:${count}`);

const boats = (used: readonly Boat[]): string[] => counted('boats', BOATS, used);

/** The things that an action is about, in the order in which a person would point at them. */
export function targets(action: Action): string[] {
  switch (action.type) {
    case 'walk':
      return [`place:${action.place}`];
    case 'fish':
      return ['bay'];
    case 'visit':
      return [`dock:${action.dock}`];
    case 'rest':
      return ['beach'];
    case 'pass':
      return [`space:${action.space}`];
    case 'pay':
    case 'kane':
      return payment(action);
    case 'decline':
      return ['pay:nothing'];
    case 'buy':
      return [`tile:${action.tile}`, `token:${action.value}${action.spear ? 's' : ''}`, `side:${action.side}`];
    case 'build':
      return [`village:${action.village}`];
    case 'catch':
      return [...counted('fish', [3, 2, 1], action.fish), ...boats(action.boats)];
    case 'load':
      return boats(action.boats);
    case 'gift':
      return [`tile:${action.tile}`];
    case 'income':
      return [`income:${action.resource}`];
  }
}
