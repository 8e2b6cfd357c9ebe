import type { Scene } from '../../src/games/game.ts';
import { NO_SCENE, nameOf } from '../../src/games/svg.ts';
import type { View } from './view.ts';

/** Everything that somebody who cannot see the picture needs to decide, in the words of the labels. */
export function describe(view: View, scene: Scene = NO_SCENE): string[] {
  const turn =
    view.turn === null ? 'The match is over.' : `It is the turn of ${nameOf(scene, view.turn)} to take a pebble.`;
  const open = view.open.length === 0 ? 'No pebble is open.' : `These pebbles are open: ${view.open.join(', ')}.`;
  const seats = view.taken.map((pebbles, seat) => {
    const has = pebbles.length === 0 ? 'has no pebble' : `has ${pebbles.join(', ')}`;
    return `${nameOf(scene, seat)} ${has}: ${view.scores[seat]} points.`;
  });
  return [turn, open, `${view.bag} pebbles are in the bag.`, ...seats];
}
