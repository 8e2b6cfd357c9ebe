import { at, group, picture, SEATS, text } from '../svg.ts';
import { BOX, BOX_HEIGHT, bonusBox, cardBox, cardsBox, LEGEND_HEIGHT, legendBox, legendLine } from './svg-info.ts';
import { HEAD, INK, SOFT, sheetPanel } from './svg-sheet.ts';
import type { SeatView, View } from './view.ts';

const WIDTH = 1000;
const MARGIN = 20;
const GAP = 21;
const TOP = 64;

/** A part of the picture at its place. */
interface Block {
  x: number;
  y: number;
  height: number;
  drawing: string;
}

export function svg(view: View): string {
  const blocks = layOut(view);
  const bottom = Math.max(...blocks.map(({ y, height }) => y + height));
  return picture(
    WIDTH,
    bottom + MARGIN,
    `Hashi, side ${view.side}, round ${view.round} of ${view.rounds}`,
    header(view),
    ...blocks.map(({ x, y, drawing }) => at(x, y, drawing)),
  );
}

const header = (view: View): string =>
  group(
    {},
    text(MARGIN, 42, 28, 'Hashi', { 'text-anchor': 'start', 'font-weight': 'bold', fill: INK }),
    text(120, 41, 16, `side ${view.side} · ${roundWords(view)}`, { 'text-anchor': 'start', fill: SOFT }),
    text(WIDTH - MARGIN, 41, 17, status(view), { 'text-anchor': 'end', 'font-weight': 'bold', fill: INK }),
  );

const roundWords = ({ step, round, rounds }: View): string =>
  ({ preset: 'before the first card', round: `round ${round} of ${rounds}`, end: 'the end' })[step];

const letters = (seats: readonly number[]): string => {
  const names = seats.map((seat) => SEATS[seat]!.letter);
  const last = names.pop();
  return names.length > 0 ? `seats ${names.join(', ')} and ${last}` : `seat ${last}`;
};

function status(view: View): string {
  const { step, you, card, seats, result, solo } = view;
  if (result && solo) return `${result.scores[0]} points: ${solo.rating}`;
  if (result) {
    const winners = seats.map(({ seat }) => seat).filter((seat) => result.ranks[seat] === 1);
    const names = letters(winners);
    return `S${names.slice(1)} ${winners.length > 1 ? 'win' : 'wins'} with ${Math.max(...result.scores)} points`;
  }
  const own = you === null ? null : seats[you]!;
  if (own?.step === 'preset') return 'Write a 3 or 4 on an island without a flag';
  if (own?.step === 'write') return `Write the ${card!.number} on an island, or skip`;
  if (own?.step === 'build') return buildWords(own.thisRound!.left, card!.bridges);
  const busy = seats.filter((seat) => seat.step !== 'ready').map(({ seat }) => seat);
  return `Waiting for ${letters(busy)}${step === 'preset' ? ': a 3 or 4' : ''}`;
}

const buildWords = (left: number, bridges: number): string =>
  `Draw ${left}${left < bridges ? ' more' : ''} ${left === 1 ? 'bridge' : 'bridges'}${left < bridges ? '' : ', or skip'}`;

/** Alone and among four, the boxes stand beside the large sheet; else they lie above the sheets. */
function layOut(view: View): Block[] {
  const { you, seats } = view;
  if (seats.length === 1) return besideLarge(view, seats[0]!, []);
  if (you === null) return equals(view);
  const others = seats.filter(({ seat }) => seat !== you);
  return seats.length === 4 ? besideLarge(view, seats[you]!, others) : largeFirst(view, seats[you]!, others);
}

const sheetHeight = ({ board }: View, cell: number): number => HEAD + board.rows * cell + 16;

function sheet(view: View, seat: SeatView, x: number, y: number, width: number, height = 0): Block {
  const cell = Math.floor((width - 20) / view.board.cols);
  const tall = Math.max(height, sheetHeight(view, cell));
  return { x, y, height: tall, drawing: sheetPanel(view, seat, width, tall, cell) };
}

function besideLarge(view: View, large: SeatView, others: SeatView[]): Block[] {
  const x = WIDTH - MARGIN - BOX;
  const main = sheet(view, large, MARGIN, TOP, x - GAP - MARGIN);
  const step = BOX_HEIGHT + 14;
  const rest = main.height - 3 * step;
  const boxes = [cardBox(view), cardsBox(view), bonusBox(view)].map((drawing, i) => ({
    x,
    y: TOP + i * step,
    height: BOX_HEIGHT,
    drawing,
  }));
  const legend = { x, y: TOP + 3 * step, height: rest, drawing: legendBox(rest) };
  const below = TOP + main.height + GAP;
  return [main, ...boxes, legend, ...others.map((seat, i) => sheet(view, seat, MARGIN + i * (BOX + GAP), below, BOX))];
}

/** Three boxes in a row, what comes below them, and the legend. */
function banded(view: View, below: (y: number) => Block[]): Block[] {
  const boxes = [cardBox(view), cardsBox(view), bonusBox(view)].map((drawing, i) => ({
    x: MARGIN + i * (BOX + GAP),
    y: TOP,
    height: BOX_HEIGHT,
    drawing,
  }));
  const sheets = below(TOP + BOX_HEIGHT + GAP);
  const y = Math.max(...sheets.map((block) => block.y + block.height)) + GAP;
  const width = WIDTH - 2 * MARGIN;
  return [...boxes, ...sheets, { x: MARGIN, y, height: LEGEND_HEIGHT, drawing: legendLine(width) }];
}

/** The own sheet large on the left, one or two others on the right, as tall together. */
function largeFirst(view: View, large: SeatView, others: SeatView[]): Block[] {
  const width = others.length === 1 ? 400 : 330;
  const x = WIDTH - MARGIN - width;
  return banded(view, (y) => {
    const small = sheet(view, others[0]!, x, y, width);
    const column = others.length * (small.height + GAP) - GAP;
    const main = sheet(view, large, MARGIN, y, x - GAP - MARGIN, column);
    const height = (main.height + GAP) / others.length - GAP;
    return [main, ...others.map((seat, i) => sheet(view, seat, x, y + i * (height + GAP), width, height))];
  });
}

/** For spectators: every sheet has the same size. */
function equals(view: View): Block[] {
  const perRow = view.seats.length === 3 ? 3 : 2;
  const width = (WIDTH - 2 * MARGIN - (perRow - 1) * GAP) / perRow;
  return banded(view, (top) => {
    const { height } = sheet(view, view.seats[0]!, 0, 0, width);
    return view.seats.map((seat, i) =>
      sheet(view, seat, MARGIN + (i % perRow) * (width + GAP), top + Math.floor(i / perRow) * (height + GAP), width),
    );
  });
}
