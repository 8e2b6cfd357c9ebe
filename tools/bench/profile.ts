import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { run, UsageError, wholeNumber } from '../cli.ts';

const HELP = `
Reads a CPU profile that npm run bench:server -- --profile <folder> has written, and prints where the time went:
self time by function, and by package.

  npm run bench:profile -- <file.cpuprofile> [--top <n>]
`;

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

type CallFrame = Profile['nodes'][number]['callFrame'];

function packageOf({ functionName, url }: CallFrame): string {
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (found) return found;
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  if (functionName.startsWith('(')) return functionName;
  return url ? 'our code' : 'built into V8';
}

const placeOf = ({ functionName, url, lineNumber }: CallFrame) =>
  `${functionName || '(anonymous)'}  ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`;

function table(title: string, times: Map<string, number>, total: number, top: number): string[] {
  const sorted = [...times].sort((a, b) => b[1] - a[1]).slice(0, top);
  return ['', title, ...sorted.map(([name, time]) => `${((time / total) * 100).toFixed(1).padStart(5)} %  ${name}`)];
}

await run(HELP, () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { top: { type: 'string', default: '30' } },
  });
  const [file] = positionals;
  if (file === undefined) throw new UsageError('Which profile?');
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byPlace = new Map<string, number>();
  const byPackage = new Map<string, number>();
  const add = (times: Map<string, number>, key: string, time: number) => times.set(key, (times.get(key) ?? 0) + time);
  let busy = 0;
  let idle = 0;
  for (const [i, id] of samples.entries()) {
    const frame = frames.get(id) as CallFrame;
    const time = timeDeltas[i] as number;
    if (frame.functionName === '(idle)') idle += time;
    else {
      busy += time;
      add(byPlace, placeOf(frame), time);
      add(byPackage, packageOf(frame), time);
    }
  }
  const top = wholeNumber('top', values.top, 1, 1000);
  console.log(`busy ${(busy / 1e6).toFixed(1)} s, idle ${(idle / 1e6).toFixed(1)} s`);
  for (const line of table('Self time by function', byPlace, busy, top)) console.log(line);
  for (const line of table('Self time by package', byPackage, busy, 20)) console.log(line);
});
