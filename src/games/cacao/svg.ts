import type { Scene } from '../game.ts';
import { at, NO_SCENE, picture, seatMark, shorten, text, widthOf } from '../svg.ts';
import { FAINT, INK } from './icons.ts';
import { isOver, status, winnersOf } from './status.ts';
import { CONTROLS, controls, display, hand, heading } from './svg-hand.ts';
import { legend, panels, pile } from './svg-panels.ts';
import { scoreSheet } from './svg-score.ts';
import { field, NARROW_TABLE, WIDE_TABLE } from './svg-table.ts';
import type { View } from './view.ts';

export function svg(view: View, scene: Scene = NO_SCENE): string {
  const { width, height, markup } = scene.width === 'NARROW' ? narrow(view, scene) : wide(view, scene);
  return picture(width, height, `Cacao, round ${view.round} of ${view.rounds}: ${status(view, scene)}`, ...markup);
}

interface Page {
  width: number;
  height: number;
  markup: string[];
}

const MARGIN = 24;
const RAIL = 206;

/**
 * The table with display, hand and pile beside it, a panel for each seat and the legend below, and at the end the score on
 * top.
 */
function wide(view: View, scene: Scene): Page {
  const width = 1000 - 2 * MARGIN;
  const markup = [header(view, scene, 30, 1000)];
  let y = 64;
  const add = (part: { height: number; markup: string }) => {
    markup.push(at(MARGIN, y, part.markup));
    y += part.height + MARGIN;
  };
  if (isOver(view, scene)) add(scoreSheet(view, scene, width));
  const beside = rail(view, scene);
  const table = field(view, scene, { ...WIDE_TABLE, width: width - RAIL - MARGIN, lowest: beside.height });
  markup.push(at(1000 - MARGIN - RAIL, y, beside.markup));
  add({ height: Math.max(table.height, beside.height), markup: table.markup });
  add(panels(view, scene, width, view.seats.length));
  add(legend(width, 5));
  return { width: 1000, height: y, markup };
}

function rail(view: View, scene: Scene): { height: number; markup: string } {
  const parts: string[] = [heading('Display', 14), at(0, 20, display(view, 90, RAIL - 90))];
  let y = 124;
  if (isSeated(view, scene)) {
    parts.push(at(0, y, heading('Your hand', 14), at(0, 20, hand(view, 66, 70))));
    parts.push(at(0, y + 94, controls(view, scene, RAIL, 13).markup));
    y += 94 + CONTROLS + 14;
  }
  const left = pile(view, RAIL, 1, 20);
  parts.push(at(0, y, left.markup));
  return { height: y + left.height, markup: parts.join('') };
}

const EDGE = 10;

/** For a phone: first what is chosen from, then the table over the full width, then the seats. */
function narrow(view: View, scene: Scene): Page {
  const width = 390 - 2 * EDGE;
  const markup = [header(view, scene, 20, 390)];
  let y = 62;
  const add = (part: { height: number; markup: string }, x = EDGE) => {
    markup.push(at(x, y, part.markup));
    y += part.height + 14;
  };
  add(isOver(view, scene) ? scoreSheet(view, scene, width) : choicesOf(view, scene, width));
  add(field(view, scene, { ...NARROW_TABLE, width: 390, lowest: 0 }), 0);
  add(panels(view, scene, width, 1));
  if (!isOver(view, scene)) add(pile(view, width, 2, 36));
  add(legend(width, 2));
  return { width: 390, height: y, markup };
}

/** The display and, for a player, the hand and the choices that are not on the table. */
function choicesOf(view: View, scene: Scene, width: number): { height: number; markup: string } {
  const right = width - 2 * 60 - 6;
  const markup = [at(right, 0, heading('Display', 13), at(0, 18, display(view, 60, 66)))];
  if (!isSeated(view, scene)) return { height: 78, markup: markup.join('') };
  const asked = controls(view, scene, width, 13);
  markup.push(heading('Your hand', 13), at(0, 18, hand(view, 60, 64)), at(0, 86, asked.markup));
  return { height: 82 + asked.height, markup: markup.join('') };
}

const isSeated = (view: View, scene: Scene): boolean => view.you !== null && !isOver(view, scene);

/** The name of the game and the round, with whose turn it is or who has won beside it (on a phone below it). */
function header(view: View, scene: Scene, size: number, width: number): string {
  const start = { 'text-anchor': 'start', fill: INK };
  const marked = isOver(view, scene) ? winnersOf(view, scene) : view.acting;
  const isWide = width > 390;
  const [margin, x, y, font] = isWide ? [MARGIN, 160, 38, 18] : [EDGE, EDGE, 50, 14];
  const round = `round ${view.round} of ${view.rounds}`;
  const words = x + marked.length * (font + 6) + 4;
  const room = width - words - margin - (isWide ? widthOf(round, 16) + 20 : 0);
  return [
    text(margin, isWide ? 42 : 26, size, 'Cacao', { ...start, 'font-weight': 700 }),
    ...marked.map((seat, i) => seatMark(seat, x + font / 2 + i * (font + 6), y - font / 3, font / 2)),
    text(words, y, font, fitted(view, scene, room, font), start),
    text(width - margin, isWide ? y : 26, isWide ? 16 : 13, round, { 'text-anchor': 'end', fill: FAINT }),
  ].join('');
}

/** The status line, with each name as long as there is room for it. */
function fitted(view: View, scene: Scene, room: number, font: number): string {
  const full = status(view, scene);
  if (widthOf(full, font) <= room) return full;
  const named = isOver(view, scene) ? winnersOf(view, scene) : view.acting;
  const bare = status(view, { ...scene, names: scene.names.map((name) => (name === null ? null : '')) });
  const each = Math.max(2 * font, (room - widthOf(bare, font)) / named.length);
  const names = scene.names.map((name) => (name === null ? null : shorten(name, each, font)));
  return shorten(status(view, { ...scene, names }), room, font);
}
