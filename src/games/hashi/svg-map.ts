import type { Scene } from '../game.ts';
import { at, el, group, target, text } from '../svg.ts';
import { FLAGS } from './data.ts';
import {
  bold,
  bridges,
  CHOICE,
  closedLinks,
  DONE,
  FRESH,
  flags,
  freshBridges,
  GRASS,
  INK,
  knob,
  LAST,
  line,
  openLinks,
  SAND,
  type Spot,
} from './icons.ts';
import { bridgesOn, isOpen, type LinkView } from './outlook.ts';
import { islandTarget, linkTarget } from './targets.ts';
import type { SeatView, View } from './view.ts';
import { counted } from './words.ts';

/** A sheet and how it is drawn. Only the viewer's own one can be clicked. */
export interface Sheet {
  view: View;
  scene: Scene;
  seat: SeatView;
  /** The length of a step of the grid. */
  cell: number;
}

/** Smaller sheets have no room for the ids of islands and for what they still need. */
const IDS_FROM = 40;
const HINTS_FROM = 55;

const centre = ({ view, cell }: Sheet, island: number): Spot => {
  const { row, col } = view.board.islands[island - 1]!;
  return [(col - 0.5) * cell, (row - 0.5) * cell];
};

/** Pieces that stay on the sheet have ids of their own, so that a client can animate new ones. */
const pieceId = ({ seat }: Sheet, ...parts: (string | number)[]): string =>
  ['p', ...parts, 'seat', seat.seat].join('-');

function bridgeDrawings(sheet: Sheet, { id, a, b }: LinkView): string {
  const { seat, cell } = sheet;
  const [[x1, y1], [x2, y2]] = [centre(sheet, a), centre(sheet, b)];
  const count = bridgesOn(seat, id);
  const old = count - (seat.thisRound?.bridges.filter((link) => link === id).length ?? 0);
  return Array.from({ length: count }, (_, i) => {
    const aside = (i - (count - 1) / 2) * cell * 0.13;
    const [dx, dy] = y1 === y2 ? [0, aside] : [aside, 0];
    const draw = i < old ? bridges : freshBridges;
    const way = line(x1 + dx, y1 + dy, x2 + dx, y2 + dy);
    return group({ id: pieceId(sheet, 'bridge', a, b, i + 1) }, draw(way, cell * 0.07));
  }).join('');
}

/** Dashes only where a bridge can still be drawn. */
function linkDrawings(sheet: Sheet): string {
  const { view, seat } = sheet;
  let [open, closed, built] = ['', '', ''];
  for (const link of view.board.links) {
    built += bridgeDrawings(sheet, link);
    if (bridgesOn(seat, link.id) > 0) continue;
    const way = line(...centre(sheet, link.a), ...centre(sheet, link.b));
    if (isOpen(view, seat, link)) open += way;
    else closed += way;
  }
  return (open && openLinks(open)) + (closed && closedLinks(closed)) + built;
}

function flagDrawings(sheet: Sheet): string {
  const { view, cell } = sheet;
  return FLAGS.map((flag) => {
    const islands = view.board.islands.filter((island) => island.flag === flag);
    const spots = islands.map(({ id }): Spot => {
      const [x, y] = centre(sheet, id);
      return [x + cell * 0.26, y - cell * 0.3];
    });
    return flags(flag, spots, Math.max(4, cell * 0.1));
  }).join('');
}

type IslandView = SeatView['islands'][number];

/** What an island still needs: bridges, or the smallest number that fits. */
function hint({ number, bridges, finished }: IslandView): string {
  if (number === null) return bridges > 0 ? `≥ ${bridges}` : '';
  return finished ? '' : `+${number - bridges}`;
}

/** The circle with its number, around the origin. */
function islandFace(sheet: Sheet, island: IslandView): string {
  const { seat, cell } = sheet;
  const { id, number, finished } = island;
  const written = seat.thisRound?.written === id;
  const words = cell >= HINTS_FROM ? hint(island) : '';
  const small = Math.max(12, cell * 0.13);
  const ring = { fill: written ? FRESH : GRASS, stroke: DONE, 'stroke-width': cell * 0.055 };
  const low = number === null ? small * 0.36 : cell * 0.23;
  const size = Math.max(12, cell * 0.38);
  return [
    el('circle', { r: cell * 0.31, fill: written ? FRESH : SAND, stroke: INK, 'stroke-width': Math.max(1, cell / 55) }),
    finished ? el('circle', { r: cell * 0.267, ...ring }) : '',
    number === null
      ? ''
      : text(0, words ? cell * 0.06 : size * 0.36, size, number, {
          id: pieceId(sheet, 'number', id),
          fill: INK,
          ...bold,
        }),
    words && text(0, low, small, words, { fill: '#5b5145' }),
  ].join('');
}

function islandNote({ view, seat }: Sheet, { id, number, bridges, finished }: IslandView): string {
  const { flag } = view.board.islands[id - 1]!;
  const written = seat.thisRound?.written === id ? ', written in this round' : '';
  const what =
    number === null ? `blank, ${counted(bridges, 'bridge')}` : `${number}${written}, ${bridges} of ${number} bridges`;
  return `${flag ? `${flag} flag, ` : ''}${what}${finished ? ', finished' : ''}`;
}

/** The ring around an island that can be chosen is its outline, which a client may use for its own marks. */
function islandDrawing(sheet: Sheet, island: IslandView): string {
  const { view, scene, seat, cell } = sheet;
  const name = islandTarget(island.id);
  const [cx, cy] = centre(sheet, island.id);
  const face = at(cx, cy, islandFace(sheet, island));
  if (seat.seat !== view.you) return group({ id: pieceId(sheet, 'island', island.id) }, face);
  const paint = { fill: '#ffffff', stroke: CHOICE, 'stroke-width': Math.max(2, cell * 0.035) };
  const ring = scene.legal.includes(name) ? el('circle', { cx, cy, r: cell * 0.36, ...paint }) : '';
  return target(name, `island ${island.id}`, { desc: islandNote(sheet, island) }, ring, face);
}

function islandIds(sheet: Sheet): string {
  const { seat, cell } = sheet;
  if (cell < IDS_FROM) return '';
  const size = Math.max(12, cell * 0.125);
  const ids = seat.islands.map(({ id }) => {
    const [x, y] = centre(sheet, id);
    return text(x - cell * 0.35, y - cell * 0.29, size, id, { fill: '#35525a' });
  });
  return group({ 'pointer-events': 'none' }, ...ids);
}

/**
 * How far from its first island a link is clicked, in cells: in its middle. A link that others cross is clicked
 * half-way between two points of the grid, because crossings are at such points. This way no two links are clicked near
 * each other.
 */
const grip = (length: number, crossed: boolean): number => (crossed && length % 2 === 0 ? length - 1 : length) / 2;

/** Wide enough for a finger, and as wide as possible without touching the next one. */
const REACH = 0.35;

/** A link on which the seat may draw a bridge now: a knob, and room around it. */
function linkHandle(sheet: Sheet, link: LinkView): string {
  const { seat, cell } = sheet;
  const [[x1, y1], [x2, y2]] = [centre(sheet, link.a), centre(sheet, link.b)];
  const level = y1 === y2;
  const length = Math.round((level ? x2 - x1 : y2 - y1) / cell);
  const along = grip(length, link.crosses.length > 0) * cell;
  const [cx, cy] = level ? [x1 + along, y1] : [x1, y1 + along];
  return target(
    linkTarget(link),
    `bridge ${link.a}–${link.b}`,
    { desc: bridgesOn(seat, link.id) > 0 ? 'a second bridge beside the first' : 'no bridge yet' },
    el('circle', { cx, cy, r: cell * REACH, fill: '#ffffff', 'fill-opacity': 0 }),
    knob(cx, cy, cell * 0.14),
  );
}

function linkHandles(sheet: Sheet): string {
  const { view, scene, seat } = sheet;
  if (seat.seat !== view.you) return '';
  return view.board.links
    .filter((link) => scene.legal.includes(linkTarget(link)))
    .map((link) => linkHandle(sheet, link))
    .join('');
}

/**
 * The seat whose sheet shows the last action now: a number that was written before the first card has moved on to the
 * left.
 */
function lastSeat({ view, scene }: Sheet): number | null {
  if (!scene.last) return null;
  const { seat, targets } = scene.last;
  const passed = view.step !== 'preset' && targets.some((name) => name.startsWith('number:'));
  return passed ? (seat + 1) % view.seats.length : seat;
}

function lastMark(sheet: Sheet): string {
  const { view, scene, seat, cell } = sheet;
  if (lastSeat(sheet) !== seat.seat) return '';
  const about = (name: string) => scene.last!.targets.includes(name);
  const paint = { fill: 'none', stroke: LAST, 'stroke-width': Math.max(2, cell * 0.04) };
  const islands = view.board.islands.filter(({ id }) => about(islandTarget(id)));
  const links = view.board.links.filter((link) => about(linkTarget(link)));
  const rings = islands.map(({ id }) => {
    const [cx, cy] = centre(sheet, id);
    return el('circle', { cx, cy, r: cell * 0.37, ...paint });
  });
  const frames = links.map(({ a, b }) => {
    const [[x1, y1], [x2, y2]] = [centre(sheet, a), centre(sheet, b)];
    const [along, wide] = [cell * 0.32, cell * 0.16];
    const box =
      y1 === y2
        ? { x: x1 + along, y: y1 - wide, width: x2 - x1 - 2 * along, height: 2 * wide }
        : { x: x1 - wide, y: y1 + along, width: 2 * wide, height: y2 - y1 - 2 * along };
    return el('rect', { ...box, rx: cell * 0.08, ...paint });
  });
  return rings.length + frames.length > 0 ? group({ id: 'last', 'pointer-events': 'none' }, ...rings, ...frames) : '';
}

/** The islands and links of a sheet, with their origin in the upper left corner. */
export const map = (sheet: Sheet): string =>
  [
    linkDrawings(sheet),
    flagDrawings(sheet),
    lastMark(sheet),
    ...sheet.seat.islands.map((island) => islandDrawing(sheet, island)),
    islandIds(sheet),
    linkHandles(sheet),
  ].join('');
