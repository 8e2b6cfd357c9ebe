import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { registry } from '../src/games/registry.ts';
import { run, UsageError, variantOf, wholeNumber } from './cli.ts';
import { randomMatch, setUp } from './random-match.ts';
import { resultLine, seatLetter, stepLine } from './transcript.ts';

const HELP = `
Plays a match with players who choose at random and prints it as a transcript.

  npm run play -- <game> [options]

  <game>            ${registry.games.map(({ id }) => id).join(', ')}
  --seats <n>       how many seats (the least the game allows)
  --seed <n>        another seed, another match (1)
  --variant <name>  ${registry.games.map((game) => `${game.id}: ${Object.keys(game.variants).join(', ')}`).join('; ')}
  --at <n>          stop after n actions (0: the set-up)
  --svg <file>      write a picture of the table as it stands then
  --seat <n>        through whose eyes the picture is drawn (a spectator's)
`;

await run(HELP, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seats: { type: 'string' },
      seed: { type: 'string', default: '1' },
      variant: { type: 'string' },
      at: { type: 'string' },
      svg: { type: 'string' },
      seat: { type: 'string' },
    },
  });
  if (positionals.length !== 1) throw new UsageError('Name one game to play');
  const game = registry.game(positionals[0] as string);
  const options = variantOf(game, values.variant);
  const seats = wholeNumber('seats', values.seats ?? String(game.seats.min), game.seats.min, game.seats.max);
  const seed = wholeNumber('seed', values.seed, 0, 2 ** 31);
  const at = values.at === undefined ? Number.POSITIVE_INFINITY : wholeNumber('at', values.at, 0, 100_000);
  const eyes = values.seat === undefined ? null : wholeNumber('seat', values.seat, 0, seats - 1);

  console.log(`${game.name}, ${seats} seats, seed ${seed}, options ${JSON.stringify(options)}\n`);
  let state = setUp(game, options, seats, seed);
  let version = 0;
  for (const step of randomMatch(game, options, seats, seed)) {
    if (step.version > at) break;
    console.log(stepLine(game, step));
    state = step.next;
    version = step.version;
  }
  if (at !== Number.POSITIVE_INFINITY && version < at) {
    throw new UsageError(`This match is over after ${version} actions: --at ${at} is too late`);
  }
  console.log(`\n${resultLine(game, state)}`);
  if (values.svg === undefined) return;
  writeFileSync(values.svg, game.svg(game.view(state, eyes)));
  const whose = eyes === null ? 'a spectator' : `seat ${seatLetter(eyes)}`;
  console.log(`${values.svg}: the table after ${version} actions, as ${whose} sees it`);
});
