/** The lines of docs/operations.md that copy a PostgreSQL of one's own, run as they are written there. */
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOwner, type Owner } from '../../src/database/embedded/binaries.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { checkDatabase, type DatabaseReport } from '../../src/matches/proof/check-database.ts';
import { migrateQueue } from '../../src/notices/queue.ts';
import type { Api } from '../support/api.ts';
import { rest } from '../support/api-rest.ts';
import { type Instance, startInstance, withSample } from '../support/instance.ts';
import { untilItWorks } from '../support/patience.ts';
import { folderFor, freePort, program } from '../support/programs.ts';

const run = promisify(execFile);
const documentation = readFileSync('docs/operations.md', 'utf8');
const line = (start: string): string => new RegExp(`^${start} .+$`, 'm').exec(documentation)?.[0] ?? `no ${start}`;

const NEEDS = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore', 'pg_basebackup'];
/** All tools of one version: that of initdb, which may be a link. */
const initdb = program('initdb');
const bin = initdb === undefined ? '' : dirname(realpathSync(initdb));
const missing = NEEDS.filter((name) => !existsSync(join(bin, name)));
const word = missing.length > 0 ? ` (skipped: this machine has no ${missing})` : '';

async function proven(url: string): Promise<DatabaseReport> {
  const database = openDatabase({ url, poolSize: 1, patient: true });
  const report = await checkDatabase(database, withSample, () => {});
  await database.close();
  return report;
}

const act = async (api: Api, id: string) =>
  (await api.submit(id, { action: (await api.legalActions(id))[0]?.action })).version;

describe.skipIf(missing.length > 0)(`a database of one's own${word}`, () => {
  let owner: Owner | undefined;
  let dir: string;
  let port: number;
  let server: Instance;
  let ann: Api;
  let token: string;

  const urlOf = (name: string, role = 'atoll') => `postgresql://${role}@127.0.0.1:${port}/${name}`;
  const environment = () => ({
    ...process.env,
    PATH: [bin, process.env.PATH].join(delimiter),
    LC_ALL: 'C',
    TZ: 'UTC',
    DATABASE_URL: urlOf('atoll'),
    NEW_URL: urlOf('restored'),
    ADMIN_URL: urlOf('postgres', 'postgres'),
  });
  /** The folders of the documentation are replaced by those of this test. */
  const here = (text: string) => text.replaceAll(/\/(archive|backups)\b/g, `${dir}/$1`);
  const shell = (command: string) => run('sh', ['-ec', here(command)], { ...owner, cwd: dir, env: environment() });
  const start = () => shell(`pg_ctl start -w -s -D data -l log -o "-p ${port} -k ${dir} -h 127.0.0.1"`);

  async function sql(text: string): Promise<string> {
    const client = new pg.Client({ connectionString: urlOf('postgres', 'postgres') });
    await client.connect();
    const { rows } = await client.query<Record<string, string>>(text);
    await client.end();
    return Object.values(rows[0] ?? {})[0] ?? '';
  }

  beforeAll(async () => {
    owner = await findOwner();
    dir = folderFor(owner);
    port = await freePort();
    for (const name of ['archive', 'backups']) {
      mkdirSync(join(dir, name));
      if (owner) chownSync(join(dir, name), owner.uid, owner.gid);
    }
    await shell('initdb -D data -U postgres --auth=trust --encoding=UTF8 --locale=C -N');
    const settings = ['archive_mode', 'archive_command', 'archive_timeout'].map(line);
    appendFileSync(join(dir, 'data/postgresql.conf'), here(['', ...settings, 'fsync = off', ''].join('\n')));
    await start();
    await sql('CREATE ROLE atoll LOGIN');
    for (const name of ['atoll', 'restored']) await sql(`CREATE DATABASE ${name} OWNER atoll`);
    await migrate(urlOf('atoll'));
    await migrateQueue(urlOf('atoll'));
    server = await startInstance(urlOf('atoll'), { env: { QUOTAS: 'off' } });
    ({ token } = await rest.client([server.url]).register('Ann'));
    ann = rest.client([server.url], token);
  });
  afterAll(async () => {
    await server?.stop();
    await shell('pg_ctl stop -m immediate -s -D data').catch(() => {});
    rmSync(dir, { recursive: true, force: true });
  });

  it('is dumped while people play, and every match of the dump is proven and continues', async () => {
    const opened: string[] = [];
    let over = false;
    const playing = (async () => {
      while (!over) {
        const { id } = await ann.createMatch({ game: 'hashi', seats: 1 });
        for (let n = 0; n < 3; n++) await act(ann, id);
        opened.push(id);
        await sleep(30); // a fast machine would play thousands, which all have to be proven
      }
    })();
    await expect.poll(() => opened.length).toBeGreaterThan(2);
    const [first] = opened as [string];
    const { version } = await ann.match(first);
    const before = opened.length;
    await shell(line('pg_dump'));
    over = true;
    await playing;
    await shell(line('pg_restore'));
    const report = await proven(urlOf('restored'));
    expect(report.faults).toEqual([]);
    expect(report.matches).toBeGreaterThanOrEqual(before);
    const restored = await startInstance(urlOf('restored'));
    expect(await act(rest.client([restored.url], token), first)).toBe(version + 1);
    await restored.stop();
  });

  it('goes back to a point in time under a running server, which tells those who saw more', async () => {
    const { id } = await ann.createMatch({ game: 'hashi', seats: 1 });
    await shell(line('pg_basebackup'));
    const kept = await act(ann, id);
    const moment = await sql('SELECT clock_timestamp()::text');
    const lost = await act(ann, id);
    const stream = await fetch(`${server.url}/v1/matches/${id}/events?after=${kept}`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader() as ReadableStreamDefaultReader<string>;
    let told = '';
    while (!told.includes(`id: ${lost}\n`)) told += (await reader.read()).value;

    await shell('pg_ctl stop -m fast -w -s -D data; rm -rf data; cp -a /backups/base data; touch data/recovery.signal');
    const recovery = [line('restore_command'), `recovery_target_time = '${moment}'`, line('recovery_target_action')];
    writeFileSync(join(dir, 'data/postgresql.auto.conf'), here(recovery.join('\n')));
    await start();

    expect(await untilItWorks(async () => (await ann.match(id)).version)).toBe(kept);
    for (let rest = await reader.read(); !rest.done; rest = await reader.read()) told += rest.value;
    expect(told).toContain(`event: cut\nid: 0\ndata: {"version":${kept}}`);
    expect(await untilItWorks(() => act(ann, id))).toBe(lost);
    const report = await proven(urlOf('atoll'));
    expect(report.faults).toEqual([]);
  });
});
