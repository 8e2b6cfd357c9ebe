/** Mercurius has no types for the keys under which it holds its loaders. */
declare module 'mercurius/lib/symbols.js' {
  const symbols: Record<'kLoaders' | 'kFactory' | 'kSubscriptionFactory', symbol>;
  export default symbols;
}
