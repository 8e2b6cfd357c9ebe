import type { Game, Seat } from '../../games/game.ts';

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

interface PartsOfView {
  readonly parts: Readonly<Record<PropertyKey, (state: object, seat: Seat | null) => unknown>>;
  readonly state: object;
  readonly seat: Seat | null;
}

const madeWhenRead: ProxyHandler<PartsOfView> = {
  get: ({ parts, state, seat }, key) => (Object.hasOwn(parts, key) ? parts[key]?.(state, seat) : undefined),
  has: ({ parts }, key) => Object.hasOwn(parts, key),
  ownKeys: ({ parts }) => Reflect.ownKeys(parts),
  getOwnPropertyDescriptor: ({ parts, state, seat }, key) =>
    Object.hasOwn(parts, key) ? { value: parts[key]?.(state, seat), enumerable: true, configurable: true } : undefined,
};

/** What a label or a list of targets reads of a view. Only the parts that are read are made, if the game has parts. */
export function viewWhenNeeded(game: Game, state: object, seat: Seat | null): object {
  const parts = game.parts as PartsOfView['parts'] | undefined;
  return parts ? new Proxy({ parts, state, seat }, madeWhenRead) : whenNeeded(() => game.view(state, seat));
}
