import { at, picture, SEATS, seatMark, text } from '../svg.ts';
import { field } from './field.ts';
import { panels, rail } from './panels.ts';
import { FAINT, INK } from './pieces.ts';
import type { View } from './view.ts';

const WIDTH = 1000;
const MARGIN = 24;
const HEADER = 64;
const RAIL = 190;

/** The header, the table with the jungle tiles still to come beside it, and a panel for each seat below. */
export function svg(view: View): string {
  const width = WIDTH - 2 * MARGIN;
  const table = field(view, width - RAIL - MARGIN);
  const seats = panels(view, width);
  const below = HEADER + table.height + MARGIN;
  return picture(
    WIDTH,
    below + seats.height + MARGIN,
    `Cacao, round ${view.round} of ${view.rounds}: ${status(view)}`,
    header(view),
    at(MARGIN, HEADER, table.markup),
    at(WIDTH - MARGIN - RAIL, HEADER, rail(view, RAIL)),
    at(MARGIN, below, seats.markup),
  );
}

function header(view: View): string {
  const start = { 'text-anchor': 'start', fill: INK };
  const marked = view.step === 'over' ? winners(view) : view.acting;
  return [
    text(MARGIN, 42, 30, 'Cacao', { ...start, 'font-weight': 700 }),
    ...marked.map((seat, i) => seatMark(seat, 160 + i * 28, 32, 10)),
    text(152 + marked.length * 28, 38, 18, status(view), start),
    text(WIDTH - MARGIN, 38, 16, `round ${view.round} of ${view.rounds}`, { 'text-anchor': 'end', fill: FAINT }),
  ].join('');
}

const TASKS = { place: 'to place a worker tile', fill: 'to fill the jungle', work: 'to use the workers' };

function status(view: View): string {
  if (view.step !== 'over') return `${names(view.acting)} ${TASKS[view.step]}`;
  const won = winners(view);
  return `${names(won)} ${won.length > 1 ? 'share the win' : 'wins'}`;
}

const winners = (view: View): number[] => [...view.seats.keys()].filter((seat) => view.seats[seat]!.rank === 1);
const names = (seats: number[]): string => seats.map((seat) => SEATS[seat]!.letter).join(' and ');
