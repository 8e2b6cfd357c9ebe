import { at, el, group, SEATS, seatMark, text } from '../svg.ts';
import type { Flag } from './data.ts';
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

/** Told apart by shape: red flags are pennants, blue ones are squares with a white bar. */
export function flagMark(flag: Flag, x: number, y: number, size: number): string {
  const pole = el('path', { d: `M0 ${size} V${-size}`, stroke: INK, 'stroke-width': Math.max(1.2, size / 6) });
  const edge = { stroke: INK, 'stroke-width': Math.max(0.7, size / 12), 'stroke-linejoin': 'round' };
  if (flag === 'red') {
    const d = `M0 ${-size} L${1.6 * size} ${-0.4 * size} L0 ${0.2 * size} Z`;
    return at(x, y, pole, el('path', { d, fill: '#d1495b', ...edge }));
  }
  const cloth = el('rect', { x: 0, y: -size, width: 1.4 * size, height: 1.2 * size, fill: '#30638e', ...edge });
  const bar = el('rect', { x: 0.5 * size, y: -size, width: 0.4 * size, height: 1.2 * size, fill: '#ffffff' });
  return at(x, y, pole, cloth, bar);
}

/** The links between two points: dashed while open, dotted when crossed by a bridge, else one or two bridges. */
export const openLink = (x1: number, y1: number, x2: number, y2: number): string =>
  el('path', { d: `M${x1} ${y1} L${x2} ${y2}`, stroke: SHORE, 'stroke-width': 1.6, 'stroke-dasharray': '6 5' });

export const closedLink = (x1: number, y1: number, x2: number, y2: number): string =>
  el('path', {
    d: `M${x1} ${y1} L${x2} ${y2}`,
    stroke: '#a9bbbe',
    'stroke-width': 1.6,
    'stroke-dasharray': '0.1 7',
    'stroke-linecap': 'round',
  });

export function bridgeLine(x1: number, y1: number, x2: number, y2: number, width: number, fresh: boolean): string {
  const d = `M${x1} ${y1} L${x2} ${y2}`;
  const wood = el('path', { d, stroke: WOOD, 'stroke-width': width });
  return fresh ? wood + el('path', { d, stroke: FRESH, 'stroke-width': width * 0.5 }) : wood;
}

interface Sheet {
  view: View;
  seat: SeatView;
  cell: number;
}

const round2 = (n: number): number => Math.round(n * 100) / 100;

function linkDrawing({ view, seat, cell }: Sheet, link: View['board']['links'][number]): string {
  const [x1, y1, x2, y2] = [link.a, link.b].flatMap((id) => {
    const { row, col } = view.board.islands[id - 1]!;
    return [round2((col - 0.5) * cell), round2((row - 0.5) * cell)];
  }) as [number, number, number, number];
  const bridges = (id: number) => seat.links[id - 1]!.bridges;
  const count = bridges(link.id);
  if (count === 0) return (link.crosses.some((id) => bridges(id) > 0) ? closedLink : openLink)(x1, y1, x2, y2);
  const fresh = seat.thisRound?.bridges.filter((id) => id === link.id).length ?? 0;
  const [aside, down] = y1 === y2 ? [0, 1] : [1, 0];
  return Array.from({ length: count }, (_, i) => {
    const shift = round2((i - (count - 1) / 2) * cell * 0.13);
    const [dx, dy] = [aside * shift, down * shift];
    return bridgeLine(x1 + dx, y1 + dy, x2 + dx, y2 + dy, round2(cell * 0.07), i >= count - fresh);
  }).join('');
}

/** What stands in the circle of an island: its number, and on a large sheet what is still missing. */
function islandText({ number, bridges, finished }: SeatView['islands'][number], cell: number): string {
  const large = cell > 66;
  const small = Math.max(10, cell * 0.115);
  if (number === null) {
    return large && bridges > 0 ? text(0, small * 0.36, small, `≥ ${bridges}`, { fill: SOFT }) : '';
  }
  const hint = large && !finished;
  const main = text(0, hint ? cell * 0.07 : cell * 0.135, cell * 0.38, number, { fill: INK, 'font-weight': 'bold' });
  return hint ? main + text(0, cell * 0.21, small, `${number - bridges} left`, { fill: SOFT }) : main;
}

function islandDrawing({ seat, cell }: Sheet, island: View['board']['islands'][number]): string {
  const { id, row, col, flag } = island;
  const state = seat.islands[id - 1]!;
  const r = cell * 0.31;
  const fresh = seat.thisRound?.written === id;
  const shore = { fill: fresh ? FRESH : SAND, stroke: INK, 'stroke-width': Math.max(1, cell * 0.018) };
  const ring = { r: r * 0.86, fill: GRASS, stroke: DONE, 'stroke-width': cell * 0.055 };
  const size = Math.max(9.5, cell * 0.125);
  return at(
    (col - 0.5) * cell,
    (row - 0.5) * cell,
    flag ? flagMark(flag, cell * 0.26, -cell * 0.3, cell * 0.1) : '',
    el('circle', { r, ...shore }),
    state.finished ? el('circle', { ...ring, fill: fresh ? FRESH : ring.fill }) : '',
    islandText(state, cell),
    text(-cell * 0.34, -cell * 0.28, size, id, { fill: '#3d5a60', 'text-anchor': 'middle' }),
    fresh ? text(cell * 0.36, cell * 0.38, size, 'new', { fill: INK, 'font-style': 'italic' }) : '',
  );
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
  const { rows, cols, islands, links } = view.board;
  const sheet = { view, seat, cell };
  return group(
    {},
    panel(width, height),
    el('rect', { x: 8, y: HEAD, width: width - 16, height: height - HEAD - 8, rx: 6, fill: SEA }),
    head(view, seat, width),
    at(
      (width - cols * cell) / 2,
      HEAD + (height - HEAD - 8 - rows * cell) / 2,
      ...links.filter(({ id }) => seat.links[id - 1]!.bridges === 0).map((link) => linkDrawing(sheet, link)),
      ...links.filter(({ id }) => seat.links[id - 1]!.bridges > 0).map((link) => linkDrawing(sheet, link)),
      ...islands.map((island) => islandDrawing(sheet, island)),
    ),
  );
}
