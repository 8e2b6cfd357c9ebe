/** One player, or one address, has only so much of the server for itself: counted by all instances together. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { registry } from '../../src/games/registry.ts';
import { lengthsOf } from '../../src/matches/commands/lengths.ts';
import { botAdded, botsGaveUp, openingOf } from '../../src/matches/commands/seating.ts';
import type { Match } from '../../src/matches/log/records.ts';
import { openStore } from '../../src/matches/log/store.ts';
import type { Player } from '../../src/players/player.ts';
import { openPlayers } from '../../src/players/service.ts';
import { noQuotas, openQuotas } from '../../src/quotas.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

let fresh: FreshDatabase;
let database: Database;
const env = {
  QUOTA_MATCHES: '5',
  QUOTA_MATCHES_PER_HOUR: '8',
  QUOTA_FORKS_PER_DAY: '2',
  QUOTA_IMPORTS_PER_DAY: '2',
  QUOTA_BOTS: '6',
  QUOTA_BOT_MATCHES: '1',
  QUOTA_REGISTRATIONS_PER_DAY: '500',
};

beforeAll(async () => {
  fresh = await freshDatabase();
  database = openDatabase({ url: fresh.url, poolSize: 8 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const newPlayer = async (): Promise<Player> => (await openPlayers(database).register('Ann')).player;

/** Opens a match as one of several servers would. */
async function open(player: Player, input: object = {}, quotas = openQuotas(database.pool, readConfig(env))) {
  const match = openingOf(registry, player, { game: 'hawaii', seats: 5, ...input }, new Date());
  await openStore(database).create(match, { guard: quotas.opening(match) });
  return match;
}

const quota = (name: string) =>
  expect.objectContaining({ code: 'QUOTA_EXCEEDED', details: expect.objectContaining({ quota: name }) });
const count = async (player: Player) => database.prisma.match.count({ where: { creatorId: player.id } });

describe('quotas', () => {
  test('of open and running matches hold for simultaneous requests, and refused matches leave nothing behind', async () => {
    const [ann, ben] = [await newPlayer(), await newPlayer()];
    const all = await Promise.allSettled(Array.from({ length: 7 }, () => open(ann)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(all.find(({ status }) => status === 'rejected')).toMatchObject({ reason: quota('matches') });
    expect(await count(ann)).toBe(5);
    await open(ben);
    await database.prisma.match.updateMany({ where: { creatorId: ann.id }, data: { status: 'FINISHED' } });
    await open(ann);
  });

  test('of matches an hour say when to try again', async () => {
    const ann = await newPlayer();
    for (let i = 0; i < 8; i++) {
      await open(ann);
      await database.prisma.match.updateMany({ where: { creatorId: ann.id }, data: { status: 'FINISHED' } });
    }
    const refusal = await open(ann).catch((error) => error);
    expect(refusal).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      status: 429,
      details: { quota: 'matches opened', limit: 8 },
    });
    expect(refusal.details.retryAfter).toBeGreaterThan(0);
    expect(refusal.details.retryAfter).toBeLessThanOrEqual(3600);
  });

  test('of bots count those at all tables of a player', async () => {
    const ann = await newPlayer();
    const bots = ['HARD', 'HARD', 'HARD'] as const;
    await open(ann, { bots });
    await open(ann, { bots });
    await expect(open(ann, { bots: ['EASY'] })).rejects.toEqual(quota('bots'));
    await open(ann);
  });

  test('of bots hold however many sit down at once', async () => {
    const ann = await newPlayer();
    const tables = [];
    for (let i = 0; i < 5; i++) tables.push(await open(ann));
    const quotas = openQuotas(database.pool, readConfig(env));
    const add = async (match: Match, level: 'EASY' | 'HARD') => {
      const next = botAdded(match, ann, level, new Date(), null);
      return (
        (await openStore(database).append({ expected: match.version, match: next }, quotas.addingBot(next))) && next
      );
    };
    const first = (await Promise.all(tables.map((match) => add(match, 'EASY')))) as Match[];
    const all = await Promise.allSettled(first.map((match) => add(match, 'HARD')));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(all.find(({ status }) => status === 'rejected')).toMatchObject({ reason: quota('bots') });
    const { rows } = await database.pool.query(
      'SELECT sum(version)::int AS events FROM matches WHERE creator_id = $1',
      [ann.id],
    );
    expect(rows).toEqual([{ events: 5 + 5 + 1 }]);
  });

  test('limit matches that have only bots', async () => {
    const ann = await newPlayer();
    const alone = { seats: 2, sit: false, bots: ['HARD', 'HARD'] };
    await open(ann, alone);
    await expect(open(ann, alone)).rejects.toEqual(quota('bot matches'));
    await open(ann, { seats: 2, bots: ['HARD'] });
  });

  test('of forks, imports and registrations are counted by day', async () => {
    const quotas = openQuotas(database.pool, readConfig(env));
    for (const [guard, name] of [
      [quotas.forking('ann'), 'forks'],
      [quotas.importing('ann'), 'imports'],
    ] as const) {
      await guard(database.pool);
      await guard(database.pool);
      await expect(guard(database.pool)).rejects.toEqual(quota(name));
    }
    for (let i = 0; i < 500; i++) await quotas.registering('10.0.0.1');
    await expect(quotas.registering('10.0.0.1')).rejects.toEqual(quota('registrations'));
    await quotas.registering('10.0.0.2');
    const { rows } = await database.pool.query(`SELECT who FROM quota_counts WHERE what = 'registrations'`);
    expect(JSON.stringify(rows)).not.toContain('10.0.0');
  });

  test('can be lifted', async () => {
    const ann = await newPlayer();
    const off = openQuotas(database.pool, readConfig({ ...env, QUOTAS: 'off' }));
    expect(off).toBe(noQuotas);
    for (let i = 0; i < 9; i++) await open(ann, {}, off);
  });
});

describe('a match', () => {
  const ann = { id: '00000000-0000-7000-8000-00000000000a', name: 'Ann', kind: 'HUMAN', tag: null } as const;
  const match = openingOf(registry, ann, { game: 'cacao', seats: 2, bots: ['EASY'] }, new Date());

  test('has a greatest length, at which its bots give up', () => {
    const lengths = lengthsOf({ events: match.version });
    expect(() => lengths.checkMatch(match)).toThrow(quota('events'));
    expect(() => lengthsOf({ events: match.version + 1 }).checkMatch(match)).not.toThrow();
    const ended = botsGaveUp(match, new Date());
    expect(ended).toMatchObject({ status: 'FINISHED', result: { ranks: [1, 2] } });
    expect(botsGaveUp(ended, new Date())).toBe(ended);
  });

  test('accepts only so many orders and undos of a seat', () => {
    const lengths = lengthsOf({ orders: 0, undos: 0 });
    expect(() => lengths.checkOrder(match, 0)).toThrow(quota('ordered'));
    expect(() => lengths.checkUndo(match, 0)).toThrow(quota('undone'));
    expect(() => lengthsOf({ orders: 1, undos: 1 }).checkOrder(match, 0)).not.toThrow();
  });
});
