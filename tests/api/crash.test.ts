/** The server as a process that is killed and stopped: what was acknowledged is there, and nothing is there twice. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Api, EventJson, Json, LegalJson, ReceiptJson } from '../support/api.ts';
import { rest } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { untilItWorks } from '../support/patience.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { type DatabaseProxy, databaseProxy } from '../support/proxy.ts';

let database: FreshDatabase;
let proxy: DatabaseProxy;
let sql: pg.Client;
let server: ServerProcess;

/** Without quotas, which would refuse the many matches of this test. */
const start = () => startProcess(proxy.url, { QUOTAS: 'off' });

beforeAll(async () => {
  database = await freshDatabase();
  proxy = await databaseProxy(database.url);
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  server = await start();
});
afterAll(async () => {
  server.child.kill('SIGKILL');
  await server.exit;
  await sql.end();
  await proxy.close();
  await database.drop();
});

/** A player whose client is made again for each restarted server. */
interface Player {
  token: string;
  api(): Api;
}

async function newPlayers(): Promise<[Player, Player]> {
  const make = async (name: string): Promise<Player> => {
    const { token } = await rest.client([server.url]).register(name);
    return { token, api: () => rest.client([server.url], token) };
  };
  return [await make('Ann'), await make('Ben')];
}

async function started([ann, ben]: [Player, Player]): Promise<string> {
  const { id } = await ann.api().createMatch({ game: 'cacao', seats: 2 });
  await ben.api().join(id);
  return id;
}

interface Submission extends Json {
  action: Json;
  actionId: string;
}

/** The next action of the player who may act. */
async function nextOf(players: [Player, Player], id: string): Promise<[Player, Submission]> {
  const { acting } = await players[0].api().match(id);
  const player = players[acting[0] as number] as Player;
  const legal = await player.api().legalActions(id);
  return [player, { action: (legal.at(-1) as LegalJson).action, actionId: randomUUID() }];
}

const eventsOf = async (id: string, actionId: string) =>
  (await sql.query('SELECT version FROM events WHERE match_id = $1 AND action_id = $2', [id, actionId])).rows;

/** Lets an action be committed and delays its answer. Returns the promise in an object, so that it is not awaited here. */
async function committed(id: string, player: Player, submission: Submission): Promise<{ answer: Promise<unknown> }> {
  await player.api().match(id); // the match is remembered now, so only the append needs the database
  proxy.hold();
  const answer = player.api().submit(id, submission);
  answer.catch(() => {}); // handled later
  await expect.poll(() => eventsOf(id, submission.actionId), { timeout: 30_000, interval: 10 }).toHaveLength(1);
  return { answer };
}

it('killed between commit and answer: sent again, the action is answered and not repeated', async () => {
  const players = await newPlayers();
  const id = await started(players);
  const [player, submission] = await nextOf(players, id);
  const { answer } = await committed(id, player, submission);
  server.child.kill('SIGKILL');
  expect(await server.exit).toBeNull();
  proxy.release();
  await expect(answer).rejects.toThrow('fetch failed');
  server = await start();
  const receipt = await player.api().submit(id, submission);
  expect(receipt).toMatchObject({ version: 4, event: { type: 'ACTED', action: submission.action } });
  expect(await player.api().submit(id, submission)).toEqual(receipt);
  expect(await eventsOf(id, submission.actionId)).toEqual([{ version: 4 }]);
  expect(await player.api().match(id)).toMatchObject({ version: receipt.match.version });
});

it('killed in the middle of many matches: everything acknowledged is there, and play goes on', async () => {
  const tables = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const players = await newPlayers();
      return { players, id: await started(players), receipts: [] as ReceiptJson[], open: [] as [Player, Submission][] };
    }),
  );
  const playing = tables.map(async ({ players, id, receipts, open }) => {
    try {
      for (;;) {
        const [player, submission] = await nextOf(players, id);
        open.push([player, submission]);
        receipts.push(await player.api().submit(id, submission));
        open.pop();
      }
    } catch {} // the server is gone
  });
  const acknowledged = () => tables.reduce((sum, { receipts }) => sum + receipts.length, 0);
  await expect.poll(acknowledged, { timeout: 30_000, interval: 5 }).toBeGreaterThan(30);
  server.child.kill('SIGKILL');
  await Promise.all([server.exit, ...playing]);
  server = await start();
  for (const { players, id, receipts, open } of tables) {
    const events = new Map(
      (await players[0].api().events(id, { first: 500 })).map((e) => [e.version, e] as [number, EventJson]),
    );
    for (const { version, event } of receipts) expect(events.get(version)?.hash).toBe(event.hash);
    for (const [player, submission] of open) {
      const { version } = await player.api().submit(id, submission);
      expect(await eventsOf(id, submission.actionId)).toEqual([{ version }]);
    }
    const [player, submission] = await nextOf(players, id);
    await player.api().submit(id, submission);
  }
});

it('backends terminated while matches are opened: the process goes on, and so do its clients', async () => {
  const [ann] = await newPlayers();
  const outcomes: Record<string, number> = { opened: 0, UNAVAILABLE: 0 };
  let over = false;
  const opening = Array.from({ length: 8 }, async () => {
    while (!over) {
      const match = ann.api().createMatch({ game: 'cacao', seats: 2 });
      const outcome = await match.then(
        () => 'opened',
        (error) => String(error.code ?? error),
      );
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  });
  for (let round = 0; round < 8 || outcomes.UNAVAILABLE === 0; round++) {
    await sleep(150);
    await sql.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'atoll' AND datname = current_database()",
    );
  }
  over = true;
  await Promise.all(opening);
  expect(server.child.exitCode).toBeNull();
  expect(Object.keys(outcomes)).toEqual(['opened', 'UNAVAILABLE']);
  expect(await untilItWorks(async () => started(await newPlayers()))).toBeTruthy();
});

it('stopped: finishes requests under way, accepts no new ones, and exits with 0', async () => {
  const players = await newPlayers();
  const id = await started(players);
  const [player, submission] = await nextOf(players, id);
  const { url } = server;
  const { answer } = await committed(id, player, submission);
  server.child.kill('SIGTERM');
  await expect
    .poll(
      () =>
        fetch(`${url}/health/live`).then(
          () => 'answers',
          () => 'gone',
        ),
      { timeout: 30_000 },
    )
    .toBe('gone');
  await sleep(200);
  expect(server.child.exitCode).toBeNull();
  proxy.release();
  expect(await answer).toMatchObject({ version: 4, event: { action: submission.action } });
  expect(await server.exit).toBe(0);
  expect(server.output()).not.toMatch(/"level":(50|60)/);
});
