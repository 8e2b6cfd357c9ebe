import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { registry } from '../src/games/registry.ts';
import { run, UsageError, wholeNumber } from './cli.ts';
import { type Recorded, replayed, setUp } from './random-match.ts';
import { effectLines, resultLine, stepLine } from './transcript.ts';

const HELP = `
Plays back a match that a failing test left as a file, step by step.

  npm run replay -- <file> [options]

  --at <n>       stop after n actions
  --state        print the whole state at the end
  --svg <file>   write a picture of the table as it stands then, through a spectator's eyes
`;

await run(HELP, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { at: { type: 'string' }, state: { type: 'boolean' }, svg: { type: 'string' } },
  });
  if (positionals.length !== 1) throw new UsageError('Name one file to play back');
  const record = read(positionals[0] as string);
  const game = registry.game(record.game, record.rules);
  const at = values.at === undefined ? record.moves.length : wholeNumber('at', values.at, 0, record.moves.length);

  console.log(`${game.name}, ${record.seats} seats, seed ${record.seed}, options ${JSON.stringify(record.options)}\n`);
  let state = setUp(game, record.options, record.seats, record.seed);
  for (const step of replayed(game, { ...record, moves: record.moves.slice(0, at) })) {
    console.log([stepLine(game, step), ...effectLines(game, step)].join('\n'));
    state = step.next;
  }
  console.log(`\n${resultLine(game, state)}`);
  if (record.error) console.log(`it failed with: ${record.error}`);
  if (values.state) console.log(JSON.stringify(state, null, 1));
  if (values.svg !== undefined) writeFileSync(values.svg, game.svg(game.view(state, null)));
});

function read(file: string): Recorded & { error?: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new UsageError(`${file} cannot be read as JSON: ${(cause as Error).message}`);
  }
  const record = parsed as Partial<Recorded> | null;
  if (typeof record?.game !== 'string' || !Array.isArray(record.moves)) {
    throw new UsageError(`${file} is not a match left by a failing test`);
  }
  return record as Recorded;
}
