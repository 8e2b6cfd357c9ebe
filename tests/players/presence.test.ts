/** Who is online: written rarely, read by every server, shown only if the player allows it. */
import type pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newId } from '../../src/id.ts';
import { openPresence } from '../../src/players/presence.ts';
import { type FreshDatabase, freshDatabase, poolFor } from '../support/database.ts';

let database: FreshDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await freshDatabase();
  pool = poolFor(database);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const warn = (message: string) => expect.fail(message);

it('a player is online for a minute after the last request, which is written at most twice a minute', async () => {
  let time = Date.now();
  const here = openPresence({ pool, warn, now: () => time });
  const elsewhere = openPresence({ pool, warn });
  const [ann, ben] = [newId(), newId()];
  expect(await here.online([ann, ben])).toEqual(new Set());
  here.touch(ann);
  expect(await here.online([ann, ben])).toEqual(new Set([ann]));
  await here.close(); // writes at once
  expect(await elsewhere.online([ann, ben])).toEqual(new Set([ann]));
  const query = vi.spyOn(pool, 'query');
  for (const seconds of [1, 10, 20]) {
    time += seconds * 300;
    here.touch(ann);
  }
  await here.close();
  expect(query).not.toHaveBeenCalled();
  time += 30_000;
  here.touch(ann);
  await here.close();
  expect(query).toHaveBeenCalledTimes(1);
  query.mockRestore();
  await pool.query(`UPDATE presences SET seen_at = now() - interval '61 seconds'`);
  expect(await here.online([ann])).toEqual(new Set([ann])); // this server knows of a later request
  time += 61_000;
  expect(await here.online([ann])).toEqual(new Set());
  expect(await elsewhere.online([ann])).toEqual(new Set());
});

it('a player who does not show it is never online', async () => {
  const presence = openPresence({ pool, warn });
  const shy = newId();
  await pool.query('INSERT INTO privacy (player_id, online) VALUES ($1, false)', [shy]);
  presence.touch(shy);
  await presence.close();
  expect(await presence.online([shy])).toEqual(new Set());
});

it('a database that does not answer is tried again by the next request', async () => {
  const warnings: string[] = [];
  const broken = { query: () => Promise.reject(new Error('gone')) } as unknown as pg.Pool;
  const presence = openPresence({ pool: broken, warn: (message) => void warnings.push(message) });
  const ann = newId();
  presence.touch(ann);
  await presence.close();
  presence.touch(ann);
  await presence.close();
  expect(warnings).toHaveLength(2);
});
