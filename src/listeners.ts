/** A list of listeners. It is made before both the sender and the listeners, so that neither needs the other. */
export interface Listeners<T> {
  add(listener: (value: T) => void): void;
  tell(value: T): void;
}

export function listeners<T>(): Listeners<T> {
  const all: ((value: T) => void)[] = [];
  return {
    add: (listener) => void all.push(listener),
    tell(value) {
      for (const listener of all) listener(value);
    },
  };
}
