import { type Attributes, at, el, group, SEATS, seatMark, text } from '../svg.ts';
import { FLAGS, type Flag } from './data.ts';
import type { SeatView, View } from './view.ts';

export const INK = '#2b2118';
export const SOFT = '#6f6455';
const SEA = '#e2edef';
const SHORE = '#8ba3a8';
const WOOD = '#6a4a2b';
const FRESH = '#fff3c4';
export const DONE = '#1f6b4a';
export const GRASS = '#d8ecdf';
export const SAND = '#fffaf0';

/** Height of the strip above a map that names the seat. */
export const HEAD = 44;

export const panel = (width: number, height: number, fill = '#fffdf8'): string =>
  el('rect', { width, height, rx: 10, fill, stroke: '#cfc4b0', 'stroke-width': 1.5 });

const round = (n: number): number => Math.round(n * 100) / 100;

export const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`;

type Spot = readonly [x: number, y: number];

/** Flags at these spots. They are told apart by shape: red ones are pennants, blue ones squares with a white bar. */
export function flags(flag: Flag, spots: readonly Spot[], size: number): string {
  const path = (d: (x: number, y: number) => string, paint: Attributes) =>
    el('path', { d: spots.map(([x, y]) => d(round(x), round(y))).join(''), ...paint });
  const [half, unit] = [round(size * 0.6), round(size * 1.2)];
  const edge = { stroke: INK, 'stroke-width': Math.max(0.7, size / 12), 'stroke-linejoin': 'round' };
  const poles = path((x, y) => line(x, y + size, x, y - size), { ...edge, 'stroke-width': Math.max(1.2, size / 6) });
  if (flag === 'red') {
    const pennant = `v${unit}l${round(size * 1.6)} -${half}z`;
    return poles + path((x, y) => `M${x} ${round(y - size)}${pennant}`, { fill: '#d1495b', ...edge });
  }
  const cloth = (x: number, y: number) =>
    `M${x} ${round(y - size)}h${round(size * 1.4)}v${unit}h-${round(size * 1.4)}z`;
  const bar = (x: number, y: number) =>
    `M${round(x + size * 0.5)} ${round(y - size)}h${round(size * 0.4)}v${unit}h-${round(size * 0.4)}z`;
  return poles + path(cloth, { fill: '#30638e', ...edge }) + path(bar, { fill: '#ffffff' });
}

/** Links as path data: dashed while open, dotted when a bridge crosses them, and bridges; those of this round are hollow. */
export const openLinks = (d: string): string =>
  el('path', { d, stroke: SHORE, 'stroke-width': 1.6, 'stroke-dasharray': '6 5' });

export const closedLinks = (d: string): string =>
  el('path', { d, stroke: '#a9bbbe', 'stroke-width': 1.6, 'stroke-dasharray': '0.1 7', 'stroke-linecap': 'round' });

export const builtBridges = (d: string, width: number): string =>
  el('path', { d, stroke: WOOD, 'stroke-width': width });

const hollow = (d: string, width: number): string => el('path', { d, stroke: FRESH, 'stroke-width': width / 2 });

export const freshBridges = (d: string, width: number): string => builtBridges(d, width) + hollow(d, width);

interface Sheet {
  view: View;
  seat: SeatView;
  cell: number;
}

const centre = ({ view, cell }: Sheet, island: number): Spot => {
  const { row, col } = view.board.islands[island - 1]!;
  return [(col - 0.5) * cell, (row - 0.5) * cell];
};

function linkDrawings(sheet: Sheet): string {
  const { view, seat, cell } = sheet;
  const count = (id: number) => seat.links[id - 1]!.bridges;
  let [open, closed, built, fresh] = ['', '', '', ''];
  for (const { id, a, b, crosses } of view.board.links) {
    const [[x1, y1], [x2, y2]] = [centre(sheet, a), centre(sheet, b)];
    const freshFrom = count(id) - (seat.thisRound?.bridges.filter((link) => link === id).length ?? 0);
    for (let i = 0; i < count(id); i++) {
      const aside = (i - (count(id) - 1) / 2) * cell * 0.13;
      const [dx, dy] = y1 === y2 ? [0, aside] : [aside, 0];
      const bridge = line(x1 + dx, y1 + dy, x2 + dx, y2 + dy);
      built += bridge;
      if (i >= freshFrom) fresh += bridge;
    }
    if (count(id) > 0) continue;
    if (crosses.some((other) => count(other) > 0)) closed += line(x1, y1, x2, y2);
    else open += line(x1, y1, x2, y2);
  }
  const width = cell * 0.07;
  return [
    open && openLinks(open),
    closed && closedLinks(closed),
    built && builtBridges(built, width),
    fresh && hollow(fresh, width),
  ].join('');
}

/** Texts of one size and colour. */
const words = (size: number, fill: string, texts: string, more: Attributes = {}): string =>
  texts && group({ 'font-size': size, fill, 'text-anchor': 'middle', ...more }, texts);

const word = (x: number, y: number, content: string | number): string => el('text', { x, y }, String(content));

/** Circles, and the rings of finished islands; the island numbered in this round is tinted. */
function islandCircles(sheet: Sheet): string {
  const { seat, cell } = sheet;
  const circle = (r: number) => (island: { id: number }) => {
    const [cx, cy] = centre(sheet, island.id);
    return el('circle', { cx, cy, r, fill: seat.thisRound?.written === island.id ? FRESH : undefined });
  };
  const done = seat.islands.filter(({ finished }) => finished);
  return (
    group(
      { fill: SAND, stroke: INK, 'stroke-width': Math.max(1, cell * 0.018) },
      ...seat.islands.map(circle(cell * 0.31)),
    ) + group({ fill: GRASS, stroke: DONE, 'stroke-width': cell * 0.055 }, ...done.map(circle(cell * 0.267)))
  );
}

/** Numbers, ids, and on a large sheet what an island still needs: bridges, or the smallest number that fits. */
function islandWords(sheet: Sheet): string {
  const { seat, cell } = sheet;
  const [small, size] = [Math.max(10, cell * 0.115), Math.max(9.5, cell * 0.125)];
  let [numbers, hints, ids, fresh] = ['', '', '', ''];
  for (const { id, number, bridges, finished } of seat.islands) {
    const [x, y] = centre(sheet, id);
    const hinted = cell > 66 && !finished;
    if (number !== null) numbers += word(x, y + cell * (hinted ? 0.07 : 0.135), number);
    if (hinted && number !== null) hints += word(x, y + cell * 0.21, `${number - bridges} left`);
    if (hinted && number === null && bridges > 0) hints += word(x, y + small * 0.36, `≥ ${bridges}`);
    ids += word(x - cell * 0.34, y - cell * 0.28, id);
    if (seat.thisRound?.written === id) fresh += word(x + cell * 0.36, y + cell * 0.38, 'new');
  }
  return [
    words(cell * 0.38, INK, numbers, { 'font-weight': 'bold' }),
    words(small, SOFT, hints),
    words(size, '#3d5a60', ids),
    words(size, INK, fresh, { 'font-style': 'italic' }),
  ].join('');
}

function flagDrawings(sheet: Sheet): string {
  const { view, cell } = sheet;
  const spots = (flag: Flag) =>
    view.board.islands
      .filter((island) => island.flag === flag)
      .map(({ id }): Spot => {
        const [x, y] = centre(sheet, id);
        return [x + cell * 0.26, y - cell * 0.3];
      });
  return FLAGS.map((flag) => flags(flag, spots(flag), cell * 0.1)).join('');
}

const STEP_WORDS = { preset: 'choosing', write: 'writing', build: 'building', acting: 'acting', ready: 'ready' };

/** Ready is a filled badge, anything else an empty one. */
function badge(view: View, seat: SeatView, right: number): string {
  if (view.step === 'end') return '';
  const ready = seat.step === 'ready';
  const paint = ready ? { fill: DONE, stroke: DONE } : { fill: '#ffffff', stroke: SOFT };
  return at(
    right - 74,
    11,
    el('rect', { width: 74, height: 22, rx: 11, 'stroke-width': 1.2, ...paint }),
    text(37, 15.5, 13, STEP_WORDS[seat.step], { fill: ready ? '#ffffff' : INK }),
  );
}

function head(view: View, seat: SeatView, width: number): string {
  const { letter, ink } = SEATS[seat.seat]!;
  const you = seat.seat === view.you ? ' (you)' : '';
  const rank = view.result && view.seats.length > 1 ? ` · rank ${view.result.ranks[seat.seat]}` : '';
  const points = `${seat.score} ${seat.score === 1 ? 'point' : 'points'}${rank}`;
  const right = view.step === 'end' ? width - 14 : width - 98;
  return group(
    {},
    seatMark(seat.seat, 26, 22, 12),
    text(26, 26.5, 12, letter, { fill: ink, 'font-weight': 'bold' }),
    text(48, 28, 17, `Seat ${letter}${you}`, { 'text-anchor': 'start', fill: INK, 'font-weight': 'bold' }),
    text(right, 28, 15, points, { 'text-anchor': 'end', fill: INK }),
    badge(view, seat, width - 12),
  );
}

/** A seat's sheet in a panel of this size; the map takes all the room there is. */
export function sheetPanel(view: View, seat: SeatView, width: number, height: number, cell: number): string {
  const { rows, cols } = view.board;
  const sheet = { view, seat, cell };
  return group(
    {},
    panel(width, height),
    el('rect', { x: 8, y: HEAD, width: width - 16, height: height - HEAD - 8, rx: 6, fill: SEA }),
    head(view, seat, width),
    at(
      (width - cols * cell) / 2,
      HEAD + (height - HEAD - 8 - rows * cell) / 2,
      linkDrawings(sheet),
      flagDrawings(sheet),
      islandCircles(sheet),
      islandWords(sheet),
    ),
  );
}
