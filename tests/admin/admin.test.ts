/** The operator's commands, beside a running server: what they change, what they refuse, and that everything is recorded. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { admin } from '../../src/admin/cli.ts';
import { COMMANDS } from '../../src/admin/commands.ts';
import { registry } from '../../src/games/registry.ts';
import { verify } from '../../src/matches/proof/verify.ts';
import { DEVICE_GRANT } from '../../src/players/apps/words.ts';
import type { Json, Refusal } from '../support/api.ts';
import { rest, restCall } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { allowedCode, authorizeUrl, endpoint, exchange, me, newBrowser, refresh } from '../support/oauth.ts';
import { socketSubscription } from '../support/streams.ts';
import { type Member, newMember } from '../support/world.ts';

let database: FreshDatabase;
let server: Instance;
let ann: Member;
let ben: Member;

beforeAll(async () => {
  database = await freshDatabase();
  server = await startInstance(database.url, { services: { bans: { everyMs: 50 } }, parts: { recheckMs: 100 } });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  ann = await newMember(rest, [server.url], 'Ann');
  ben = await newMember(rest, [server.url], 'Ben');
});

/** Runs a command as an operator types it. */
async function type(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const log = vi.spyOn(console, 'log').mockImplementation((text) => void out.push(String(text)));
  const error = vi.spyOn(console, 'error').mockImplementation((text) => void err.push(String(text)));
  try {
    const code = await admin([...args, '--database', database.url, '--as', 'Olga']);
    return { code, out: out.join('\n'), err: err.join('\n') };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

const json = async (...args: string[]): Promise<never> => {
  const { code, out, err } = await type(...args, '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as never;
};

const lastDeed = async (): Promise<Json> => ((await json('audit', '--first', '1')) as Json[])[0] as Json;

const refusal = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    () => expect.fail('accepted'),
    (error) => error as Refusal,
  );

describe('help', () => {
  it.each(Object.keys(COMMANDS))('of %s says what it takes', async (name) => {
    const { code, out } = await type(name, '--help');
    expect(code).toBe(0);
    expect(out).toContain(`atoll admin ${name}`);
    expect(out).toContain('--json');
    for (const option of Object.keys(COMMANDS[name]?.options ?? {})) expect(out).toContain(`--${option}`);
  });

  it('is printed for all commands, and after a wrong call', async () => {
    expect((await type('help')).out).toContain('atoll admin audit');
    expect(await type('nonsense')).toMatchObject({ code: 2, err: expect.stringContaining('There is no command') });
    expect(await type('ban', ann.id)).toMatchObject({ code: 2, err: expect.stringContaining('--reason is missing') });
    expect(await type('ban')).toMatchObject({ code: 2 });
    expect(await type('players', '--first', 'x')).toMatchObject({ code: 2 });
    expect(await type('players', '--nonsense')).toMatchObject({ code: 2 });
  });
});

it('lists and searches players and matches', async () => {
  const zoe = await newMember(rest, [server.url], 'Zoë Quist');
  const { id } = await zoe.createMatch({ game: 'haleakala', seats: 2, bots: ['EASY'] });
  expect(await json('players', 'quist')).toMatchObject([{ id: zoe.id, name: 'Zoë Quist', banned: null }]);
  expect((await type('players', 'QUIST')).out).toContain(zoe.id);
  expect(await json('matches', '--player', 'zoë quist', '--status', 'active')).toMatchObject([
    { id, game: 'haleakala', players: ['Zoë Quist', 'Easy bot'] },
  ]);
  expect(await json('player', zoe.id)).toMatchObject({
    name: 'Zoë Quist',
    tokens: [{ name: 'first' }],
    matches: [{ id }],
  });
  expect((await type('player', zoe.id)).out).toContain('haleakala');
  expect(await type('player', 'Nobody At All')).toMatchObject({ code: 1, err: 'There is no such player.' });
});

it('asks which player is meant if several have the name', async () => {
  const { code, err } = await type('ban', 'ann', '--reason', 'x');
  expect(code).toBe(1);
  expect(err).toContain(ann.id);
});

it('bans a player, who is told the reason by every API, and unbans them', async () => {
  await ann.createMatch({ game: 'haleakala', seats: 2, bots: ['EASY'] });
  const stream = socketSubscription(server.url, ann.token, 'subscription { turns { acting } }', {});
  await expect.poll(() => stream.seen.length).toBeGreaterThan(0);
  await json('ban', ann.id, '--reason', 'rude words', '--days', '2');
  expect(await lastDeed()).toMatchObject({
    operator: 'Olga',
    action: 'ban',
    playerId: ann.id,
    details: { reason: 'rude words' },
  });
  const blocked = () =>
    ann.me().then(
      () => null,
      (error) => error as Refusal,
    );
  await expect.poll(blocked).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('rude words') });
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ me { id } }' }),
  });
  expect(answer.status).toBe(403);
  expect(JSON.stringify(await answer.json())).toContain('rude words');
  expect(await stream.ended).toBe('closed 4403');
  expect(await json('players', '--banned')).toMatchObject([{ id: ann.id, banned: 'rude words' }]);
  await json('unban', ann.id);
  await expect.poll(blocked).toBeNull();
});

it('also bans the apps, sessions and devices of a player', async () => {
  const dee = await newBrowser(server.url, 'Dee');
  const { url } = server;
  const app = (await exchange(url, await allowedCode(url, dee, { scope: 'read' }))).body;
  const device = (await endpoint(`${url}/oauth/device`, { client_id: 'Bot', scope: 'read' })).body;
  const devicePage = `${url}/oauth/device?user_code=${device.user_code}`;
  const asked = [await dee.get(authorizeUrl(url)), await dee.get(devicePage)];
  const code = await allowedCode(url, dee, { scope: 'read' });
  const bot = (await endpoint(`${url}/oauth/device`, { client_id: 'Bot', scope: 'read' })).body;
  await dee.press(await dee.get(`${url}/oauth/device?user_code=${bot.user_code}`), 'allow');
  const stream = socketSubscription(url, String(app.access_token), 'subscription { turns { acting } }', {});
  expect(await me(url, app.access_token)).toBe(200);
  await json('ban', dee.playerId, '--reason', 'rude words');
  await expect.poll(() => me(url, app.access_token)).toBe(403);
  const said = async (name: string, value: string) =>
    (await fetch(`${url}/v1/me`, { headers: { [name]: value } })).json();
  const refused = { status: 403, code: 'FORBIDDEN', banned: true };
  expect(await said('authorization', `Bearer ${app.access_token}`)).toMatchObject(refused);
  expect(await said('cookie', dee.cookie)).toMatchObject(refused);
  expect(await stream.ended).toBe('closed 4403');
  // Neither what is asked now nor what was asked before is answered with a permission.
  for (const page of [await dee.get(authorizeUrl(url)), await dee.get(devicePage)])
    expect([page.status, page.text.includes('rude words'), page.text.includes('<form')]).toEqual([403, true, false]);
  for (const page of asked) expect([(await dee.press(page, 'allow')).status, page.location]).toEqual([403, null]);
  // Nor is what was allowed before exchanged for tokens, and what can still be used works again after the ban.
  const poll = { grant_type: DEVICE_GRANT, device_code: String(bot.device_code), client_id: 'Bot' };
  const denied = { error: 'access_denied', error_description: expect.stringContaining('rude words') };
  for (const answer of [
    await refresh(url, app.refresh_token),
    await exchange(url, code),
    await endpoint(`${url}/oauth/token`, poll),
  ])
    expect(answer).toMatchObject({ status: 403, body: denied });
  await json('unban', dee.playerId);
  await expect.poll(() => me(url, app.access_token)).toBe(200);
  expect(await refresh(url, app.refresh_token)).toMatchObject({ status: 200, body: { scope: 'read' } });
});

it('gives up the seats of a banned player if asked to', async () => {
  const { id } = await ann.createMatch({ game: 'haleakala', seats: 2 });
  await ben.join(id);
  await json('ban', ann.id, '--reason', 'gone', '--give-up');
  expect(await ben.match(id)).toMatchObject({ status: 'FINISHED', result: { ranks: [2, 1] } });
});

it('renames a player', async () => {
  await json('rename', ann.id, 'Quiet Ann');
  expect(await restCall([server.url])('GET', `/players/${ann.id}`)).toMatchObject({ name: 'Quiet Ann' });
  expect(await lastDeed()).toMatchObject({ action: 'rename', details: { from: 'Ann', to: 'Quiet Ann' } });
  expect(await type('rename', ann.id, 'Easy bot')).toMatchObject({ code: 1 });
});

it('closes an account only when that is confirmed', async () => {
  const { id } = await ann.createMatch({ game: 'haleakala', seats: 2 });
  await ben.join(id);
  expect(await type('close', ann.id)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
  expect(await ben.match(id)).toMatchObject({ status: 'ACTIVE' });
  await json('close', ann.id, '--yes');
  expect(await ben.match(id)).toMatchObject({
    status: 'FINISHED',
    seats: [{ player: { name: 'Deleted player' } }, {}],
  });
  expect(await lastDeed()).toMatchObject({ action: 'close', playerId: ann.id });
});

it('calls off a match that is being played: nobody wins, and its export is proven', async () => {
  const { id } = await ann.createMatch({ game: 'haleakala', seats: 2 });
  await ben.join(id);
  const first = (await ann.match(id)).acting[0] === 0 ? ann : ben;
  const [legal] = await first.legalActions(id);
  await first.submit(id, { action: legal?.action });
  const before = await ben.view(id);
  await json('cancel', id, '--reason', 'stuck');
  const match = await ben.match(id);
  expect(match).toMatchObject({ status: 'CANCELLED', result: null, acting: [], mySeat: 1 });
  expect(match.seed).not.toBeNull();
  expect(await ben.view(id)).toEqual(before);
  expect(await ben.legalActions(id)).toEqual([]);
  expect((await refusal(ben.resign(id))).code).toBe('MATCH_OVER');
  expect(verify(registry, await ben.export(id)).match).toMatchObject({ status: 'CANCELLED' });
  expect(await lastDeed()).toMatchObject({ action: 'cancel', matchId: id, details: { reason: 'stuck' } });
  expect(await type('cancel', id, '--reason', 'again')).toMatchObject({ code: 1, err: 'This match is over.' });
  const open = await ann.createMatch({ game: 'haleakala', seats: 2 });
  await json('cancel', open.id, '--reason', 'empty');
  expect(await ann.match(open.id)).toMatchObject({ status: 'CANCELLED' });
});

it('rotates an invite, also in the memory of running servers', async () => {
  const { id, invite } = await ann.createMatch({ game: 'haleakala', seats: 2, visibility: 'PRIVATE' });
  expect(await ben.match(id, invite as string)).toMatchObject({ id });
  const { invite: fresh } = (await json('rotate-invite', id)) as { invite: string };
  await expect.poll(async () => (await ann.match(id)).invite).toBe(fresh);
  expect((await refusal(ben.match(id, invite as string))).code).toBe('NOT_FOUND');
  expect(await ben.match(id, fresh)).toMatchObject({ id });
  const open = await ann.createMatch({ game: 'haleakala', seats: 2 });
  expect(await type('rotate-invite', open.id)).toMatchObject({ code: 1, err: 'Only a private match has an invite.' });
});

it('revokes tokens', async () => {
  const { id } = await ann.createToken('laptop');
  expect(await json('revoke-tokens', ann.id, '--token', id)).toMatchObject({ revoked: 1 });
  expect(await json('revoke-tokens', ann.id)).toMatchObject({ revoked: 1 });
  expect(await lastDeed()).toMatchObject({ action: 'revoke-tokens', details: { token: 'all' } });
});

it('lists and closes reports; control characters in them do not reach the terminal', async () => {
  const call = restCall([server.url], ann.token);
  const { id } = (await call('POST', '/reports', { playerId: ben.id, text: 'He cheats.\u001b[2J' })) as { id: string };
  expect(await json('reports')).toMatchObject([{ id, player: 'Ben', reporter: 'Ann', text: 'He cheats.\u001b[2J' }]);
  expect((await type('reports')).out).not.toContain('\u001b');
  await json('close-report', id, '--note', 'talked to him');
  expect(await json('reports')).toEqual([]);
  expect(await json('reports', '--all')).toMatchObject([{ id, note: 'talked to him' }]);
  expect(await json('audit', '--player', ben.id)).toMatchObject([{ action: 'close-report', details: { report: id } }]);
});
