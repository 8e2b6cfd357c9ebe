/** The tables of the game, in the order of its rulebook. Mark what is reconstructed. */
export const PEBBLES: readonly number[] = Array.from({ length: 20 }, (_, i) => i + 1);

/** How many pebbles lie open. */
export const OPEN = 3;
