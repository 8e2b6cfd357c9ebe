/** `atoll archive` beside a running server, seen from outside: through both faces, and by verifying the file. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { archiveCommand } from '../../src/admin/archive.ts';
import { type Api, type Json, Refusal } from '../support/api.ts';
import { graphql } from '../support/api-graphql.ts';
import { rest, restCall } from '../support/api-rest.ts';
import { compiled } from '../support/compiled.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { runProcess } from '../support/process.ts';
import { type Member, newMember } from '../support/world.ts';

const dir = mkdtempSync(join(tmpdir(), 'atoll-cold-'));
const cold = pathToFileURL(dir).href;
const alarms: [object, string][] = [];
let fresh: FreshDatabase;
let server: Instance;
let ann: Member;
let id: string;

beforeAll(async () => {
  fresh = await freshDatabase();
  // This server remembers only one match, so that the other is read again.
  server = await startInstance(fresh.url, {
    env: { COLD_STORAGE: cold, MEMO_MATCHES: '1', QUOTAS: 'off' },
    services: { alarm: (fields, message) => void alarms.push([fields, message]) },
  });
  ann = await newMember(rest, [server.url], 'Ann');
  ({ id } = await ann.createMatch({ game: 'hashi', seats: 1 }));
  for (let n = 0; n < 4; n++) await ann.submit(id, { action: (await ann.legalActions(id))[0]?.action });
  await ann.resign(id);
});
afterAll(async () => {
  await server.stop();
  await fresh.drop();
  rmSync(dir, { recursive: true });
});

/** What the command prints, and its exit code. */
async function atoll(command: string, ...args: string[]): Promise<[number, string]> {
  const said: string[] = [];
  const listen = (line: unknown) => void said.push(String(line));
  const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')].map((spy) => spy.mockImplementation(listen));
  try {
    return [await archiveCommand(command, [...args, '--database', fresh.url, '--cold', cold]), said.join('\n')];
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Everything that can be asked about the match, as both faces show it. */
async function looks(): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const face of [rest, graphql]) {
    const api: Api = face.client([server.url], ann.token);
    await api.createMatch({ game: 'hashi', seats: 1 }); // takes the place of the other in memory
    all.push(await api.match(id), await api.view(id, { at: 4 }), await api.board(id, { at: 5 }), await api.events(id));
    all.push(await api.export(id), (await api.matches({ status: 'FINISHED' })).matches);
  }
  const stream = await fetch(`${server.url}/v1/matches/${id}/events`, { headers: { accept: 'text/event-stream' } });
  all.push((await stream.text()).match(/^id: .*$/gm));
  const { exportedAt: _now, ...account } = (await restCall([server.url], ann.token)('GET', '/me/export')) as Json;
  const { matches, events } = account.data as Record<string, Json[]>;
  all.push(
    matches?.filter((match) => match.id === id),
    events?.filter((event) => event.match_id === id),
  );
  return all;
}

test('an archived match is shown as before, can be proven from its file, and can be brought back', async () => {
  const before = await looks();
  expect(before.at(-1)).toHaveLength(6);
  expect(await atoll('archive', '--older-than', '1d')).toEqual([0, expect.stringMatching(/^0 matches with 0 events/)]);
  const dry = 'would be moved. Nothing was changed.';
  expect(await atoll('archive', '--older-than', '0d', '--dry-run')).toEqual([0, `1 matches with 7 events ${dry}`]);
  expect(await atoll('archive', '--older-than', '0d')).toEqual([0, expect.stringMatching(/^1 matches with 7 events/)]);
  const client = new pg.Client({ connectionString: fresh.url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT (SELECT count(*)::int FROM events WHERE match_id = $1) AS events, file FROM archived_logs WHERE match_id = $1`,
    [id],
  );
  await client.end();
  expect(rows).toEqual([{ events: 0, file: expect.stringContaining(id) }]);
  expect(await looks()).toEqual(before);
  expect(await server.metric('atoll_archive_reads_total{outcome="read"}')).toBeGreaterThan(0);

  const verified = runProcess([compiled('cli'), 'verify', join(dir, rows[0].file)]);
  expect([await verified.exit, verified.output()]).toEqual([0, expect.stringContaining('proven. Hashi')]);

  expect(await atoll('bring-back', id)).toEqual([0, '1 matches are in the database again, 0 are not.']);
  expect(await looks()).toEqual(before);
});

test('a log whose file is gone is UNAVAILABLE on both faces, and the operator is told', async () => {
  await atoll('archive', '--older-than', '0d');
  for (const day of readdirSync(dir)) rmSync(join(dir, day), { recursive: true });
  for (const face of [rest, graphql]) {
    const api = face.client([server.url], ann.token);
    await api.createMatch({ game: 'hashi', seats: 1 });
    const refusal = await api.match(id).catch((error) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ code: 'UNAVAILABLE', details: { retryAfter: 60 } });
    expect((await api.matches({ status: 'FINISHED' })).matches.map((match) => match.id)).toContain(id);
  }
  expect(alarms[0]).toEqual([
    { match: id, file: expect.stringContaining(id), fault: expect.stringContaining('ENOENT') },
    expect.stringContaining('A LOG CANNOT BE READ'),
  ]);
  expect(await atoll('bring-back', '--all')).toEqual([1, expect.stringContaining('ENOENT')]);
});

test.each([
  [['archive'], '--older-than takes an age'],
  [['archive', '--older-than', 'soon'], '--older-than takes an age'],
  [['archive', '--older-than', '1d', '--limit', '0'], '--limit takes a number'],
  [['bring-back'], 'Name matches, or --all'],
])('a wrong call gets a sentence: %j', async ([command, ...args], sentence) => {
  expect(await atoll(command as string, ...args)).toEqual([2, expect.stringContaining(sentence)]);
});
