import { choose, type Level } from '../src/bots/choose.ts';
import { nextTurn } from '../src/bots/play-out.ts';
import type { Budget } from '../src/bots/question.ts';
import { isStuck } from '../src/bots/stuck.ts';
import { canonical } from '../src/games/canonical.ts';
import type { Game, Result } from '../src/games/game.ts';
import { optionsFor } from '../src/games/play.ts';
import { registry } from '../src/games/registry.ts';
import { fastRng } from '../src/games/rng.ts';

export const PLAYERS = ['HARD', 'MEDIUM', 'EASY', 'RANDOM'] as const;
export type Player = (typeof PLAYERS)[number];

/** One match of a tournament, as plain data that can be sent to another thread. */
export interface Job {
  game: string;
  variant: string;
  seats: number;
  /** The stronger one first. */
  pair: [Player, Player];
  /** Which match of the pair this is: two in a row have the same set-up with seats exchanged. */
  match: number;
  budgets: Record<Level, { iterations: number; ms?: number }>;
}

export interface Played {
  /** The stronger player's share of the first place: 1, 0, or in between for a tie. */
  won: number;
  /** For each side, the mean over its seats. */
  scores: [number, number];
  decisions: [number, number];
  /** Milliseconds spent deciding. */
  thinking: [number, number];
  actions: number;
}

type Side = 0 | 1;

const blank = (): Played => ({ won: 0, scores: [0, 0], decisions: [0, 0], thinking: [0, 0], actions: 0 });

/** With one seat there is nobody to beat: both sides play the same set-up, and their scores are compared. */
export function playJob(job: Job): Played {
  const played = blank();
  if (job.seats === 1) {
    const [one, two] = ([0, 1] as Side[]).map((side) => playMatch(job, job.match, [side], played));
    played.scores = [one?.scores[0] ?? 0, two?.scores[0] ?? 0];
    played.won = share(played.scores[0], played.scores[1]);
    return played;
  }
  const sides = Array.from({ length: job.seats }, (_, seat) => ((seat + job.match) % 2) as Side);
  const { scores, ranks } = playMatch(job, job.match >> 1, sides, played);
  const firsts = sides.filter((_, seat) => ranks[seat] === 1);
  played.won = firsts.filter((side) => side === 0).length / firsts.length;
  for (const side of [0, 1] as Side[]) played.scores[side] = mean(scores.filter((_, seat) => sides[seat] === side));
  return played;
}

const share = (a: number, b: number): number => (a > b ? 1 : a === b ? 0.5 : 0);
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function playMatch(job: Job, seed: number, sides: Side[], played: Played): Result {
  const game = registry.game(job.game);
  const chance = fastRng(seed);
  const state = game.setup(optionsFor(game, game.variants[job.variant]), job.seats, chance);
  const visits = new Map<string, number>();
  let seat = 0;
  for (let n = 1; ; n++) {
    const turn = nextTurn(game, state, job.seats, seat);
    if (!turn) return game.result(state) as Result;
    seat = turn.seat;
    const side = sides[seat] as Side;
    const start = performance.now();
    const here = canonical(state);
    const times = (visits.get(here) ?? 0) + 1;
    visits.set(here, times);
    // As on a server.
    const player = isStuck(times, n) ? 'RANDOM' : job.pair[side];
    const action = decide(job, game, state, seat, player, seed * 100_003 + n * 7 + side);
    played.thinking[side] += performance.now() - start;
    played.decisions[side]++;
    played.actions++;
    game.apply(state, seat, action, chance);
  }
}

function decide(job: Job, game: Game, state: object, seat: number, player: Player, seed: number): object {
  const rng = fastRng(seed);
  if (player === 'RANDOM') return rng.pick(game.legal(state, seat));
  const { iterations, ms } = job.budgets[player];
  const budget: Budget = { iterations, ...(ms && { clock: { ms, now: () => performance.now() } }) };
  return choose({ game, state: game.guess(state, seat, rng), seats: job.seats, seat }, player, rng, budget);
}

/** The 95 % interval of a rate (Wilson 1927), which unlike the usual one is accurate near 0 and 1. */
export function wilson(rate: number, n: number): [number, number] {
  const z = 1.96;
  const centre = rate + z ** 2 / (2 * n);
  const reach = z * Math.sqrt((rate * (1 - rate)) / n + z ** 2 / (4 * n ** 2));
  return [(centre - reach) / (1 + z ** 2 / n), (centre + reach) / (1 + z ** 2 / n)];
}
