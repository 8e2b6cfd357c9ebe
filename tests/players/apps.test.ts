/** Stored permissions are deleted when they are no longer of use, and not before. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { newId } from '../../src/id.ts';
import { openApps } from '../../src/players/apps/apps.ts';
import { lockPlayer, type Transaction } from '../../src/players/locked.ts';
import type { Player } from '../../src/players/player.ts';
import { openPlayers } from '../../src/players/service.ts';
import { openSessions } from '../../src/players/sign-in/sessions.ts';
import { hashOf, openTokens } from '../../src/players/tokens/tokens.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { withEveryScope } from '../support/viewer.ts';

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  // With a long time limit, so that waiting for a lock does not fail on a slow machine.
  database = openDatabase({ url: fresh.url, poolSize: 4, patient: true });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const DAY = 24 * 3_600_000;

it('old codes, revoked and unused permissions and the codes of devices are deleted; secrets are never stored', async () => {
  let time = Date.now();
  const now = () => time;
  const tokens = openTokens(database, now);
  const apps = openApps(database, tokens, {}, now);
  const { player } = await openPlayers(database, now, tokens).register('Ann');
  const app = { client: 'app', scopes: ['READ'] as const };
  const count = async () => [
    await database.prisma.appGrant.count(),
    await database.prisma.refreshToken.count(),
    await database.prisma.deviceRequest.count(),
    await database.prisma.token.count({ where: { grantId: { not: null } } }),
  ];
  const allow = async () => {
    const code = await apps.grants.allow(player.id, app, 'https://app.example/', 'challenge');
    return { code, grantId: (await apps.grants.findCode(code))?.grantId as string };
  };
  const issue = async (grantId: string, refreshToken: string) => {
    await apps.grants.useCode(grantId);
    const [accessTokenExpiresAt, refreshTokenExpiresAt] = [new Date(time + 3_600_000), new Date(time + 60 * DAY)];
    const issued = { accessToken: `of ${refreshToken}`, accessTokenExpiresAt, refreshToken, refreshTokenExpiresAt };
    return apps.grants.issue(grantId, { ...issued, scopes: ['READ'] });
  };
  await allow(); // never exchanged
  const [revoked, live] = [await allow(), await allow()];
  expect([await issue(revoked.grantId, 'refresh one'), await issue(live.grantId, 'refresh two')]).toEqual([true, true]);
  const { deviceCode, userCode } = await apps.devices.begin(app);
  const dump = await database.pool.query<{ text: string }>(
    `SELECT concat((SELECT json_agg(a) FROM app_grants a), (SELECT json_agg(r) FROM refresh_tokens r),
                   (SELECT json_agg(d) FROM device_requests d), (SELECT json_agg(t) FROM tokens t)) AS text`,
  );
  for (const secret of [live.code, 'refresh two', deviceCode, userCode, userCode.replace('-', '')])
    expect(dump.rows[0]?.text).not.toContain(`"${secret}"`);
  await apps.grants.revoke(revoked.grantId);
  expect(await issue(revoked.grantId, 'refresh three')).toBe(false);
  await apps.sweep();
  expect(await count()).toEqual([3, 2, 1, 1]);
  time += 2 * DAY;
  await apps.sweep();
  expect(await count()).toEqual([1, 1, 0, 1]);
  expect(await apps.list(player)).toMatchObject([{ id: live.grantId, name: 'app' }]);
  time += 59 * DAY;
  expect(await apps.list(player)).toEqual([]);
  time += DAY;
  await apps.sweep();
  expect(await count()).toEqual([0, 0, 0, 0]);
});

/** Things whose number per player is limited: how rows are made, how many there are, and how one more is requested. */
const expiresAt = new Date(Date.now() + DAY);
const LIMITED = {
  apps: {
    rows: (tx: Transaction, playerId: string, hashes: Uint8Array<ArrayBuffer>[]) =>
      tx.appGrant.createMany({
        data: hashes.map((codeHash) => ({
          id: newId(),
          playerId,
          client: 'app',
          scopes: ['READ'],
          codeHash,
          expiresAt,
        })),
      }),
    one: (player: Player) => {
      const { grants } = openApps(database, openTokens(database, Date.now), {}, Date.now);
      return grants.allow(player.id, { client: 'app', scopes: ['READ'] }, 'https://app.example/', 'challenge');
    },
    count: (playerId: string) => database.prisma.appGrant.count({ where: { playerId } }),
    refused: 'at most 50 apps',
  },
  tokens: {
    rows: (tx: Transaction, playerId: string, hashes: Uint8Array<ArrayBuffer>[]) =>
      tx.token.createMany({ data: hashes.map((hash) => ({ id: newId(), playerId, name: 'phone', hash })) }),
    one: (player: Player) => openTokens(database, Date.now).create(withEveryScope(player), { name: 'phone' }),
    count: (playerId: string) => database.prisma.token.count({ where: { playerId } }),
    refused: 'at most 50 tokens',
  },
  sessions: {
    rows: (tx: Transaction, playerId: string, hashes: Uint8Array<ArrayBuffer>[]) =>
      tx.session.createMany({
        data: hashes.map((hash) => ({ id: newId(), playerId, hash, device: 'A browser', expiresAt })),
      }),
    one: (player: Player) => openSessions(database).start(player, 'A browser'),
    count: (playerId: string) => database.prisma.session.count({ where: { playerId } }),
    refused: null, // the oldest goes instead
  },
};

const WAITING = `
SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

it.each(Object.entries(LIMITED))('the last place for %s is not given twice by two servers', async (_, kind) => {
  const { player } = await openPlayers(database).register('Ben');
  const hashes = Array.from({ length: 50 - (await kind.count(player.id)) }, () => hashOf(newId()));
  let asked: Promise<unknown> = Promise.resolve();
  await database.prisma.$transaction(async (tx) => {
    // Another server gives away the last place, but has not committed it yet.
    await lockPlayer(tx, player.id);
    await kind.rows(tx, player.id, hashes);
    let isDone = false;
    asked = kind.one(player).then(
      () => null,
      ({ message }: Error) => message,
    );
    void asked.then(() => {
      isDone = true;
    });
    while (!isDone && (await database.pool.query(WAITING)).rowCount === 0);
  });
  expect(await asked).toEqual(kind.refused && expect.stringContaining(kind.refused));
  expect(await kind.count(player.id)).toBe(50);
});
