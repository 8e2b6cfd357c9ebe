import type { Game, Items, Seat } from '../../games/game.ts';

/**
 * An object that is made when one of its properties is first read. Most labels never read the view, which is expensive
 * to make.
 */
export function whenNeeded<T extends object>(make: () => T): T {
  let made: T | undefined;
  const real = (): T => {
    made ??= make();
    return made;
  };
  return new Proxy({} as T, {
    get: (_target, key) => Reflect.get(real(), key),
    has: (_target, key) => Reflect.has(real(), key),
    ownKeys: () => Reflect.ownKeys(real()),
    getOwnPropertyDescriptor: (_target, key) => Reflect.getOwnPropertyDescriptor(real(), key),
  });
}

type PartOfView = ((state: object, seat: Seat | null) => unknown) | Items<object, unknown>;

interface PartsOfView {
  readonly parts: Readonly<Record<PropertyKey, PartOfView>>;
  readonly state: object;
  readonly seat: Seat | null;
}

function made({ parts, state, seat }: PartsOfView, key: PropertyKey): unknown {
  const part = Object.hasOwn(parts, key) ? parts[key] : undefined;
  return typeof part === 'object' ? itemsWhenRead(part, state, seat) : part?.(state, seat);
}

const madeWhenRead: ProxyHandler<PartsOfView> = {
  get: made,
  has: ({ parts }, key) => Object.hasOwn(parts, key),
  ownKeys: ({ parts }) => Reflect.ownKeys(parts),
  getOwnPropertyDescriptor: (view, key) =>
    Object.hasOwn(view.parts, key) ? { value: made(view, key), enumerable: true, configurable: true } : undefined,
};

/** A list that makes an item when it is read. The methods of lists read its length and its items, as anyone does. */
function itemsWhenRead({ count, item }: Items<object, unknown>, state: object, seat: Seat | null): unknown[] {
  const length = count(state);
  const isItem = (key: PropertyKey): boolean => typeof key === 'string' && /^\d+$/.test(key) && Number(key) < length;
  return new Proxy([], {
    get(list, key) {
      if (isItem(key)) return item(state, Number(key), seat);
      return key === 'length' ? length : Reflect.get(list, key);
    },
    has: (list, key) => isItem(key) || Reflect.has(list, key),
  });
}

/** What a label or a list of targets reads of a view. Only the parts that are read are made, if the game has parts. */
export function viewWhenNeeded(game: Game, state: object, seat: Seat | null): object {
  const parts = game.parts as PartsOfView['parts'] | undefined;
  return parts ? new Proxy({ parts, state, seat }, madeWhenRead) : whenNeeded(() => game.view(state, seat));
}
