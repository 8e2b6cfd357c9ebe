import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { fastRng } from '../../src/games/rng.ts';
import { run, UsageError, wholeNumber } from '../cli.ts';
import { audit } from './audit.ts';
import { createDatabase, openCluster, ROLE, urlOf } from './cluster.ts';
import { allAct, DATABASE, openCrowd } from './crowd.ts';
import { type Instance, startInstance } from './instances.ts';
import { Record } from './record.ts';

const HELP = `
Replaces an older version of the server by this one while people play, and proves at the end that nothing was lost.
Two instances of the older version serve; one of this version starts beside them and migrates their database under load;
old and new serve side by side, and an old one that is killed comes back on the newer database; then the old ones are
stopped one by one. Exits with 1 if an acknowledged action is not in the log exactly once with its version, a stream
differs from the log, a match is not proven, an answer was INTERNAL, or an instance did not serve. The older version is
taken from the history of this repository and installed in a temporary folder: that needs git, and npm's registry.
Needs npm run build.

  npm run chaos:upgrade -- [options]

  --from <commit>   the older version, as git names it (the newest one without the newest migration)
  --seconds <n>     how long each stage lasts (20)
  --seed <n>        who plays what (1)
`;

const exec = promisify(execFile);
const git = async (...args: string[]) => (await exec('git', args)).stdout.trim();

/** The newest version that does not have the newest migration. */
async function before(): Promise<string> {
  const newest = readdirSync('migrations', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .at(-1);
  const added = await git('log', '--format=%H', '--diff-filter=A', '-1', '--', `migrations/${newest}`).catch(() => '');
  if (!added)
    throw new UsageError(`This repository's history does not say when migrations/${newest} was added: use --from`);
  return `${added}~1`;
}

/** Builds that version in a folder of its own, which is removed after its use. */
async function withOlder(commit: string, use: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'atoll-older-'));
  try {
    await git('worktree', 'add', '--detach', dir, commit);
    const npm = (...args: string[]) => exec('npm', args, { cwd: dir, maxBuffer: 64 * 1024 * 1024 });
    await npm('ci');
    await npm('run', 'build');
    await use(dir);
  } finally {
    await git('worktree', 'remove', '--force', dir).catch(() => {});
    rmSync(dir, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      seconds: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
    },
  });
  const ms = wholeNumber('seconds', values.seconds, 5, 3600) * 1000;
  const rng = fastRng(wholeNumber('seed', values.seed, 0, 2 ** 31));
  const wanted = values.from ?? (await before());
  const from = await git('rev-parse', '--verify', `${wanted}^{commit}`).catch(() => {
    throw new UsageError(`There is no commit ${wanted}`);
  });
  console.error(`installing ${await git('log', '-1', '--format=%h %s', from)}`);
  await withOlder(from, (older) => replace({ older, from, rng, ms }));
}

async function replace({ older, from, rng, ms }: Pick<Upgrade, 'older' | 'rng' | 'ms'> & { from: string }) {
  const cluster = await openCluster();
  const record = new Record();
  const logs = resolve('.data', 'upgrade');
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const started: Instance[] = [];
  try {
    await createDatabase(cluster, DATABASE);
    const env = { DATABASE_URL: urlOf(await cluster.primary(), DATABASE, ROLE) };
    const violate = (what: string) => record.violate(what);
    const start = async (name: string, cwd?: string) => {
      const logFile = join(logs, `${name}.log`);
      const instance = await startInstance({ name, env, logFile, violate, ...(cwd !== undefined && { cwd }) });
      started.push(instance);
      return instance;
    };
    const stages = await upgrade({ start, older, rng, record, ms, cluster });
    await Promise.all(started.map((instance) => instance.stop()));
    const audited = await audit(urlOf(await cluster.primary(), DATABASE), record);
    const { acknowledged, streams, violations } = record;
    const counts = { acknowledged: acknowledged.length, streams: streams.length, answers: record.answers };
    console.log(JSON.stringify({ from, ...audited, ...counts, stages, violations }, null, 2));
    if (violations.length > 0 || acknowledged.length === 0) process.exitCode = 1;
  } finally {
    await Promise.all(started.map((instance) => instance.stop()));
    await cluster.stop();
  }
}

interface Upgrade {
  start(name: string, cwd?: string): Promise<Instance>;
  older: string;
  rng: ReturnType<typeof fastRng>;
  record: Record;
  ms: number;
  cluster: Awaited<ReturnType<typeof openCluster>>;
}

/** What was acknowledged in each stage, by instance. */
type Stages = { [stage: string]: { [instance: string]: number } };

async function upgrade({ start, older, rng, record, ms, cluster }: Upgrade): Promise<Stages> {
  const stages: Stages = {};
  const instances = [await start('old 1', older), await start('old 2', older)];
  const crowd = openCrowd(instances, rng, record);
  for (const instance of instances) crowd.canary(instance, () => !instances.includes(instance));

  const stage = async (name: string) => {
    const since = performance.now();
    if ((await allAct(instances, record, since)) === undefined) record.violate(`${name}: not every instance serves`);
    await sleep(Math.max(0, since + ms - performance.now()));
    const counts: { [instance: string]: number } = {};
    for (const { instance, began } of record.acts) if (began >= since) counts[instance] = (counts[instance] ?? 0) + 1;
    stages[name] = counts;
    console.error(`${name}: ${JSON.stringify(counts)}`);
  };
  const join = async (name: string) => {
    const instance = await start(name);
    instances.push(instance);
    crowd.canary(instance, () => !instances.includes(instance));
  };
  const leave = async () => {
    const instance = instances.shift();
    await instance?.stop();
  };

  await stage('only the older version');
  await join('new 1'); // it migrates the database of the others
  await stage('both versions');
  instances[0]?.kill('SIGKILL');
  await stage('an older instance started on the newer database');
  await leave();
  await join('new 2');
  await stage('one older instance left');
  await leave();
  await stage('only this version');
  await crowd.finish(cluster);
  return stages;
}

await run(HELP, main);
