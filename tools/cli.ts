import { AtollError } from '../src/errors.ts';
import type { Game } from '../src/games/game.ts';

/** An error in how a command was called. Its message is all that a person needs to see. */
export class UsageError extends Error {}

/**
 * Runs a command-line tool. A mistake of its caller prints one sentence, anything else its stack. The exit code is 1 in
 * both cases.
 */
export async function run(help: string, main: () => void | Promise<void>): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    console.log(help.trim());
    return;
  }
  try {
    await main();
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof UsageError || error instanceof AtollError || isParseError(error)) {
      console.error(`${(error as Error).message}\nTry --help.`);
    } else {
      console.error(error);
    }
  }
}

const isParseError = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');

export function wholeNumber(name: string, value: string, min: number, max: number): number {
  const n = Number(value);
  if (/^-?\d+$/.test(value) && n >= min && n <= max) return n;
  throw new UsageError(`--${name} takes a whole number from ${min} to ${max}, not "${value}"`);
}

/** The options of a named variant. */
export function variantOf(game: Game, name: string | undefined): object {
  const names = Object.keys(game.variants);
  const options = game.variants[name ?? (names[0] as string)];
  if (options) return options;
  throw new UsageError(`${game.name} has no variant "${name}"; there are: ${names.join(', ')}`);
}

/** A line that overwrites itself on a terminal, and is printed now and then on anything else. */
export function progress(): (line: string, last?: boolean) => void {
  let shown = 0;
  return (line, last = false) => {
    const now = performance.now();
    const pause = process.stderr.isTTY ? 100 : 10_000;
    if (!last && now - shown < pause) return;
    shown = now;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}${last ? '\n' : ''}` : `${line}\n`);
  };
}
