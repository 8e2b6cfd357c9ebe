import { at, choices, el, group, shorten, text, widthOf } from '../svg.ts';
import { BONUSES, type Bonus, PRESETS } from './data.ts';
import { bold, bonusSign, check, DONE, GRASS, INK, panel, SEA, SOFT, seatSign, start } from './icons.ts';
import { type Progress, progressOf } from './outlook.ts';
import { question, resultOf, status, who } from './status.ts';
import { map, type Sheet } from './svg-map.ts';
import { numberTarget, SKIP } from './targets.ts';
import type { SeatView } from './view.ts';
import { counted } from './words.ts';

/** Heights of the strips around a map: the player, what the viewer has to decide, and the bonuses. */
const HEAD = 46;
const FOOT = 36;
const askHeight = (sheet: Sheet): number => (isAsked(sheet) ? (sheet.scene.width === 'NARROW' ? 84 : 56) : 0);

/** The viewer's own sheet says what is to be decided, for as long as the match runs. */
const isAsked = ({ view, scene, seat }: Sheet): boolean => seat.seat === view.you && resultOf(view, scene) === null;

export const sheetHeight = (sheet: Sheet): number =>
  HEAD + askHeight(sheet) + sheet.view.board.rows * sheet.cell + FOOT + 8;

const STEP_WORDS = { preset: 'choosing', write: 'writing', build: 'building', acting: 'acting', ready: 'ready' };

/** Ready is a filled badge, anything else an empty one. After the end it shows the rank. */
function badge(sheet: Sheet): { words: string; full: boolean } | null {
  const { view, scene, seat } = sheet;
  const result = resultOf(view, scene);
  if (!result) return { words: STEP_WORDS[seat.step], full: seat.step === 'ready' };
  if (view.solo) return null;
  const rank = result.ranks[seat.seat]!;
  return { words: rank === 1 ? 'winner' : `rank ${rank}`, full: rank === 1 };
}

const badgeDrawing = ({ words, full }: { words: string; full: boolean }): string =>
  el('rect', {
    width: 78,
    height: 24,
    rx: 12,
    'stroke-width': 1.2,
    fill: full ? DONE : '#ffffff',
    stroke: full ? DONE : SOFT,
  }) + text(39, 16.5, 13, words, { fill: full ? '#ffffff' : INK });

/** Name and points: in one line where there is room, else one below the other. */
function head(sheet: Sheet, width: number): string {
  const { view, scene, seat } = sheet;
  const sign = badge(sheet);
  const tiny = width < 250;
  const right = tiny || !sign ? width - 12 : width - 100;
  const points = counted(seat.score, 'point');
  const small = tiny && sign ? `${points}, ${sign.words}` : points;
  const flat = width >= 480;
  const [you, size] = [seat.seat === view.you ? ' (you)' : '', flat ? 18 : 15];
  const room = right - 46 - (flat ? 110 : 0) - you.length * size * 0.6;
  const name = shorten(who(scene, seat.seat), room, size) + you;
  return group(
    {},
    seatSign(seat.seat, 26, 23, 12),
    text(46, flat ? 29 : 20, size, name, { ...start, ...bold, fill: INK }),
    flat
      ? text(right, 28.5, 15, points, { 'text-anchor': 'end', fill: INK })
      : text(46, 37, 12.5, small, { ...start, fill: INK }),
    sign && !tiny ? at(width - 90, 11, badgeDrawing(sign)) : '',
  );
}

/** What the viewer has to decide, and the answers that are not on the sheet. */
function ask(sheet: Sheet, width: number): string {
  const { view, scene, seat } = sheet;
  const narrow = scene.width === 'NARROW';
  const words = shorten(question(view) ?? status(view, scene), width - 28, 16);
  const answers = [
    ...PRESETS.map((number) => ({ target: numberTarget(number), text: `Write ${number}` })),
    { target: SKIP, text: seat.step === 'write' ? 'Skip the number' : 'Skip the bridges', desc: 'in this round' },
  ];
  const { markup } = choices(scene, answers, width - 28, 16);
  return (
    text(14, narrow ? 22 : 32, 16, words, { ...start, ...bold, fill: INK }) +
    (narrow ? at(14, 34, markup) : at(26 + widthOf(words, 16), 4, markup))
  );
}

/** A bonus: how near this seat is to it, or that it has been earned. */
function bonusPill(bonus: Bonus, { done, of }: Progress, points: number | null, width: number): string {
  const tiny = width < 75;
  const words = points === null ? (tiny ? `${done}/${of}` : `${done} of ${of}`) : `+${points}`;
  const paint = points === null ? { fill: '#ffffff', stroke: '#cfc4b0' } : { fill: GRASS, stroke: DONE };
  const size = tiny ? 12 : 14;
  return group(
    {},
    el('rect', { width, height: 24, rx: 12, 'stroke-width': points === null ? 1.2 : 2.2, ...paint }),
    bonusSign(bonus, tiny ? 14 : 20, 12, tiny ? 5 : 7),
    text(tiny ? 25 : 37, 12 + size * 0.36, size, words, { ...start, fill: points === null ? INK : DONE, ...bold }),
    points === null || tiny ? '' : check(width - 16, 13, 5),
  );
}

function foot({ view, seat }: Sheet, width: number): string {
  const progress = progressOf(view, seat);
  const each = (width - 16 - 2 * 6) / 3;
  const pills = BONUSES.map((bonus, i) =>
    at(8 + i * (each + 6), 6, bonusPill(bonus, progress[bonus], earned(seat, bonus), each)),
  );
  return pills.join('');
}

const earned = ({ bonuses }: SeatView, bonus: Bonus): number | null => bonuses[bonus]?.points ?? null;

/** A seat's sheet in a panel of this size; the map takes all the room there is. */
export function sheetPanel(sheet: Sheet, width: number, height: number): string {
  const { view, scene, seat, cell } = sheet;
  const { rows, cols } = view.board;
  const top = HEAD + askHeight(sheet);
  const sea = height - top - FOOT;
  const result = resultOf(view, scene);
  const lit = result ? result.ranks[seat.seat] === 1 && !view.solo : seat.step !== 'ready';
  const edge = lit ? { stroke: result ? DONE : INK, 'stroke-width': 2.5 } : {};
  return group(
    { id: `seat-${seat.seat}` },
    panel(width, height, edge),
    head(sheet, width),
    isAsked(sheet) ? at(0, HEAD, ask(sheet, width)) : '',
    el('rect', { x: 8, y: top, width: width - 16, height: sea, rx: 6, fill: SEA }),
    at((width - cols * cell) / 2, top + (sea - rows * cell) / 2, map(sheet)),
    at(0, height - FOOT, foot(sheet, width)),
  );
}
