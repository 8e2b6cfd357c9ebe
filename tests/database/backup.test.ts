/** A backup of the embedded database that is taken while people play can be restored and proven. */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalPostgres, startLocalPostgres } from '../../src/database/embedded/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { migrateQueue } from '../../src/notices/queue.ts';
import { rest } from '../support/api-rest.ts';
import { compiled } from '../support/compiled.ts';
import { startInstance } from '../support/instance.ts';
import { type Process, runProcess } from '../support/process.ts';

const base = mkdtempSync(join(tmpdir(), 'atoll-backup-'));
chmodSync(base, 0o755); // the user of PostgreSQL needs access if tests run as root
const [data, copy, restored] = [join(base, 'data'), join(base, 'copy'), join(base, 'restored')];
let cluster: LocalPostgres;

beforeAll(async () => {
  cluster = await startLocalPostgres(join(data, 'postgres'));
  await cluster.createDatabase('atoll');
  await migrate(cluster.url('atoll'));
  await migrateQueue(cluster.url('atoll'));
});
afterAll(async () => {
  await cluster.stop();
  rmSync(base, { recursive: true, force: true });
});

const atoll = (...args: string[]): Process => runProcess([compiled('cli'), ...args]);

test('every match is proven in the copy, and again after the copy was restored', async () => {
  const server = await startInstance(cluster.url('atoll'), { env: { QUOTAS: 'off' } });
  const { token } = await rest.client([server.url]).register('Ann');
  const ann = rest.client([server.url], token);
  const opened: string[] = [];
  let over = false;
  const playing = (async () => {
    while (!over) {
      const { id } = await ann.createMatch({ game: 'hashi', seats: 1 });
      for (let n = 0; n < 3; n++) await ann.submit(id, { action: (await ann.legalActions(id))[0]?.action });
      opened.push(id);
      await sleep(30); // a fast machine would play thousands, which all have to be proven
    }
  })();
  await expect.poll(() => opened.length).toBeGreaterThan(3);
  const before = opened.length;
  const taken = atoll('backup', copy, '--data', data);
  expect([await taken.exit, taken.output()]).toEqual([
    0,
    expect.stringMatching(/^Copied to .*\n\d+ matches, \d+ events, 0 not proven\.\n$/),
  ]);
  over = true;
  await playing;
  await server.stop();

  const back = atoll('restore', copy, '--data', restored);
  expect([await back.exit, back.output()]).toEqual([
    0,
    expect.stringMatching(/^Restored to .*\n\d+ matches, \d+ events, 0 not proven\.\n$/),
  ]);
  const matches = Number(/(\d+) matches/.exec(back.output())?.[1]);
  expect(matches).toBeGreaterThanOrEqual(before);
  expect(existsSync(join(copy, 'PG_VERSION'))).toBe(true);

  const twice = atoll('restore', copy, '--data', restored);
  expect([await twice.exit, twice.output()]).toEqual([2, expect.stringContaining('already: move it away first')]);
}, 120_000);
