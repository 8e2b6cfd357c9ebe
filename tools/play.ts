import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { registry } from '../src/games/registry.ts';
import { run, UsageError, variantOf, wholeNumber } from './cli.ts';
import { randomMatch, type Step, setUp } from './random-match.ts';
import { sceneOf } from './scene.ts';
import { effectLines, resultLine, seatLetter, stepLine } from './transcript.ts';

const HELP = `
Plays a match with players who choose at random and prints it as a transcript.

  npm run play -- <game> [options]

  <game>            ${registry.games.map(({ id }) => id).join(', ')}
  --seats <n>       how many seats (the least the game allows)
  --seed <n>        another seed, another match (1)
  --variant <name>  ${registry.games.map((game) => `${game.id}: ${Object.keys(game.variants).join(', ')}`).join('; ')}
  --at <n>          stop after n actions (0: the set-up)
  --svg <file>      write a picture of the table as it stands then
  --width <w>       wide, or narrow for a phone (wide)
  --describe        print the table as it stands then, in sentences
  --seat <n>        through whose eyes the table is drawn and described (a spectator's)
  --rules <n>       an older version of the rules (the newest)
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
      width: { type: 'string', default: 'wide' },
      describe: { type: 'boolean' },
      seat: { type: 'string' },
      rules: { type: 'string' },
    },
  });
  if (positionals.length !== 1) throw new UsageError('Name one game to play');
  const rules = values.rules === undefined ? undefined : wholeNumber('rules', values.rules, 1, 1000);
  const game = registry.game(positionals[0] as string, rules);
  if (values.width !== 'wide' && values.width !== 'narrow') throw new UsageError('--width is wide or narrow');
  const options = variantOf(game, values.variant);
  const seats = wholeNumber('seats', values.seats ?? String(game.seats.min), game.seats.min, game.seats.max);
  const seed = wholeNumber('seed', values.seed, 0, 2 ** 31);
  const at = values.at === undefined ? Number.POSITIVE_INFINITY : wholeNumber('at', values.at, 0, 100_000);
  const eyes = values.seat === undefined ? null : wholeNumber('seat', values.seat, 0, seats - 1);

  console.log(`${game.name}, ${seats} seats, seed ${seed}, options ${JSON.stringify(options)}\n`);
  let step: Step | undefined;
  for (const next of randomMatch(game, options, seats, seed)) {
    if (next.version > at) break;
    console.log([stepLine(game, next), ...effectLines(game, next)].join('\n'));
    step = next;
  }
  const version = step?.version ?? 0;
  if (at !== Number.POSITIVE_INFINITY && version < at) {
    throw new UsageError(`This match is over after ${version} actions: --at ${at} is too late`);
  }
  const state = step?.next ?? setUp(game, options, seats, seed);
  console.log(`\n${resultLine(game, state)}`);
  const view = game.view(state, eyes);
  const width = values.width === 'narrow' ? 'NARROW' : 'WIDE';
  const scene = sceneOf(game, { state, seats, eyes, step }, { width });
  if (values.describe) console.log(`\n${game.describe(view, scene).join('\n')}`);
  if (values.svg === undefined) return;
  writeFileSync(values.svg, game.svg(view, scene));
  const whose = eyes === null ? 'a spectator' : `seat ${seatLetter(eyes)}`;
  console.log(`${values.svg}: the table after ${version} actions, as ${whose} sees it`);
});
