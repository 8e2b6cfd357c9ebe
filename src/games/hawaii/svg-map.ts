import type { Scene } from '../game.ts';
import { at, el, target, text } from '../svg.ts';
import { TILE_NAMES } from './data.ts';
import { bold, FAINT, type Icon, INK, icon, left, PAPER, panel, right, SOFT } from './icons.ts';
import { type Block, isLast, isLastChief, lastFrame, wrap } from './svg-layout.ts';
import { chiefMark, tokenMark } from './svg-marks.ts';
import type { PlaceView, TokenView, View } from './view.ts';

/** The sizes of the map: of a board, and of what lies on it. */
interface Sizes {
  width: number;
  height: number;
  gap: number;
  margin: number;
  /** Kinds for sale side by side, and the distance from one to the next. */
  columns: number;
  pitch: number;
  /** Where the disc with a board's letter is, and where the board's name begins. */
  disc: { at: number; r: number };
  nameX: number;
  sellsY: number;
  tokensY: number;
  tokenPitch: number;
  chiefsY: number;
}

const WIDE: Sizes = {
  width: 206,
  height: 106,
  gap: 8,
  margin: 10,
  columns: 4,
  pitch: 49,
  disc: { at: 17, r: 11 },
  nameX: 32,
  sellsY: 36,
  tokensY: 86,
  tokenPitch: 35,
  chiefsY: 86,
};
const NARROW: Sizes = {
  width: 118,
  height: 140,
  gap: 5,
  margin: 5,
  columns: 2,
  pitch: 56,
  disc: { at: 14, r: 10 },
  nameX: 26,
  sellsY: 36,
  tokensY: 99,
  tokenPitch: 35,
  chiefsY: 126,
};

const widthOfMap = ({ width, gap }: Sizes): number => 3 * width + 2 * gap;
const heightOfMap = ({ height, gap }: Sizes): number => 4 * height + 3 * gap;

/** The width of the map with the water around it. */
export const MAP_WIDTH = widthOfMap(WIDE) + 2 * WIDE.margin;

/** The island with its ten boards. */
export function map(view: View, scene: Scene): Block {
  const sizes = scene.width === 'NARROW' ? NARROW : WIDE;
  const { margin } = sizes;
  const boards = view.places.map((place) => board(place, view, scene, sizes));
  return { height: heightOfMap(sizes) + 24, markup: at(margin, 10, SEA[scene.width], ...boards) };
}

/** Open water in the four corners. */
function waves(sizes: Sizes): string {
  const wave = (x: number, y: number) => `M${x} ${y}q6 -7 12 0t12 0`;
  const [r, b] = [widthOfMap(sizes) - sizes.width / 2 + 14, heightOfMap(sizes) - sizes.height + 30];
  const places = [
    [12, 24],
    [20, 52],
    [12, 76],
    [r, 30],
    [r + 8, 62],
    [14, b],
    [20, b + 34],
    [r + 4, b + 6],
    [r, b + 42],
  ];
  const d = places.map(([x, y]) => wave(x!, y!)).join('');
  return el('path', { d, fill: 'none', stroke: '#e4f2f6', 'stroke-width': 2.2, 'stroke-linecap': 'round' });
}

/** The coast around rows of 2, 3, 3 and 2 boards, down to the beach. */
function outline(sizes: Sizes): string {
  const { width, height, gap } = sizes;
  const half = (width + gap) / 2;
  const [r, b] = [widthOfMap(sizes) + 4, heightOfMap(sizes) + 14];
  const [top, low] = [height + gap - 5, 3 * (height + gap) - 3];
  return `M${half - 4} -5H${r - half}V${top}H${r}V${low}H${r - half}V${b}H${half - 4}V${low}H-4V${top}H${half - 4}Z`;
}

const LAND = { fill: '#c9dba6', stroke: '#7f9d57', 'stroke-width': 2, 'stroke-linejoin': 'round' };

/** Water and land below the boards. */
const sea = (sizes: Sizes): string =>
  el('rect', {
    x: -sizes.margin,
    y: -10,
    width: widthOfMap(sizes) + 2 * sizes.margin,
    height: heightOfMap(sizes) + 24,
    rx: 14,
    fill: '#b9dbe6',
  }) +
  waves(sizes) +
  el('path', { d: outline(sizes), ...LAND });
const SEA = { WIDE: sea(WIDE), NARROW: sea(NARROW) };

function board(place: PlaceView, view: View, scene: Scene, sizes: Sizes): string {
  const { width, height, gap, disc } = sizes;
  const [x, y] = [place.x * (width + gap), (4 - place.row) * (height + gap)];
  const open = place.circles.some((token) => token !== null);
  const name = `place:${place.place}`;
  const here = view.seats.filter(({ chief }) => chief === place.place).map(({ seat }) => seat);
  const drawn = target(
    name,
    `${place.place}: ${place.name}`,
    { desc: described(place) },
    panel(0, 0, width, height, open ? PAPER : '#efeadd', '#7f9d57'),
    el('circle', { cx: disc.at, cy: 17, r: disc.r, fill: INK }),
    text(disc.at, 21.5, 13, place.place, { fill: '#ffffff', ...bold }),
    ...title(place.name, sizes),
    ...goods(place, view, sizes),
    ...place.circles.map((_, i) => circle(place, i, sizes)),
    isLast(scene, name) || isLastChief(scene, here) ? lastFrame(0, 0, width, height) : '',
  );
  return at(x, y, drawn, ...chiefs(here, sizes));
}

function title(name: string, { width, columns, nameX }: Sizes): string[] {
  const lines = wrap(name, width - 26, 11.5);
  const style = columns > 2 ? bold : {};
  return lines.map((line, i) => text(nameX, (lines.length > 1 ? 15 : 21.5) + i * 13, 12, line, { ...left, ...style }));
}

const tokenName = ({ value, spear }: TokenView): string => `${value}${spear ? ' with spears' : ''}`;

/** What a person sees of a board. */
function described({ sells, circles, walk }: PlaceView): string {
  const goods = sells.map(({ tile, left }) => `${TILE_NAMES[tile]}: ${left} left`).join(', ');
  const tokens = circles.flatMap((token) => (token ? [tokenName(token)] : []));
  const prices = tokens.length > 0 ? `price tokens ${tokens.join(', ')}` : 'no price tokens';
  return `${goods || 'nothing left'}; ${prices}${walk === null ? '' : `; the walk costs ${walk}`}`;
}

function goods(place: PlaceView, view: View, { width, columns, pitch, sellsY, margin }: Sizes): string[] {
  const step = place.sells.length > columns / 2 ? pitch : 58;
  const drawn = place.sells.map(({ tile, left: count }, i) =>
    onSale(tile, count, margin - 1 + (i % columns) * step, sellsY + Math.floor(i / columns) * 25),
  );
  if (place.name !== 'gods') return drawn;
  const below = `below: ${view.godsBelow.join(', ')}`;
  return [
    ...drawn,
    columns > 2
      ? text(width - 10, sellsY + 18, 12, below, { ...right, fill: SOFT })
      : text(8, sellsY + 40, 12, below, { ...left, fill: SOFT }),
  ];
}

const onSale = (tile: Icon, count: number, x: number, y: number): string =>
  icon(tile, x, y, 25, count === 0 ? 0.25 : 1) +
  text(x + 27, y + 17, 12, `×${count}`, { ...left, fill: count === 0 ? SOFT : INK });

/** A purchase circle: its token, or the empty ring, on the last one with the printed number. */
function circle({ circles, printed }: PlaceView, i: number, { tokensY, tokenPitch }: Sizes): string {
  const x = 23 + i * tokenPitch;
  const token = circles[i];
  if (token) return tokenMark(token, x, tokensY, 12);
  const ring = el('circle', {
    cx: x,
    cy: tokensY,
    r: 12,
    fill: 'none',
    stroke: FAINT,
    'stroke-width': 1.2,
    'stroke-dasharray': '3 2.5',
  });
  return i === circles.length - 1 ? ring + text(x, tokensY + 4, 12, printed, { fill: SOFT }) : ring;
}

/** The chiefs at a place, from the right. */
function chiefs(here: readonly number[], { width, chiefsY, columns }: Sizes): string[] {
  const isTight = columns === 2 || here.length > 3;
  const [size, step] = isTight ? [10.6, 22.2] : [11, 28];
  return here.map((seat, i) => chiefMark(seat, width - 15 - i * step, chiefsY, size));
}

/** The round indicator: the sum needed, its points, and what is handed out afterwards. */
export function indicator(view: View, width: number): Block {
  const { threshold, first, second, check, shells, feet } = view.indicator;
  const medal = (i: number, name: string, points: number) =>
    at(
      98 + i * 50,
      26,
      el('rect', { width: 44, height: 42, rx: 6, fill: '#f7ecd0', stroke: FAINT }),
      text(22, 14, 12, name, { fill: SOFT }),
      text(22, 34, 18, points, bold),
    );
  const supply =
    view.round === view.rounds
      ? text(16, 92, 12, 'no supplies after this round', left)
      : text(16, 92, 12, 'then each seat gets', left) +
        icon('shells', 148, 78, 19) +
        text(171, 93, 14, shells, { ...left, ...bold }) +
        icon('feet', 203, 78, 19) +
        text(226, 93, 14, feet, { ...left, ...bold });
  const parts = [
    panel(0, 0, width, 104, '#fbf6ea'),
    el('path', { d: 'M20 48C20 24 78 24 78 48C78 72 20 72 20 48Z', fill: '#4d6839', stroke: INK, 'stroke-width': 1.5 }),
    text(49, 56, 24, threshold, { fill: '#ffffff', ...bold }),
    text(49, 20, 12, 'sum needed', { fill: SOFT }),
    text(170, 20, 12, 'points for it', { fill: SOFT }),
    medal(0, '1st', first),
    medal(1, '2nd', second),
    medal(2, 'other', check),
    supply,
  ];
  return { height: 104, markup: parts.join('') };
}
