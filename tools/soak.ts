import { parseArgs } from 'node:util';
import type { Game } from '../src/games/game.ts';
import { registry } from '../src/games/registry.ts';
import { checkMatch, checkSecrets } from '../tests/games/conformance/checks.ts';
import { progress, run, wholeNumber } from './cli.ts';

const HELP = `
Checks the contract of every game on many more random matches than npm test does.
Twin states differ only in what somebody cannot know: that seat must be given the same views and guesses in both.
A failing match is left in failures/ and can be played back with npm run replay.

  npm run soak -- [options]

  --matches <n>   per game and seat count; the variants take turns (1000)
  --game <id>     only this game
  --seats <n>     only this seat count
  --from <n>      the first seed (1000000, far from those of npm test)
`;

function soak(game: Game, seats: number, matches: number, from: number, show: ReturnType<typeof progress>): void {
  const variants = Object.values(game.variants);
  const start = performance.now();
  let actions = 0;
  let twins = 0;
  for (let i = 0; i < matches; i++) {
    const options = variants[i % variants.length] as object;
    actions += checkMatch(game, options, seats, from + i);
    twins += checkSecrets(game, options, seats, from + i).twins;
    const left = ((performance.now() - start) / (i + 1)) * (matches - i - 1);
    show(
      `${game.name}, ${seats} seats: ${i + 1} of ${matches} matches, ${actions} actions, ${Math.ceil(left / 1000)} s left`,
    );
  }
  const seconds = Math.round((performance.now() - start) / 1000);
  show(
    `${game.name}, ${seats} seats: ${matches} matches, ${actions} actions and ${twins} pairs of twin states, all sound, ${seconds} s`,
    true,
  );
}

await run(HELP, () => {
  const { values } = parseArgs({
    options: {
      matches: { type: 'string', default: '1000' },
      game: { type: 'string' },
      seats: { type: 'string' },
      from: { type: 'string', default: '1000000' },
    },
  });
  const matches = wholeNumber('matches', values.matches, 1, 10_000_000);
  const from = wholeNumber('from', values.from, 0, 2 ** 30);
  const show = progress();
  for (const game of values.game === undefined ? registry.games : [registry.game(values.game)]) {
    const { min, max } = game.seats;
    const only = values.seats === undefined ? undefined : wholeNumber('seats', values.seats, min, max);
    for (let seats = only ?? min; seats <= (only ?? max); seats++) soak(game, seats, matches, from, show);
  }
});
