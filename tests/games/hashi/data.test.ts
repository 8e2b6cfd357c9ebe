import { describe, expect, it } from 'vitest';
import { BOARDS, BONUS_POINTS, type Board, CARDS, RATINGS, SIDES, SOLO_PILES } from '../../../src/games/hashi/data.ts';
import { ratingOf } from '../../../src/games/hashi/scoring.ts';

const degree = (board: Board, id: number) => board.links.filter(({ a, b }) => a === id || b === id).length;
const place = (board: Board, id: number) => board.islands[id - 1]!;

/** Two neighbours in a row or column with no island between them. */
function dashedLines(board: Board): string[] {
  const out: string[] = [];
  for (const a of board.islands) {
    const right = board.islands.filter(({ row, col }) => row === a.row && col > a.col).sort((x, y) => x.col - y.col)[0];
    const down = board.islands.filter(({ row, col }) => col === a.col && row > a.row).sort((x, y) => x.row - y.row)[0];
    for (const b of [right, down]) if (b) out.push(`${a.id}-${b.id}`);
  }
  return out;
}

function crossingPairs(board: Board): string[] {
  const out: string[] = [];
  for (const across of board.links) {
    for (const down of board.links) {
      const [a, b, c, d] = [across.a, across.b, down.a, down.b].map((id) => place(board, id)) as [
        (typeof board.islands)[0],
        (typeof board.islands)[0],
        (typeof board.islands)[0],
        (typeof board.islands)[0],
      ];
      if (a.row !== b.row || c.col !== d.col) continue;
      if (a.col < c.col && c.col < b.col && c.row < a.row && a.row < d.row) {
        out.push([across.id, down.id].sort((x, y) => x - y).join('x'));
      }
    }
  }
  return out.sort();
}

describe('the deck', () => {
  it('has 18 different cards: every number three times, 36 bridges', () => {
    expect(CARDS).toHaveLength(18);
    expect(new Set(CARDS.map(({ number, bridges }) => `${number}/${bridges}`)).size).toBe(18);
    for (const number of [1, 2, 3, 4, 5, 6]) expect(CARDS.filter((card) => card.number === number)).toHaveLength(3);
    expect(CARDS.reduce((sum, { bridges }) => sum + bridges, 0)).toBe(36);
    expect(CARDS.reduce((sum, { number }) => sum + number, 0)).toBe(63);
  });

  it('has the card of the rulebook example, 5 with 3 bridges', () => {
    expect(CARDS).toContainEqual({ number: 5, bridges: 3 });
  });
});

describe.each(SIDES)('side %s', (side) => {
  const board = BOARDS[side];

  it('has 18 islands with ids in reading order: 4 red, 3 blue, 11 unflagged', () => {
    expect(board.islands.map(({ id }) => id)).toEqual(Array.from({ length: 18 }, (_, i) => i + 1));
    const order = board.islands.map(({ row, col }) => row * 10 + col);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(new Set(order).size).toBe(18);
    expect(board.islands.filter(({ flag }) => flag === 'red')).toHaveLength(4);
    expect(board.islands.filter(({ flag }) => flag === 'blue')).toHaveLength(3);
    expect(board.islands.filter(({ flag }) => flag === null)).toHaveLength(11);
  });

  it('links exactly the neighbours of a row or column', () => {
    expect(board.links.map(({ a, b }) => `${a}-${b}`)).toEqual(dashedLines(board));
    expect(board.links.map(({ id }) => id)).toEqual(board.links.map((_, i) => i + 1));
  });

  it('lists exactly the crossings of its geometry, both ways', () => {
    const listed = board.links.flatMap(({ id, crosses }) => crosses.map((other) => [id, other] as const));
    const pairs = listed.filter(([a, b]) => a < b).map(([a, b]) => `${a}x${b}`);
    expect(pairs.sort()).toEqual(crossingPairs(board));
    expect(listed).toHaveLength(2 * pairs.length);
  });

  it('gives every island 2 to 4 links', () => {
    for (const { id } of board.islands) {
      expect(degree(board, id)).toBeGreaterThanOrEqual(2);
      expect(degree(board, id)).toBeLessThanOrEqual(4);
    }
  });
});

it.each([
  ['A', 5, 6, 25, 4, [2, 3, 3, 2, 3, 3, 4, 3, 3, 4, 2, 2, 3, 3, 2, 3, 3, 2], 12, 10],
  ['B', 6, 6, 24, 9, [2, 3, 3, 2, 2, 4, 2, 3, 4, 3, 3, 3, 2, 3, 2, 2, 3, 2], 10, 9],
] as const)(
  'side %s is %i x %i with the listed links, crossings and degrees',
  (side, rows, cols, links, crossings, degrees, wide, wideUnflagged) => {
    const board = BOARDS[side];
    expect([board.rows, board.cols, board.links.length]).toEqual([rows, cols, links]);
    expect(crossingPairs(board)).toHaveLength(crossings);
    expect(board.islands.map(({ id }) => degree(board, id))).toEqual(degrees);
    const many = board.islands.filter(({ id }) => degree(board, id) >= 3);
    expect(many).toHaveLength(wide);
    expect(many.filter(({ flag }) => flag === null)).toHaveLength(wideUnflagged);
  },
);

it.each([
  ['A', ['9x15', '13x17', '18x20', '19x21']],
  ['B', ['2x8', '2x13', '2x21', '4x8', '11x15', '11x18', '11x22', '12x15', '12x18']],
] as const)('the crossings of side %s, by link ids', (side, pairs) => {
  expect(crossingPairs(BOARDS[side])).toEqual([...pairs].sort());
});

it('side A has the unflagged top island 3 with three links', () => {
  expect(place(BOARDS.A, 3)).toMatchObject({ row: 1, flag: null });
  expect(degree(BOARDS.A, 3)).toBe(3);
});

it('the solo piles make 17 cards and end at the deadlines', () => {
  expect(SOLO_PILES.reduce((sum, cards) => sum + cards, 0)).toBe(17);
  expect(BONUS_POINTS.blue.deadline).toBe(7);
  expect(BONUS_POINTS.red.deadline).toBe(7 + 5);
  expect(BONUS_POINTS.chain.deadline).toBe(7 + 5);
});

describe('the rating table', () => {
  /** Every total of finished islands and bonuses that go together. */
  function totals(): Set<number> {
    const out = new Set<number>();
    for (let islands = 0; islands <= 18; islands++) {
      for (const red of [0, 5, 9]) {
        for (const blue of [0, 3, 7]) {
          for (const chain of [0, 4, 8]) {
            const flagged = (red ? 4 : 0) + (blue ? 3 : 0);
            // With all islands finished every flag is, and at most one of each colour's islands may be missing otherwise.
            const room = islands - flagged <= 11 + (red ? 0 : 3) + (blue ? 0 : 2);
            if (islands >= flagged && islands >= (chain ? 6 : 0) && room) out.add(2 * islands + red + blue + chain);
          }
        }
      }
    }
    return out;
  }

  it('has its holes exactly where no total can be', () => {
    const possible = totals();
    const holes = Array.from({ length: 61 }, (_, total) => total).filter((total) => !possible.has(total));
    expect(holes).toEqual([1, 3, 5, 7, 53, 55, 57, 59]);
    expect(Math.max(...possible)).toBe(60);
  });

  it.each([
    [0, 'handyman'],
    [40, 'handyman'],
    [41, 'water carrier'],
    [42, 'water carrier'],
    [43, 'bamboo binder'],
    [44, 'bamboo binder'],
    [45, 'bolt tightener'],
    [46, 'bolt tightener'],
    [47, 'concrete pourer'],
    [48, 'concrete pourer'],
    [49, 'project leader'],
    [50, 'project leader'],
    [51, 'bridge master'],
    [52, 'planning pro'],
    [54, 'head of statics'],
    [56, 'design ace'],
    [58, 'construction genius'],
    [60, 'island god'],
  ])('%i points: %s', (points, title) => {
    expect(ratingOf(points)).toBe(title);
  });

  it('has twelve titles', () => {
    expect(RATINGS).toHaveLength(12);
  });
});
