import type { Scene } from '../game.ts';
import { at, el, nameOf, shorten, text } from '../svg.ts';
import { bold, INK, left, panel, SOFT } from './icons.ts';
import type { Block } from './svg-layout.ts';
import { seatLetter } from './svg-marks.ts';
import { PART_NAMES, PARTS } from './svg-realm.ts';
import type { View } from './view.ts';

/** A line of the sheet: a cell by seat, and below it in small letters how it came about. */
interface Line {
  name: string;
  cells: string[];
  notes?: string[];
  isSum?: boolean;
}

const NOTE = 12;

/** Points by round and by part of the final scoring, a column for each seat. */
export function sheet(view: View, scene: Scene, width: number): Block {
  const lines = linesOf(view, scene);
  const label = width > 340 ? 106 : 88;
  const column = (width - label - 8) / view.seats.length;
  const heads = view.seats.map(({ seat }, i) => {
    const x = label + (i + 0.5) * column;
    return seatLetter(seat, x, 44, 11) + text(x, 70, 12, shorten(nameOf(scene, seat), column - 2, 12), { fill: INK });
  });
  const parts = [text(12, 22, 13, 'Score sheet', { ...left, ...bold }), ...heads];
  let y = 78;
  for (const line of lines) {
    const height = line.notes ? 31 : 18;
    if (line.isSum) parts.push(el('path', { d: `M8 ${y}H${width - 8}`, stroke: SOFT }));
    parts.push(at(0, y, lineOf(line, label, column)));
    y += height;
  }
  if (view.scored.length > 0) {
    parts.push(text(12, y + 14, NOTE, 'below the points: sum/needed; +: Lono, space 1', { ...left, fill: SOFT }));
    y += 18;
  }
  return { height: y + 6, markup: panel(0, 0, width, y + 6, '#fbf6ea') + parts.join('') };
}

function lineOf({ name, cells, notes, isSum }: Line, label: number, column: number): string {
  const style = isSum || notes ? bold : {};
  const x = (i: number) => label + (i + 0.5) * column;
  return [
    text(12, 14, 12, name, { ...left, ...(isSum ? bold : {}) }),
    ...cells.map((cell, i) => text(x(i), 14, isSum ? 13 : 12, cell, style)),
    ...(notes ?? []).map((note, i) => text(x(i), 27, NOTE, note, { fill: SOFT })),
  ].join('');
}

const orDash = (points: number): string => (points === 0 ? '–' : `${points}`);

function linesOf(view: View, scene: Scene): Line[] {
  const result = scene.result ?? view.result;
  const rounds = view.scored.map(
    ({ round, seats }): Line => ({
      name: `round ${round}`,
      cells: seats.map(({ points, lono, space }) => [points, lono, space].filter((n, i) => n > 0 || i === 0).join('+')),
      notes: seats.map(({ sum, needed }) => `${sum}/${Math.max(0, needed)}`),
    }),
  );
  const parts = PART_NAMES.filter((part) => view.seats.some(({ final }) => final[part] > 0));
  const final = parts.map(
    (part): Line => ({ name: PARTS[part], cells: view.seats.map(({ final }) => orDash(final[part])) }),
  );
  const isOver = view.result !== null;
  return [
    ...rounds,
    ...atOnce(view),
    ...(isOver ? final : []),
    { name: isOver ? 'total' : 'so far', cells: scoresOf(view, scene), isSum: true },
    ...(isOver ? [resources(view)] : [{ name: 'realm now', cells: view.seats.map(({ final }) => `+${final.total}`) }]),
    ...(result ? [{ name: 'rank', cells: result.ranks.map(String), isSum: true }] : []),
  ];
}

const scoresOf = (view: View, scene: Scene): string[] =>
  view.seats.map(({ seat, score }) => `${scene.result?.scores[seat] ?? score}`);

/** What decides a tie. */
const resources = (view: View): Line => ({
  name: 'resources left',
  cells: view.seats.map(({ resources }) =>
    resources ? `${resources.shells + resources.feet + resources.fruit}` : '?',
  ),
});

/**
 * Points for spears, docks and islands. Rules 1 do not record them, nor earlier rounds; what is unknown is one line.
 */
function atOnce(view: View): Line[] {
  if (view.seats.every(({ earned }) => earned !== null)) {
    return (['spears', 'docks', 'islands'] as const).map((part) => ({
      name: part,
      cells: view.seats.map(({ earned }) => orDash(earned?.[part] ?? 0)),
    }));
  }
  const cells = view.seats.map(({ seat, score, final }) => {
    const known = view.scored.reduce((sum, { seats }) => {
      const { points, lono, space } = seats[seat]!;
      return sum + points + lono + space;
    }, 0);
    return orDash(score - known - (view.result ? final.total : 0));
  });
  return [{ name: 'earlier points', cells }];
}
