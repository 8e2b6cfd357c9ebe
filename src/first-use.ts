/** Makes something when it is first needed, and keeps it. What no first request needs must not delay the start. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
