import type { Action } from './actions.ts';
import type { View } from './view.ts';

/** The things that a person points at, in order. Each is in the picture as a `target`. */
export const targets = ({ pebble }: Action, _view: View): string[] => [`pebble:${pebble}`];
