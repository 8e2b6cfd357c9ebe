/** What the rounds of a comparison come to: medians with the least and the greatest, as tables in Markdown. */

export const IN_MEMORY = 'boardgame.io in memory';

export interface Line {
  movesPerSecond: number;
  ms: { p50: number; p95: number; p99: number };
  /** By whom the processors were used meanwhile. */
  cores?: Record<string, number>;
  game?: string;
  via?: string;
  loop?: string;
}

export interface Measured {
  name: string;
  loop: string;
  line: Line;
}

export type Round = Measured[];

type Of = (line: Line) => number;

const rate: Of = ({ movesPerSecond }) => movesPerSecond;
const p50: Of = ({ ms }) => ms.p50;
const p95: Of = ({ ms }) => ms.p95;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? (sorted[middle] ?? Number.NaN) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** A dash where there is nothing to say. */
export function spread(values: readonly number[], digits: number): string {
  if (values.length === 0) return '–';
  const [middle, least, greatest] = [median(values), Math.min(...values), Math.max(...values)];
  return `${middle.toFixed(digits)} [${least.toFixed(digits)}–${greatest.toFixed(digits)}]`;
}

const find = (round: Round, name: string, loop: string): Line | undefined =>
  round.find((one) => one.name === name && one.loop === loop)?.line;

const linesOf = (rounds: readonly Round[], name: string, loop: string): Line[] =>
  rounds.flatMap((round) => find(round, name, loop) ?? []);

/** Each made inside a round. */
const ratios = (rounds: readonly Round[], loop: string, name: string, reference: string, of: Of): number[] =>
  rounds.flatMap((round) => {
    const [line, other] = [find(round, name, loop), find(round, reference, loop)];
    return line && other && name !== reference ? [of(line) / of(other)] : [];
  });

/** The most of the machine that something else used. */
const others = (lines: readonly Line[]): string =>
  lines.some(({ cores }) => cores) ? Math.max(...lines.map(({ cores }) => cores?.others ?? 0)).toFixed(2) : '–';

/** Processor time of the server for one move, in microseconds. */
const serverTime: Of = ({ cores, movesPerSecond }) => ((cores?.server ?? Number.NaN) / movesPerSecond) * 1e6;

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return ['', row(head), row(head.map(() => '---')), ...rows.map(row)];
}

function closedTable(rounds: readonly Round[], names: readonly string[]): string[] {
  const references = names.filter((name) => !name.startsWith('Atoll'));
  return table(
    ['closed loop', 'moves a second', 'µs of the server', ...references.map((name) => `times ${name}`), 'others'],
    names.map((name) => {
      const lines = linesOf(rounds, name, 'closed');
      const times = references.map((other) => spread(ratios(rounds, 'closed', name, other, rate), 2));
      const micros = lines.map(serverTime).filter(Number.isFinite);
      return [name, spread(lines.map(rate), 0), spread(micros, 0), ...times, others(lines)];
    }),
  );
}

function openTable(rounds: readonly Round[], names: readonly string[]): string[] {
  const references = names.filter((name) => name.startsWith(IN_MEMORY));
  return table(
    [
      'open loop, 500 moves a second',
      'p50 in ms',
      'p95 in ms',
      ...references.map((name) => `p50, times ${name}`),
      'others',
    ],
    names.map((name) => {
      const lines = linesOf(rounds, name, 'open');
      const times = references.map((other) => spread(ratios(rounds, 'open', name, other, p50), 2));
      return [name, spread(lines.map(p50), 2), spread(lines.map(p95), 2), ...times, others(lines)];
    }),
  );
}

/** A table for each loop that was measured. */
export function tablesOf(rounds: readonly Round[]): string[] {
  const namesOf = (loop: string) => [...new Set(rounds.flat().flatMap((one) => (one.loop === loop ? [one.name] : [])))];
  const [closed, open] = [namesOf('closed'), namesOf('open')];
  return [
    ...(closed.length > 0 ? closedTable(rounds, closed) : []),
    ...(open.length > 0 ? openTable(rounds, open) : []),
  ];
}
