import type { Action } from './actions.ts';
import type { View } from './view.ts';

/** One line, unique within a legal list. */
export const label = ({ pebble }: Action, _view: View): string => `take pebble ${pebble}`;
