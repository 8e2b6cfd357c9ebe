import { at, el, SEATS, seatMark, text } from '../svg.ts';
import { CACAO_SPACES, DISPLAY, JUNGLE_TILES, SUN_SPACES, WATER_TRACK } from './data.ts';
import { legend } from './field.ts';
import { back, coin, drop, FAINT, INK, jungleTile, LINE, pod, scaled, sun, workerTile } from './pieces.ts';
import type { SeatView, View } from './view.ts';

const START = { 'text-anchor': 'start', fill: INK };
const END = { 'text-anchor': 'end', fill: INK };
const BOLD = { 'font-weight': 700 };

/** The display, and what is left in the pile: it names every tile, so it is the legend as well. */
export function rail(view: View, width: number): string {
  const display = Array.from({ length: DISPLAY }, (_, i) => {
    const tile = view.display[i];
    return scaled(i * (width - 90), 22, 90, tile ? jungleTile(tile) : slot(4, 92, 4));
  });
  const rows = view.pile.map(({ tile, count }, i) =>
    at(
      0,
      160 + i * 30,
      scaled(0, 0, 28, jungleTile(tile)),
      text(38, 19, 14, JUNGLE_TILES.find(({ name }) => name === tile)!.label, START),
      text(width - 4, 19, 15, count, { ...END, ...BOLD }),
    ),
  );
  return [
    text(0, 12, 14, 'Display', { ...START, ...BOLD }),
    ...display,
    text(0, 148, 14, 'Still in the pile', { ...START, ...BOLD }),
    text(width - 4, 148, 15, view.pileSize, { ...END, ...BOLD }),
    ...rows,
    at(0, 160 + rows.length * 30 + 8, legend()),
  ].join('');
}

const GAP = 16;
const PADDING = 14;
/** Heights of the two blocks of a panel: what the seat owns, and its hand or its score. */
const OWNED = 120;
const HELD = 92;

/** With two seats the blocks of a panel lie side by side, with more of them one below the other. */
export function panels(view: View, width: number): { height: number; markup: string } {
  const seats = view.seats.length;
  const breadth = (width - (seats - 1) * GAP) / seats;
  const isWide = seats === 2;
  const block = isWide ? 206 : breadth - 2 * PADDING;
  const height = 2 * PADDING + (isWide ? OWNED : OWNED + HELD);
  const markup = view.seats.map((village, seat) =>
    at(
      seat * (breadth + GAP),
      0,
      frame(breadth, height, view.acting.includes(seat)),
      at(PADDING, PADDING, owned(village, seat, block)),
      at(
        isWide ? breadth - PADDING - block : PADDING,
        isWide ? (height - HELD) / 2 : PADDING + OWNED,
        view.step === 'over' ? score(village, block) : tilesOf(village, seat, block),
      ),
    ),
  );
  return { height, markup: markup.join('') };
}

/** The panel of a seat that may act has a thick border. */
const frame = (width: number, height: number, acts: boolean): string =>
  el('rect', { width, height, rx: 12, fill: '#fffaf0', stroke: acts ? INK : LINE, 'stroke-width': acts ? 4 : 1.5 });

const slot = (at: number, size: number, rx: number): string =>
  el('rect', { x: at, y: at, width: size, height: size, rx, fill: '#f1e7d3', stroke: LINE, 'stroke-width': 3 });

const FRUIT = slot(2, 96, 16) + pod(50, 52, 1.4);
const TOKEN = slot(2, 96, 48) + sun(50, 50, 1.45);

/** The village: gold, the storage of cacao, the sun tokens, the water track. */
function owned(village: SeatView, seat: number, width: number): string {
  const { letter, name } = SEATS[seat]!;
  const storage = Array.from({ length: CACAO_SPACES }, (_, i) =>
    scaled(i * 23, 40, 22, i < village.cacao ? FRUIT : slot(2, 96, 16)),
  );
  const tokens = Array.from({ length: SUN_SPACES }, (_, i) =>
    scaled(width - 68 + i * 23, 40, 22, i < village.sun ? TOKEN : slot(2, 96, 48)),
  );
  return [
    seatMark(seat, 13, 14, 11),
    text(32, 20, 18, `${letter} ${name}`, { ...START, ...BOLD }),
    coin(width - 56, 14, 11, ''),
    text(width, 22, 22, village.gold, { ...END, ...BOLD }),
    ...storage,
    ...tokens,
    at(0, 76, waterTrack(village, seat, width)),
  ].join('');
}

/** The carrier stands above its field. */
function waterTrack(village: SeatView, seat: number, width: number): string {
  const step = (width - 20) / WATER_TRACK.length;
  const fields = WATER_TRACK.map((value, i) => {
    const x = 20 + i * step;
    const isHere = value === village.water;
    return [
      el('rect', { x, y: 18, width: step - 2, height: 20, rx: 4, fill: isHere ? INK : '#d6e8f0' }),
      text(x + step / 2 - 1, 32, 10.5, value, { fill: isHere ? '#ffffff' : INK, ...BOLD }),
      isHere ? seatMark(seat, x + step / 2 - 1, 8, 6.5) : '',
    ].join('');
  });
  return scaled(-4, 18, 22, drop(50, 54, 1.2)) + fields.join('');
}

/** The hand, face down unless it is the viewer's own, and the pile. */
function tilesOf(village: SeatView, seat: number, width: number): string {
  const hand = Array.from({ length: village.handSize }, (_, i) => {
    const tile = village.hand?.[i];
    return scaled(i * 54, 24, 52, tile ? workerTile(tile, 0, seat) : back(seat));
  });
  const pile = scaled(width - 32, 34, 32, village.pileSize > 0 ? back(seat) : slot(2, 96, 12));
  return [
    text(0, 17, 12, village.hand ? 'your hand' : 'hand', { ...START, fill: FAINT }),
    ...hand,
    text(width - 16, 17, 12, 'pile', { fill: FAINT }),
    pile,
    text(width - 16, 56, 16, village.pileSize, { fill: village.pileSize > 0 ? SEATS[seat]!.ink : FAINT, ...BOLD }),
  ].join('');
}

function score({ score, rank }: SeatView, width: number): string {
  const parts: [string, number][] = [
    ['coins', score.coins],
    ['temples', score.temples],
    ['sun tokens', score.sun],
    ['water', score.water],
  ];
  const rows = parts.map(
    ([name, gold], i) => text(0, 13 + i * 17, 13, name, START) + text(width, 13 + i * 17, 14, gold, END),
  );
  return [
    ...rows,
    el('path', { d: `M0 70 H${width}`, stroke: INK, 'stroke-width': 1.5 }),
    text(0, 89, 17, `rank ${rank}`, { ...START, ...BOLD }),
    text(width, 89, 19, score.total, { ...END, ...BOLD }),
  ].join('');
}
