import { parseArgs } from 'node:util';
import type { Game } from '../../src/games/game.ts';
import { optionsFor } from '../../src/games/play.ts';
import { registry } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import { run, wholeNumber } from '../cli.ts';

const HELP = `
Measures how fast the rules are: random play on one core, the legal list of every seat and one action applied per step.
Prints one JSON line per game, variant and seat count.

  npm run bench:games -- [options]

  --game <id>      only this game
  --seats <n>      only this seat count
  --seconds <n>    how long to measure each (2)
`;

interface Counts {
  actions: number;
  matches: number;
  listed: number;
  lists: number;
  longest: number;
}

/** One random match on a state of its own, like a bot's play-out: nothing is copied. Returns the last state. */
function playOut(game: Game, options: object, seats: number, seed: number, counts: Counts): object {
  const rng = fastRng(seed);
  const state = game.setup(options, seats, rng);
  const lists: object[][] = [];
  const acting: number[] = [];
  for (;;) {
    acting.length = 0;
    for (let seat = 0; seat < seats; seat++) {
      const list = game.legal(state, seat);
      lists[seat] = list;
      if (list.length > 0) acting.push(seat);
    }
    if (acting.length === 0) break;
    const seat = rng.pick(acting);
    const list = lists[seat] as object[];
    counts.lists++;
    counts.listed += list.length;
    counts.longest = Math.max(counts.longest, list.length);
    game.apply(state, seat, rng.pick(list), rng);
    counts.actions++;
  }
  counts.matches++;
  return state;
}

function measure(game: Game, variant: string, seats: number, seconds: number) {
  const options = optionsFor(game, game.variants[variant]);
  const counts: Counts = { actions: 0, matches: 0, listed: 0, lists: 0, longest: 0 };
  const runFor = (ms: number) => {
    const start = performance.now();
    let bytes = 0;
    for (let seed = 1; performance.now() - start < ms; seed++) {
      bytes = Math.max(bytes, JSON.stringify(playOut(game, options, seats, seed, counts)).length);
    }
    return { elapsed: performance.now() - start, bytes };
  };
  runFor(500); // warms up the compiler
  Object.assign(counts, { actions: 0, matches: 0, listed: 0, lists: 0, longest: 0 });
  const { elapsed, bytes } = runFor(seconds * 1000);
  return {
    game: game.id,
    variant,
    seats,
    actionsPerSecond: Math.round((counts.actions * 1000) / elapsed),
    actionsPerMatch: Math.round(counts.actions / counts.matches),
    meanList: Math.round((counts.listed / counts.lists) * 10) / 10,
    longestList: counts.longest,
    stateBytes: bytes,
  };
}

await run(HELP, () => {
  const { values } = parseArgs({
    options: { game: { type: 'string' }, seats: { type: 'string' }, seconds: { type: 'string', default: '2' } },
  });
  const seconds = wholeNumber('seconds', values.seconds, 1, 600);
  const games = values.game === undefined ? registry.games : [registry.game(values.game)];
  for (const game of games) {
    for (const variant of Object.keys(game.variants)) {
      const { min, max } = game.seats;
      const only = values.seats === undefined ? null : wholeNumber('seats', values.seats, min, max);
      for (let seats = only ?? min; seats <= (only ?? max); seats++) {
        console.log(JSON.stringify(measure(game, variant, seats, seconds)));
      }
    }
  }
});
