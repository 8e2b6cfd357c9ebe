import type { Rng, Seat } from '../game.ts';
import { copyOf, draw, type State, sizeOf } from './state.ts';

/** The only thing a seat cannot know is which of its tiles another seat holds and which are still in its pile. */
export function guess(state: State, you: Seat | null, rng: Rng): State {
  const guessed = copyOf(state);
  guessed.villages.forEach(({ hand, pile }, seat) => {
    if (seat === you) return;
    const held = sizeOf(hand);
    hand.forEach((count, tile) => {
      pile[tile]! += count;
      hand[tile] = 0;
    });
    for (let i = 0; i < held; i++) hand[draw(pile, rng)]!++;
  });
  return guessed;
}
