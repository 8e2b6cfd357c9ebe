/** How many bytes playing and replaying take for a client that accepts compressed answers. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json, LegalJson, MatchJson } from '../support/api.ts';
import { rest } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { type Wire, wireTo } from '../support/wire.ts';
import { type Member, newMember } from '../support/world.ts';

let database: FreshDatabase;
let server: Instance;
let ann: Member;
beforeAll(async () => {
  database = await freshDatabase();
  server = await startInstance(database.url);
  ann = await newMember(rest, [server.url], 'Ann');
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const archived = (game: string): Json =>
  JSON.parse(readFileSync(new URL(`../archive/${game}.json`, import.meta.url), 'utf8')) as Json;

const games = ['cacao-rules2-base-4', 'hashi-rules1-b-4', 'haleakala-rules2-base-2', 'hawaii-rules2-base-5'];
const VERSIONS = 25;

/** Looks, chooses and acts in the simplest documented way. */
async function naiveMove(wire: Wire, id: string): Promise<number> {
  const of = `/v1/matches/${id}`;
  wire.counted();
  const match = JSON.parse((await wire.ask('GET', of)).text) as MatchJson;
  await wire.ask('GET', `${of}/view`);
  const list = JSON.parse((await wire.ask('GET', `${of}/legal-actions`)).text) as { legalActions: LegalJson[] };
  const { action } = list.legalActions[Math.floor(list.legalActions.length / 2)] as LegalJson;
  const done = await wire.ask('POST', `${of}/actions`, { action, expectedVersion: match.version });
  expect(done.status).toBe(200);
  return wire.counted();
}

it.each(games)('%s: a move weighs less than 10 kB, a scrub through 25 versions less than 100 kB', async (name) => {
  const { id, version } = await ann.import(archived(name));
  const wire = wireTo(server.url, ann.token);
  const from = Math.floor(version / 2);
  for (let at = from; at < from + VERSIONS; at++) await wire.ask('GET', `/v1/matches/${id}/view?at=${at}`);
  const views = wire.counted();
  for (let at = from; at < from + VERSIONS; at++) await wire.ask('GET', `/v1/matches/${id}/board.svg?at=${at}`);
  const boards = wire.counted();
  const query = `from=${from}&to=${from + VERSIONS - 1}&include=view,board`;
  await wire.ask('GET', `/v1/matches/${id}/states?${query}`);
  const scrub = wire.counted();
  const lines = await wire.ask('GET', `/v1/matches/${id}/states?${query}`, undefined, {
    accept: 'application/x-ndjson',
  });
  expect(lines.text.trim().split('\n')).toHaveLength(VERSIONS);
  expect(wire.counted()).toBeLessThan(100_000);
  const moves: number[] = [];
  for (const part of [0.1, 0.5, 0.9]) {
    const fork = await ann.fork(id, Math.floor(version * part));
    for (let n = 0; n < 3; n++) moves.push(await naiveMove(wire, fork.id));
  }
  wire.close();
  const most = Math.max(...moves);
  console.log(
    `${name}: heaviest move ${most} bytes, scrub ${scrub}; one by one, ${VERSIONS} views ${views}, boards ${boards}`,
  );
  expect(most).toBeLessThan(10_000);
  expect(views).toBeLessThan(100_000);
  expect(scrub).toBeLessThan(100_000);
});
