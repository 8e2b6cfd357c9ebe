import type { Scene } from '../game.ts';
import { el, group, nameOf, SEATS, shorten, target, text, widthOf } from '../svg.ts';
import { BOAT_ROOM, KAHUNA_POINTS, KAHUNA_SHELLS, TIKI_COLUMNS, TIKI_FEET, VILLAGES } from './data.ts';
import { bold, cut, FAINT, type Icon, INK, icon, left, panel, right, SOFT, use } from './icons.ts';
import { type Block, isLast, lastFrame } from './svg-layout.ts';
import { fishMark, seatLetter, tokenMark } from './svg-marks.ts';
import type { SeatView, View } from './view.ts';
import { tileName } from './words.ts';

/** Where the parts of a realm are: the villages, and the list of boats and points beside or below them. */
interface Frame {
  width: number;
  height: number;
  /** The height of a village. */
  row: number;
  top: number;
  grid: number;
  stockX: number;
  stockY: number;
  boatsX: number;
  boatsY: number;
  worthX: number;
  listWidth: number;
  takenY: number;
}

const GRID_X = 52;

const WIDE: Frame = {
  width: 482,
  height: 272,
  row: 30,
  top: 112,
  grid: 272,
  stockX: 252,
  stockY: 13,
  boatsX: 342,
  boatsY: 104,
  worthX: 342,
  listWidth: 126,
  takenY: 62,
};
const NARROW: Frame = {
  width: 374,
  height: 444,
  row: 38,
  top: 142,
  grid: 314,
  stockX: 14,
  stockY: 40,
  boatsX: 14,
  boatsY: 364,
  worthX: 212,
  listWidth: 150,
  takenY: 90,
};

const frameOf = (scene: Scene): Frame => (scene.width === 'NARROW' ? NARROW : WIDE);
export const REALM_WIDTH = WIDE.width;

/** Nine columns at their full width; a longer village makes all of them narrower. */
const cellWidth = (seat: SeatView, { grid }: Frame): number =>
  Math.floor((10 * grid) / Math.max(9, ...seat.villages.map((village) => village.length))) / 10;

/** A seat's realm and what it has taken in this round. */
export function realm(seat: SeatView, view: View, scene: Scene): Block {
  const frame = frameOf(scene);
  const { width, height } = frame;
  const isActing = view.turn?.seat === seat.seat || seat.incomeDue > 0;
  const isYours = seat.seat === view.you;
  const around = { x: 1.5, y: 1.5, width: width - 3, height: height - 3, rx: 9, fill: 'none' };
  const parts = [
    panel(0, 0, width, height, isYours ? '#fffdf5' : '#faf5e9', isYours ? INK : FAINT),
    isActing ? el('rect', { ...around, stroke: '#b3341f', 'stroke-width': 3 }) : '',
    heading(seat, view, scene, frame),
    taken(seat, frame),
    land(seat, view, scene, frame),
    boats(seat, frame),
    worth(seat, view, frame),
  ];
  return { height, markup: parts.join('') };
}

const whereIs = ({ chief, space }: SeatView): string =>
  chief === 'track' ? `passed on ${space}` : chief === 'beach' ? 'on the beach' : `at ${chief}`;

function heading(seat: SeatView, view: View, scene: Scene, frame: Frame): string {
  const isWide = frame === WIDE;
  const result = scene.result ?? view.result;
  const you = view.you === seat.seat ? ' (you)' : '';
  const room = (isWide ? 200 : 196) - widthOf(you, 15);
  const name = `${shorten(nameOf(scene, seat.seat), room, 15)}${you}`;
  const where = `${SEATS[seat.seat]!.name}, ${whereIs(seat)}`;
  const end = frame.width - 14;
  return [
    seatLetter(seat.seat, 24, 24, 13),
    text(46, isWide ? 22 : 29, 15, name, { ...left, ...bold }),
    isWide ? text(46, 40, 12, where, { ...left, fill: SOFT }) : text(end, 56, 12, where, { ...right, fill: SOFT }),
    stock(seat, frame),
    text(end, 29, 22, (result?.scores ?? [])[seat.seat] ?? seat.score, { ...right, ...bold }),
    isWide
      ? text(end, 44, 12, result ? `rank ${result.ranks[seat.seat]}` : 'points', { ...right, fill: SOFT })
      : text(end - 50, 28, 12, result ? `rank ${result.ranks[seat.seat]}` : 'points', { ...right, fill: SOFT }),
  ].join('');
}

const RESOURCES = ['shells', 'feet', 'fruit'] as const;

/** What a seat has; behind its screen there are question marks. */
const stock = ({ resources }: SeatView, { stockX, stockY }: Frame): string =>
  RESOURCES.map((name, i) => {
    const x = stockX + i * 54;
    const style = resources === null ? { fill: SOFT } : bold;
    return icon(name, x, stockY, 20) + text(x + 24, stockY + 16, 15, resources?.[name] ?? '?', { ...left, ...style });
  }).join('');

/** The tokens of this round and whether their sum is enough. */
function taken(seat: SeatView, { takenY, width }: Frame): string {
  const marks = [
    ...seat.tokens.map((token) => (x: number) => tokenMark(token, x, takenY, 10)),
    ...seat.fish.map((fish) => (x: number) => fishMark(fish, x, takenY, 10)),
  ];
  const pitch = Math.min(31, (width - 172) / Math.max(1, marks.length));
  const enough = seat.sum >= seat.threshold;
  const check = `M110 ${takenY}l4 4l7 -10`;
  return [
    text(14, takenY + 4, 12, `sum ${seat.sum} of ${Math.max(0, seat.threshold)}`, {
      ...left,
      ...(enough ? bold : {}),
    }),
    enough ? el('path', { d: check, fill: 'none', stroke: '#2e7d32', 'stroke-width': 2.6 }) : '',
    ...marks.map((mark, i) => mark(144 + i * pitch)),
  ].join('');
}

/** Columns of an empty realm: those that a tiki can stand over. */
const COLUMNS = 7;
/** Tiki spaces are this high. */
const ABOVE = 28;

const space = (x: number, y: number, width: number, height: number, isEmpty: boolean): string =>
  el('rect', {
    x,
    y,
    width,
    height,
    rx: 4,
    fill: isEmpty ? 'none' : '#f0dcb4',
    stroke: FAINT,
    'stroke-dasharray': isEmpty ? '3 2.5' : undefined,
  });

/** The spaces of a realm and what lies on them. */
function land(seat: SeatView, view: View, scene: Scene, frame: Frame): string {
  const width = cellWidth(seat, frame);
  return [
    ...TIKI_COLUMNS.map((_, i) => tikiSpace(seat, i, width, frame)),
    direction(width, frame),
    ...KAHUNA_POINTS.map((_, i) => kahunaSpace(seat, i, frame)),
    ...Array.from({ length: VILLAGES }, (_, i) => village(seat, view, scene, i, width, frame)),
    reachLine(seat, width, frame),
  ].join('');
}

/** A tiki, or the empty space for it with the feet that it gives. */
function tikiSpace(seat: SeatView, i: number, width: number, { top }: Frame): string {
  const x = GRID_X + (TIKI_COLUMNS[i]! - 1) * width;
  const y = top - ABOVE;
  const isEmpty = i >= seat.tikis;
  const size = Math.min(20, width - 4);
  const feet = TIKI_FEET[i]!;
  const [footX, numberX] = width > 27 ? [x + 3, x + width - 10] : [0, x + width / 2];
  const gives =
    feet === 0
      ? ''
      : (footX ? icon('feet', footX, y + 7, 13, 0.8) : '') + text(numberX, y + 18, 12, feet, { fill: SOFT });
  return (
    space(x + 1.5, y + 1, width - 3, 25, isEmpty) +
    (isEmpty
      ? gives
      : group({ id: `p-tiki-${seat.seat}-${i + 1}` }, icon('tiki', x + (width - size) / 2, y + 3.5, size)))
  );
}

/** Tikis are placed from the right: an arrow beside the first space says so. */
function direction(width: number, { top }: Frame): string {
  const x = GRID_X + COLUMNS * width + 3;
  const y = top - ABOVE / 2 - 1;
  const arrow = el('path', { d: `M${cut(x)} ${y}l7 -5v3h9v4h-9v3z`, fill: SOFT });
  return arrow + text(x + 19, y + 4, 12, '1st', { ...left, fill: SOFT }) + text(8, y + 4, 12, 'tikis', left);
}

/** A kahuna with its points, or the empty space for it with the shells that it gives. */
function kahunaSpace(seat: SeatView, i: number, { top, row }: Frame): string {
  const y = top + i * row;
  const middle = y + row / 2 + 4;
  const isEmpty = i >= seat.kahunas;
  const shells = KAHUNA_SHELLS[i]!;
  const gives = shells === 0 ? '' : icon('shells', 25, middle - 10, 12) + text(43, middle, 12, shells, { fill: SOFT });
  return (
    space(8, y + 2, 40, row - 4, isEmpty) +
    (isEmpty
      ? text(shells > 0 ? 17 : 28, middle, 12, KAHUNA_POINTS[i]!, { fill: SOFT }) + gives
      : group({ id: `p-kahuna-${seat.seat}-${i + 1}` }, icon('kahuna', 10, middle - 14, 19)) +
        text(46, middle, 12, KAHUNA_POINTS[i]!, { ...right, ...bold }))
  );
}

/** A village, which can be built in; a line below it says that it scores. */
function village(seat: SeatView, view: View, scene: Scene, i: number, width: number, frame: Frame): string {
  const { top, row, grid } = frame;
  const y = top + i * row;
  const open = seat.villages[i];
  const cells = Array.from(
    { length: COLUMNS },
    (_, n) => `M${cut(GRID_X + n * width + 2)} ${y + 2}h${cut(width - 4)}v${row - 4}h${cut(4 - width)}z`,
  );
  const drawn = [
    el('path', { d: cells.join(''), fill: '#f0e8d6', stroke: '#f0e8d6', 'stroke-linejoin': 'round' }),
    i === 0
      ? icon('printedHut', GRID_X + width / 2 - 10, y + row / 2 - 11, Math.min(20, width))
      : text(GRID_X + width / 2, y + row / 2 + 4, 12, i + 1, { fill: SOFT }),
    ...(open ? tilesOf(`${seat.seat}-${i + 1}`, open, y, width, frame) : []),
    isLast(scene, `village:${i + 1}`, seat.seat) ? lastFrame(GRID_X - 1, y, grid + 2, row) : '',
  ];
  if (seat.seat !== view.you) return drawn.join('');
  const tiles = open?.tiles.map(({ tile, side }) => tileName(tile, side)).join(', ');
  const touch = el('rect', { x: GRID_X, y, width: grid, height: row, fill: '#ffffff', 'fill-opacity': 0 });
  return target(
    `village:${i + 1}`,
    `Your village ${i + 1}`,
    { desc: open ? tiles || 'empty' : 'not begun' },
    touch,
    ...drawn,
  );
}

function tilesOf(
  owner: string,
  { tiles, length, scores }: SeatView['villages'][number],
  y: number,
  width: number,
  { row }: Frame,
): string[] {
  const end = GRID_X + length * width;
  const reached = { d: `M${GRID_X + 1} ${y + row - 0.5}H${cut(end - 1)}`, stroke: '#2e7d32', 'stroke-width': 2.4 };
  const first = length - tiles.length;
  return [
    ...tiles.map(({ tile, side }, n) =>
      group({ id: `p-tile-${owner}-${n}` }, tileCell(tile, side, GRID_X + (first + n) * width, y, width, row)),
    ),
    scores ? el('path', reached) : '',
  ];
}

function tileCell(tile: Icon, side: number, x: number, y: number, width: number, row: number): string {
  const size = Math.min(row - 10, width - 2);
  const shift = width > 26 ? 1.5 : 0;
  return (
    use(`side${side}`, x, y, width, row) + icon(tile, x + (width - size) / 2 + shift, y + (row - size) / 2 + 1, size)
  );
}

/** The line that a village must reach to score: below the tiki that stands farthest to the left. */
function reachLine({ neededLength }: SeatView, width: number, { top, row }: Frame): string {
  if (neededLength === null) return '';
  const x = GRID_X + neededLength * width;
  const d = `M${cut(x)} ${top - ABOVE}V${top + VILLAGES * row}`;
  return el('path', { d, stroke: '#2e7d32', 'stroke-width': 1.6, 'stroke-dasharray': '2 4' });
}

const BOAT_ICONS = { fishing: 'fishing', I: 'boat', II: 'boat' } as const;

/** Boats by kind, how many are unused in this round, and the room of each. */
function boats(seat: SeatView, { boatsX, boatsY, listWidth }: Frame): string {
  const owned = seat.boats.flatMap((boat, kind) => (boat.count > 0 ? [{ ...boat, room: BOAT_ROOM[kind]! }] : []));
  return owned
    .map(({ boat, count, used, room }, i) => {
      const y = boatsY + i * 21;
      const free = used === 0 ? `${count}` : used === count ? 'used' : `${count - used} of ${count}`;
      const fill = used === count ? SOFT : INK;
      return [
        icon(BOAT_ICONS[boat], boatsX, y - 3, 19, used === count ? 0.35 : 1),
        text(boatsX + 25, y + 11, 12, `${boat === 'fishing' ? '' : `${boat}, `}room ${room}`, { ...left, fill }),
        text(boatsX + listWidth, y + 11, 12, free, { ...right, ...bold, fill }),
      ].join('');
    })
    .join('');
}

export const PARTS = {
  kahunas: 'kahunas',
  longHuts: 'long huts',
  hula: 'hula dancers',
  irrigation: 'irrigation',
  laka: 'Laka',
  kanaloa: 'Kanaloa',
} as const;
export const PART_NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

/** The final scoring of the realm as it stands, from the bottom of the panel upwards. */
function worth(seat: SeatView, view: View, { worthX, height, boatsY, listWidth, boatsX }: Frame): string {
  const parts = PART_NAMES.filter((part) => seat.final[part] > 0);
  const needed = seat.neededLength === null ? 'no tiki: none scores' : `score from length ${seat.neededLength}`;
  const rows: [string, number][] = [
    ...parts.map((part): [string, number] => [PARTS[part], seat.final[part]]),
    [view.result ? 'final scoring' : 'realm so far', seat.final.total],
  ];
  const top = height - 12 - (rows.length - 1) * 14;
  const end = worthX + listWidth;
  return [
    text(boatsX, boatsY - 12, 12, needed, { ...left, fill: SOFT }),
    ...rows.map(([name, points], i) => {
      const style = i === rows.length - 1 ? bold : { fill: SOFT };
      const y = top + i * 14;
      return text(worthX, y, 12, name, { ...left, ...style }) + text(end, y, 12, points, { ...right, ...style });
    }),
  ].join('');
}
