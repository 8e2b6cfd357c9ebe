import type { Scene, Seat } from '../../../src/games/game.ts';
import type { Action } from '../../../src/games/hashi/actions.ts';
import { hashi } from '../../../src/games/hashi/index.ts';
import type { State } from '../../../src/games/hashi/state.ts';

/** The scene as the server would make it for these eyes. */
export function sceneOf(state: State, eyes: Seat | null, more: Partial<Scene> = {}): Scene {
  const list = eyes === null ? [] : hashi.legal(state, eyes);
  return {
    names: state.seats.map((_, seat) => ['Ann', 'Bo', 'Cy', 'Di'][seat]!),
    acting: state.seats.flatMap((_, seat) => (hashi.legal(state, seat).length > 0 ? [seat] : [])),
    result: hashi.result(state),
    last: null,
    legal: [...new Set(list.flatMap((action) => targetsOf(action, state, eyes)))],
    width: 'WIDE',
    ...more,
  };
}

export const targetsOf = (action: Action, state: State, eyes: Seat | null): string[] =>
  hashi.targets(action, hashi.view(state, eyes));

export const pictureOf = (state: State, eyes: Seat | null, more: Partial<Scene> = {}): string =>
  hashi.svg(hashi.view(state, eyes), sceneOf(state, eyes, more));

export const describedBy = (state: State, eyes: Seat | null, more: Partial<Scene> = {}): string[] =>
  hashi.describe(hashi.view(state, eyes), sceneOf(state, eyes, more));

export const texts = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]!);

/** The markup of one element with an id, up to the end of its group. */
export function elementOf(svg: string, id: string): string {
  const from = svg.indexOf(`<g id="${id}"`);
  if (from < 0) return '';
  let depth = 0;
  for (const { 0: tag, index } of svg.slice(from).matchAll(/<g[ >]|<\/g>/g)) {
    depth += tag === '</g>' ? -1 : 1;
    if (depth === 0) return svg.slice(from, from + index);
  }
  return svg.slice(from);
}
