import type { Scene } from '../game.ts';
import { at, el, group, nameOf, SEATS, seatMark, shorten, text } from '../svg.ts';
import { CACAO_SPACES, jungleTileOf, SUN_SPACES, WATER_TRACK } from './data.ts';
import { coin, drop, FAINT, INK, LINE, PAPER, pod, sun } from './icons.ts';
import { back, jungleTile, plainTile, scaled, slot } from './svg-pieces.ts';
import { LAID, LAST, pointer, stack } from './svg-table.ts';
import type { SeatView, View } from './view.ts';

const START = { 'text-anchor': 'start', fill: INK };
const END = { 'text-anchor': 'end', fill: INK };
const BOLD = { 'font-weight': 700 };

const ROW = 26;

/** Smaller tiles leave out their numbers, which are written beside them in words. */
const READABLE = 36;

/** What is left in the pile, in columns. It names every tile, so it also serves as the legend. */
export function pile(view: View, width: number, columns: number, size: number): { height: number; markup: string } {
  const lines = Math.ceil(view.pile.length / columns);
  const breadth = (width - (columns - 1) * 16) / columns;
  const rows = view.pile.map(({ tile, count }, i) =>
    at(
      Math.floor(i / lines) * (breadth + 16),
      24 + (i % lines) * (size + 2),
      scaled(0, 0, size, size < READABLE ? plainTile(tile) : jungleTile(tile)),
      text(size + 6, size / 2 + 5, size > 30 ? 12 : 14, jungleTileOf(tile).label, START),
      text(breadth, size / 2 + 5, 15, count, { ...END, ...BOLD }),
    ),
  );
  const title = text(0, 14, 14, `Still in the pile: ${view.pileSize}`, { ...START, ...BOLD });
  return { height: 24 + lines * (size + 2), markup: title + rows.join('') };
}

/** What the marks on the table mean, in columns. */
export function legend(width: number, columns: number): { height: number; markup: string } {
  const marks: [string, string][] = [
    [LAST, 'the last action'],
    [LAID, 'laid in the last turn'],
    [stack(0, back(0)), 'two tiles high'],
    [at(-30, 42, group({ transform: 'scale(1.6)' }, pointer('N'))), 'workers to be used'],
    [text(50, 72, 60, 'A6', { ...BOLD, fill: INK }), 'temple gold so far'],
  ];
  const lines = Math.ceil(marks.length / columns);
  const markup = marks.map(([piece, words], i) =>
    at(
      Math.floor(i / lines) * (width / columns),
      (i % lines) * ROW,
      scaled(3, 1, 20, piece),
      text(32, 16, 14, words, START),
    ),
  );
  return { height: lines * ROW, markup: markup.join('') };
}

const PADDING = 14;
const GAP = 14;
/** Panels of at least this width show the tiles of their seat beside the storage; others show them below it. */
const BROAD = 340;

/** A panel for each seat, with this many in a row. */
export function panels(view: View, scene: Scene, width: number, abreast: number): { height: number; markup: string } {
  const breadth = (width - (abreast - 1) * GAP) / abreast;
  const isBroad = breadth >= BROAD;
  const height = 2 * PADDING + (isBroad ? 118 : 148);
  const markup = view.seats.map((village, seat) => {
    const block = breadth - 2 * PADDING;
    const tiles = view.step === 'over' ? '' : heldTiles(village, seat);
    return group(
      {
        id: `p-village-${seat}`,
        transform: `translate(${(seat % abreast) * (breadth + GAP)} ${Math.floor(seat / abreast) * (height + GAP)})`,
      },
      frame(breadth, height, scene.result === null && view.acting.includes(seat)),
      at(PADDING, PADDING, owned(village, seat, nameOf(scene, seat), block)),
      isBroad ? at(PADDING + 200, PADDING + 42, tiles) : at(PADDING, PADDING + 122, tiles),
    );
  });
  return { height: Math.ceil(view.seats.length / abreast) * (height + GAP) - GAP, markup: markup.join('') };
}

/** The panel of a seat that may act has a thick border. */
const frame = (width: number, height: number, acts: boolean): string =>
  el('rect', { width, height, rx: 12, fill: PAPER, stroke: acts ? INK : LINE, 'stroke-width': acts ? 4 : 1.5 });

const FRUIT = slot(2, 96, 16) + pod(50, 52, 1.4);
const TOKEN = slot(2, 96, 48) + sun(50, 50, 1.45);

/** The village: gold, the storage of cacao, the sun tokens, the water track. */
function owned(village: SeatView, seat: number, name: string, width: number): string {
  const { letter, name: colour } = SEATS[seat]!;
  const storage = Array.from({ length: CACAO_SPACES }, (_, i) =>
    scaled(i * 23, 0, 22, i < village.cacao ? FRUIT : slot(2, 96, 16)),
  );
  const tokens = Array.from({ length: SUN_SPACES }, (_, i) =>
    scaled(i * 23, 0, 22, i < village.sun ? TOKEN : slot(2, 96, 48)),
  );
  const called = name === letter ? colour : name;
  return [
    seatMark(seat, 13, 14, 11),
    text(31, 20, 17, letter, { ...START, ...BOLD }),
    text(50, 20, 16, shorten(called, width - 120, 16), START),
    coin(width - 50, 14, 11, ''),
    text(width, 22, 21, village.gold, { ...END, ...BOLD, id: `p-gold-${seat}` }),
    group({ id: `p-cacao-${seat}`, transform: 'translate(0 42)' }, ...storage),
    group({ id: `p-sun-${seat}`, transform: 'translate(123 42)' }, ...tokens),
    at(0, 72, waterTrack(village, seat, width)),
  ].join('');
}

/** Fields are as wide as their numbers need, so that none loses its sign. */
const FIELDS = WATER_TRACK.map((value) => {
  const words = String(value).replace('-', '−');
  return { value, words, breadth: { 1: 1, 2: 1.25, 3: 1.8 }[words.length]! };
});
const BREADTH = FIELDS.reduce((sum, { breadth }) => sum + breadth, 0);

/** The carrier stands above its field. */
function waterTrack(village: SeatView, seat: number, width: number): string {
  const unit = (width - 20) / BREADTH;
  let x = 20;
  const fields = FIELDS.map(({ value, words, breadth }) => {
    const [left, broad] = [x, breadth * unit - 2];
    x += breadth * unit;
    const isHere = value === village.water;
    return [
      el('rect', { x: left, y: 18, width: broad, height: 20, rx: 4, fill: isHere ? INK : '#d6e8f0' }),
      text(left + broad / 2, 32.5, 12, words, { fill: isHere ? '#ffffff' : INK, ...BOLD }),
      isHere ? seatMark(seat, left + broad / 2, 8, 6.5, { id: `p-carrier-${seat}` }) : '',
    ].join('');
  });
  return scaled(-4, 18, 22, drop(50, 54, 1.2)) + fields.join('');
}

/** How many tiles a seat holds and has left, face down. */
function heldTiles({ handSize, pileSize }: SeatView, seat: number): string {
  const hand = Array.from({ length: handSize }, (_, i) => scaled(i * 12, 2, 18, back(seat)));
  const words = text(48, 16, 12, `hand ${handSize}, pile ${pileSize}`, { 'text-anchor': 'start', fill: FAINT });
  return hand.join('') + words;
}
