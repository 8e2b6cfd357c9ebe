import { at, el, group, SEATS, seatMark, text } from '../svg.ts';
import { type BoardCard, KEPT, type Kind, NAMES, STATUES } from './data.ts';
import {
  bold,
  butterfly,
  disc,
  flame,
  INK,
  icon,
  left,
  missingDisc,
  right,
  shell,
  smallStatue,
  summonDisc,
} from './pieces.ts';
import type { View } from './view.ts';

const MUTED = '#7a6c58';
const muted = { fill: MUTED };
const PAPER = '#fffaf0';

const box = (width: number, height: number, attributes = {}) =>
  el('rect', { width, height, rx: 10, fill: PAPER, stroke: '#d8cbb2', 'stroke-width': 1.4, ...attributes });

export const seatBadge = (seat: number, r: number): string =>
  seatMark(seat, 0, 0, r) + text(0, r * 0.4, r * 1.1, SEATS[seat]!.letter, { fill: SEATS[seat]!.ink, ...bold });

/** Everything in front of one seat. */
export function seatPanel(view: View, seat: number, width: number, height: number): string {
  const { score, butterflies, scoringCards } = view.seats[seat]!;
  const acts = view.actor === seat;
  const tags = [
    view.you === seat ? 'you' : '',
    view.startSeat === seat ? 'first player' : '',
    view.turn === seat && view.step !== 'end' ? 'turn' : '',
  ].filter(Boolean);
  return [
    box(width, height, acts ? { stroke: SEATS[seat]!.colour, 'stroke-width': 4 } : {}),
    at(28, 32, seatBadge(seat, 15)),
    text(52, 30, 17, `Seat ${seat}`, { ...left, ...bold }),
    text(52, 46, 11.5, tags.join(' · '), { ...left, ...muted }),
    text(width - 16, 42, 32, score, { ...right, ...bold }),
    at(0, 92, poolRow(view, seat)),
    at(0, 152, statueRow(view.seats[seat]!.statuesLeft, seat)),
    at(0, 206, keptRow(view, seat, width)),
    at(24, 264, butterfly()),
    text(38, 268, 12, `${butterflies} butterfl${butterflies === 1 ? 'y' : 'ies'} on these cards`, left),
    at(16, 294, boughtList(scoringCards, view, seat)),
  ].join('');
}

function poolRow(view: View, seat: number): string {
  const { pool, summon } = view.seats[seat]!;
  const discs = [1, 2, 3, 4, 5].map((number, i) =>
    at(30 + 33 * i, 0, pool.includes(number) ? disc(seat, number, 14) : missingDisc(seat, number, 14)),
  );
  const summoned = at(
    218,
    0,
    summon === 'pool'
      ? summonDisc(seat, 14)
      : seatMark(seat, 0, 0, 14, { fill: 'none', stroke: '#b3a893', 'stroke-dasharray': '3 3' }),
    summon === 'pool' ? '' : group({ opacity: 0.35 }, flame(1.2)),
  );
  return [
    text(16, -22, 11, 'discs in the pool', { ...left, ...muted }),
    ...discs,
    ...(summon === 'box' ? [] : [text(218, -22, 11, 'summon', muted), summoned]),
  ].join('');
}

function statueRow(count: number, seat: number): string {
  const figures = Array.from({ length: STATUES }, (_, i) => at(28 + 25 * i, 0, smallStatue(seat, i < count)));
  return text(16, -24, 11, `statues left: ${count}`, { ...left, ...muted }) + figures.join('');
}

/** Kept cards by kind: what there is none of is faint. */
function keptRow(view: View, seat: number, width: number): string {
  const { kept } = view.seats[seat]!;
  const step = (width - 20) / KEPT.length;
  const short: Partial<Record<Kind, string>> = { basket: 'basket', whitePearl: 'white', blackPearl: 'black' };
  return KEPT.map((kind, i) =>
    at(
      10 + step * (i + 0.5),
      0,
      group({ opacity: kept[kind] > 0 ? 1 : 0.25, transform: 'translate(-9 0) scale(0.78)' }, icon(kind)),
      text(14, 6, 17, kept[kind], { ...bold, fill: kept[kind] > 0 ? INK : '#a3977f' }),
      text(0, 28, 10.5, short[kind] ?? NAMES[kind], muted),
    ),
  ).join('');
}

function boughtList(cards: BoardCard[], view: View, seat: number): string {
  const names = cards.map((card, i) =>
    at(
      (i % 2) * 114,
      24 + 19 * Math.floor(i / 2),
      el('rect', { x: 0, y: -12, width: 112, height: 17, rx: 5, fill: '#efe5cf' }),
      text(56, 1, 11, NAMES[card], bold),
    ),
  );
  const waiting = view.pending.find((card) => card.seat === seat);
  return [
    text(0, 4, 11, cards.length > 0 ? 'scoring cards' : 'no scoring cards', { ...left, ...muted }),
    ...names,
    waiting ? text(228, 4, 11.5, `next: ${NAMES[waiting.card]}`, { ...right, ...bold }) : '',
  ].join('');
}

const EFFECTS: Record<BoardCard, [string, string]> = {
  priestess: ['moves a lava disc', 'at once, once a round'],
  butterflies: ['1 for each butterfly', 'on own cards'],
  superiority: ['2 for each terrain', 'with more statues'],
  finishedSegment: ['4 for each segment', 'with 3 own statues'],
  forestStatues: ['2 more for each', 'own forest statue'],
  mountainStatues: ['3 more for each', 'own mountain statue'],
};

/** Cards for sale with their price; who has bought a card is marked on its place. */
export function scoringBoard(view: View, width: number): string {
  const step = (width + 8) / view.board.length;
  return view.board
    .map(({ card, price, owner }, i) => {
      const down = owner !== null && card === 'priestess';
      const note = down ? 'face down:' : 'bought by';
      const foot =
        owner === null
          ? Array.from({ length: price }, (_, n) =>
              group({ transform: `translate(${20 + 24 * n} 72) scale(0.62)` }, shell()),
            )
          : [text(12, 76, 11.5, note, { ...left, ...bold }), at(step - 28, 72, seatBadge(owner, 11))];
      return at(
        i * step,
        0,
        box(step - 8, 90, owner === null ? {} : { fill: down ? '#d9cdb6' : '#eee6d6', 'stroke-dasharray': '5 4' }),
        group(
          { opacity: owner === null ? 1 : 0.55 },
          text(12, 22, 13.5, NAMES[card], { ...left, ...bold }),
          text(12, 38, 11, EFFECTS[card][0], left),
          text(12, 52, 11, EFFECTS[card][1], left),
        ),
        ...foot,
        ...(owner === null && card === 'priestess' ? [at(step - 24, 72, flame(1.1))] : []),
      );
    })
    .join('');
}

type PartName = Exclude<keyof View['scorings'][number]['parts'][number], 'total'>;
const COLUMNS: readonly [PartName, string, string][] = [
  ['mountain', 'mountain', '3 each'],
  ['forest', 'forest', '2 each'],
  ['land', 'land', '1 each'],
  ['baskets', 'baskets', '3 if more'],
  ['pearls', 'pearls', '1, 2, pair 4'],
  ['nautilus', 'nautilus', '3 each'],
  ['shells', 'shells', '1 each'],
  ['butterflies', 'butterflies', 'card'],
  ['superiority', 'superiority', 'card'],
  ['finishedSegment', 'segments', 'card'],
  ['forestStatues', 'forest +', 'card'],
  ['mountainStatues', 'mountain +', 'card'],
];

const columnAt = (i: number): number => 168 + 65 * i;
const HEADS = COLUMNS.map(([, name, each], i) =>
  at(columnAt(i), 0, text(0, 20, 10, name, bold), text(0, 34, 9.5, each, muted)),
).join('');

/** The points of both scorings, part by part; before the first one it says what will count. */
export function scoreTable(view: View, width: number): string {
  const rows = [0, 1].flatMap((scoring) => [0, 1].map((seat) => scoreRow(view, scoring, seat, width)));
  return [
    box(width, 150),
    text(14, 22, 13, 'Scorings', { ...left, ...bold }),
    text(14, 36, 10, 'seat, statues lost', { ...left, ...muted }),
    HEADS,
    text(width - 32, 26, 12, 'total', bold),
    ...rows,
  ].join('');
}

function scoreRow(view: View, scoring: number, seat: number, width: number): string {
  const done = view.scorings[scoring];
  const y = 60 + 25 * (2 * scoring + seat) + 3 * scoring;
  const lost = done?.lost[seat] ?? 0;
  const parts = done?.parts[seat];
  return [
    el('rect', { x: 8, y: y - 17, width: width - 16, height: 24, rx: 5, fill: scoring === 0 ? '#f3ead6' : '#e9e2d2' }),
    seat === 0 ? text(16, y, 12, ['first', 'second'][scoring]!, { ...left, ...bold }) : '',
    at(82, y - 5, seatBadge(seat, 9)),
    lost > 0 ? text(96, y, 11, `−${lost}`, { ...left, ...muted }) : '',
    ...(parts
      ? COLUMNS.map(([part], i) => text(columnAt(i), y, 13, parts[part] ?? '–', parts[part] ? bold : muted))
      : []),
    parts ? text(width - 32, y, 15, parts.total, bold) : '',
  ].join('');
}

/** One sentence: who has to decide what, or who has won. */
export function status(view: View): string {
  const { actor, step, boat } = view;
  if (actor === null) return outcome(view);
  const sailing = view.seats[actor]!.pool.length === 0;
  const tasks = {
    turn: sailing ? 'takes a disc back or sails on' : 'places a disc or takes one back',
    walk: 'walks the shaman or stays',
    choose: `takes a card at segment ${boat}`,
    priestess: 'moves a lava disc',
    buy: 'has a new shell and may buy a card',
    lastBuy: 'may buy a card before the scoring',
    end: '',
  };
  return `Seat ${actor} ${tasks[step]}`;
}

function outcome(view: View): string {
  const winner = view.ranks?.[0] === 1 ? 0 : 1;
  const [a, b] = view.seats.map((seat) => seat.score) as [number, number];
  const built = view.seats.map((seat) => seat.statuesLeft);
  const why = a !== b ? '' : built[0] !== built[1] ? ', with more statues' : ', not having started';
  return `Seat ${winner} wins ${Math.max(a, b)} : ${Math.min(a, b)}${why}`;
}
