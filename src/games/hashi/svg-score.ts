import type { Result, Scene } from '../game.ts';
import { at, el, group, shorten, text } from '../svg.ts';
import { BONUSES, POINTS_PER_ISLAND } from './data.ts';
import { bold, bonusSign, DONE, GRASS, INK, SAND, SOFT, seatSign, start } from './icons.ts';
import { finishedCount } from './outlook.ts';
import { who } from './status.ts';
import { box, heading } from './svg-info.ts';
import type { SeatView, View } from './view.ts';

const TOP = 66;

/** In a narrow sheet the name stands above the points of its seat. */
const isNarrow = (width: number): boolean => width < 480;
const rowHeight = (width: number): number => (isNarrow(width) ? 60 : 36);

export const scoreHeight = (view: View, width: number): number =>
  TOP + view.seats.length * rowHeight(width) + (view.solo ? 34 : 8);

/** Points, and below them how they came about. */
const cell = (x: number, points: number | string, how: string): string =>
  text(x, how ? 15 : 21, 16, points, { fill: INK }) + (how && text(x, 30, 12, how, { fill: SOFT }));

const islandSign = (x: number, y: number): string =>
  el('circle', { cx: x, cy: y, r: 10, fill: SAND, stroke: INK }) +
  el('circle', { cx: x, cy: y, r: 7.5, fill: GRASS, stroke: DONE, 'stroke-width': 3 });

interface Columns {
  /** The points of the islands and of each bonus. */
  parts: readonly number[];
  total: number;
  narrow: boolean;
}

function columnsOf(width: number): Columns {
  const narrow = isNarrow(width);
  const pitch = narrow ? (width - 84) / 4 : 84;
  const first = narrow ? 16 + pitch / 2 : width - 66 - 3.5 * pitch;
  return { parts: [0, 1, 2, 3].map((i) => first + i * pitch), total: width - 16, narrow };
}

function row(scene: Scene, seat: SeatView, rank: number | null, { parts, total, narrow }: Columns): string {
  const islands = finishedCount(seat);
  const name = shorten(who(scene, seat.seat), narrow ? total - 60 : parts[0]! - 98, 15);
  const bonuses = BONUSES.map((bonus, i) => {
    const earned = seat.bonuses[bonus];
    return cell(parts[i + 1]!, earned?.points ?? '–', earned ? `card ${earned.round}` : '');
  });
  const points = [
    cell(parts[0]!, islands * POINTS_PER_ISLAND, `${islands} × ${POINTS_PER_ISLAND}`),
    ...bonuses,
    text(total, 21, 18, seat.score, { 'text-anchor': 'end', ...bold, fill: rank === 1 ? DONE : INK }),
  ];
  return group(
    { id: `score-${seat.seat}` },
    rank === null ? '' : text(14, 21, 15, `${rank}.`, { ...start, ...bold, fill: INK }),
    seatSign(seat.seat, 44, 16, 10),
    text(62, 21, 15, name, { ...start, fill: INK, ...(rank === 1 ? bold : {}) }),
    at(0, narrow ? 26 : 0, ...points),
  );
}

/**
 * How the points came about: finished islands, and each bonus with the card that brought it. Ranks are those of the
 * match, in which a player who gave up comes last; points are those on the sheets.
 */
export function scoreSheet(view: View, scene: Scene, result: Result, width: number, height: number): string {
  const columns = columnsOf(width);
  const order = [...view.seats].sort((a, b) => result.ranks[a.seat]! - result.ranks[b.seat]! || a.seat - b.seat);
  const rows = order.map((seat, i) => {
    const rank = view.solo ? null : result.ranks[seat.seat]!;
    return at(0, TOP + i * rowHeight(width), row(scene, seat, rank, columns));
  });
  const title = view.solo?.rating;
  return box(
    width,
    height,
    heading('Score sheet'),
    islandSign(columns.parts[0]!, 48),
    ...BONUSES.map((bonus, i) => bonusSign(bonus, columns.parts[i + 1]!, 48, 8)),
    text(columns.total, 53, 13, 'total', { 'text-anchor': 'end', fill: SOFT }),
    el('path', { d: `M12 ${TOP - 2}H${width - 12}`, stroke: '#cfc4b0' }),
    ...rows,
    title ? text(16, height - 14, 15, `Your title: ${title}`, { ...start, ...bold, fill: INK }) : '',
  );
}
