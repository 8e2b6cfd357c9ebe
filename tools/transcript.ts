import type { Game } from '../src/games/game.ts';
import { stateHash } from '../src/games/play.ts';
import { randomMatch, type Step, seedBytes } from './random-match.ts';

export const seatLetter = (seat: number): string => String.fromCharCode(65 + seat);

const ordinal = (rank: number): string => `${rank}${['th', 'st', 'nd', 'rd'][rank] ?? 'th'}`;

export function resultLine(game: Game, state: object): string {
  const result = game.result(state);
  if (!result) return 'not over yet';
  const seats = result.scores.map(
    (score, seat) => `${seatLetter(seat)} ${score} (${ordinal(result.ranks[seat] as number)})`,
  );
  return `result: ${seats.join(', ')}`;
}

/** What everyone at the table can read (secret actions once they are public), with labels as in the log. */
export const stepLine = (game: Game, { version, seat, action, state }: Step): string =>
  `${String(version).padStart(4)} ${seatLetter(seat)}  ${game.label(action, game.view(state, game.isSecret(action) ? seat : null))}`;

/** What followed from a step by itself, one line for each effect. */
export const effectLines = (game: Game, { effects }: Step): string[] =>
  effects.map((effect) => `          · ${game.explain?.(effect) ?? effect.type}`);

const MAX_LINES = 280;

/** A golden transcript: short enough that people read its diff, exact enough that it shows any change of rules. */
export function transcript(game: Game, variant: string, seats: number, seed: number): string {
  const options = game.variants[variant] as object;
  const head = `${game.name}, ${variant}, ${seats} seat${seats > 1 ? 's' : ''}, rules ${game.rules}, seed ${seed}`;
  const steps: Step[] = [];
  let end: object = {};
  for (const match = randomMatch(game, options, seats, seed); ; ) {
    const { done, value } = match.next();
    if (done) end = value;
    if (done) break;
    steps.push(value);
  }
  const lines = steps.map((step) => [stepLine(game, step), ...effectLines(game, step)]);
  const tail = [resultLine(game, end), `accounts: ${JSON.stringify(game.accounts(end))}`, `state: ${hash(end, seed)}`];
  return `${[head, '', ...shorten(lines, steps, seed), '', ...tail].join('\n')}\n`;
}

const hash = (state: object, seed: number): string => stateHash(seedBytes(seed), state).slice(0, 16);

/** A long match keeps its beginning and its end. The hash of what is left out still reveals a change there. */
function shorten(blocks: string[][], steps: Step[], seed: number): string[] {
  if (blocks.flat().length <= MAX_LINES) return blocks.flat();
  const end = whatFits(blocks, MAX_LINES / 2);
  const resume = blocks.length - whatFits(blocks.toReversed(), MAX_LINES / 2);
  const left = `     … ${resume - end} actions left out, then state ${hash((steps[resume] as Step).state, seed)} …`;
  return [...blocks.slice(0, end).flat(), left, ...blocks.slice(resume).flat()];
}

/** How many of these blocks fit into this many lines. */
function whatFits(blocks: string[][], max: number): number {
  let lines = 0;
  const over = blocks.findIndex((block) => {
    lines += block.length;
    return lines > max;
  });
  return over < 0 ? blocks.length : over;
}

/** Every transcript there should be: file name and content. */
export function* transcripts(games: readonly Game[]): Generator<{ file: string; text: () => string }> {
  for (const game of games) {
    for (const variant of Object.keys(game.variants)) {
      for (let seats = game.seats.min; seats <= game.seats.max; seats++) {
        yield { file: `${game.id}-${variant}-${seats}.txt`, text: () => transcript(game, variant, seats, 1) };
      }
    }
  }
}
