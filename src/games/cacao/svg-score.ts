import type { Scene } from '../game.ts';
import { at, el, nameOf, SEATS, seatMark, shorten, text } from '../svg.ts';
import { FAINT, INK, LINE, PAPER } from './icons.ts';
import { notesOf, ranksOf } from './status.ts';
import type { View } from './view.ts';

const LINE_HEIGHT = 22;
const PADDING = 14;
const TOP = 52;

interface Entry {
  name: string;
  values: (number | string)[];
  bold?: boolean;
  /** Whether a line is drawn above it. */
  sum?: boolean;
}

/** Shows why the winner won: every source of gold, seat by seat. */
export function scoreSheet(view: View, scene: Scene, width: number): { height: number; markup: string } {
  const names = Math.min(150, width * 0.31);
  const column = Math.min(170, (width - 2 * PADDING - names) / view.seats.length);
  const entries = entriesOf(view, scene);
  const notes = notesOf(view, scene);
  const right = (seat: number) => PADDING + names + (seat + 1) * column;
  const heads = view.seats.map((_, seat) => {
    const { letter, name: colour } = SEATS[seat]!;
    const called = nameOf(scene, seat);
    const words = called === letter ? colour : called;
    return [
      seatMark(seat, right(seat) - 22, 18, 8),
      text(right(seat), 23, 14, letter, { 'text-anchor': 'end', fill: INK, 'font-weight': 700 }),
      text(right(seat), 42, 13, shorten(words, column - 8, 13), { 'text-anchor': 'end', fill: INK }),
    ].join('');
  });
  const rows = entries.map(({ name, values, bold, sum }, i) => {
    const y = TOP + (i + 1) * LINE_HEIGHT - 6;
    const weight = bold ? { 'font-weight': 700 } : {};
    return [
      sum
        ? el('path', { d: `M${PADDING} ${y - 16} H${right(view.seats.length - 1)}`, stroke: INK, 'stroke-width': 1.5 })
        : '',
      text(PADDING, y, 14, name, { 'text-anchor': 'start', fill: INK, ...weight }),
      ...values.map((value, seat) => text(right(seat), y, 14, value, { 'text-anchor': 'end', fill: INK, ...weight })),
    ].join('');
  });
  const below = TOP + entries.length * LINE_HEIGHT;
  const height = below + notes.length * 18 + PADDING;
  return {
    height,
    markup: [
      el('rect', {
        width: right(view.seats.length - 1) + PADDING,
        height,
        rx: 12,
        fill: PAPER,
        stroke: LINE,
        'stroke-width': 1.5,
      }),
      text(PADDING, 23, 15, 'Score', { 'text-anchor': 'start', fill: INK, 'font-weight': 700 }),
      ...heads,
      ...rows,
      ...notes.map((words, i) =>
        at(PADDING, below + i * 18, text(0, 12, 12, words, { 'text-anchor': 'start', fill: FAINT })),
      ),
    ].join(''),
  };
}

function entriesOf(view: View, scene: Scene): Entry[] {
  const bySeat = (value: (seat: View['seats'][number]) => number | string) => view.seats.map(value);
  return [
    { name: 'coins', values: bySeat(({ score }) => score.coins) },
    ...view.temples.map(({ row, col, workers, gold }) => ({
      name: `temple (${row},${col})`,
      values: gold.map((amount, seat) => (workers[seat]! > 0 ? amount : '–')),
    })),
    { name: 'sun tokens', values: bySeat(({ score }) => score.sun) },
    { name: 'water', values: bySeat(({ score }) => String(score.water).replace('-', '−')) },
    { name: 'gold', values: bySeat(({ score }) => String(score.total).replace('-', '−')), bold: true, sum: true },
    { name: 'cacao left', values: bySeat(({ cacao }) => cacao) },
    { name: 'rank', values: ranksOf(view, scene).map((rank) => rank ?? ''), bold: true },
  ];
}
