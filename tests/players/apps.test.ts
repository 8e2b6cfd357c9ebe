/** What is stored of permissions goes when it is of no use any more, and not before. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/database/pool.ts';
import { openApps } from '../../src/players/apps/apps.ts';
import { openPlayers } from '../../src/players/service.ts';
import { openTokens } from '../../src/players/tokens/tokens.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

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
