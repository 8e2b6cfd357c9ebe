/** Secrets at rest. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { reseal } from '../../src/database/secrets/reseal.ts';
import { openSeal, secretOfWebhook } from '../../src/database/secrets/seal.ts';
import { checkDatabase } from '../../src/matches/proof/check-database.ts';
import { resolveByDns } from '../../src/notices/address.ts';
import { openServerKeys } from '../../src/notices/push.ts';
import { openWebhooks } from '../../src/notices/webhooks.ts';
import { freshDatabase } from '../support/database.ts';
import { newPlayers, openServices, runningMatch, sampleRegistry } from '../support/servers.ts';

const newKey = () => randomBytes(32).toString('base64');
const [k1, k2] = [`k1:${newKey()}`, `k2:${newKey()}`];
const secret = randomBytes(32);
const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('a seal', () => {
  it('encrypts a value, which can be decrypted only with the key and in its own row', () => {
    const { seal, open } = openSeal(k1);
    const sealed = seal(secret, 'here');
    expect(plain(sealed)).not.toContain(plain(secret));
    expect(plain(seal(secret, 'here'))).not.toBe(plain(sealed));
    expect(plain(open(sealed, 'here'))).toBe(plain(secret));
    expect(() => open(sealed, 'there')).toThrow();
    for (const at of [sealed.length - 1, sealed.length - 40])
      expect(() => open(sealed.with(at, (sealed[at] as number) ^ 1), 'here')).toThrow();
    expect(() => openSeal(k2).open(sealed, 'here')).toThrow('the key k1, which ENCRYPTION_KEYS does not name');
    expect(() => openSeal(undefined).open(sealed, 'here')).toThrow('the key k1');
  });

  it('leaves values that were stored without a key as they are, even if they begin like sealed ones', () => {
    const early = Buffer.concat([Buffer.from('ATS1'), secret]).subarray(0, 32);
    for (const bytes of [secret, early]) {
      expect(plain(openSeal(k1).open(bytes, 'here'))).toBe(plain(bytes));
      expect(plain(openSeal(undefined).seal(bytes, 'here'))).toBe(plain(bytes));
    }
  });

  it('is made with the first key and opened with any', () => {
    const sealed = openSeal(k1).seal(secret, 'here');
    const both = openSeal(`${k2}, ${k1}`);
    expect(plain(both.open(sealed, 'here'))).toBe(plain(secret));
    expect([both.isCurrent(sealed), both.isCurrent(both.seal(secret, 'here'))]).toEqual([false, true]);
    expect(openSeal(undefined).isCurrent(secret)).toBe(true);
  });

  it('accepts only keys of 32 bytes with different ids', () => {
    expect(readConfig({ ENCRYPTION_KEYS: `${k1},${k2}` }).ENCRYPTION_KEYS).toBe(`${k1},${k2}`);
    for (const bad of ['k1', 'k1:short', `k1:${randomBytes(16).toString('base64')}`, newKey()])
      expect(() => readConfig({ ENCRYPTION_KEYS: bad })).toThrow('ENCRYPTION_KEYS (not shown here)');
    expect(() => openSeal(`${k1},${k1}`)).toThrow('twice');
  });
});

it('a database can be sealed and its keys rotated during play, and it is proven only with its keys', async () => {
  const fresh = await freshDatabase();
  const before = await openServices(fresh.url);
  const players = await newPlayers(before, 'Ann', 'Ben');
  const [ann] = players as [(typeof players)[number]];
  const old = await runningMatch(before, players);
  const hooks = (server: typeof before) => {
    const guard = { allowPrivate: true, resolve: resolveByDns };
    return openWebhooks({
      database: server.database,
      guard,
      sending: {} as never,
      mayHear: async () => {},
      limit: () => {},
    });
  };
  const made = await hooks(before).create(ann, { url: 'http://127.0.0.1/' }, 'hook');
  const stored = async () => {
    const { rows } = await before.database.pool.query<{ seed: Buffer }>(
      'SELECT server_seed AS seed FROM matches ORDER BY id',
    );
    return rows.map(({ seed }) => seed);
  };
  const one = await openServices(fresh.url, { keys: k1 });
  const sealed = await runningMatch(one, players);
  const push = await openServerKeys(readConfig({}), one.database);
  const [first, second] = (await stored()) as [Buffer, Buffer];
  expect(first.equals(old.serverSeed)).toBe(true);
  expect(second.includes(Buffer.from(sealed.serverSeed))).toBe(false);
  expect(Buffer.from((await one.matches.see(null, old.id)).serverSeed).equals(old.serverSeed)).toBe(true);
  await expect(before.matches.see(null, sealed.id)).rejects.toThrow('the key k1');

  const two = await openServices(fresh.url, { keys: `${k2},${k1}` });
  expect(await reseal(two.database)).toEqual({ matches: 2, webhooks: 1, pushKeys: 1 });
  expect(await reseal(two.database)).toEqual({ matches: 0, webhooks: 0, pushKeys: 0 });
  const after = await openServices(fresh.url, { keys: k2 });
  for (const { id, serverSeed } of [old, sealed])
    expect(Buffer.from((await after.matches.see(null, id)).serverSeed).equals(serverSeed)).toBe(true);
  expect((await after.matches.list(null, {})).matches).toHaveLength(2);
  expect(await openServerKeys(readConfig({}), after.database)).toEqual(push);
  const { rows } = await after.database.pool.query<{ id: string; secret: Buffer }>('SELECT id, secret FROM webhooks');
  const [hook] = rows as [(typeof rows)[number]];
  expect(plain(after.database.seal.open(hook.secret, secretOfWebhook(hook.id)))).toBe(
    Buffer.from(made.secret.slice('whsec_'.length), 'base64').toString('hex'),
  );
  expect((await hooks(after).create(ann, { url: 'http://127.0.0.1/' }, 'hook')).secret).toBe(made.secret);
  expect((await checkDatabase(after.database, sampleRegistry, () => {})).faults).toEqual([]);
  await expect(checkDatabase(one.database, sampleRegistry, () => {})).rejects.toThrow('the key k2');
  for (const server of [before, one, two, after]) await server.close();
  await fresh.drop();
});
