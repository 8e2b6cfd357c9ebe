/** Recently drawn pictures: all who watch a match ask for the same one. */
import type { Scene, Seat } from '../games/game.ts';
import type { Match } from '../matches/log/records.ts';

/** A picture takes about 60 kB. */
const MAX_KEPT = 200;

const kept = new Map<string, string>(); // in the order of their last use

/**
 * What a picture depends on: the log up to that version, identified by its last hash, the eyes that look, and the
 * scene. Two callers with the same key may know the same things.
 */
const keyOf = (then: Match, eyes: Seat | null, scene: Scene): string =>
  JSON.stringify([then.id, then.events.at(-1)?.hash, eyes, scene]);

export function drawnBoard(then: Match, eyes: Seat | null, view: object, scene: Scene): string {
  const key = keyOf(then, eyes, scene);
  const svg = kept.get(key) ?? then.engine.svg(view, scene);
  kept.delete(key);
  kept.set(key, svg); // moves it to the end: the most recently used
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value as string);
  return svg;
}
