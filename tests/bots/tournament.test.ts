import { expect, it } from 'vitest';
import { type Job, playJob, wilson } from '../../tools/tournament.ts';

const few = { iterations: 6 };
const job: Job = {
  game: 'cacao',
  variant: 'base',
  seats: 2,
  pair: ['EASY', 'RANDOM'],
  match: 0,
  budgets: { EASY: few, MEDIUM: few, HARD: few },
};

it('the interval agrees with published values', () => {
  const [low, high] = wilson(0.8, 10);
  expect(low).toBeCloseTo(0.49, 2);
  expect(high).toBeCloseTo(0.943, 2);
  expect(wilson(1, 20)[1]).toBeCloseTo(1);
});

it('the score of a match is that of the first of the pair, whichever seats it has', () => {
  for (const match of [0, 1]) {
    const { won, scores, decisions, actions } = playJob({ ...job, match });
    expect(won).toBe(scores[0] > scores[1] ? 1 : scores[0] === scores[1] ? won : 0);
    expect(decisions[0] + decisions[1]).toBe(actions);
  }
  const { thinking, ...first } = playJob(job);
  expect(playJob(job)).toMatchObject(first);
  expect(thinking[0]).toBeGreaterThan(thinking[1]);
});

it('in a game for one seat both play the same set-up', () => {
  const solo = playJob({ ...job, game: 'hashi', variant: 'a', seats: 1, pair: ['RANDOM', 'RANDOM'] });
  expect(solo.decisions.every((count) => count > 10)).toBe(true);
  expect([0, 0.5, 1]).toContain(solo.won);
});
