import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/games/cacao/actions.ts';
import { cacao2 as cacao } from '../../../src/games/cacao/index.ts';
import { type State, sizeOf } from '../../../src/games/cacao/state.ts';
import type { View } from '../../../src/games/cacao/view.ts';
import { canonical } from '../../../src/games/canonical.ts';
import { clone } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { acting, playOut, position, setUp } from './position.ts';

const AROUND = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
] as const;

const keys = (cells: { row: number; col: number }[]) => cells.map(({ row, col }) => `${row},${col}`);
const beside = (cell: { row: number; col: number }) => AROUND.map(([r, c]) => `${cell.row + r},${cell.col + c}`);

/** The table from the view alone, searched without any of the lists that the rules keep. */
function checkTable(view: View): void {
  const jungle = new Set(keys(view.jungle));
  const workers = new Set(keys(view.workers));
  expect([...jungle].filter((key) => workers.has(key))).toEqual([]);
  for (const { row, col } of view.jungle) expect(Math.abs(row + col) % 2).toBe(0);
  for (const { row, col } of view.workers) expect(Math.abs(row + col) % 2).toBe(1);
  const open = new Set(view.jungle.flatMap(beside).filter((key) => !workers.has(key)));
  expect(new Set(keys(view.open))).toEqual(open);
  expect(view.open).toHaveLength(open.size);
  if (view.step !== 'place' || view.display.length === 0) return;
  const counts = new Map<string, number>();
  for (const key of view.workers.flatMap(beside)) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const [key, count] of counts) if (count >= 2) expect(jungle.has(key), `${key} is filled`).toBe(true);
}

describe.each([2, 3, 4])('random matches of %i seats', (seats) => {
  it('keep the chessboard, its open cells and its filled cells', () => {
    for (let seed = 0; seed < 12; seed++) {
      const end = playOut(setUp(seats, fastRng(seed)), fastRng(seed), (state) => {
        const view = cacao.view(state, null);
        expect(view.acting).toEqual(acting(state));
        checkTable(view);
      });
      checkTable(cacao.view(end, null));
    }
  });

  it('last exactly as many rounds as a seat has tiles, and never stack three', () => {
    const rounds = { 2: 11, 3: 10, 4: 9 }[seats]!;
    for (let seed = 0; seed < 12; seed++) {
      const laid: number[] = [];
      const covered = new Set<string>();
      playOut(setUp(seats, fastRng(seed)), fastRng(seed), (state, seat, action) => {
        const view = cacao.view(state, seat);
        const begins = action.type === 'place' || action.type === 'overbuild';
        expect(view).toMatchObject({ round: 1 + Math.floor((begins ? laid.length : laid.length - 1) / seats), rounds });
        if (!begins) return;
        expect(seat).toBe(laid.length % seats);
        laid.push(seat);
        if (action.type === 'place') return;
        expect([view.display, view.pileSize]).toEqual([[], 0]);
        expect(covered.has(`${action.row},${action.col}`)).toBe(false);
        covered.add(`${action.row},${action.col}`);
      });
      expect(laid).toHaveLength(rounds * seats);
    }
  });

  it.each([
    ['north', 1, 0],
    ['south-east', -1, -1],
    ['west', 0, 1],
  ])('stay within 28 of the start when everybody builds to the %s', (_name, byRow, byCol) => {
    const rng = fastRng(seats);
    const state = setUp(seats, rng);
    const reach = (action: Action) => ('row' in action ? action.row * byRow + action.col * byCol : 0);
    for (let [seat] = acting(state); seat !== undefined; [seat] = acting(state)) {
      const actions = cacao.legal(state, seat).sort((a, b) => reach(a) - reach(b));
      cacao.apply(state, seat, actions[0]!, rng);
      checkTable(cacao.view(state, null));
    }
    const { open, workers } = cacao.view(state, null);
    for (const { row, col } of [...open, ...workers]) {
      expect(Math.max(Math.abs(row), Math.abs(col))).toBeLessThanOrEqual(28);
    }
  });
});

describe('what is hidden', () => {
  const midway = (seats: number, seed: number): State => {
    let found = setUp(seats, fastRng(seed));
    let n = 0;
    playOut(clone(found), fastRng(seed), (state) => {
      if (n++ < 12) found = clone(state);
    });
    return found;
  };

  it('is every hand but the own one', () => {
    const state = midway(3, 1);
    for (const you of [0, 1, 2, null]) {
      const { seats } = cacao.view(state, you);
      expect(seats.map(({ hand }) => hand !== null)).toEqual([0, 1, 2].map((seat) => seat === you));
      expect(seats.map(({ handSize }) => handSize)).toEqual(state.villages.map(({ hand }) => sizeOf(hand)));
    }
    expect(cacao.view(position({ hands: [['1-1-1-1', '3-1-0-0', '1-1-1-1']] }), 0).seats[0]!.hand).toEqual([
      '1-1-1-1',
      '1-1-1-1',
      '3-1-0-0',
    ]);
  });

  it.each([0, 1, 2, null])('is redrawn by the guess of seat %s, and nothing else is', (you) => {
    const state = midway(3, 2);
    const before = canonical(state);
    const rng = fastRng(9);
    const seen = [0, 1, 2].map(() => new Set<string>());
    for (let i = 0; i < 100; i++) {
      const guess = cacao.guess(state, you, rng);
      guess.villages.forEach(({ hand, pile }, seat) => {
        const truth = state.villages[seat]!;
        seen[seat]!.add(hand.join());
        expect(sizeOf(hand)).toBe(sizeOf(truth.hand));
        expect(hand.map((n, i) => n + pile[i]!)).toEqual(truth.hand.map((n, i) => n + truth.pile[i]!));
        Object.assign(guess.villages[seat]!, { hand: truth.hand, pile: truth.pile });
      });
      expect(canonical(guess)).toBe(before);
    }
    seen.forEach((hands, seat) => {
      if (seat === you) expect(hands.size).toBe(1);
      else expect(hands.size).toBeGreaterThan(3);
    });
  });

  it('is guessed fairly: every tile that is not on the table is equally likely to be held', () => {
    const state = position({ hands: [['1-1-1-1'], ['1-1-1-1']] });
    state.villages[1]!.pile = [0, 3, 0, 0];
    const rng = fastRng(4);
    let same = 0;
    for (let i = 0; i < 4000; i++) same += cacao.guess(state, 0, rng).villages[1]!.hand[0]!;
    expect(Math.abs(same / 4000 - 1 / 4)).toBeLessThan(0.03);
  });

  it('shares nothing with the state it was guessed from', () => {
    const state = midway(2, 3);
    const before = canonical(state);
    playOut(cacao.guess(state, 1, fastRng(1)), fastRng(1));
    expect(canonical(state)).toBe(before);
  });

  it('does not hide what the table can count: the jungle tiles not yet drawn', () => {
    const state = midway(4, 5);
    const { pile, pileSize } = cacao.view(state, null);
    expect(pile.map(({ count }) => count)).toEqual(state.pile);
    expect(pileSize).toBe(sizeOf(state.pile));
  });
});

describe('the picture', () => {
  const draw = (state: State, you: number | null = null) => cacao.svg(cacao.view(state, you));

  it('is small, and says whose turn it is and who has won', () => {
    const end = playOut(setUp(4, fastRng(3)), fastRng(3), (state) => {
      expect(draw(state).length).toBeLessThan(150_000);
    });
    expect(draw(position({}))).toContain('<title>Cacao, round 1 of 11: A to place a worker tile</title>');
    const winner = 'ABCD'[cacao.result(end)!.ranks.indexOf(1)];
    expect(draw(end)).toContain(`round 9 of 9: ${winner} win`);
  });

  it('shows the own hand and no other', () => {
    const state = position({ hands: [['3-1-0-0'], ['3-0-0-1']] });
    expect(draw(state, 0)).not.toBe(draw(state));
    const other = position({ hands: [['3-1-0-0'], ['3-1-0-0']] });
    other.villages[1]!.pile = state.villages[1]!.pile;
    expect(draw(other, 0)).toBe(draw(state, 0));
    expect(draw(other, 1)).not.toBe(draw(state, 1));
  });
});
