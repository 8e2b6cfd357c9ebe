import { at, el, group, SEATS, text } from '../svg.ts';
import { SIDES, type Side } from './data.ts';
import { back, FAINT, INK, jungleTile, scaled, workerTile } from './pieces.ts';
import type { View } from './view.ts';

type Where = View['open'][number];

interface Grid {
  top: number;
  left: number;
  rows: number;
  cols: number;
  size: number;
}

const FRAME = 26;
const LARGEST = 88;
const LOWEST = 572;
const HIGHEST = 760;

/** The tiles on the table, as large as the width allows, with rows and columns numbered around it. */
export function field(view: View, width: number): { height: number; markup: string } {
  const grid = gridOf(view, width);
  const height = Math.max(LOWEST, grid.rows * grid.size + 2 * FRAME);
  const x = (width - grid.cols * grid.size) / 2;
  const y = (height - grid.rows * grid.size) / 2;
  const ground = el('rect', { width, height, rx: 12, fill: '#e7dcc5' });
  return { height, markup: ground + at(x, y, ...numbers(grid), ...spaces(view, grid), ...tiles(view, grid)) };
}

const openCells = (view: View): Where[] => (view.step === 'over' ? [] : view.open);

function gridOf(view: View, width: number): Grid {
  // The cells to fill lie between worker tiles or beside them, so they may be the outermost.
  const cells = [...openCells(view), ...view.workers, ...view.jungle, ...view.empty];
  const rows = cells.map(({ row }) => row);
  const cols = cells.map(({ col }) => col);
  const [top, left] = [Math.min(...rows), Math.min(...cols)];
  const [height, breadth] = [Math.max(...rows) - top + 1, Math.max(...cols) - left + 1];
  const size = Math.min(LARGEST, (width - 2 * FRAME) / breadth, (HIGHEST - 2 * FRAME) / height);
  return { top, left, rows: height, cols: breadth, size };
}

const place = ({ top, left, size }: Grid, { row, col }: Where, markup: string): string =>
  scaled((col - left) * size, (row - top) * size, size, markup);

function numbers({ top, left, rows, cols, size }: Grid): string[] {
  const paint = { fill: FAINT, 'font-weight': 700 };
  const columns = Array.from({ length: cols }, (_, i) => {
    const x = (i + 0.5) * size;
    return text(x, -8, 12, left + i, paint) + text(x, rows * size + 17, 12, left + i, paint);
  });
  const lines = Array.from({ length: rows }, (_, i) => {
    const y = (i + 0.5) * size + 4;
    return text(-13, y, 12, top + i, paint) + text(cols * size + 13, y, 12, top + i, paint);
  });
  return [...columns, ...lines];
}

/** Where tiles may go next. */
function spaces(view: View, grid: Grid): string[] {
  const space = (cell: Where, rx: number, fill: string, stroke: string, ink: string) =>
    place(
      grid,
      cell,
      el('rect', {
        x: 8,
        y: 8,
        width: 84,
        height: 84,
        rx,
        fill,
        stroke,
        'stroke-width': 3,
        'stroke-dasharray': '7 6',
      }) + text(50, 57, 21, `${cell.row},${cell.col}`, { fill: ink }),
    );
  const open = openCells(view).map((cell) => space(cell, 12, 'none', '#b9a888', '#917f61'));
  return [...open, ...view.empty.map((cell) => space(cell, 4, '#dbe7c4', '#55663f', INK))];
}

function tiles(view: View, grid: Grid): string[] {
  const isFresh = (cell: Where) => view.filled.some(({ row, col }) => row === cell.row && col === cell.col);
  const isLast = (cell: Where) => view.last?.row === cell.row && view.last.col === cell.col;
  const jungle = view.jungle.map((cell) =>
    place(grid, cell, jungleTile(cell.tile) + temple(view, cell) + (isFresh(cell) ? mark(4) : '')),
  );
  const workers = view.workers.map((cell) => {
    const tile = workerTile(cell.tile, cell.turn, cell.seat);
    return place(grid, cell, (cell.covers ? stack(cell.seat, tile) : tile) + (isLast(cell) ? mark(12) : ''));
  });
  const waiting = view.seats.flatMap(({ edges }) => edges.map((edge) => place(grid, edge, pointer(edge.side))));
  return [...jungle, ...workers, ...waiting];
}

/** What the marks on the table mean. */
export function legend(): string {
  const rows: [string, string][] = [
    [mark(12), 'laid last'],
    [stack(0, workerTile('1-1-1-1', 0, 0)), 'two tiles high'],
    [at(-30, 42, group({ transform: 'scale(1.6)' }, pointer('N'))), 'workers to be used'],
    [text(50, 70, 56, 'A6', { 'font-weight': 700, fill: INK }), 'temple gold so far'],
  ];
  return rows
    .map(([piece, words], i) =>
      at(0, i * 27, scaled(3, 0, 22, piece), text(38, 16, 14, words, { 'text-anchor': 'start', fill: INK })),
    )
    .join('');
}

/** Laid in this turn or the one before. */
const mark = (rx: number): string =>
  el('rect', { x: -1, y: -1, width: 102, height: 102, rx, fill: 'none', stroke: INK, 'stroke-width': 6 });

/** A tile on top of another one, whose rim it leaves to be seen. */
const stack = (seat: number, tile: string): string => back(seat) + scaled(0, 0, 86, tile);

/** The side of workers that wait to be used, pointing at the tile that they face. */
const pointer = (side: Side): string =>
  el('path', {
    d: 'M18 -3 H40 L50 -12 L60 -3 H82 V6 H18Z',
    transform: `rotate(${SIDES.indexOf(side) * 90} 50 50)`,
    fill: '#ffd23f',
    stroke: INK,
    'stroke-width': 3,
  });

/** Who would be paid there now. */
function temple(view: View, { row, col }: Where): string {
  const found = view.temples.find((other) => other.row === row && other.col === col);
  if (!found) return '';
  const paid = found.gold.flatMap((gold, seat) => (gold > 0 ? [`${SEATS[seat]!.letter}${gold}`] : []));
  return text(50, 91, paid.length > 3 ? 14 : 17, paid.join(' '), { fill: INK, 'font-weight': 700 });
}
