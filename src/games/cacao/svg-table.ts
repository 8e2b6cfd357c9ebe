import type { Scene } from '../game.ts';
import { at, el, group, nameOf, SEATS, target, text } from '../svg.ts';
import { COMPASS, jungleTileOf, SIDES, type Side } from './data.ts';
import { FAINT, INK } from './icons.ts';
import { back, jungleTile, workerTile } from './svg-pieces.ts';
import { cellTarget } from './targets.ts';
import type { View } from './view.ts';

type Where = View['open'][number];

interface Layout {
  width: number;
  /** Room for the numbers of rows and columns. */
  frame: number;
  /** The smallest cell that can still be read and tapped. */
  smallest: number;
  largest: number;
  /** The height in which the table should fit as long as its cells are not too small. */
  height: number;
  /** The minimum height of the ground. */
  lowest: number;
}

export const WIDE_TABLE = { frame: 26, smallest: 41, largest: 88, height: 600 };
export const NARROW_TABLE = { frame: 15, smallest: 36, largest: 64, height: 560 };

/** A part of the table as it is drawn. Its own columns are those from `from` to `to`. */
interface Sheet {
  top: number;
  left: number;
  rows: number;
  cols: number;
  size: number;
  from: number;
  to: number;
}

const GROUND = '#e7dcc5';
const GAP = 12;
/** Free cells of at least this size show their row and column. In smaller ones the text would be too small to read. */
const NUMBERED = { short: 41, long: 53 };

/** The tiles on the table, with numbered rows and columns. A table that is too wide is cut into sheets. */
export function field(view: View, scene: Scene, layout: Layout): { height: number; markup: string } {
  let y = 0;
  const markup: string[] = [];
  const sheets = sheetsOf(cellsOf(view), layout);
  for (const sheet of sheets) {
    const needed = sheet.rows * sheet.size + 2 * layout.frame;
    const height = sheets.length === 1 ? Math.max(layout.lowest, needed) : needed;
    const x = (layout.width - sheet.cols * sheet.size) / 2;
    const top = layout.frame + (height - needed) / 2;
    const ground = el('rect', { width: layout.width, height, rx: 12, fill: GROUND });
    markup.push(at(0, y, ground, at(x, top, ...numbers(sheet, layout.frame), ...tiles(view, scene, sheet))));
    y += height + GAP;
  }
  return { height: y - GAP, markup: markup.join('') };
}

/** Free cells count even when the match is over, so that its end does not move the table. */
const cellsOf = (view: View): Where[] => [...view.open, ...view.workers, ...view.jungle, ...view.empty];

function boundsOf(cells: readonly Where[]) {
  const rows = cells.map(({ row }) => row);
  const cols = cells.map(({ col }) => col);
  const [top, left] = [Math.min(...rows), Math.min(...cols)];
  return { top, left, rows: Math.max(...rows) - top + 1, cols: Math.max(...cols) - left + 1 };
}

/** Where the table is cut, each sheet also shows the next column of its neighbour, faintly. */
function sheetsOf(cells: readonly Where[], { width, frame, smallest, largest, height }: Layout): Sheet[] {
  const all = boundsOf(cells);
  const room = width - 2 * frame;
  const most = Math.floor(room / smallest);
  if (all.cols <= most) {
    const inHeight = Math.max(smallest, (height - 2 * frame) / all.rows);
    const to = all.left + all.cols - 1;
    return [{ ...all, size: Math.min(largest, room / all.cols, inHeight), from: all.left, to }];
  }
  const count = Math.ceil(all.cols / (most - 2));
  const each = Math.ceil(all.cols / count);
  const size = Math.min(largest, room / (each + 2));
  return Array.from({ length: count }, (_, i) => {
    const from = all.left + i * each;
    const to = from + each - 1;
    const shown = boundsOf(cells.filter(({ col }) => col >= from - 1 && col <= to + 1));
    return { ...shown, size, from, to };
  });
}

function numbers({ top, left, rows, cols, size }: Sheet, frame: number): string[] {
  const font = Math.min(13, frame - 4);
  const paint = { fill: FAINT, 'font-weight': 700 };
  const columns = Array.from({ length: cols }, (_, i) => {
    const x = (i + 0.5) * size;
    return text(x, -4, font, left + i, paint) + text(x, rows * size + frame - 4, font, left + i, paint);
  });
  const lines = Array.from({ length: rows }, (_, i) => {
    const y = (i + 0.5) * size + 4;
    return text(-frame / 2, y, font, top + i, paint) + text(cols * size + frame / 2, y, font, top + i, paint);
  });
  return [...columns, ...lines];
}

const isSame = (cell: Where) => (other: Where) => other.row === cell.row && other.col === cell.col;

/** The cells first, then the marks that lie across their borders. */
function tiles(view: View, scene: Scene, sheet: Sheet): string[] {
  const isShown = ({ col }: Where) => col >= sheet.left && col < sheet.left + sheet.cols;
  const isOwn = ({ col }: Where) => col >= sheet.from && col <= sheet.to;
  const isOver = view.step === 'over' || scene.result !== null;
  const open = isOver ? [] : view.open.filter(isShown).map((cell) => ({ cell, ...freeCell(cell, sheet) }));
  const empty = isOver ? [] : view.empty.filter(isShown).map((cell) => ({ cell, ...emptyCell(cell, sheet) }));
  const jungle = view.jungle.filter(isShown).map((cell) => ({ cell, ...jungleCell(view, scene, cell, sheet) }));
  const workers = view.workers.filter(isShown).map((cell) => ({ cell, ...workerCell(scene, cell) }));
  const cells = [...open, ...empty, ...jungle, ...workers].map(({ cell, title, desc, markup, tile }) => {
    const transform = placed(sheet, cell);
    if (!isOwn(cell)) return group({ transform, opacity: 0.4 }, markup);
    const piece = tile ? group({ id: `p-tile-${tile}-${cell.row},${cell.col}` }, markup) : markup;
    return target(cellTarget(cell), title, desc ? { desc, transform } : { transform }, piece);
  });
  const over = (cell: Where, markup: string) =>
    isOwn(cell) ? [group({ transform: placed(sheet, cell), 'pointer-events': 'none' }, markup)] : [];
  const wasLast = (cell: Where) => scene.last?.targets.includes(cellTarget(cell)) ?? false;
  const laid = [...(view.last ? [view.last] : []), ...view.filled];
  return [
    ...cells,
    ...laid.filter((cell) => !wasLast(cell)).flatMap((cell) => over(cell, LAID)),
    ...[...view.workers, ...view.jungle].filter(wasLast).flatMap((cell) => over(cell, LAST)),
    ...view.seats.flatMap(({ edges }) => edges.flatMap((edge) => over(edge, pointer(edge.side)))),
  ];
}

const placed = ({ top, left, size }: Sheet, { row, col }: Where): string => {
  const [x, y, scale] = [(col - left) * size, (row - top) * size, size / 100].map((n) => Math.round(n * 1000) / 1000);
  return `translate(${x} ${y}) scale(${scale})`;
};

/** Makes the whole cell clickable, not only what is drawn on it. */
const GRIP = el('rect', { width: 100, height: 100, fill: GROUND });

function space(cell: Where, { size }: Sheet, rx: number, fill: string, stroke: string): string {
  const edge = { fill, stroke, 'stroke-width': 3, 'stroke-dasharray': '7 6' };
  const words = `${cell.row},${cell.col}`;
  const isLong = words.length > 5;
  const font = isLong ? 23 : Math.max(27, 1210 / size);
  const where = size < NUMBERED[isLong ? 'long' : 'short'] ? '' : text(50, 59, font, words, { fill: INK });
  return GRIP + el('rect', { x: 8, y: 8, width: 84, height: 84, rx, ...edge }) + where;
}

const freeCell = (cell: Where, sheet: Sheet) => ({
  title: `free cell (${cell.row},${cell.col})`,
  desc: 'a worker tile may be placed here',
  tile: null,
  markup: space(cell, sheet, 12, '#efe7d4', '#9a8762'),
});

const emptyCell = (cell: Where, sheet: Sheet) => ({
  title: `cell to fill (${cell.row},${cell.col})`,
  desc: 'a jungle tile is to be laid here',
  tile: null,
  markup: space(cell, sheet, 4, '#dbe7c4', '#55663f'),
});

function jungleCell(view: View, scene: Scene, cell: View['jungle'][number], sheet: Sheet) {
  const found = view.temples.find(isSame(cell));
  const paid = (found?.gold ?? []).flatMap((gold, seat) => (gold > 0 ? [`${nameOf(scene, seat)} ${gold} gold`] : []));
  return {
    title: `${jungleTileOf(cell.tile).label} (${cell.row},${cell.col})`,
    desc: paid.join(', '),
    tile: 'jungle',
    markup: jungleTile(cell.tile) + (found ? templeGold(found.gold, sheet.size) : ''),
  };
}

function workerCell(scene: Scene, { row, col, seat, tile, turn, sides, covers }: View['workers'][number]) {
  const face = workerTile(tile, turn, seat);
  const workers = SIDES.map((side) => `${sides[side]} ${COMPASS[side]}`).join(', ');
  return {
    title: `worker tile of ${nameOf(scene, seat)} (${row},${col})`,
    desc: `${tile}: ${workers}${covers ? `; covers ${covers}` : ''}`,
    // A tile on top of another one is a new piece.
    tile: `${SEATS[seat]!.letter}${covers ? 2 : 1}`,
    markup: covers ? stack(seat, face) : face,
  };
}

/** A tile on top of another one, with the rim of the lower one showing. */
export const stack = (seat: number, tile: string): string => back(seat) + group({ transform: 'scale(0.9)' }, tile);

const outline = (stroke: string, width: number): string =>
  el('rect', { x: -1, y: -1, width: 102, height: 102, rx: 9, fill: 'none', stroke, 'stroke-width': width });

/** Laid in this turn or the one before. */
export const LAID = outline(INK, 5);
/** What the last action was about. */
export const LAST = outline(INK, 10) + outline('#ffd23f', 6);

/** The side of workers that wait to be used, pointing at the tile that they face. */
export const pointer = (side: Side): string =>
  el('path', {
    d: 'M18 -3 H38 L50 -16 L62 -3 H82 V8 H18Z',
    transform: `rotate(${SIDES.indexOf(side) * 90} 50 50)`,
    fill: '#ffd23f',
    stroke: INK,
    'stroke-width': 3,
  });

const CORNERS: readonly (readonly [number, number, string])[] = [
  [6, 29, 'start'],
  [94, 29, 'end'],
  [6, 95, 'start'],
  [94, 95, 'end'],
];

/** Who would be paid at a temple now, with each seat in a corner of its own. */
function templeGold(gold: readonly number[], size: number): string {
  const font = Math.max(22, Math.min(31, 1210 / size));
  const halo = { stroke: '#dcd3e6', 'stroke-width': 7, 'paint-order': 'stroke', 'stroke-linejoin': 'round' };
  return gold
    .map((amount, seat) => {
      const [x, y, anchor] = CORNERS[seat]!;
      const paint = { fill: INK, 'font-weight': 700, 'text-anchor': anchor, ...halo };
      return amount > 0 ? text(x, y, font, `${SEATS[seat]!.letter}${amount}`, paint) : '';
    })
    .join('');
}
