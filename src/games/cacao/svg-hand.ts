import type { Scene } from '../game.ts';
import { at, el, group, target, text } from '../svg.ts';
import { COMPASS, DISPLAY, jungleTileOf, SIDES, type WorkerTileName } from './data.ts';
import { FAINT, INK, PAPER } from './icons.ts';
import { largeSide } from './label.ts';
import { jungleTile, scaled, slot, workerTile } from './svg-pieces.ts';
import { countTarget, displayTarget, handTarget, turnTarget } from './targets.ts';
import type { View } from './view.ts';

const BOLD = { 'font-weight': 700, 'text-anchor': 'start', fill: INK };

/** The jungle tiles of the display. Equal tiles are one target, because it does not matter which of them is laid. */
export function display(view: View, size: number, step: number): string {
  const [first, second] = view.display;
  const tiles = Array.from({ length: DISPLAY }, (_, i) => {
    const tile = view.display[i];
    return scaled(i * step, 0, size, tile ? jungleTile(tile) : slot(4, 92, 4));
  });
  const wrapped = (tile: typeof first, ...markup: string[]) =>
    tile ? target(displayTarget(tile), `${jungleTileOf(tile).label} of the display`, {}, ...markup) : markup.join('');
  return first === second ? wrapped(first, ...tiles) : wrapped(first, tiles[0]!) + wrapped(second, tiles[1]!);
}

/** The viewer's own tiles. Equal tiles lie together and are one target. */
export function hand(view: View, size: number, step: number): string {
  const held = view.you === null ? [] : (view.seats[view.you]!.hand ?? []);
  const kinds = [...new Set(held)];
  return kinds
    .map((tile) => {
      const places = held.flatMap((other, i) => (other === tile ? [i] : []));
      const large = largeSide(tile);
      const desc = `workers by side, clockwise: ${tile}${large ? `, ${large} side north` : ''}`;
      const markup = places.map((i) => scaled(i * step, 0, size, workerTile(tile, 0, view.you!)));
      return target(handTarget(tile), handTitle(tile, places.length), { desc }, ...markup);
    })
    .join('');
}

const handTitle = (tile: WorkerTileName, count: number): string =>
  `${count > 1 ? `${count} × ` : ''}worker tile ${tile} of your hand`;

const BUTTON = 44;
const LINE = 16;
/** The height of two lines of a prompt and a row of buttons. */
export const CONTROLS = 2 * LINE + BUTTON + 8;

/** What the viewer has to decide, and the choices that are not on the table. */
export function controls(view: View, scene: Scene, width: number, font: number): { height: number; markup: string } {
  const turns = [0, 1, 2, 3].filter((turn) => scene.legal.includes(turnTarget(turn)));
  const counts = [0, 1, 2, 3].filter((count) => scene.legal.includes(countTarget(count)));
  const lines = prompt(view, turns.length > 0, counts.length > 0);
  const buttons = [...turns.map(turnButton), ...counts.map(countButton)];
  const step = Math.min(BUTTON + 12, width / 4);
  const top = lines.length * LINE + 4;
  return {
    height: lines.length * LINE + (buttons.length > 0 ? BUTTON + 8 : 0),
    markup: [
      ...lines.map((line, i) => text(0, 12 + i * LINE, font, line, { 'text-anchor': 'start', fill: FAINT })),
      ...buttons.map((one, i) => at(i * step, top, one)),
    ].join(''),
  };
}

function prompt(view: View, canTurn: boolean, canSell: boolean): string[] {
  const { you, acting, step } = view;
  if (you === null || !acting.includes(you) || step === 'over') return [];
  if (step === 'fill') return ['Choose a tile of the display', 'and a cell to fill'];
  if (step === 'place')
    return canTurn ? ['Choose a tile, a cell,', 'and where the large side faces'] : ['Choose a tile and a cell'];
  if (!canSell) return ['Choose the first plantation'];
  const { edges } = view.seats[you]!;
  if (edges.length === 1) return ['How much do you sell?'];
  const isMixed = edges.some(({ tile }) => jungleTileOf(tile).use === 'plantation');
  return isMixed
    ? ['Choose a plantation, or a', 'market and how much to sell']
    : ['Choose a market', 'and how much to sell'];
}

const button = (...children: string[]): string =>
  el('rect', { width: BUTTON, height: BUTTON, rx: 9, fill: PAPER, stroke: INK, 'stroke-width': 1.5 }) +
  children.join('');

/** A tile whose most workers stand on one side. */
function turnButton(turn: number): string {
  const direction = COMPASS[SIDES[turn]!];
  const workers = [-11, 0, 11].map((x) => el('circle', { cx: 22 + x, cy: 9, r: 4.5 }));
  const arrow = el('path', { d: 'M22 17 L31 28 H25.5 V38 H18.5 V28 H13Z' });
  return target(
    turnTarget(turn),
    `large side ${direction}`,
    { desc: `the side with the most workers faces ${direction}` },
    button(group({ fill: INK, transform: `rotate(${turn * 90} 22 22)` }, ...workers, arrow)),
  );
}

const countButton = (count: number): string =>
  target(
    countTarget(count),
    count === 0 ? 'sell nothing' : `sell ${count} cacao`,
    {},
    button(text(22, 30, 22, count, { 'font-weight': 700, fill: INK })),
  );

export const heading = (words: string, font: number): string => text(0, 12, font, words, BOLD);
