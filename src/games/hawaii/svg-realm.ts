import { at, el, SEATS, text } from '../svg.ts';
import { BOAT_ROOM, KAHUNA_POINTS, KAHUNA_SHELLS, TIKI_COLUMNS, TIKI_FEET, VILLAGES } from './data.ts';
import { bold, FAINT, type Icon, INK, icon, left, panel, right, SOFT, symbol, use } from './icons.ts';
import { chiefMark, fishMark, tokenMark } from './marks.ts';
import type { SeatView, View } from './view.ts';

export const REALM_WIDTH = 482;
export const REALM_HEIGHT = 268;

const ROW = 30;
const GRID = { x: 52, y: 108, width: 270 };
/** Where boats and final scoring are listed. */
const LIST = { x: 338, end: REALM_WIDTH - 14 };

/** Nine columns at their full width; a longer village makes all of them narrower. */
const cellWidth = (seat: SeatView): number =>
  GRID.width / Math.max(9, ...seat.villages.map((village) => village.length));

/** A seat's realm and what it has taken in this round. */
export function realm(seat: SeatView, view: View, x: number, y: number): string {
  const isActing = view.turn?.seat === seat.seat || seat.incomeDue > 0;
  const isYours = seat.seat === view.you;
  const frame = { x: 1.5, y: 1.5, width: REALM_WIDTH - 3, height: REALM_HEIGHT - 3, rx: 9, fill: 'none' };
  return at(
    x,
    y,
    panel(0, 0, REALM_WIDTH, REALM_HEIGHT, isYours ? '#fffdf5' : '#faf5e9', isYours ? INK : FAINT),
    isActing ? el('rect', { ...frame, stroke: '#c0392b', 'stroke-width': 3 }) : '',
    heading(seat, view),
    taken(seat),
    land(seat),
    boats(seat),
    worth(seat, view),
  );
}

function heading(seat: SeatView, view: View): string {
  const where =
    seat.chief === 'track' ? `passed on ${seat.space}` : seat.chief === 'beach' ? 'on the beach' : `at ${seat.chief}`;
  const rank = view.result ? `rank ${view.result.ranks[seat.seat]}` : 'points';
  return [
    chiefMark(seat.seat, 24, 24, 13),
    text(46, 29, 15, `${SEATS[seat.seat]!.name}${view.you === seat.seat ? ' (you)' : ''}`, { ...left, ...bold }),
    text(158, 29, 12, where, { ...left, fill: SOFT }),
    stock(seat),
    text(LIST.end, 31, 22, seat.score, { ...right, ...bold }),
    text(LIST.end, 46, 11, rank, { ...right, fill: SOFT }),
  ].join('');
}

const RESOURCES = ['shells', 'feet', 'fruit'] as const;
const stockX = (i: number): number => 252 + i * 54;
const STOCK = RESOURCES.map((name, i) => icon(name, stockX(i), 13, 20)).join('');
const SCREEN = STOCK + RESOURCES.map((_, i) => text(stockX(i) + 25, 29, 15, '?', { ...left, fill: FAINT })).join('');

function stock({ resources }: SeatView): string {
  if (resources === null) return SCREEN;
  return (
    STOCK + RESOURCES.map((name, i) => text(stockX(i) + 25, 29, 15, resources[name], { ...left, ...bold })).join('')
  );
}

/** The tokens of this round and whether their sum is enough. */
function taken(seat: SeatView): string {
  const marks = [
    ...seat.tokens.map((token) => (x: number) => tokenMark(token, x, 62, 10)),
    ...seat.fish.map((fish) => (x: number) => fishMark(fish, x, 62, 10)),
  ];
  const pitch = Math.min(31, 310 / Math.max(1, marks.length));
  const enough = seat.sum >= seat.threshold;
  return [
    text(14, 66, 12, `sum ${seat.sum} of ${Math.max(0, seat.threshold)}`, { ...left, ...(enough ? bold : {}) }),
    enough ? el('path', { d: 'M108 62L112 66L119 56', fill: 'none', stroke: '#2e7d32', 'stroke-width': 2.6 }) : '',
    ...marks.map((mark, i) => mark(144 + i * pitch)),
  ].join('');
}

/** Columns of an empty realm: those that a tiki can stand over. */
const COLUMNS = 7;
const CELL = 30;
/** Tiki spaces are this high. */
const ABOVE = 28;
const SIZE = { width: COLUMNS * CELL, height: ABOVE + VILLAGES * ROW };
const squeezed = { preserveAspectRatio: 'none' };

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

const bonus = (name: Icon, count: number, x: number, y: number): string =>
  count === 0 ? '' : icon(name, x, y, 11, 0.7) + text(x + 13, y + 9.5, 10, count, { ...left, fill: SOFT });

/** The empty villages below the empty tiki spaces, which show the feet that they give. */
function emptyVillages(): string {
  const spaces = TIKI_COLUMNS.map((column, i) => {
    const x = (column - 1) * CELL;
    return space(x + 1.5, 2, CELL - 3, 24, true) + bonus('feet', TIKI_FEET[i]!, x + 5, 8);
  });
  const cells = Array.from({ length: VILLAGES * COLUMNS }, (_, i) => {
    const [x, y] = [(i % COLUMNS) * CELL, ABOVE + Math.floor(i / COLUMNS) * ROW];
    return `M${x + 2} ${y + 2}h${CELL - 4}v${ROW - 4}h${4 - CELL}z`;
  });
  const numbers = [2, 3, 4, 5].map((n) => text(CELL / 2, ABOVE + (n - 1) * ROW + 19, 11, n, { fill: FAINT }));
  const grid = el('path', { d: cells.join(''), fill: '#f0e8d6', stroke: '#f0e8d6', 'stroke-linejoin': 'round' });
  return [...spaces, grid, ...numbers, icon('printedHut', 5, ABOVE + 4, 20)].join('');
}

/** The empty kahuna spaces with their points and the shells that they give. */
const emptyKahunas = (): string =>
  KAHUNA_POINTS.map((points, i) => {
    const shells = KAHUNA_SHELLS[i]!;
    const worth = text(shells > 0 ? 17 : 28, i * ROW + 19, 11, points, { fill: SOFT });
    return space(8, i * ROW + 2, 40, ROW - 4, true) + worth + bonus('shells', shells, 26, i * ROW + 9.5);
  }).join('');

export const REALM_SYMBOLS = [
  symbol('villages', `0 0 ${SIZE.width} ${SIZE.height}`, emptyVillages(), squeezed),
  symbol('kahunas', `0 0 50 ${VILLAGES * ROW}`, emptyKahunas()),
];

/** The spaces of a realm and what lies on them. */
function land(seat: SeatView): string {
  const width = cellWidth(seat);
  return [
    use('villages', GRID.x, GRID.y - ABOVE, COLUMNS * width, SIZE.height),
    use('kahunas', 0, GRID.y, 50, VILLAGES * ROW),
    ...Array.from({ length: seat.tikis }, (_, i) => tiki(GRID.x + (TIKI_COLUMNS[i]! - 1) * width, width)),
    ...Array.from({ length: seat.kahunas }, (_, i) => kahuna(i)),
    ...seat.villages.map((_, i) => villageRow(seat, i, width)),
  ].join('');
}

const tiki = (x: number, width: number): string =>
  space(x + 1.5, GRID.y - ABOVE + 2, width - 3, 24, false) + icon('tiki', x + width / 2 - 10, GRID.y - ABOVE + 4, 20);

function kahuna(i: number): string {
  const y = GRID.y + i * ROW;
  const points = text(45, y + 19, 11.5, KAHUNA_POINTS[i]!, { ...right, ...bold });
  return space(8, y + 2, 40, ROW - 4, false) + icon('kahuna', 10, y + 5, 19) + points;
}

/** The tiles of a village; a line below it says that it scores. */
function villageRow(seat: SeatView, i: number, width: number): string {
  const { tiles, length, scores } = seat.villages[i]!;
  const y = GRID.y + i * ROW;
  const end = GRID.x + length * width;
  const reached = { d: `M${GRID.x + 1} ${y + ROW - 0.5}H${end - 1}`, stroke: '#2e7d32', 'stroke-width': 2.4 };
  const first = length - tiles.length;
  const cells = tiles.map(({ tile, side }, n) => tileCell(tile, side, GRID.x + (first + n) * width, y, width));
  return cells.join('') + (scores ? el('path', reached) : '');
}

function tileCell(tile: Icon, side: number, x: number, y: number, width: number): string {
  const size = Math.min(20, width - 2);
  const shift = width > 26 ? 1.5 : 0;
  return use(`side${side}`, x, y, width, ROW) + icon(tile, x + (width - size) / 2 + shift, y + 6, size);
}

const BOAT_ICONS = { fishing: 'fishing', I: 'boat', II: 'boat' } as const;

/** Boats by kind, how many are unused in this round, and the room of each. */
function boats(seat: SeatView): string {
  const owned = seat.boats.flatMap((boat, kind) => (boat.count > 0 ? [{ ...boat, room: BOAT_ROOM[kind]! }] : []));
  return owned
    .map(({ boat, count, used, room }, i) => {
      const y = 100 + i * 21;
      const free = used === 0 ? `${count}` : used === count ? 'used' : `${count - used} of ${count}`;
      const fill = used === count ? FAINT : INK;
      return [
        icon(BOAT_ICONS[boat], LIST.x, y - 3, 19, used === count ? 0.35 : 1),
        text(LIST.x + 25, y + 11, 11.5, `${boat === 'fishing' ? '' : `${boat}, `}room ${room}`, { ...left, fill }),
        text(LIST.end, y + 11, 11.5, free, { ...right, ...bold, fill }),
      ].join('');
    })
    .join('');
}

const PARTS = {
  kahunas: 'kahunas',
  longHuts: 'long huts',
  hula: 'hula dancers',
  irrigation: 'irrigation',
  laka: 'Laka',
  kanaloa: 'Kanaloa',
} as const;

/** The final scoring of the realm as it stands, from the bottom of the panel upwards. */
function worth(seat: SeatView, view: View): string {
  const parts = (Object.keys(PARTS) as (keyof typeof PARTS)[]).filter((part) => seat.final[part] > 0);
  const needed = seat.neededLength === null ? 'no tiki: nothing scores' : `score from length ${seat.neededLength}`;
  const rows: [string, number][] = [
    ...parts.map((part): [string, number] => [PARTS[part], seat.final[part]]),
    [view.result ? 'final scoring' : 'realm so far', seat.final.total],
  ];
  const top = REALM_HEIGHT - 12 - (rows.length - 1) * 14;
  return [
    text(LIST.x, 92, 11.5, needed, { ...left, fill: SOFT }),
    ...rows.map(([name, points], i) => {
      const style = i === rows.length - 1 ? bold : { fill: SOFT };
      const y = top + i * 14;
      return text(LIST.x, y, 11, name, { ...left, ...style }) + text(LIST.end, y, 11, points, { ...right, ...style });
    }),
  ].join('');
}
