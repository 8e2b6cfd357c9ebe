import { at, el, text } from '../svg.ts';
import { DOCKS, ISLAND_NAMES, ISLANDS, type Island } from './data.ts';
import { bold, FAINT, type Icon, INK, icon, left, PAPER, panel } from './icons.ts';
import { chiefMark, fishMark, tokenMark } from './marks.ts';
import type { View } from './view.ts';

export const BEACH_HEIGHT = 176;

const ISLAND_ICONS: Record<Island, [Icon, string]> = {
  points: ['points', '5'],
  kahunas: ['kahuna', '×2'],
  footHut: ['footHut', 'II'],
  shellHut: ['shellHut', 'II'],
  hula: ['hula', 'II'],
  anyFruit: ['breadfruit', 'II'],
  surfer: ['surfer', 'II'],
  tikis: ['tiki', '×2'],
  fruit: ['fruit', '×4'],
};

/** The beach: chiefs, the order track, the docks with their islands, the bay. */
export function beach(view: View, x: number, y: number, width: number): string {
  const chiefs = view.seats.filter(({ chief }) => chief === 'beach');
  return at(
    x,
    y,
    panel(0, 0, width, BEACH_HEIGHT, '#f3dfb0', '#cdb277'),
    text(14, 22, 12.5, 'On the beach', { ...left, ...bold }),
    ...chiefs.map(({ seat }, i) => chiefMark(seat, 134 + i * 29, 19, 11)),
    track(view, 14, 38),
    at(340, 12, docks(view)),
    at(766, 12, bay(view, width - 766 - 14)),
  );
}

const SPACE = { width: 56, height: 124, rx: 7 };
const dashes = { 'stroke-dasharray': '3 2.5' };
const FREE = el('rect', { ...SPACE, fill: 'none', stroke: '#cdb277', ...dashes });
const TAKEN =
  el('rect', { ...SPACE, fill: '#e7cd92', stroke: '#b79c5f' }) +
  el('rect', { x: 6, y: 84, width: 44, height: 34, rx: 6, fill: PAPER, stroke: '#b79c5f', ...dashes });
const PASS = text(28, 105, 10.5, 'pass', { fill: FAINT });

/** Five spaces: who moves when, the token, and below it the chief who has passed. Those beyond the seats are not used. */
function track(view: View, x: number, y: number): string {
  const spaces = view.track.map(({ space, seat, token, passed }, i) =>
    at(
      i * 61,
      0,
      TAKEN,
      text(11, 17, 12, space, bold),
      chiefMark(seat, 34, 20, 11),
      token ? tokenMark(token, 28, 60, 13) : '',
      passed === null ? PASS : chiefMark(passed, 28, 101, 11),
    ),
  );
  const unused = Array.from({ length: 5 - spaces.length }, (_, i) => at((spaces.length + i) * 61, 0, FREE));
  return at(x, y, ...spaces, ...unused);
}

/** What a dock costs and gives, below the water. */
const DOCK_FRAMES = DOCKS.map(({ feet, points }, i) =>
  [
    el('rect', { width: 97, height: 118, rx: 8, fill: '#b9dbe6', stroke: '#7fa9b8' }),
    el('rect', { y: 118, x: 8, width: 81, height: 32, rx: 4, fill: '#c2945c', stroke: '#8a6435' }),
    text(17, 139, 13, i + 1, bold),
    icon('feet', 24, 125, 17),
    text(42, 139, 13, feet, { ...left, ...bold }),
    icon('points', 58, 126, 15),
    text(75, 139, 13, points, { ...left, ...bold }),
  ].join(''),
);

const islandCard = (island: Island): string => {
  const [name, mark] = ISLAND_ICONS[island];
  return [
    el('ellipse', { cx: 48.5, cy: 46, rx: 41, ry: 34, fill: '#e2eccb', stroke: '#7f9d57', 'stroke-width': 1.5 }),
    icon(name, 24, 26, 38),
    text(64, 56, 15, mark, { ...left, ...bold }),
    text(48.5, 102, 11.5, ISLAND_NAMES[island], bold),
  ].join('');
};
const ISLAND_CARDS = Object.fromEntries(ISLANDS.map((island) => [island, islandCard(island)]));
const VISITED = text(48.5, 62, 12, 'visited', { fill: '#54707b' });

const docks = (view: View): string =>
  view.docks
    .map(({ island }, i) => at(i * 103, 0, DOCK_FRAMES[i]!, island === null ? VISITED : ISLAND_CARDS[island]!))
    .join('');

function bay(view: View, width: number): string {
  const { faceDown, faceUp } = view.islands;
  return [
    el('rect', { width, height: 118, rx: 8, fill: '#8fc1d3', stroke: '#5d93a8' }),
    text(12, 20, 12.5, 'Bay', { ...left, ...bold }),
    view.bay.length === 0 ? text(width / 2, 68, 12, 'no fish', { fill: '#2f5a6b' }) : '',
    ...view.bay.map((fish, i) => fishMark(fish, 24 + (i % 5) * 38, 48 + Math.floor(i / 5) * 40, 16)),
    text(0, 138, 11.5, `Islands to come: ${faceDown} face down,`, { ...left, fill: INK }),
    text(0, 153, 11.5, `${faceUp.length} visited under them`, { ...left, fill: INK }),
  ].join('');
}
