/** Both faces through one table of cases, on two servers and one database: the same commands, answers and refusals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, STATUS } from '../../src/errors.ts';
import { fastRng } from '../../src/games/rng.ts';
import type { Api, Json, MatchJson } from '../support/api.ts';
import { playOut, Refusal } from '../support/api.ts';
import { graphql } from '../support/api-graphql.ts';
import { rest, restCall } from '../support/api-rest.ts';
import { withSample } from '../support/instance.ts';
import {
  ACTION_ID,
  type Member,
  NOWHERE,
  newMember,
  type Pair,
  startPair,
  type World,
  worldOf,
} from '../support/world.ts';

const faces = [graphql, rest];
let pair: Pair;

beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.stop());

const LONG = 'x'.repeat(101);
type Case = [what: string, code: ErrorCode, run: (world: World) => Promise<unknown>];

const needsToken: [string, (api: Api, world: World) => Promise<unknown>][] = [
  ['me', (api) => api.me()],
  ['tokens', (api) => api.tokens()],
  ['a new token', (api) => api.createToken('laptop')],
  ['revoking a token', (api) => api.revokeToken(NOWHERE)],
  ['opening a match', (api) => api.createMatch({ game: 'highest', seats: 2 })],
  ['joining', (api, { open }) => api.join(open.id)],
  ['leaving', (api, { open }) => api.leave(open.id)],
  ['acting', (api, { active, taken }) => api.submit(active.id, { action: taken.action })],
  ['a list of mine', (api) => api.matches({ mine: true })],
  ['a list of my turns', (api) => api.matches({ myTurn: true })],
];

const hiddenFrom: [string, (api: Api, id: string) => Promise<unknown>][] = [
  ['match', (api, id) => api.match(id)],
  ['match with a wrong invite', (api, id) => api.match(id, 'guessed')],
  ['view', (api, id) => api.view(id)],
  ['board', (api, id) => api.board(id)],
  ['legal actions', (api, id) => api.legalActions(id)],
  ['events', (api, id) => api.events(id)],
  ['joining', (api, id) => api.join(id)],
  ['joining with a wrong invite', (api, id) => api.join(id, { invite: 'guessed' })],
  ['leaving', (api, id) => api.leave(id)],
  ['acting', (api, id) => api.submit(id, { action: { type: 'card', card: 1 } })],
];

const create = (more: Json) => (world: World) => world.ann.createMatch({ game: 'highest', seats: 2, ...more });

const refusals: Case[] = [
  ...needsToken.map(([what, run]): Case => [`${what} without a token`, 'UNAUTHENTICATED', (w) => run(w.anybody, w)]),
  ...needsToken.map(([what, run]): Case => [`${what} with a wrong one`, 'UNAUTHENTICATED', (w) => run(w.stranger, w)]),
  ...hiddenFrom.map(([what, run]): Case => [`${what} of no match`, 'NOT_FOUND', (w) => run(w.cho, NOWHERE)]),
  ...hiddenFrom.map(([what, run]): Case => [`${what} of what is no id`, 'NOT_FOUND', (w) => run(w.cho, 'nonsense')]),
  ...hiddenFrom.map(([what, run]): Case => [`${what} of a private match`, 'NOT_FOUND', (w) => run(w.cho, w.hidden.id)]),
  ['a name that is blank', 'BAD_INPUT', (w) => w.anybody.register(' \t ')],
  ['a name that is too long', 'BAD_INPUT', (w) => w.anybody.register('x'.repeat(41))],
  ['a name with a line break', 'BAD_INPUT', (w) => w.anybody.register('Ann\nBen')],
  ['a name that is a number', 'BAD_INPUT', (w) => w.anybody.register(7)],
  ['a name that is missing', 'BAD_INPUT', (w) => w.anybody.register(undefined)],
  ['a token name that is blank', 'BAD_INPUT', (w) => w.ann.createToken('')],
  ['a token that is not there', 'NOT_FOUND', (w) => w.ann.revokeToken(NOWHERE)],
  ['a token of nobody', 'NOT_FOUND', (w) => w.ann.revokeToken('nonsense')],
  ['a game that is not there', 'NOT_FOUND', (w) => w.anybody.game('poker')],
  ['a match of a game that is not there', 'NOT_FOUND', create({ game: 'poker' })],
  ['too few seats', 'BAD_INPUT', create({ seats: 1 })],
  ['too many seats', 'BAD_INPUT', create({ seats: 4 })],
  ['half a seat', 'BAD_INPUT', create({ seats: 2.5 })],
  ['seats in words', 'BAD_INPUT', create({ seats: 'two' })],
  ['no seats', 'BAD_INPUT', create({ seats: undefined })],
  ['an option that is not there', 'BAD_INPUT', create({ options: { jokers: 2 } })],
  ['options that are none', 'BAD_INPUT', create({ options: [1] })],
  ['a visibility that is not there', 'BAD_INPUT', create({ visibility: 'SECRET' })],
  ['a field that is not there', 'BAD_INPUT', create({ colour: 'red' })],
  ['entropy that is too long', 'BAD_INPUT', create({ entropy: LONG })],
  ['entropy that is empty', 'BAD_INPUT', create({ entropy: '' })],
  ['a seat that is taken', 'MATCH_FULL', (w) => w.ben.join(w.open.id, { seat: 0 })],
  ['a seat that is not there', 'BAD_INPUT', (w) => w.ben.join(w.open.id, { seat: 2 })],
  ['a seat below zero', 'BAD_INPUT', (w) => w.ben.join(w.open.id, { seat: -1 })],
  ['a second seat', 'BAD_INPUT', (w) => w.ann.join(w.open.id, { seat: 1 })],
  ['entropy of a guest that is too long', 'BAD_INPUT', (w) => w.ben.join(w.open.id, { entropy: LONG })],
  ['joining a full match', 'MATCH_FULL', (w) => w.cho.join(w.active.id)],
  ['joining a finished match', 'MATCH_FULL', (w) => w.cho.join(w.finished.id)],
  ['joining a cancelled match', 'MATCH_OVER', (w) => w.cho.join(w.cancelled.id)],
  ['leaving without a seat', 'NOT_SEATED', (w) => w.cho.leave(w.open.id)],
  ['leaving after the start', 'FORBIDDEN', (w) => w.ann.leave(w.active.id)],
  ['leaving after the end', 'FORBIDDEN', (w) => w.ann.leave(w.finished.id)],
  ["another seat's eyes before the end", 'FORBIDDEN', (w) => w.ann.view(w.active.id, { seat: 1 })],
  ["a seat's eyes for a spectator", 'FORBIDDEN', (w) => w.anybody.view(w.active.id, { seat: 0 })],
  ["a picture with another's eyes", 'FORBIDDEN', (w) => w.ann.board(w.active.id, { seat: 1 })],
  ['eyes of no seat', 'BAD_INPUT', (w) => w.ann.view(w.finished.id, { seat: 2 })],
  ['a version to come', 'BAD_INPUT', (w) => w.ann.view(w.active.id, { at: 5 })],
  ['a version below zero', 'BAD_INPUT', (w) => w.ann.view(w.active.id, { at: -1 })],
  ['a picture of a version to come', 'BAD_INPUT', (w) => w.ann.board(w.active.id, { at: 99 })],
  ['a version in words', 'BAD_INPUT', (w) => w.ann.view(w.active.id, { at: 'now' })],
  ['a picture before the start', 'MATCH_NOT_ACTIVE', (w) => w.ann.board(w.open.id)],
  ['events after a version below zero', 'BAD_INPUT', (w) => w.ann.events(w.active.id, { after: -1 })],
  ['no events at a time', 'BAD_INPUT', (w) => w.ann.events(w.active.id, { first: 0 })],
  ['too many events at a time', 'BAD_INPUT', (w) => w.ann.events(w.active.id, { first: 501 })],
  ['no matches on a page', 'BAD_INPUT', (w) => w.ann.matches({ first: 0 })],
  ['too many matches on a page', 'BAD_INPUT', (w) => w.ann.matches({ first: 101 })],
  ['a cursor that is none', 'BAD_INPUT', (w) => w.ann.matches({ after: 'nonsense' })],
  ['a status that is not there', 'BAD_INPUT', (w) => w.ann.matches({ status: 'LOST' })],
  ['acting without a seat', 'NOT_SEATED', (w) => w.cho.submit(w.active.id, { action: w.taken.action })],
  ['acting before the start', 'MATCH_NOT_ACTIVE', (w) => w.ann.submit(w.open.id, { action: w.taken.action })],
  ['acting after the end', 'MATCH_OVER', (w) => w.ann.submit(w.finished.id, { action: w.taken.action })],
  ['acting out of turn', 'NOT_YOUR_TURN', (w) => w.ann.submit(w.active.id, { action: w.taken.action })],
  ['a card that is not in the hand', 'ILLEGAL_ACTION', (w) => w.ben.submit(w.active.id, { action: w.taken.action })],
  ['an action that is no object', 'BAD_INPUT', (w) => w.ben.submit(w.active.id, { action: 'card' })],
  ['an action that is a list', 'BAD_INPUT', (w) => w.ben.submit(w.active.id, { action: [] })],
  ['no action', 'BAD_INPUT', (w) => w.ben.submit(w.active.id, {})],
  ['an action id that is too long', 'BAD_INPUT', (w) => w.ben.submit(w.active.id, { action: {}, actionId: LONG })],
  [
    'an action id for another action',
    'ACTION_ID_REUSED',
    (w) => w.ann.submit(w.active.id, { action: { type: 'card', card: 99 }, actionId: ACTION_ID }),
  ],
  [
    'a decision on an old version',
    'STALE_VERSION',
    (w) => w.ben.submit(w.active.id, { action: w.taken.action, expectedVersion: 1 }),
  ],
  [
    'a decision on a version to come',
    'STALE_VERSION',
    (w) => w.ben.submit(w.active.id, { action: w.taken.action, expectedVersion: 9 }),
  ],
];

const refusalOf = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    (value) => expect.fail(`accepted: ${JSON.stringify(value)}`),
    (error) => (error instanceof Refusal ? error : Promise.reject(error)),
  );

describe.each(faces)('$name refuses', (face) => {
  let world: World;
  beforeAll(async () => {
    world = await worldOf(face, pair.urls);
  });

  it.each(refusals)('%s: %s', async (_, code, run) => {
    expect(await refusalOf(run(world))).toMatchObject({ code });
  });

  it('and changes nothing by it', async () => {
    for (const id of ['open', 'active', 'finished', 'cancelled', 'hidden'] as const) {
      const { version } = await world.ann.match(world[id].id);
      expect([id, version]).toEqual([id, { open: 1, active: 4, finished: 9, cancelled: 2, hidden: 1 }[id]]);
    }
  });

  it('a stale version with the current one, by which the caller can decide again', async () => {
    const stale = { action: world.taken.action, expectedVersion: 2 };
    expect((await refusalOf(world.ben.submit(world.active.id, stale))).details).toEqual({ version: 4 });
  });

  it('an illegal action without a reason: it could reveal what is hidden', async () => {
    const one = await refusalOf(world.ben.submit(world.active.id, { action: world.taken.action }));
    const other = await refusalOf(world.ben.submit(world.active.id, { action: { nonsense: true } }));
    expect([one.message, one.details]).toEqual([other.message, other.details]);
    expect(one.details).toEqual({});
  });
});

it('no error code is left without a case', () => {
  const elsewhere: ErrorCode[] = ['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL', 'CANNOT_UNDO'];
  const covered = new Set([...elsewhere, ...refusals.map(([, code]) => code)]);
  expect([...covered].sort()).toEqual((Object.keys(STATUS) as ErrorCode[]).sort());
});

describe.each(faces)('$name', (face) => {
  let ann: Member;
  let ben: Member;
  let cho: Member;
  let anybody: Api;
  beforeAll(async () => {
    [ann, ben, cho] = (await Promise.all(['Ann', 'Ben', 'Cho'].map((name) => newMember(face, pair.urls, name)))) as [
      Member,
      Member,
      Member,
    ];
    anybody = face.client(pair.urls);
  });

  it('registers a player, with its name as people type it', async () => {
    const { player, token } = await anybody.register('  Zoë ');
    expect(player).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Zoë', kind: 'HUMAN' });
    expect(await face.client(pair.urls, token).me()).toEqual(player);
  });

  it('makes, lists and revokes tokens', async () => {
    const { player, token } = await anybody.register('Dee');
    const dee = face.client(pair.urls, token);
    const { id, token: second, ...rest } = await dee.createToken('laptop');
    expect(rest).toEqual({ name: 'laptop' });
    expect(await face.client(pair.urls, second).me()).toEqual(player);
    expect((await dee.tokens()).map(({ name, revokedAt }) => [name, revokedAt])).toEqual([
      ['laptop', null],
      ['first', null],
    ]);
    const third = await dee.createToken('phone');
    const revoked = await dee.revokeToken(third.id);
    expect(revoked).toMatchObject({ id: third.id, name: 'phone', revokedAt: expect.any(String) });
    expect(await dee.revokeToken(third.id)).toEqual(revoked);
    expect(await refusalOf(face.client(pair.urls, third.token).me())).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await refusalOf(ann.revokeToken(id))).toMatchObject({ code: 'NOT_FOUND' });
    expect(JSON.stringify(await dee.tokens())).not.toContain('atoll_');
  });

  it('shows the games', async () => {
    const games = await anybody.games();
    expect(games.map(({ id }) => id)).toEqual(withSample.games.map(({ id }) => id));
    for (const game of games) expect(await anybody.game(game.id)).toEqual(game);
  });

  it('opens a match that its last seat starts', async () => {
    const opened = await ann.createMatch({ game: 'highest', seats: 3, entropy: 'mine' });
    expect(opened).toMatchObject({ status: 'OPEN', version: 1, mySeat: 0, acting: [], invite: null, seed: null });
    expect(await anybody.view(opened.id)).toBeNull();
    expect(await ben.join(opened.id, { seat: 2 })).toMatchObject({ status: 'OPEN', mySeat: 2 });
    expect(await ben.join(opened.id)).toMatchObject({ version: 2, mySeat: 2 });
    expect(await ben.leave(opened.id)).toMatchObject({ version: 3, mySeat: null });
    await cho.join(opened.id);
    const started = await ben.join(opened.id, { entropy: 'his' });
    expect(started).toMatchObject({ status: 'ACTIVE', version: 6, mySeat: 2, acting: [0, 1, 2] });
    expect(started.seats.map(({ player }) => player?.name)).toEqual(['Ann', 'Cho', 'Ben']);
    expect(await anybody.match(opened.id)).toEqual({ ...started, mySeat: null });
    const types = (await anybody.events(opened.id)).map(({ type }) => type);
    expect(types.join(' ')).toBe('JOINED JOINED LEFT JOINED JOINED STARTED');
  });

  it('lets the creator stand by', async () => {
    const opened = await ann.createMatch({ game: 'highest', seats: 2, sit: false });
    expect(opened).toMatchObject({ version: 0, mySeat: null });
    expect((await ann.matches({ mine: true })).matches.map(({ id }) => id)).not.toContain(opened.id);
  });

  it('answers a repeated action with its first receipt', async () => {
    const { id } = await ann.createMatch({ game: 'highest', seats: 2 });
    await ben.join(id);
    const [legal] = await ann.legalActions(id);
    const submission = { action: legal?.action, actionId: 'one', expectedVersion: 3 };
    const first = await ann.submit(id, submission);
    expect(first).toMatchObject({ version: 4, event: { type: 'ACTED', seat: 0, ...legal }, match: { acting: [1] } });
    expect(await Promise.all([1, 2, 3, 4].map(() => ann.submit(id, submission)))).toEqual(Array(4).fill(first));
    // The other seat's ids are its own, and what it decided before still stands: nothing that matters has happened.
    const [answer] = await ben.legalActions(id);
    const second = await ben.submit(id, { action: answer?.action, actionId: 'one', expectedVersion: 3 });
    expect(second).toMatchObject({ version: 5, event: { seat: 1 } });
    const { match: _then, ...again } = await ann.submit(id, submission);
    expect(again).toEqual({ version: first.version, event: first.event });
  });

  it('takes an action once, however many send it to both servers at once', async () => {
    const { id } = await ann.createMatch({ game: 'highest', seats: 2 });
    await ben.join(id);
    const [legal] = await ann.legalActions(id);
    const attempts = Array.from({ length: 12 }, () => ann.submit(id, { action: legal?.action, actionId: 'once' }));
    for (const { version } of await Promise.all(attempts)) expect(version).toBe(4);
    expect(await ben.match(id)).toMatchObject({ version: 4 });
  });

  it('pages through lists, filtered', async () => {
    const eve = await newMember(face, pair.urls, 'Eve');
    const made: MatchJson[] = [];
    for (let n = 0; n < 5; n++) made.unshift(await eve.createMatch({ game: 'highest', seats: 2 }));
    await ben.join((made[3] as MatchJson).id);
    await eve.leave((made[4] as MatchJson).id);
    const ids = async (filter: Json) =>
      (await eve.matches(filter)).matches.map(({ id }) => made.findIndex((m) => m.id === id));
    expect(await ids({ mine: true })).toEqual([0, 1, 2, 3]);
    expect(await ids({ mine: true, status: 'OPEN' })).toEqual([0, 1, 2]);
    expect(await ids({ myTurn: true })).toEqual([3]);
    expect(await ids({ mine: true, game: 'cacao' })).toEqual([]);
    expect(await ids({ status: 'CANCELLED', first: 1 })).toEqual([4]);
    const first = await eve.matches({ mine: true, first: 2 });
    expect(first.pageInfo).toEqual({ hasNextPage: true, endCursor: first.matches[1]?.id });
    const second = await eve.matches({ mine: true, first: 2, after: first.pageInfo.endCursor });
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect([...first.matches, ...second.matches]).toEqual((await eve.matches({ mine: true })).matches);
    expect(await eve.matches({ mine: true, after: second.pageInfo.endCursor })).toEqual({
      matches: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
  });

  it('shows history in pages', async () => {
    const { finished } = await worldOf(face, pair.urls);
    const all = await anybody.events(finished.id);
    expect(all.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await anybody.events(finished.id, { after: 3, first: 2 })).toEqual(all.slice(3, 5));
    expect(await anybody.events(finished.id, { after: 9 })).toEqual([]);
  });
});

describe.each(withSample.games.map(({ id, seats, variants }) => ({ id, seats, variants })))(
  '$id',
  ({ id, seats, variants }) => {
    const options = Object.values(variants)[0];

    it.each([
      [graphql, rest],
      [rest, graphql],
    ])('played through $name is the same to both faces', async (face, other) => {
      const count = Math.max(2, seats.min);
      const players = await Promise.all(Array.from({ length: count }, (_, n) => newMember(face, pair.urls, `P${n}`)));
      const [first, ...others] = players as [Member, ...Member[]];
      const match = await first.createMatch({ game: id, seats: count, options });
      for (const player of others) await player.join(match.id);
      const { int } = fastRng(id.length);
      await compare(
        match.id,
        players.map((p) => p.token),
      );
      const last = await playOut(match.id, players, int);
      await compare(
        match.id,
        players.map((p) => p.token),
        [Math.floor(last / 3), last - 1],
      );
      const spectator = other.client(pair.urls);
      expect(await spectator.match(match.id)).toMatchObject({ status: 'FINISHED', acting: [], version: last });
      expect(await spectator.events(match.id, { first: 500 })).toHaveLength(Math.min(last, 500));
    });
  },
);

/** Everything that every seat and a spectator can ask for, by both faces on both servers. */
async function compare(id: string, tokens: (string | undefined)[], versions: number[] = []): Promise<void> {
  const all = async (api: Api) => ({
    match: await api.match(id),
    events: await api.events(id, { first: 500 }),
    legal: await api.legalActions(id),
    looks: await Promise.all(
      [undefined, ...versions].map(async (at) => [await api.view(id, { at }), await api.board(id, { at })]),
    ),
  });
  for (const token of [undefined, ...tokens]) {
    const [one, ...others] = await Promise.all(
      faces.flatMap((face) => pair.urls.map((url) => all(face.client([url], token)))),
    );
    for (const other of others) expect(other).toEqual(one);
  }
}

describe('REST alone', () => {
  it('takes an Idempotency-Key for an actionId, and no contradiction', async () => {
    const { ben, active } = await worldOf(rest, pair.urls);
    const [legal] = await ben.legalActions(active.id);
    const post = (key: string, body: Json) =>
      fetch(`${pair.urls[0]}/v1/matches/${active.id}/actions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ action: legal?.action, ...body }),
      });
    const first = await (await post('k', {})).json();
    expect(first).toMatchObject({ version: 5 });
    expect(await (await post('k', {})).json()).toEqual(first);
    expect(await ben.submit(active.id, { action: legal?.action, actionId: 'k' })).toEqual(first);
    expect((await post('k', { actionId: 'other' })).status).toBe(400);
    expect((await post(LONG, {})).status).toBe(400);
  });

  it('says where a new match is', async () => {
    const { token } = await newMember(rest, pair.urls, 'Fay');
    const response = await fetch(`${pair.urls[0]}/v1/matches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ game: 'highest', seats: 2 }),
    });
    expect(response.status).toBe(201);
    const location = response.headers.get('location') ?? '';
    const found = await restCall(pair.urls)('GET', location.replace('/v1', ''));
    expect(found).toMatchObject({ id: ((await response.json()) as MatchJson).id });
  });
});
