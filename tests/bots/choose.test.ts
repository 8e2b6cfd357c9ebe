import { describe, expect, it } from 'vitest';
import { choose, LEVELS, type Level } from '../../src/bots/choose.ts';
import { nextTurn } from '../../src/bots/play-out.ts';
import { meter } from '../../src/bots/question.ts';
import { canonical } from '../../src/games/canonical.ts';
import type { Game } from '../../src/games/game.ts';
import { clone } from '../../src/games/play.ts';
import { registry } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import { randomMatch, setUp } from '../../tools/random-match.ts';
import { highest } from '../games/tiny/highest.ts';
import { nim } from '../games/tiny/nim.ts';

const FEW: Record<Level, number> = { EASY: 8, MEDIUM: 12, HARD: 16 };

const nimAt = (stones: number) => ({ game: nim as Game, state: { stones, turn: 0 }, seats: 2, seat: 0 });

/** Some states of a random match in which a seat has to decide. */
function positions(game: Game, seats: number, seed: number) {
  const steps = [...randomMatch(game, Object.values(game.variants)[0] as object, seats, seed)];
  return [0.1, 0.5, 0.9].map((part) => steps[Math.floor(part * steps.length)] as (typeof steps)[number]);
}

const tables = registry.games.flatMap((game) =>
  Array.from({ length: game.seats.max - game.seats.min + 1 }, (_, i) => ({
    game,
    seats: game.seats.min + i,
    name: `${game.name}, ${game.seats.min + i} seats`,
  })),
);

describe('every game', () => {
  it.each(tables)('$name: each level plays legally, and matches end', ({ game, seats }) => {
    const variants = Object.values(game.variants);
    const state = setUp(game, variants[seats % variants.length] as object, seats, 7);
    const rng = fastRng(seats);
    let decisions = 0;
    for (let seat = 0; ; decisions++) {
      const turn = nextTurn(game, state, seats, seat);
      if (!turn) break;
      seat = turn.seat;
      // Bots take only some of the decisions, and chance the others: a whole match of bots would take too long.
      let action = rng.pick(turn.list);
      if (decisions % 16 === 0) {
        const level = LEVELS[(decisions / 16) % LEVELS.length] as Level;
        const guess = game.guess(state, seat, rng);
        const before = canonical(guess);
        action = choose({ game, state: guess, seats, seat }, level, rng, { iterations: FEW[level] });
        expect(turn.list.map(canonical)).toContain(canonical(action));
        expect(canonical(guess)).toBe(before);
      }
      game.apply(state, seat, action, rng);
    }
    expect(game.result(state)).not.toBeNull();
  });

  it.each(registry.games)('$name: the same rng and iterations give the same choice', (game) => {
    const seats = game.seats.min;
    for (const { state, seat } of positions(game, seats, 3)) {
      for (const level of LEVELS) {
        const ask = () => choose({ game, state: clone(state), seats, seat }, level, fastRng(5), { iterations: 16 });
        expect(ask()).toEqual(ask());
      }
    }
  });
});

describe('secrecy', () => {
  it.each(tables)('$name: a choice depends on nothing that the seat cannot see', ({ game, seats }) => {
    for (const { state, seat } of positions(game, seats, 11)) {
      // Two tables that look the same to this seat.
      const [one, two] = [1, 2].map((seed) => game.guess(state, seat, fastRng(seed))) as [object, object];
      expect(canonical(game.guess(one, seat, fastRng(9)))).toBe(canonical(game.guess(two, seat, fastRng(9))));
      for (const level of LEVELS) {
        const [here, there] = [one, two].map((guess) =>
          choose({ game, state: guess, seats, seat }, level, fastRng(5), { iterations: 12 }),
        );
        expect(here).toEqual(there);
      }
    }
  });

  it('the true state is never played on, only guesses of it', () => {
    const state = highest.setup({}, 3, fastRng(1));
    let guesses = 0;
    const watched: Game = {
      ...(highest as Game),
      guess: (given, seat, rng) => {
        guesses++;
        expect(given).toBe(state);
        expect(seat).toBe(1);
        return highest.guess(given as typeof state, seat, rng);
      },
      apply: (given, seat, action, rng) => {
        expect(given).not.toBe(state);
        highest.apply(given as typeof state, seat, action as never, rng);
      },
    };
    for (const level of LEVELS) {
      guesses = 0;
      choose({ game: watched, state, seats: 3, seat: 1 }, level, fastRng(2), { iterations: 40 });
      expect(guesses).toBeGreaterThanOrEqual(40);
    }
  });
});

describe('sense', () => {
  it.each(LEVELS)('%s takes an immediate win', (level) => {
    for (let seed = 0; seed < 5; seed++) {
      const action = choose(nimAt(3), level, fastRng(seed), { iterations: 60 });
      expect(action).toEqual({ take: 3 });
    }
  });

  it('MEDIUM does not leave the opponent an immediate win', () => {
    for (let seed = 0; seed < 5; seed++) {
      expect(choose(nimAt(5), 'MEDIUM', fastRng(seed), { iterations: 1200 })).toEqual({ take: 1 });
    }
  });

  it('HARD finds the winning action several actions before the end', () => {
    for (const stones of [5, 6, 7, 9, 10, 11]) {
      for (let seed = 0; seed < 3; seed++) {
        const action = choose(nimAt(stones), 'HARD', fastRng(seed), { iterations: 2000 });
        expect(action).toEqual({ take: stones % 4 });
      }
    }
  });

  it('each level plays its high cards no worse than chance', () => {
    // Highest, last round: only the higher card can be right.
    const state = { ...highest.setup({}, 2, fastRng(4)), round: 3 };
    const [low, high] = [2, 14];
    state.hands[0] = [low, high];
    for (const level of LEVELS) {
      const question = { game: highest as Game, state, seats: 2, seat: 0 };
      expect(choose(question, level, fastRng(1), { iterations: 60 })).toEqual({ type: 'card', card: high });
    }
  });
});

describe('budget', () => {
  it('a forced action takes no time, and a seat that may not act is refused', () => {
    const budget = { iterations: 1e9 };
    expect(choose(nimAt(1), 'HARD', fastRng(1), budget)).toEqual({ take: 1 });
    expect(() => choose({ ...nimAt(1), seat: 1 }, 'HARD', fastRng(1), budget)).toThrow('may not act');
  });

  it('the clock ends a search', () => {
    let time = 0;
    const clock = { ms: 100, now: () => time++ };
    for (const level of LEVELS) choose(nimAt(21), level, fastRng(1), { iterations: 1e9, clock });
    expect(time).toBeLessThan(700);
  });

  it('a meter predicts the cost that it has measured', () => {
    let time = 0;
    const spent = meter({ iterations: 1000, clock: { ms: 100, now: () => time } });
    for (let i = 0; i < 5; i++) spent.tick();
    time = 10;
    expect(spent.spent()).toBeCloseTo(0.1);
    expect(spent.expected()).toBe(50);
  });
});
