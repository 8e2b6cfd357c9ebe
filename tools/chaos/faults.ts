/** The faults. Each resolves when its cause is over; what is left is to recover. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Rng } from '../../src/games/game.ts';
import { type Cluster, type Node, pidOf, urlOf } from './cluster.ts';
import type { Instance } from './instances.ts';
import type { Line } from './line.ts';

export interface World {
  cluster: Cluster;
  instances: readonly Instance[];
  /** The lines between each instance and each node of the cluster. */
  lines: readonly (readonly Line[])[];
  pooler: { restart(): Promise<void> } | undefined;
  bus: Bus | undefined;
  database: string;
  rng: Rng;
}

/** The message bus between the instances that use one. */
export interface Bus {
  kill(): Promise<void>;
  start(): Promise<void>;
  freeze(): void;
  resume(): void;
  /** Resolves once all of its instances are connected to it. */
  untilConnected(): Promise<void>;
}

export interface Fault {
  name: string;
  /** A sentence that says why it cannot be made here. */
  missing?(world: World): string | undefined;
  /** May return when its cause was over; otherwise that is when it resolves. */
  run(world: World): Promise<unknown>;
}

const noStandby = ({ cluster }: World) => (cluster.hasStandby ? undefined : 'there is no standby');
const noBus = ({ bus }: World) => (bus ? undefined : 'there is neither a redis-server nor a valkey-server');

/** Returns when the bus was back, as soon as every instance has found it. */
async function connectedAgain(bus: Bus | undefined): Promise<number> {
  const back = performance.now();
  await bus?.untilConnected();
  return back;
}
const noKeeper = ({ cluster }: World) => (cluster.keeper ? undefined : 'Patroni was not asked for (--patroni)');
const seconds = (rng: Rng, least: number, most: number) => sleep(1000 * (least + rng.int(most - least + 1)));

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid) process.kill(pid, name);
  } catch {
    // it has ended
  }
}

/** How often a server reported that its disk is full. */
const saidFull = ({ log }: Node): number => readFileSync(log, 'utf8').split('No space left on device').length - 1;

export const FAULTS: Fault[] = [
  {
    name: 'kill -9 of an instance',
    async run({ instances, rng }) {
      rng.pick(instances).kill('SIGKILL');
    },
  },
  {
    name: 'restart of an instance',
    async run({ instances, rng }) {
      rng.pick(instances).kill('SIGTERM');
    },
  },
  {
    name: 'freeze of an instance',
    async run({ instances, rng }) {
      const instance = rng.pick(instances);
      instance.kill('SIGSTOP');
      await seconds(rng, 2, 8);
      instance.kill('SIGCONT');
    },
  },
  {
    name: 'clock jump of an instance',
    async run({ instances, rng }) {
      const instance = rng.pick(instances);
      const { starts, jumps } = instance;
      instance.kill('SIGWINCH');
      await seconds(rng, 3, 6);
      instance.kill('SIGWINCH');
      await sleep(200);
      if (instance.starts !== starts) throw new Error('it ended the instance');
      if (instance.jumps !== jumps + 2) throw new Error('the clock did not jump');
    },
  },
  {
    name: 'all backends terminated',
    async run({ cluster, database }) {
      await cluster.sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
    },
  },
  {
    name: 'kill -9 of a backend',
    async run({ cluster, database, rng }) {
      const found = await cluster.sql<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE datname = $1', [
        database,
      ]);
      const killed = performance.now();
      if (found.length > 0) signal(rng.pick(found).pid, 'SIGKILL');
      await sleep(300);
      await cluster.inSync();
      return killed;
    },
  },
  {
    name: 'kill -9 of the postmaster',
    async run({ cluster }) {
      const node = await cluster.primary();
      signal(pidOf(node), 'SIGKILL');
      await sleep(1500); // its children notice
      await cluster.start(node);
      const back = performance.now();
      await cluster.inSync();
      return back;
    },
  },
  {
    name: 'standby frozen',
    missing: noStandby,
    async run({ cluster, database, rng }) {
      const standby = await cluster.standby();
      const found = await cluster.sql<{ port: number }>('SELECT client_port AS port FROM pg_stat_replication');
      if (found.length === 0) return;
      // PostgreSQL waits for the standby until the connection is given up, or until this is undone.
      const admin = new pg.Client({ connectionString: urlOf(standby, database) });
      admin.on('error', () => {});
      await admin.connect();
      const { rows } = await admin.query<{ pid: number }>('SELECT pid FROM pg_stat_wal_receiver');
      signal(rows[0]?.pid, 'SIGSTOP');
      await seconds(rng, 4, 14);
      signal(rows[0]?.pid, 'SIGCONT');
      const back = performance.now();
      await admin.end().catch(() => {});
      await cluster.inSync();
      return back;
    },
  },
  {
    name: 'failover to the standby',
    missing: noStandby,
    async run({ cluster }) {
      await cluster.inSync();
      return cluster.failover();
    },
  },
  {
    name: 'leader frozen',
    missing: noKeeper,
    run: async ({ cluster }) => cluster.keeper?.freezeLeader(),
  },
  {
    name: 'etcd frozen',
    missing: noKeeper,
    run: async ({ cluster, rng }) => cluster.keeper?.freezeStore(1000 * (3 + rng.int(12))),
  },
  {
    name: 'disk full',
    missing: ({ cluster }) =>
      cluster.nodes.every(({ disk }) => disk) ? undefined : 'a small disk cannot be mounted here: that needs root',
    async run({ cluster, rng }) {
      const node = await cluster.primary();
      const before = saidFull(node);
      const until = performance.now() + 1000 * (4 + rng.int(7));
      try {
        // PostgreSQL frees files now and then, such as those of its write-ahead log.
        for (; performance.now() < until; await sleep(300)) await node.disk?.fill();
      } finally {
        node.disk?.free();
      }
      await cluster.start(node); // without room for its write-ahead log it has ended
      const back = performance.now();
      await cluster.inSync();
      if (saidFull(node) === before) throw new Error('the disk had room enough');
      return back;
    },
  },
  {
    name: 'database may only be read',
    async run({ cluster, rng }) {
      await cluster.sql('ALTER SYSTEM SET default_transaction_read_only = on');
      await cluster.sql('SELECT pg_reload_conf()');
      await seconds(rng, 2, 8);
      // A read-only session can be made writable, which is enough to undo it.
      const client = new pg.Client({ connectionString: urlOf(await cluster.primary(), 'postgres') });
      await client.connect();
      await client.query('SET default_transaction_read_only = off');
      await client.query('ALTER SYSTEM RESET default_transaction_read_only');
      await client.query('SELECT pg_reload_conf()');
      await client.end();
    },
  },
  {
    name: 'sockets cut',
    async run({ lines, rng }) {
      for (const line of rng.pick(lines)) line.cut();
    },
  },
  {
    name: 'connections swallowed',
    async run({ lines, rng }) {
      for (const line of rng.pick(lines)) line.swallow(false);
    },
  },
  {
    name: 'network swallowed',
    async run({ lines, rng }) {
      const chosen = rng.pick(lines);
      for (const line of chosen) line.swallow(true);
      await seconds(rng, 3, 10);
      for (const line of chosen) line.heal();
    },
  },
  {
    name: 'rows locked',
    async run({ cluster, database, rng }) {
      const client = new pg.Client({ connectionString: urlOf(await cluster.primary(), database) });
      client.on('error', () => {});
      await client.connect();
      await client.query('BEGIN');
      await client.query("SELECT id FROM matches WHERE status = 'ACTIVE' ORDER BY random() LIMIT 3 FOR UPDATE");
      await seconds(rng, 3, 10);
      await client.end().catch(() => {});
    },
  },
  {
    name: 'pooler restarted',
    missing: ({ pooler }) => (pooler ? undefined : 'there is no pgbouncer'),
    async run({ pooler }) {
      await pooler?.restart();
    },
  },
  {
    name: 'kill -9 of the bus',
    missing: noBus,
    async run({ bus, rng }) {
      await bus?.kill();
      await seconds(rng, 1, 8);
      await bus?.start();
      return connectedAgain(bus);
    },
  },
  {
    name: 'restart of the bus',
    missing: noBus,
    async run({ bus }) {
      await bus?.kill();
      await bus?.start();
      return connectedAgain(bus);
    },
  },
  {
    name: 'freeze of the bus',
    missing: noBus,
    async run({ bus, rng }) {
      bus?.freeze();
      await seconds(rng, 2, 12);
      bus?.resume();
      return connectedAgain(bus);
    },
  },
];
