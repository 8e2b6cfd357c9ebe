/** Two requests with one key create one thing. */
import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf, numbered, playersOf } from '../../src/matches/proof/document.ts';
import { resolveByDns } from '../../src/notices/address.ts';
import { tasksOf } from '../../src/notices/tasks.ts';
import { openWebhooks } from '../../src/notices/webhooks.ts';
import type { Player } from '../../src/players/player.ts';
import { newPlayers, runningMatch, twoServers } from '../support/servers.ts';
import { withEveryScope } from '../support/viewer.ts';

const { one, two, players } = await twoServers();
const servers = [one, two];
let ann: Player;
beforeAll(() => {
  [ann] = players;
});

const refused = (code: string) => expect.objectContaining({ code });
const count = async (sql: string, ...values: unknown[]) =>
  Number((await one.database.pool.query<{ count: string }>(`SELECT count(*) FROM ${sql}`, values)).rows[0]?.count);
const ownMatches = (player: Player) => count('matches WHERE creator_id = $1', player.id);
const input = { game: 'highest', seats: 2 };

/** The same request many times at once, on two servers. */
const storm = <T>(ask: (server: typeof one) => Promise<T>) =>
  Promise.all(Array.from({ length: 12 }, (_, i) => ask(servers[i % 2] as typeof one)));

describe('a match', () => {
  it('is opened once, however often and by whichever server it is requested', async () => {
    const [eve] = (await newPlayers(one, 'Eve')) as [Player];
    const opened = await storm(({ matches }) => matches.create(eve, input, 'first'));
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    expect(await ownMatches(eve)).toBe(1);
    // Null, as GraphQL passes arguments that are left out.
    const filled = { ...input, visibility: 'PUBLIC', sit: true, takeover: false, entropy: null } as const;
    expect((await two.matches.create(eve, filled, 'first')).id).toBe(opened[0]?.id);
    await one.matches.join(ann, opened[0]?.id as string, {});
    expect(await two.matches.create(eve, input, 'first')).toMatchObject({ status: 'ACTIVE' });
    expect((await one.matches.create(eve, input)).id).not.toBe(opened[0]?.id);
  });

  it('is refused where the key was used for something else; other players have keys of their own', async () => {
    const first = await one.matches.create(ann, input, 'mine');
    await expect(two.matches.create(ann, { ...input, seats: 3 }, 'mine')).rejects.toEqual(
      refused('IDEMPOTENCY_KEY_REUSED'),
    );
    await expect(two.matches.rematch(ann, first.id, { key: 'mine' })).rejects.toEqual(
      refused('IDEMPOTENCY_KEY_REUSED'),
    );
    expect((await one.matches.create(players[1], { ...input, seats: 3 }, 'mine')).id).not.toBe(first.id);
    for (const key of ['', 'x'.repeat(101), 'a\0b'])
      await expect(one.matches.create(ann, input, key)).rejects.toEqual(refused('BAD_INPUT'));
  });

  it('that could not be stored leaves its key unused', async () => {
    const { pool } = one.database;
    await pool.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await pool.query('CREATE TRIGGER fail BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION fail()');
    await expect(one.matches.create(ann, input, 'unlucky')).rejects.toThrow('no');
    await pool.query('DROP TRIGGER fail ON events');
    const before = await ownMatches(ann);
    const made = await one.matches.create(ann, input, 'unlucky');
    expect(await ownMatches(ann)).toBe(before + 1);
    expect((await two.matches.create(ann, input, 'unlucky')).id).toBe(made.id);
  });

  it('is forked, imported and played again once', async () => {
    const { id } = await runningMatch(one, players.slice(0, 2));
    await one.matches.resign(players[1], id);
    const forks = await storm(({ matches }) => matches.fork(ann, id, 3, null, 'fork'));
    expect(new Set(forks.map((match) => match.id)).size).toBe(1);
    await expect(one.matches.fork(ann, id, 2, null, 'fork')).rejects.toEqual(refused('IDEMPOTENCY_KEY_REUSED'));
    const again = await storm(({ matches }) => matches.rematch(ann, id, { key: 'again' }));
    expect(new Set(again.map((match) => match.id)).size).toBe(1);
    const [ended, other] = [await one.matches.see(ann, id), await one.matches.cancel(ann, again[0]?.id as string)];
    const document = documentOf(ended, numbered(playersOf(ended)));
    for (const { matches } of servers) expect((await matches.import(ann, document, 'import')).id).toBe(id);
    await expect(one.matches.import(ann, documentOf(other, numbered(playersOf(other))), 'import')).rejects.toEqual(
      refused('IDEMPOTENCY_KEY_REUSED'),
    );
    expect(await two.matches.rematch(ann, id, { key: 'again' })).toMatchObject({
      id: again[0]?.id,
      status: 'CANCELLED',
    });
  });
});

it('a bot sits down once', async () => {
  const { id } = await one.matches.create(ann, { game: 'highest', seats: 3 });
  await storm(({ matches }) => matches.addBot(ann, id, 'EASY', 'bot'));
  expect((await one.matches.see(ann, id)).seats.filter((seat) => seat === null)).toHaveLength(1);
  await expect(one.matches.addBot(ann, id, 'HARD', 'bot')).rejects.toEqual(refused('IDEMPOTENCY_KEY_REUSED'));
  expect((await one.matches.addBot(ann, id, 'EASY', 'another')).status).toBe('ACTIVE');
});

describe('what holds a secret', () => {
  const key = 'a key that nobody can guess';

  it('a player is registered once, with one token, and only by who knows a good key', async () => {
    const made = await storm(({ players }) => players.register('Once', key));
    expect(new Set(made.map(({ token }) => token)).size).toBe(1);
    expect(await count('players WHERE name = $1', 'Once')).toBe(1);
    expect(await two.players.authenticate(made[0]?.token as string)).toMatchObject({ name: 'Once' });
    await expect(one.players.register('Other', key)).rejects.toEqual(refused('IDEMPOTENCY_KEY_REUSED'));
    await expect(one.players.register('Other', 'short')).rejects.toEqual(refused('BAD_INPUT'));
  });

  it('a token is made once', async () => {
    const made = await storm(({ players }) => players.createToken(withEveryScope(ann), { name: 'phone' }, key));
    expect(new Set(made.map(({ token }) => token)).size).toBe(1);
    expect((await one.players.tokens(ann)).filter(({ name }) => name === 'phone')).toHaveLength(1);
    expect(await two.players.authenticate(made[0]?.token as string)).toMatchObject({ id: ann.id });
    const other = await one.players.createToken(withEveryScope(players[1]), { name: 'phone' }, key);
    expect(other.token).not.toBe(made[0]?.token);
  });

  it('a webhook is made once, with one secret', async () => {
    const guard = { allowPrivate: true, resolve: resolveByDns } as never;
    const parts = { guard, sending: {} as never, mayHear: async () => {}, limit: () => {} };
    const open = (server: typeof one) => openWebhooks({ database: server.database, ...parts });
    const url = 'http://127.0.0.1/hook';
    const made = await storm((server) => open(server).create(ann, { url }, 'hook'));
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(1);
    expect(await open(one).list(ann)).toHaveLength(1);
    await expect(open(one).create(ann, { url: `${url}2` }, 'hook')).rejects.toEqual(refused('IDEMPOTENCY_KEY_REUSED'));
  });
});

it('keys are kept for a day, and not for ever', async () => {
  const { id } = await one.matches.create(ann, input, 'old');
  const { pool } = one.database;
  const { tidy } = tasksOf({ sending: { pool } as never, turnOf: async () => null, wake: () => {} });
  const age = async (hours: number) => {
    await pool.query('UPDATE request_keys SET at = now() - make_interval(hours => $1)', [hours]);
    await tidy?.({}, {} as never);
  };
  await age(25);
  expect((await one.matches.create(ann, input, 'old')).id).toBe(id);
  await age(49);
  expect((await one.matches.create(ann, input, 'old')).id).not.toBe(id);
});
