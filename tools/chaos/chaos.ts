import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { migrate } from '../../src/database/migrate.ts';
import { fastRng } from '../../src/games/rng.ts';
import { migrateQueue } from '../../src/notices/queue.ts';
import { type Pooler, program, startPgBouncer } from '../../tests/support/programs.ts';
import { run, UsageError, wholeNumber } from '../cli.ts';
import { audit } from './audit.ts';
import { openOwnBus } from './bus.ts';
import { type Cluster, createDatabase, openCluster, ROLE, urlOf } from './cluster.ts';
import { allAct, DATABASE, openCrowd, RECOVERY_MS } from './crowd.ts';
import { FAULTS, type Fault, type World } from './faults.ts';
import { type Instance, startInstance } from './instances.ts';
import { type Line, openLine } from './line.ts';
import { missingForPatroni, openPatroni } from './patroni.ts';
import { Record } from './record.ts';

const HELP = `
Plays on several instances while everything around them fails, and proves at the end that nothing was lost.
Starts a PostgreSQL with a synchronous standby, two instances that reach it by lines which can be cut, a third behind
PgBouncer, and a Redis or Valkey as message bus of all instances or of all but one, all on loopback; what this machine
does not have is left out and named. Without redis-server and valkey-server the instances hear of each other through the
database alone, and no fault of the bus is made. As root the files of PostgreSQL are on small disks in memory, one of
which is filled now and then; without root nothing can be mounted, and no disk is filled.
Prints the recovery times by kind of fault as JSON: from the end of the fault until every instance has taken an action.
Exits with 1 if an acknowledged action is not in the log exactly once with its version, a stream differs from the log, a
match is not proven, an answer was INTERNAL, an instance ended that nobody had stopped, or one did not find the bus again.
Needs npm run build. The logs of the instances are left in .data/chaos.

  npm run chaos -- [options]

  --minutes <n>   how long faults go on (15)
  --seed <n>      which faults, and when (1)
  --only <text>   only faults whose name contains this; may be given several times
  --patroni       the nodes are kept by Patroni with etcd, which alone decide who leads
  --list          names the faults
`;

interface Recovery {
  fault: string;
  milliseconds: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '15' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', multiple: true, default: [] },
      patroni: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  if (values.list) return void console.log(FAULTS.map(({ name }) => name).join('\n'));
  const minutes = wholeNumber('minutes', values.minutes, 1, 1440);
  const rng = fastRng(wholeNumber('seed', values.seed, 0, 2 ** 31));
  const faults = FAULTS.filter(
    ({ name }) => values.only.length === 0 || values.only.some((text) => name.includes(text)),
  );
  if (faults.length === 0) throw new UsageError('No fault has such a name');

  const missing = values.patroni ? missingForPatroni() : [];
  if (missing.length > 0) throw new UsageError(`Patroni cannot be run here: there is no ${missing.join(', no ')}`);

  const record = new Record();
  const { world, close } = await openWorld(rng, values.patroni, (what) => record.violate(what));
  try {
    const crowd = openCrowd(world.instances, rng, record);
    for (const instance of world.instances) crowd.canary(instance);
    await allAct(world.instances, record, performance.now());
    let until = performance.now() + minutes * 60_000;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        until = 0; // what happened so far is proven and reported
      });
    }
    const recoveries = await campaign(world, faults, record, () => performance.now() < until);
    await crowd.finish(world.cluster);
    await Promise.all(world.instances.map((instance) => instance.stop()));
    const audited = await audit(urlOf(await world.cluster.primary(), DATABASE), record);
    report(record, recoveries, audited);
  } finally {
    await close();
  }
}

async function openWorld(
  rng: World['rng'],
  patroni: boolean,
  violate: (what: string) => void,
): Promise<{ world: World; close(): Promise<void> }> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  try {
    return { world: await buildWorld(rng, patroni, violate, (end) => closers.push(end)), close };
  } catch (error) {
    await close(); // what had been started before something did not
    throw error;
  }
}

/** Calls `atEnd` with what ends each part, as soon as it has been started. */
async function buildWorld(
  rng: World['rng'],
  patroni: boolean,
  violate: (what: string) => void,
  atEnd: (end: () => unknown) => void,
): Promise<World> {
  const logs = resolve('.data', 'chaos');
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const cluster = await (patroni ? openPatroni(logs) : openCluster());
  atEnd(cluster.stop);
  await createDatabase(cluster, DATABASE);
  const direct = urlOf(await cluster.primary(), DATABASE, ROLE);
  await migrate(direct);
  await migrateQueue(direct);
  const hosts = (ports: readonly number[]) =>
    `postgresql://${ROLE}@${ports.map((port) => `127.0.0.1:${port}`).join()}/${DATABASE}?target_session_attrs=read-write`;
  const instances: Instance[] = [];
  const lines: Line[][] = [];
  const poolers = await openPoolers(cluster);
  for (const one of poolers) atEnd(one.stop);
  const names = ['one', 'two', ...(poolers.length > 0 ? ['pooled'] : [])];
  const bus = await openOwnBus(names, instances, rng, violate);
  if (bus) atEnd(bus.stop);
  atEnd(() => Promise.all(instances.map((instance) => instance.stop())));
  const start = async (name: string, env: { [name: string]: string }) => {
    const logFile = join(logs, `${name}.log`);
    instances.push(await startInstance({ name, env: { ...env, ...bus?.env(name) }, logFile, violate }));
  };
  for (const name of ['one', 'two']) {
    const own = await Promise.all(cluster.nodes.map(({ port }) => openLine(port)));
    lines.push(own);
    for (const line of own) atEnd(line.close);
    await start(name, { DATABASE_URL: hosts(own.map(({ port }) => port)) });
  }
  if (poolers.length > 0) {
    const url = hosts(poolers.map((pooler) => Number(new URL(pooler.url).port)));
    await start('pooled', { DATABASE_URL: url, DATABASE_DIRECT_URL: hosts(cluster.nodes.map(({ port }) => port)) });
  }
  const restart = async () => void (await Promise.all(poolers.map((pooler) => pooler.restart())));
  const pooler = poolers.length > 0 ? { restart } : undefined;
  return { cluster, instances, lines, pooler, bus, database: DATABASE, rng };
}

/** One for each node, if this machine has PgBouncer. The instance uses the one whose node accepts changes. */
async function openPoolers({ nodes }: Cluster): Promise<Pooler[]> {
  if (!program('pgbouncer')) return [];
  return Promise.all(
    nodes.map(({ port }) => startPgBouncer(`postgresql://${ROLE}@127.0.0.1:${port}/${DATABASE}`, 'transaction')),
  );
}

/** Runs one fault after another. Each must be recovered from before the next. */
async function campaign(
  world: World,
  faults: readonly Fault[],
  record: Record,
  goesOn: () => boolean,
): Promise<Recovery[]> {
  const possible = faults.filter((fault) => {
    const why = fault.missing?.(world);
    if (why) console.error(`left out: ${fault.name}, because ${why}`);
    return !why;
  });
  const recoveries: Recovery[] = [];
  const failed = new Map<string, string>();
  for (let order: Fault[] = []; goesOn(); ) {
    if (order.length === 0) order = world.rng.shuffle(possible); // every kind of fault occurs, in random order
    const fault = order.pop() as Fault;
    const named = `${new Date().toISOString().slice(11, 19)} ${fault.name}`;
    let ended: unknown;
    let made = false;
    try {
      ended = await fault.run(world);
      made = true;
    } catch (error) {
      console.error(`${named}: could not be made, ${(error as Error).message}`);
      failed.set(fault.name, (error as Error).message);
    }
    const since = typeof ended === 'number' ? ended : performance.now();
    const recovered = await allAct(world.instances, record, since);
    if (recovered === undefined) record.violate(`${fault.name}: not recovered from within ${RECOVERY_MS / 1000} s`);
    else {
      if (made) recoveries.push({ fault: fault.name, milliseconds: Math.round(recovered) });
      console.error(`${named}: recovered in ${Math.round(recovered)} ms`);
    }
    await sleep(500 + world.rng.int(2500));
  }
  // A fault that could not be made proves nothing, however well everything goes.
  for (const [name, why] of failed) {
    if (!recoveries.some(({ fault }) => fault === name)) record.violate(`${name} could not be made: ${why}`);
  }
  return recoveries;
}

function report(record: Record, recoveries: readonly Recovery[], audited: { matches: number; events: number }): void {
  const kinds = new Map<string, number[]>();
  for (const { fault, milliseconds } of recoveries) kinds.set(fault, [...(kinds.get(fault) ?? []), milliseconds]);
  const recovery = Object.fromEntries(
    [...kinds].map(([fault, list]) => {
      const sorted = list.sort((a, b) => a - b);
      return [fault, { times: sorted.length, medianMs: sorted[sorted.length >> 1], slowestMs: sorted.at(-1) }];
    }),
  );
  const { acknowledged, streams, answers, slowest, violations } = record;
  console.log(
    JSON.stringify(
      {
        faults: recoveries.length,
        ...audited,
        acknowledged: acknowledged.length,
        streams: streams.length,
        answers,
        slowestAnswer: slowest,
        recovery,
        violations,
      },
      null,
      2,
    ),
  );
  if (violations.length > 0 || acknowledged.length === 0) process.exitCode = 1;
}

await run(HELP, main);
