import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, type Worker } from 'node:worker_threads';
import { BUDGETS } from '../../src/bots/choose.ts';
import { openThread } from '../../src/bots/thread.ts';
import type { Game } from '../../src/games/game.ts';
import { registry } from '../../src/games/registry.ts';
import { progress, run, UsageError, wholeNumber } from '../cli.ts';
import { type Job, PLAYERS, type Played, type Player, playJob, wilson } from '../tournament.ts';

const HELP = `
Lets the levels of the bots play against each other (and against RANDOM, which picks any legal action).
Seats alternate, and every two matches have the same set-up with the seats exchanged. Ties count half.
Prints one JSON line per game, variant, seat count and pair: how often the stronger one won, with the 95 % interval
(Wilson), mean scores, milliseconds per decision. Of one seat, scores in the same set-up are compared.

  npm run bench:bots -- [options]

  --matches <n>       per pair (100)
  --game <id>         only this game
  --variant <name>    only this variant; "all" for every one (the first of each game)
  --seats <n>         only this seat count; "all" for every one (the smallest and the largest of each game)
  --pairs <a-b,...>   the stronger one first (HARD-MEDIUM,MEDIUM-EASY,EASY-RANDOM)
  --iterations <e,m,h>  play-outs per decision of EASY, MEDIUM and HARD, without a clock: repeatable on any machine.
                      Without it the budgets of the server hold: ${Object.entries(BUDGETS)
                        .map(([level, { iterations, ms }]) => `${level} ${iterations} in ${ms} ms`)
                        .join(', ')}
  --minutes <n>       begin no match of a pair after this time, however few were played (60)
  --threads <n>       matches played at the same time (one per core)
`;

interface Contest extends Omit<Job, 'match'> {
  matches: number;
  minutes: number;
}

function pairsOf(text: string): [Player, Player][] {
  return text.split(',').map((pair) => {
    const names = pair.split('-');
    if (names.length === 2 && names.every((name) => (PLAYERS as readonly string[]).includes(name))) {
      return names as [Player, Player];
    }
    throw new UsageError(`--pairs takes pairs like HARD-MEDIUM of ${PLAYERS.join(', ')}, not "${pair}"`);
  });
}

function budgetsOf(text: string | undefined): Job['budgets'] {
  if (text === undefined) return BUDGETS;
  const numbers = text.split(',').map((part) => wholeNumber('iterations', part, 4, 1_000_000));
  if (numbers.length !== 3) throw new UsageError('--iterations takes three numbers: of EASY, MEDIUM and HARD');
  const [EASY, MEDIUM, HARD] = numbers.map((iterations) => ({ iterations })) as { iterations: number }[];
  return { EASY, MEDIUM, HARD } as Job['budgets'];
}

function seatsOf({ seats: { min, max } }: Game, text: string | undefined): number[] {
  if (text === undefined) return [...new Set([min, max])];
  if (text === 'all') return Array.from({ length: max - min + 1 }, (_, i) => min + i);
  return [wholeNumber('seats', text, min, max)];
}

function variantsOf(game: Game, text: string | undefined): string[] {
  const names = Object.keys(game.variants);
  if (text === 'all') return names;
  const found = text === undefined ? names[0] : names.find((name) => name === text);
  if (found === undefined)
    throw new UsageError(`${game.name} has no variant "${text}"; there are: ${names.join(', ')}`);
  return [found];
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

function summary({ game, variant, seats, pair, budgets }: Contest, all: Played[], seconds: number) {
  const total = (of: (played: Played) => number) => all.reduce((sum, played) => sum + of(played), 0);
  const rate = total(({ won }) => won) / all.length;
  const sides = [0, 1] as const;
  return {
    game,
    variant,
    seats,
    pair: pair.join('-'),
    matches: all.length,
    winRate: round(rate, 3),
    interval: wilson(rate, all.length).map((end) => round(end, 3)),
    scores: sides.map((side) => round(total(({ scores }) => scores[side]) / all.length, 1)),
    msPerDecision: sides.map((side) =>
      round(total(({ thinking }) => thinking[side]) / total(({ decisions }) => decisions[side]), 1),
    ),
    actionsPerMatch: Math.round(total(({ actions }) => actions) / all.length),
    actionsPerSecond: round(total(({ actions }) => actions) / seconds, 1),
    budgets: pair.map((player) => (player === 'RANDOM' ? null : budgets[player])),
  };
}

const bar = (part: number): string => '#'.repeat(Math.round(part * 20)).padEnd(20, '.');

/** Plays one contest on all workers: each gets the next match when it has finished one. */
function hold(contest: Contest, workers: Worker[], show: ReturnType<typeof progress>): Promise<Played[]> {
  const { matches, minutes, ...job } = contest;
  const all: Played[] = [];
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  let begun = 0;
  return new Promise((resolve, reject) => {
    const give = (worker: Worker) => {
      if (begun < matches && elapsed() < minutes * 60) worker.postMessage({ ...job, match: begun++ } satisfies Job);
    };
    for (const worker of workers) {
      worker.removeAllListeners();
      worker.on('error', reject);
      worker.on('message', (played: Played) => {
        all.push(played);
        give(worker);
        show(progressLine(contest, all, elapsed()), all.length === begun);
        if (all.length === begun) resolve(all);
      });
      give(worker);
    }
  });
}

function progressLine({ game, seats, pair, matches, minutes }: Contest, all: Played[], elapsed: number): string {
  const done = all.length;
  const left = Math.min((elapsed / done) * (matches - done), Math.max(0, minutes * 60 - elapsed));
  const won = (100 * all.reduce((sum, played) => sum + played.won, 0)) / done;
  const what = `${game}, ${seats} seats, ${pair.join('-')}`;
  return `${what} ${bar(done / matches)} ${done} of ${matches}, ${round(won, 1)} % won, ${Math.ceil(left)} s left`;
}

async function tournament(contests: Contest[], threads: number): Promise<void> {
  const workers = Array.from({ length: threads }, () => openThread(new URL(import.meta.url)));
  const show = progress();
  try {
    for (const contest of contests) {
      const start = performance.now();
      const all = await hold(contest, workers, show);
      console.log(JSON.stringify(summary(contest, all, (performance.now() - start) / 1000)));
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      matches: { ...text, default: '100' },
      game: text,
      variant: text,
      seats: text,
      pairs: { ...text, default: 'HARD-MEDIUM,MEDIUM-EASY,EASY-RANDOM' },
      iterations: text,
      minutes: { ...text, default: '60' },
      threads: { ...text, default: String(availableParallelism()) },
    },
  });
  const matches = wholeNumber('matches', values.matches, 1, 1_000_000);
  const minutes = wholeNumber('minutes', values.minutes, 1, 10_000);
  const budgets = budgetsOf(values.iterations);
  const contests: Contest[] = [];
  for (const game of values.game === undefined ? registry.games : [registry.game(values.game)]) {
    for (const variant of variantsOf(game, values.variant)) {
      for (const seats of seatsOf(game, values.seats)) {
        for (const pair of pairsOf(values.pairs)) {
          contests.push({ game: game.id, variant, seats, pair, matches, minutes, budgets });
        }
      }
    }
  }
  await tournament(contests, wholeNumber('threads', values.threads, 1, 64));
}

if (isMainThread) await run(HELP, main);
else parentPort?.on('message', (job: Job) => parentPort?.postMessage(playJob(job)));
