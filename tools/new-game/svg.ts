import type { Scene } from '../../src/games/game.ts';
import { at, el, NO_SCENE, nameOf, picture, seatMark, shorten, target, text } from '../../src/games/svg.ts';
import type { View } from './view.ts';

const TITLE = 'Template';
const INK = '#2b2118';
const ROW = 34;

/** Drawn from the view alone, so that it cannot leak. Text is at least 11 pixels high at a width of 390. */
export function svg(view: View, scene: Scene = NO_SCENE): string {
  const width = scene.width === 'NARROW' ? 390 : 640;
  const top = 110;
  const rows = view.taken.map((_, seat) => at(0, top + ROW * seat, seatRow(view, scene, seat, width)));
  const height = top + ROW * view.taken.length + 20;
  const bag = text(width - 16, 60, 15, `${view.bag} in the bag`, { 'text-anchor': 'end', fill: INK });
  return picture(width, height, TITLE, ...view.open.map((one, i) => pebble(one, i, scene)), bag, ...rows);
}

/** Big enough to tap. The id stays with the pebble, so that a client can show where it went. */
function pebble(number: number, place: number, scene: Scene): string {
  const name = `pebble:${number}`;
  const isLast = scene.last?.targets.includes(name) ?? false;
  return at(
    50 + 70 * place,
    54,
    target(
      name,
      `pebble ${number}`,
      {},
      el('circle', { r: 28, fill: '#cfc3ae', stroke: INK, 'stroke-width': isLast ? 4 : 1.5 }),
      text(0, 7, 20, number, { fill: INK }),
    ),
  );
}

function seatRow(view: View, scene: Scene, seat: number, width: number): string {
  const { ranks } = scene.result ?? {};
  const mark = view.turn === seat ? '▸ ' : '';
  const won = ranks?.[seat] === 1 ? ' (won)' : '';
  const line = `${mark}${shorten(nameOf(scene, seat), 150, 16)}: ${view.scores[seat]} points${won}`;
  const pebbles = shorten((view.taken[seat] ?? []).join(' '), width - 310, 13);
  return [
    seatMark(seat, 24, 12, 9),
    text(44, 18, 16, line, { 'text-anchor': 'start', fill: INK }),
    text(width - 16, 18, 13, pebbles, { 'text-anchor': 'end', fill: INK }),
  ].join('');
}
