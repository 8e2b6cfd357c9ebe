import { describe, expect, it } from 'vitest';
import { BOARDS, type Board, SIDES } from '../../../src/games/hashi/data.ts';
import { hashi } from '../../../src/games/hashi/index.ts';
import { drawable, finishedOn, longestChain, writable } from '../../../src/games/hashi/sheet.ts';
import { boardOf, cardOf, type Sheet, type State } from '../../../src/games/hashi/state.ts';
import { fastRng } from '../../../src/games/rng.ts';

/** The rules once more, slowly: from the geometry of the map and the text of the rules, by trying every set of bridges. */

const reached = (board: Board, bridges: readonly number[], island: number) =>
  board.links.filter(({ a, b }) => a === island || b === island).reduce((sum, { id }) => sum + bridges[id]!, 0);

/** The points of the grid that a link passes between its islands. */
function between(board: Board, link: number): string[] {
  const { a, b } = board.links[link - 1]!;
  const [p, q] = [board.islands[a - 1]!, board.islands[b - 1]!];
  const steps = Math.max(q.row - p.row, q.col - p.col);
  return Array.from({ length: steps - 1 }, (_, i) => {
    const part = (i + 1) / steps;
    return `${p.row + (q.row - p.row) * part},${p.col + (q.col - p.col) * part}`;
  });
}

function allowed(board: Board, sheet: Sheet, drawn: readonly number[]): boolean {
  const bridges = sheet.bridges.slice();
  for (const link of drawn) {
    const { a, b } = board.links[link - 1]!;
    if (!sheet.numbers[a] && !sheet.numbers[b]) return false;
    bridges[link]!++;
  }
  if (bridges.some((count) => count > 2)) return false;
  const passed = board.links.filter(({ id }) => bridges[id]! > 0).flatMap(({ id }) => between(board, id));
  if (new Set(passed).size < passed.length) return false;
  return board.islands.every(({ id }) => reached(board, bridges, id) <= (sheet.numbers[id] || 6));
}

/** Every link that is part of an allowed set of that many bridges. */
function slowlyDrawable(board: Board, sheet: Sheet, count: number): number[] {
  const found = new Set<number>();
  const tryOut = (drawn: number[], from: number): void => {
    if (!allowed(board, sheet, drawn)) return;
    if (drawn.length === count) for (const link of drawn) found.add(link);
    else for (let link = from; link <= board.links.length; link++) tryOut([...drawn, link], link);
  };
  tryOut([], 1);
  return [...found].sort((a, b) => a - b);
}

function slowlyWritable(board: Board, sheet: Sheet, number: number): number[] {
  return board.islands
    .filter(({ id, flag }) => {
      const bridges = reached(board, sheet.bridges, id);
      return sheet.numbers[id] === 0 && number >= bridges && (flag === null || bridges >= 1);
    })
    .map(({ id }) => id);
}

/** By flooding from every finished island. */
function slowChain(board: Board, sheet: Sheet): number {
  const done = (id: number) => sheet.numbers[id]! > 0 && reached(board, sheet.bridges, id) === sheet.numbers[id];
  const flood = (id: number, seen: Set<number>): Set<number> => {
    if (!done(id) || seen.has(id)) return seen;
    seen.add(id);
    for (const { id: link, a, b } of board.links) {
      if (sheet.bridges[link]! > 0 && (a === id || b === id)) flood(a === id ? b : a, seen);
    }
    return seen;
  };
  return Math.max(...board.islands.map(({ id }) => flood(id, new Set()).size));
}

function agrees(state: State, seat: number): void {
  const board = boardOf(state);
  const { step, sheet, left } = state.seats[seat]!;
  expect(longestChain(board, sheet, finishedOn(board, sheet))).toBe(slowChain(board, sheet));
  expect(allowed(board, sheet, [])).toBe(true);
  if (step === 'write') {
    const islands = slowlyWritable(board, sheet, cardOf(state).number);
    expect(hashi.legal(state, seat)).toEqual([
      ...islands.map((island) => ({ type: 'write', island })),
      { type: 'skip' },
    ]);
  }
  if (step === 'build') {
    const begun = left < cardOf(state).bridges;
    const bridges = slowlyDrawable(board, sheet, left).map((link) => ({ type: 'bridge', link }));
    expect(hashi.legal(state, seat)).toEqual(begun ? bridges : [...bridges, { type: 'skip' }]);
    expect(hashi.legal(state, seat).length).toBeGreaterThan(1);
  }
}

describe.each(SIDES)('the fast search agrees with the slow one on side %s', (side) => {
  it.each([1, 2, 3, 4, 5, 6])('in a random match, number %i', (seed) => {
    const rng = fastRng(seed);
    const state = hashi.setup({ side }, 2, rng);
    while (!hashi.result(state)) {
      for (const seat of [0, 1]) agrees(state, seat);
      const seat = hashi.legal(state, 0).length > 0 && (rng.int(2) || hashi.legal(state, 1).length === 0) ? 0 : 1;
      const list = hashi.legal(state, seat);
      // Skips are rare, so that the sheets fill up and the last bridges become tight.
      const eager = list.filter(({ type }) => type !== 'skip');
      hashi.apply(state, seat, rng.pick(rng.int(8) && eager.length > 0 ? eager : list), rng);
    }
  });

  it('on sheets with few, small numbers, where sets of bridges hardly fit', () => {
    const rng = fastRng(99);
    const board = BOARDS[side];
    let tight = 0;
    for (let trial = 0; trial < 250; trial++) {
      const sheet: Sheet = { numbers: [0], bridges: [0], unwritten: 0, undrawn: 0 };
      for (let island = 1; island <= 18; island++) sheet.numbers.push(rng.int(6) === 0 ? 1 + rng.int(2) : 0);
      for (let link = 1; link <= board.links.length; link++) sheet.bridges.push(0);
      for (const count of [1, 2, 3]) {
        const links = drawable(board, sheet, count);
        expect(links).toEqual(slowlyDrawable(board, sheet, count));
        if (links.length < drawable(board, sheet, 1).length) tight++;
      }
      expect(writable(board, sheet, 3)).toEqual(slowlyWritable(board, sheet, 3));
    }
    expect(tight).toBeGreaterThan(50);
  });
});
