import { at, el, SEATS, text } from '../svg.ts';
import { BOAT_ROOM, KAHUNA_POINTS, KAHUNA_SHELLS, TIKI_COLUMNS, TIKI_FEET, VILLAGES } from './data.ts';
import {
  bold,
  chiefMark,
  FAINT,
  fishMark,
  type Icon,
  INK,
  icon,
  left,
  panel,
  right,
  SOFT,
  tokenMark,
} from './icons.ts';
import type { SeatView, View } from './view.ts';

export const REALM_WIDTH = 482;
export const REALM_HEIGHT = 268;

const ROW = 30;
const GRID = { x: 52, y: 108, width: 270 };
/** Columns drawn even while empty: those that a tiki can stand over. */
const DRAWN = 7;
/** Where boats and final scoring are listed. */
const LIST = { x: 338, end: REALM_WIDTH - 14 };

const dashed = (isEmpty: boolean) => ({ stroke: FAINT, 'stroke-dasharray': isEmpty ? '3 2.5' : undefined });

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
    tikis(seat),
    ...Array.from({ length: VILLAGES }, (_, i) => villageRow(seat, i)),
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

function stock({ resources }: SeatView): string {
  const names = ['shells', 'feet', 'fruit'] as const;
  return names
    .map((name, i) => {
      const x = 252 + i * 54;
      const amount = resources ? resources[name] : '?';
      return icon(name, x, 13, 20) + text(x + 25, 29, 15, amount, { ...left, ...(resources ? bold : { fill: FAINT }) });
    })
    .join('');
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

/** Tiki spaces over the columns, from the right; an empty one shows the feet it gives. */
function tikis(seat: SeatView): string {
  const width = cellWidth(seat);
  const spaces = TIKI_COLUMNS.map((column, i) => {
    const x = GRID.x + (column - 1) * width;
    const isEmpty = i >= seat.tikis;
    const fill = isEmpty ? 'none' : '#f0dcb4';
    const box = el('rect', { x: x + 1.5, y: 82, width: width - 3, height: 24, rx: 4, fill, ...dashed(isEmpty) });
    if (!isEmpty) return box + icon('tiki', x + width / 2 - 10, 84, 20);
    return TIKI_FEET[i] === 0 ? box : box + bonus('feet', TIKI_FEET[i]!, x + width / 2 - 10, 88);
  });
  return spaces.join('');
}

const bonus = (name: Icon, count: number, x: number, y: number): string =>
  icon(name, x, y, 11, { opacity: 0.7 }) + text(x + 13, y + 9.5, 10, count, { ...left, fill: SOFT });

function villageRow(seat: SeatView, i: number): string {
  const width = cellWidth(seat);
  const y = GRID.y + i * ROW;
  const village = seat.villages[i];
  const columnX = (column: number) => GRID.x + (column - 1) * width;
  const size = Math.min(20, width - 2);
  const empty = Array.from({ length: DRAWN }, (_, n) =>
    n < (village?.length ?? 0) ? '' : face('cell', columnX(n + 1), y, width),
  );
  const first = i === 0 ? icon('printedHut', columnX(1) + (width - size) / 2, y + 4, size) : '';
  const number = village ? '' : text(columnX(1) + width / 2, y + 19, 11, i + 1, { fill: FAINT });
  const tiles = (village?.tiles ?? []).map(({ tile, side }, n) =>
    tileCell(tile, side, columnX(n + (i === 0 ? 2 : 1)), y, width),
  );
  const scores = village?.scores
    ? el('path', {
        d: `M${columnX(1) + 1} ${y + ROW - 0.5}H${columnX(village.length + 1) - 1}`,
        stroke: '#2e7d32',
        'stroke-width': 2.4,
      })
    : '';
  return [kahunaSpace(seat, i, y), ...empty, first, number, ...tiles, scores].join('');
}

/** The background of a cell, squeezed into a narrow column. */
const face = (name: Icon, x: number, y: number, width: number): string =>
  el('use', { href: `#hawaii-${name}`, x, y, width, height: ROW });

function tileCell(tile: Icon, side: number, x: number, y: number, width: number): string {
  const size = Math.min(20, width - 2);
  const shift = width > 26 ? 1.5 : 0;
  return face(side === 2 ? 'sideII' : 'sideI', x, y, width) + icon(tile, x + (width - size) / 2 + shift, y + 6, size);
}

/** A kahuna space with its points; an empty one shows the shells it gives. */
function kahunaSpace(seat: SeatView, i: number, y: number): string {
  const isEmpty = i >= seat.kahunas;
  const fill = isEmpty ? 'none' : '#f0dcb4';
  const box = el('rect', { x: 8, y: y + 2, width: 40, height: ROW - 4, rx: 4, fill, ...dashed(isEmpty) });
  if (!isEmpty)
    return box + icon('kahuna', 10, y + 5, 19) + text(45, y + 19, 11.5, KAHUNA_POINTS[i]!, { ...right, ...bold });
  const shells = KAHUNA_SHELLS[i]!;
  const points = text(shells > 0 ? 17 : 28, y + 19, 11, KAHUNA_POINTS[i]!, { fill: SOFT });
  return shells > 0 ? box + points + bonus('shells', shells, 26, y + 9.5) : box + points;
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
        icon(BOAT_ICONS[boat], LIST.x, y - 3, 19, used === count ? { opacity: 0.35 } : {}),
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
