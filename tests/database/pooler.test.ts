/** PgBouncer between the server and its database. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { losesSessions } from '../../src/database/pooler.ts';
import type { LegalJson } from '../support/api.ts';
import { rest } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Process, runServer, startProcess } from '../support/process.ts';
import { type Pooler, program, startPgBouncer } from '../support/programs.ts';

const here = program('pgbouncer') !== undefined;
const word = here ? '' : ' (skipped: this machine has no pgbouncer)';

test('a direct connection keeps its session', async () => {
  const fresh = await freshDatabase();
  expect(await losesSessions(fresh.url)).toBe(false);
  await fresh.drop();
});

describe.skipIf(!here)(`PgBouncer${word}`, () => {
  let fresh: FreshDatabase;
  const poolers: Pooler[] = [];
  const processes: Process[] = [];

  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  afterAll(async () => {
    for (const { child, exit } of processes) {
      child.kill('SIGKILL');
      await exit;
    }
    for (const pooler of poolers) await pooler.stop();
    await fresh.drop();
  });

  async function pooler(mode: 'transaction' | 'session'): Promise<Pooler> {
    const started = await startPgBouncer(fresh.url, mode);
    poolers.push(started);
    return started;
  }

  test('needs nothing special in session mode', async () => {
    expect(await losesSessions((await pooler('session')).url)).toBe(false);
  });

  test('is refused with an explanation in transaction mode, unless DATABASE_DIRECT_URL is set', async () => {
    const bouncer = await pooler('transaction');
    const refused = runServer({ DATABASE_URL: bouncer.url });
    processes.push(refused);
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toMatch(/^Atoll cannot start\.\nDATABASE_URL leads to a pooler .*Set DATABASE_DIRECT_URL/);

    const server = await startProcess(bouncer.url, { DATABASE_DIRECT_URL: fresh.url });
    processes.push(server);
    const players = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const { token } = await rest.client([server.url]).register(`Ann${i}`);
        return rest.client([server.url], token);
      }),
    );
    // Many at once, so that the sessions go round; every game of one seat is a match that runs at once.
    const play = async (api: (typeof players)[number]) => {
      const { id } = await api.createMatch({ game: 'hashi', seats: 1 });
      for (let n = 0; n < 8; n++) {
        const legal = (await api.legalActions(id)) as LegalJson[];
        if (legal.length === 0) break;
        await api.submit(id, { action: legal.at(-1)?.action, actionId: randomUUID() });
      }
      return (await api.match(id)).version;
    };
    for (const version of await Promise.all([...players, ...players].map(play))) expect(version).toBeGreaterThan(8);
    await bouncer.restart();
    const [ann] = players as [(typeof players)[number]];
    await expect.poll(() => play(ann).catch(() => 0)).toBeGreaterThan(8);
    expect(server.output()).not.toMatch(/"level":50/);
  });
});
