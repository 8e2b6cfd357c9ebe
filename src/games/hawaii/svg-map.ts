import { at, el, text } from '../svg.ts';
import { TILE_NAMES, TILES } from './data.ts';
import { bold, FAINT, type Icon, INK, icon, left, PAPER, panel, right, SOFT } from './icons.ts';
import { chiefMark, tokenMark } from './marks.ts';
import type { PlaceView, View } from './view.ts';

const WIDTH = 206;
const HEIGHT = 106;
const GAP = 8;
export const MAP_WIDTH = 3 * WIDTH + 2 * GAP;
export const MAP_HEIGHT = 4 * HEIGHT + 3 * GAP;

/** The island with its ten boards. */
export const map = (view: View, x: number, y: number): string =>
  at(x, y, SEA, ...view.places.map((place) => board(place, view)));

/** Open water in the four corners. */
function waves(): string {
  const wave = (x: number, y: number) => `M${x} ${y}q6 -7 12 0t12 0t12 0`;
  const [r, b] = [MAP_WIDTH - 70, MAP_HEIGHT - 80];
  const places = [
    [16, 24],
    [48, 52],
    [14, 76],
    [r, 30],
    [r + 28, 62],
    [20, b],
    [50, b + 34],
    [r + 24, b + 6],
    [r, b + 42],
  ];
  const d = places.map(([x, y]) => wave(x!, y!)).join('');
  return el('path', { d, fill: 'none', stroke: '#e4f2f6', 'stroke-width': 2.2, 'stroke-linecap': 'round' });
}

const corner = ({ x, row }: { x: number; row: number }): [number, number] => [
  x * (WIDTH + GAP),
  (4 - row) * (HEIGHT + GAP),
];

/** The coast around rows of 2, 3, 3 and 2 boards, down to the beach. */
function outline(): string {
  const half = (WIDTH + GAP) / 2;
  const [r, b] = [MAP_WIDTH + 5, MAP_HEIGHT + 14];
  const [top, low] = [HEIGHT + GAP - 5, 3 * (HEIGHT + GAP) - 3];
  return `M${half - 5} -5H${r - half}V${top}H${r}V${low}H${r - half}V${b}H${half - 5}V${low}H-5V${top}H${half - 5}Z`;
}

const LAND = { fill: '#c9dba6', stroke: '#7f9d57', 'stroke-width': 2, 'stroke-linejoin': 'round' };

/** Water and land below the boards. */
const SEA =
  el('rect', { x: -10, y: -10, width: MAP_WIDTH + 20, height: MAP_HEIGHT + 24, rx: 16, fill: '#b9dbe6' }) +
  waves() +
  el('path', { d: outline(), ...LAND });

function board(place: PlaceView, view: View): string {
  const [x, y] = corner(place);
  const here = view.seats.filter(({ chief }) => chief === place.place);
  const [size, step] = here.length > 3 ? [8.5, 20.4] : [11, 28];
  const pitch = place.sells.length > 2 ? 49 : 58;
  const open = place.circles.some((token) => token !== null);
  return at(
    x,
    y,
    panel(0, 0, WIDTH, HEIGHT, open ? PAPER : '#efeadd', '#7f9d57'),
    el('circle', { cx: 17, cy: 17, r: 11, fill: INK }),
    text(17, 21.5, 13, place.place, { fill: '#ffffff', ...bold }),
    text(34, 21.5, 11.5, place.name, { ...left, ...bold }),
    ...place.sells.map((stock, i) => onSale(stock.tile, stock.left, 10 + i * pitch, 36)),
    place.name === 'gods'
      ? text(WIDTH - 10, 54, 11, `below: ${view.godsBelow.join(', ')}`, { ...right, fill: SOFT })
      : '',
    ...place.circles.map((_, i) => circle(place, i)),
    ...here.map(({ seat }, i) => chiefMark(seat, WIDTH - 17 - i * step, 86, size)),
  );
}

const onSale = (tile: Icon, count: number, x: number, y: number): string =>
  icon(tile, x, y, 26, count === 0 ? 0.25 : 1) +
  text(x + 28, y + 18, 11.5, `×${count}`, { ...left, fill: count === 0 ? FAINT : INK });

/** A purchase circle: its token, or the empty ring, on the last one with the printed number. */
function circle({ circles, printed }: PlaceView, i: number): string {
  const x = 23 + i * (circles.length < 3 ? 38 : 32);
  const token = circles[i];
  if (token) return tokenMark(token, x, 86, 12);
  const ring = el('circle', {
    cx: x,
    cy: 86,
    r: 12,
    fill: 'none',
    stroke: FAINT,
    'stroke-width': 1.2,
    'stroke-dasharray': '3 2.5',
  });
  return i === circles.length - 1 ? ring + text(x, 90, 11, printed, { fill: FAINT }) : ring;
}

/** The round indicator: the sum needed, its points, and what is handed out afterwards. */
export function indicator(view: View, x: number, y: number, width: number): string {
  const { threshold, first, second, check, shells, feet } = view.indicator;
  const medal = (i: number, name: string, points: number) =>
    at(
      98 + i * 50,
      26,
      el('rect', { width: 44, height: 42, rx: 6, fill: '#f7ecd0', stroke: FAINT }),
      text(22, 14, 11, name, { fill: FAINT }),
      text(22, 34, 18, points, bold),
    );
  const supply =
    view.round === view.rounds
      ? text(16, 96, 12, 'no supplies after this round', left)
      : text(16, 96, 12, 'then each seat gets', left) +
        icon('shells', 146, 82, 19) +
        text(170, 97, 14, shells, { ...left, ...bold }) +
        icon('feet', 202, 82, 19) +
        text(226, 97, 14, feet, { ...left, ...bold });
  return at(
    x,
    y,
    panel(0, 0, width, 108, '#fbf6ea'),
    el('path', { d: 'M20 48C20 24 78 24 78 48C78 72 20 72 20 48Z', fill: '#5d7a45', stroke: INK, 'stroke-width': 1.5 }),
    text(49, 56, 24, threshold, { fill: '#ffffff', ...bold }),
    text(49, 20, 11, 'sum needed', { fill: FAINT }),
    text(170, 20, 11, 'points for it', { fill: FAINT }),
    medal(0, '1st', first),
    medal(1, '2nd', second),
    medal(2, 'other', check),
    supply,
  );
}

const NOTES: [Icon, string][] = [
  ['shells', 'shells: tiles'],
  ['feet', 'feet: walks, boats'],
  ['fruit', 'fruit: either'],
];

/** What the pictures mean. */
export function legend(x: number, y: number, width: number, height: number): string {
  const entries: [Icon, string][] = [...TILES.map((tile): [Icon, string] => [tile, TILE_NAMES[tile]]), ...NOTES];
  const rows = Math.ceil(entries.length / 2);
  const pitch = (height - 16) / rows;
  return at(
    x,
    y,
    panel(0, 0, width, height, '#fbf6ea'),
    ...entries.map(([name, words], i) => {
      const [cx, cy] = [12 + Math.floor(i / rows) * 150, 8 + (i % rows) * pitch];
      return icon(name, cx, cy + (pitch - 20) / 2, 20) + text(cx + 28, cy + pitch / 2 + 4, 11.5, words, left);
    }),
  );
}
