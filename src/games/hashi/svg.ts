import type { Scene } from '../game.ts';
import { at, group, NO_SCENE, picture, shorten, text, widthOf } from '../svg.ts';
import { bold, INK, SOFT, start } from './icons.ts';
import { resultOf, status } from './status.ts';
import { BOX_HEIGHT, bonusBox, cardBox, cardsBox, LOW_BOX, legendBox, lowCardBox } from './svg-info.ts';
import type { Sheet } from './svg-map.ts';
import { scoreHeight, scoreSheet } from './svg-score.ts';
import { sheetHeight, sheetPanel } from './svg-sheet.ts';
import type { SeatView, View } from './view.ts';

/** A part of the picture at its place. */
interface Block {
  x: number;
  y: number;
  height: number;
  drawing: string;
}

/** A table to draw. */
interface Table {
  view: View;
  scene: Scene;
}

interface Page {
  width: number;
  margin: number;
  gap: number;
  top: number;
}

const WIDE: Page = { width: 1000, margin: 20, gap: 21, top: 64 };
const NARROW: Page = { width: 390, margin: 8, gap: 10, top: 66 };

/** The width of the boxes beside the sheets in a wide picture. */
const BOX = 306;

export function svg(view: View, scene: Scene = NO_SCENE): string {
  const table = { view, scene };
  const page = scene.width === 'NARROW' ? NARROW : WIDE;
  const blocks = scene.width === 'NARROW' ? oneColumn(table) : layOut(table);
  const bottom = Math.max(...blocks.map(({ y, height }) => y + height));
  return picture(
    page.width,
    bottom + page.margin,
    `Hashi, side ${view.side}, round ${view.round} of ${view.rounds}: ${status(view, scene)}`,
    header(table, page),
    ...blocks.map(({ x, y, drawing }) => at(x, y, drawing)),
  );
}

function header({ view, scene }: Table, { width, margin }: Page): string {
  const narrow = scene.width === 'NARROW';
  const about = `side ${view.side} · ${roundWords(view)}`;
  const size = narrow ? 15 : 18;
  const news = shortStatus(view, scene, narrow ? width - 2 * margin : 560, size);
  return group(
    {},
    text(margin, narrow ? 28 : 42, narrow ? 22 : 28, 'Hashi', { ...start, ...bold, fill: INK }),
    text(narrow ? 84 : 120, narrow ? 27 : 41, narrow ? 14 : 16, about, { ...start, fill: SOFT }),
    narrow
      ? text(margin, 54, size, news, { ...start, ...bold, fill: INK })
      : text(width - margin, 41, size, news, { 'text-anchor': 'end', ...bold, fill: INK }),
  );
}

/** If the line is too long, names are shortened rather than what is said about them. */
function shortStatus(view: View, scene: Scene, width: number, size: number): string {
  const line = status(view, scene);
  if (widthOf(line, size) <= width) return line;
  const names = scene.names.map((name) => name && shorten(name, width * 0.28, size));
  return shorten(status(view, { ...scene, names }), width, size);
}

const roundWords = ({ step, round, rounds }: View): string =>
  ({ preset: 'before the first card', round: `round ${round} of ${rounds}`, end: 'the end' })[step];

const fitted = ({ view, scene }: Table, seat: SeatView, width: number): Sheet => ({
  view,
  scene,
  seat,
  cell: Math.floor((width - 16) / view.board.cols),
});

const heightOf = (table: Table, seat: SeatView, width: number): number => sheetHeight(fitted(table, seat, width));

function sheet(table: Table, seat: SeatView, x: number, y: number, width: number, height = 0): Block {
  const tall = Math.max(height, heightOf(table, seat, width));
  return { x, y, height: tall, drawing: sheetPanel(fitted(table, seat, width), width, tall) };
}

/** With one seat and with four, the boxes stand beside the large sheet; otherwise they lie above the sheets. */
function layOut(table: Table): Block[] {
  const { you, seats } = table.view;
  if (seats.length === 1) return besideLarge(table, seats[0]!, []);
  if (you === null) return equals(table);
  const others = seats.filter(({ seat }) => seat !== you);
  return seats.length === 4 ? besideLarge(table, seats[you]!, others) : largeFirst(table, seats[you]!, others);
}

/** Card and cards, or after the end the score sheet, and the bonuses: one below the other. */
function boxColumn({ view, scene }: Table, page: Page, x: number, width: number): Block[] {
  const result = resultOf(view, scene);
  const tall = result ? scoreHeight(view, width) : BOX_HEIGHT;
  const drawings = result
    ? [scoreSheet(view, scene, result, width, tall), bonusBox(view, width)]
    : [cardBox(view, width), cardsBox(view, width), bonusBox(view, width)];
  return drawings.map((drawing, i) => ({
    x,
    y: page.top + (i > 0 ? tall + 14 + (i - 1) * (BOX_HEIGHT + 14) : 0),
    height: i === 0 ? tall : BOX_HEIGHT,
    drawing,
  }));
}

function besideLarge(table: Table, large: SeatView, others: SeatView[]): Block[] {
  const { width, margin, gap, top } = WIDE;
  const x = width - margin - BOX;
  const main = sheet(table, large, margin, top, x - gap - margin);
  const boxes = boxColumn(table, WIDE, x, BOX);
  const last = boxes[boxes.length - 1]!;
  const y = last.y + last.height + 14;
  const legend = { x, y, ...legendBox(BOX, 2, top + main.height - y) };
  const below = top + main.height + gap;
  return [main, ...boxes, legend, ...others.map((seat, i) => sheet(table, seat, margin + i * (BOX + gap), below, BOX))];
}

/** The same boxes in a row. */
function boxRow({ view, scene }: Table): Block[] {
  const { margin, gap, top } = WIDE;
  const result = resultOf(view, scene);
  const block = (column: number, height: number, drawing: string): Block => ({
    x: margin + column * (BOX + gap),
    y: top,
    height,
    drawing,
  });
  if (!result) return [cardBox, cardsBox, bonusBox].map((draw, i) => block(i, BOX_HEIGHT, draw(view, BOX)));
  const width = 2 * BOX + gap;
  const height = Math.max(BOX_HEIGHT, scoreHeight(view, width));
  return [
    block(0, height, scoreSheet(view, scene, result, width, height)),
    block(2, height, bonusBox(view, BOX, height)),
  ];
}

/** Boxes in a row, what comes below them, and the legend. */
function banded(table: Table, below: (y: number) => Block[]): Block[] {
  const { width, margin, gap } = WIDE;
  const boxes = boxRow(table);
  const sheets = below(Math.max(...boxes.map((block) => block.y + block.height)) + gap);
  const y = Math.max(...sheets.map((block) => block.y + block.height)) + gap;
  return [...boxes, ...sheets, { x: margin, y, ...legendBox(width - 2 * margin, 6) }];
}

/** The own sheet large on the left, one or two others on the right, as tall together. */
function largeFirst(table: Table, large: SeatView, others: SeatView[]): Block[] {
  const { width, margin, gap } = WIDE;
  const side = others.length === 1 ? 400 : 330;
  const x = width - margin - side;
  return banded(table, (y) => {
    const column = others.length * (heightOf(table, others[0]!, side) + gap) - gap;
    const main = sheet(table, large, margin, y, x - gap - margin, column);
    const height = (main.height + gap) / others.length - gap;
    return [main, ...others.map((seat, i) => sheet(table, seat, x, y + i * (height + gap), side, height))];
  });
}

/** For spectators: every sheet has the same size. */
function equals(table: Table): Block[] {
  const { width, margin, gap } = WIDE;
  const { seats } = table.view;
  const perRow = seats.length === 3 ? 3 : 2;
  const each = (width - 2 * margin - (perRow - 1) * gap) / perRow;
  return banded(table, (top) => inRows(table, seats, WIDE, top, perRow, each));
}

function inRows(table: Table, seats: SeatView[], page: Page, top: number, perRow: number, width: number): Block[] {
  if (seats.length === 0) return [];
  const { margin, gap } = page;
  const height = heightOf(table, seats[0]!, width);
  return seats.map((seat, i) =>
    sheet(table, seat, margin + (i % perRow) * (width + gap), top + Math.floor(i / perRow) * (height + gap), width),
  );
}

/** For a phone: first what has to be decided, then what helps to decide it. */
function oneColumn(table: Table): Block[] {
  const { view, scene } = table;
  const { margin: x, gap, top } = NARROW;
  const width = NARROW.width - 2 * x;
  const blocks: Block[] = [];
  const y = () => Math.max(top, ...blocks.map((block) => block.y + block.height + gap));
  const add = (height: number, drawing: string) => blocks.push({ x, y: y(), height, drawing });

  const result = resultOf(view, scene);
  const tall = scoreHeight(view, width);
  if (result) add(tall, scoreSheet(view, scene, result, width, tall));
  else add(LOW_BOX, lowCardBox(view, width));
  const own = view.seats.filter(({ seat }) => seat === view.you || view.solo);
  for (const seat of own) blocks.push(sheet(table, seat, x, y(), width));
  add(BOX_HEIGHT, bonusBox(view, width));
  if (!result) add(BOX_HEIGHT, cardsBox(view, width));
  const others = view.seats.filter((seat) => !own.includes(seat));
  const perRow = others.length > 1 ? 2 : 1;
  blocks.push(...inRows(table, others, NARROW, y(), perRow, (width - (perRow - 1) * gap) / perRow));
  const legend = legendBox(width, 2);
  add(legend.height, legend.drawing);
  return blocks;
}
