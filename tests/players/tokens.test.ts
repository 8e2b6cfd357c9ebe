/** What is remembered of tokens must not outlive them. */
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { SCOPES, type Viewer } from '../../src/players/player.ts';
import { openPlayers, type Players } from '../../src/players/service.ts';
import { openTokenCache } from '../../src/players/tokens/cache.ts';
import { hashOf, openTokens, type Token } from '../../src/players/tokens/tokens.ts';
import { openTokenUses } from '../../src/players/tokens/uses.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { withEveryScope } from '../support/viewer.ts';

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  database = openDatabase({ url: fresh.url, poolSize: 4 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

/** Players that run this function whenever a token is about to be changed. */
function interrupted(meanwhile: () => Promise<unknown>): Players {
  const around = async ({ args, query }: { args: never; query: (args: never) => Promise<unknown> }) => {
    await meanwhile();
    return query(args);
  };
  const prisma = database.prisma.$extends({
    query: { token: { update: around as never, updateMany: around as never } },
  });
  return openPlayers({ ...database, prisma: prisma as unknown as Database['prisma'] });
}

it.each([
  ['its revocation', (players: Players, me: never, id: string) => players.revokeToken(me, id)],
  ['the deletion of its player', (players: Players, me: never) => players.remove(me)],
])('a token that is used during %s is refused at once afterwards', async (_, end) => {
  let token = '';
  const players: Players = interrupted(() => players.authenticate(token));
  const { player } = await players.register('Ann');
  const created = await players.createToken(withEveryScope(player), { name: 'phone' });
  token = created.token;
  expect(await players.authenticate(token)).toMatchObject({ id: player.id });
  await end(players, player as never, created.id);
  expect(await players.authenticate(token)).toBeNull();
});

it('a look-up that was under way while the token was revoked is not remembered', async () => {
  let [release, lookedUp] = [() => {}, () => {}];
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isLookedUp = new Promise<void>((resolve) => {
    lookedUp = resolve;
  });
  const prisma = database.prisma.$extends({
    query: {
      token: {
        async findUnique({ args, query }) {
          const found = await query(args);
          lookedUp();
          await held;
          return found;
        },
      },
    },
  });
  const players = openPlayers({ ...database, prisma: prisma as unknown as Database['prisma'] });
  const { player } = await players.register('Ben');
  const { id, token } = await players.createToken(withEveryScope(player), { name: 'phone' });
  const early = players.authenticate(token);
  await isLookedUp;
  await players.revokeToken(player, id);
  release();
  expect(await early).toMatchObject({ tokenId: id });
  expect(await players.authenticate(token)).toBeNull();
});

it('requests that come at once with the same token share one look-up, but not with those before a revocation', async () => {
  const asked: ((viewer: Viewer | null) => void)[] = [];
  const cache = openTokenCache(
    () => new Promise((resolve) => asked.push(resolve)),
    () => 0,
  );
  const viewer = { id: 'ann', expiresAt: null } as Viewer;
  const early = [cache.viewerOf('a'), cache.viewerOf('a')];
  const other = cache.viewerOf('b');
  expect(asked).toHaveLength(2);
  cache.forget(() => true);
  const late = cache.viewerOf('a');
  expect(asked).toHaveLength(3);
  asked[2]?.(null);
  expect(await late).toBeNull();
  asked[0]?.(viewer);
  expect(await Promise.all(early)).toEqual([viewer, viewer]);
  const again = cache.viewerOf('a'); // was not remembered
  expect(asked).toHaveLength(4);
  asked[3]?.(viewer);
  expect(await again).toBe(viewer);
  asked[1]?.(null);
  expect(await other).toBeNull();
});

it('a look-up that takes too long is UNAVAILABLE, and is not repeated for the next request', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let found = (_: Viewer) => {};
  const lookUp = vi.fn(() => new Promise<Viewer>((resolve) => (found = resolve)));
  const cache = openTokenCache(lookUp, () => 0);
  const refused = expect(cache.viewerOf('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await vi.advanceTimersByTimeAsync(2000);
  await refused;
  const next = cache.viewerOf('a');
  const viewer = { id: 'ann', expiresAt: null } as Viewer;
  found(viewer);
  expect([await next, lookUp.mock.calls.length, vi.getTimerCount()]).toEqual([viewer, 1, 0]);
});

it('lists the live tokens and the 50 that were revoked last, newest first', async () => {
  let time = Date.now();
  const players = openPlayers(database, () => time++);
  const { player } = await players.register('Cho');
  const [first] = (await players.tokens(player)) as [Token];
  const made: string[] = [];
  for (let n = 0; n < 49; n++) made.push((await players.createToken(withEveryScope(player), { name: 'phone' })).id);
  const [live, ...revoked] = made.reverse() as [string, ...string[]]; // the newest is kept, then the newest go first
  for (const id of revoked) await players.revokeToken(player, id);
  for (let n = 0; n < 10; n++) {
    const { id } = await players.createToken(withEveryScope(player), { name: 'phone' });
    await players.revokeToken(player, id);
    revoked.push(id);
  }
  const listed = (await players.tokens(player)).map(({ id }) => id);
  expect(listed).toEqual([first.id, live, ...revoked.slice(-50)].sort().reverse());
});

it('any number of wrong tokens does not push valid ones out of the memory', async () => {
  let [time, lookUps] = [0, 0];
  const prisma = database.prisma.$extends({
    query: {
      token: {
        async findUnique({ args, query }) {
          lookUps++;
          return lookUps === 1 || time > 0 ? query(args) : null;
        },
      },
    },
  });
  const players = openPlayers({ ...database, prisma: prisma as unknown as Database['prisma'] }, () => time);
  const { player, token } = await players.register('Dee');
  await players.authenticate(token);
  for (let n = 0; n < 10_001; n++) await players.authenticate(`atoll_${n}`);
  expect(lookUps).toBe(10_002);
  const refuse = () => expect.fail('asked before a look-up');
  expect(await players.authenticate(token, refuse)).toMatchObject({ id: player.id });
  expect(lookUps).toBe(10_002);
  time = 60_000; // it has to be looked up again, but is known to have been valid
  expect(await players.authenticate(token, refuse)).toMatchObject({ id: player.id });
  expect(lookUps).toBe(10_003);
});

it('an unknown token is looked up only if the caller still may try', async () => {
  const players = openPlayers(database);
  const { player, token } = await players.register('Eve');
  const refuse = () => {
    throw new Error('no more guesses');
  };
  await expect(players.authenticate(token, refuse)).rejects.toThrow('no more guesses');
  expect(await players.authenticate(token)).toMatchObject({ id: player.id });
  await database.pool.query('UPDATE tokens SET revoked_at = now() WHERE player_id = $1', [player.id]);
  const later = openPlayers(database, () => Date.now() + 60_000);
  expect(await later.authenticate(token)).toBeNull();
  await expect(later.authenticate(token, refuse)).rejects.toThrow('no more guesses'); // misses are not remembered
});

it('a token from before there were scopes keeps all of them', async () => {
  const players = openPlayers(database);
  const { player } = await players.register('Fay');
  const old = 'atoll_of_old';
  await database.pool.query('INSERT INTO tokens (id, player_id, hash, name) VALUES (gen_random_uuid(), $1, $2, $3)', [
    player.id,
    hashOf(old),
    'old',
  ]);
  expect(await players.authenticate(old)).toMatchObject({ id: player.id, scopes: SCOPES, expiresAt: null });
});

it('a token is valid until it expires, and an expired one no longer counts', async () => {
  let time = Date.now();
  const players = openPlayers(database, () => time);
  const { player } = await players.register('Gus');
  const expiresAt = new Date(time + 5000); // sooner than it would be forgotten
  const { id, token } = await players.createToken(withEveryScope(player), { name: 'short', expiresAt });
  expect(await players.authenticate(token)).toMatchObject({ tokenId: id, expiresAt });
  time += 4999;
  expect(await players.authenticate(token)).not.toBeNull();
  time += 1;
  expect(await players.authenticate(token)).toBeNull();
  expect(await players.tokens(player)).toContainEqual(expect.objectContaining({ id, expiresAt, revokedAt: null }));
  for (let n = 0; n < 49; n++) await players.createToken(withEveryScope(player), { name: 'phone' });
  const refused = players.createToken(withEveryScope(player), { name: 'phone' });
  await expect(refused).rejects.toMatchObject({ code: 'BAD_INPUT' });
});

it('the last use of a token is known at once, written for many tokens together, and never replaced by an older one', async () => {
  let time = Date.parse('2026-11-18T12:00:00Z');
  const uses = openTokenUses(database, () => time);
  const tokens = openTokens(database, () => time, uses);
  const players = openPlayers(database, () => time, tokens);
  const { player } = await players.register('Hal');
  const [{ id, lastUsedAt }] = (await tokens.list(player)) as [Token];
  expect(lastUsedAt).toBeNull();
  const used = async (at: string, from: string) =>
    expect(await openTokens(database, () => time).list(player)).toMatchObject([
      { lastUsedAt: new Date(at), lastUsedFrom: from },
    ]);

  uses.note(id, '::ffff:192.0.2.1');
  expect(await tokens.list(player)).toMatchObject([{ lastUsedAt: new Date(time), lastUsedFrom: 'IPV4' }]);
  await uses.write();
  await used('2026-11-18T12:00:00Z', 'IPV4');
  time -= 60_000; // another server, whose clock is late
  uses.note(id, '2001:db8::1');
  await uses.write();
  await used('2026-11-18T12:00:00Z', 'IPV4');
  time += 120_000;
  uses.note(id, '2001:db8::1');
  await uses.close();
  await used('2026-11-18T12:01:00Z', 'IPV6');
});
