/** Both faces through one table of cases, on two servers and one database: the same commands, answers and refusals. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, STATUS } from '../../src/errors.ts';
import { fastRng } from '../../src/games/rng.ts';
import { SCOPES } from '../../src/players/player.ts';
import { type Api, type Json, type LegalJson, type MatchJson, playOut, Refusal } from '../support/api.ts';
import { graphql } from '../support/api-graphql.ts';
import { rest, restCall } from '../support/api-rest.ts';
import { withSample } from '../support/instance.ts';
import { LONG, refusals } from '../support/refusals.ts';
import { type Member, newMember, type Pair, startPair, type World, worldOf } from '../support/world.ts';

const faces = [graphql, rest];
let pair: Pair;

beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.stop());

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

  it('without changing anything', async () => {
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
  const elsewhere: ErrorCode[] = ['RATE_LIMITED', 'HISTORY_CUT', 'QUOTA_EXCEEDED', 'UNAVAILABLE', 'INTERNAL'];
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
    expect(player).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Zoë',
      kind: 'HUMAN',
      tag: expect.stringMatching(/^[0-9A-Z]{4}$/),
    });
    expect(await face.client(pair.urls, token).me()).toEqual(player);
  });

  it('makes, lists and revokes tokens', async () => {
    const { player, token } = await anybody.register('Dee');
    const dee = face.client(pair.urls, token);
    const { id, token: second, ...rest } = await dee.createToken('laptop');
    expect(rest).toEqual({ name: 'laptop', scopes: SCOPES, expiresAt: null });
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

  it('makes tokens that allow less and end, and shows when they were last used', async () => {
    const [one] = pair.urls; // the last use is known at once where the token was used
    const { token } = await face.client([one]).register('Dora');
    const dora = face.client([one], token);
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const made = await dora.createToken('reader', { scopes: ['PLAY', 'READ'], expiresAt });
    expect(made).toMatchObject({ scopes: ['READ', 'PLAY'], expiresAt });
    const [before] = await dora.tokens();
    expect(before).toMatchObject({ id: made.id, scopes: ['READ', 'PLAY'], expiresAt, lastUsedAt: null });
    await face.client([one], made.token).me();
    expect((await dora.tokens())[0]).toMatchObject({ lastUsedAt: expect.any(String), lastUsedFrom: 'IPV4' });
    const refusal = await refusalOf(face.client([one], made.token).tokens());
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', details: { scope: 'ACCOUNT' } });
    for (const wish of [{ scopes: ['FLY'] }, { scopes: 'READ,PLAY' }, { expiresAt: 'soon' }, { expiresAt: 7 }])
      expect(await refusalOf(dora.createToken('bad', wish))).toMatchObject({ code: 'BAD_INPUT' });
  });

  it('shows the games', async () => {
    const games = await anybody.games();
    expect(games.map(({ id }) => id)).toEqual(withSample.games.map(({ id }) => id));
    for (const game of games) expect(await anybody.game(game.id)).toEqual(game);
    expect((await anybody.game('highest')).effectSchema).toMatchObject({ anyOf: expect.any(Array) });
    expect((await anybody.game('hawaii')).minutes).toEqual({ min: 60, max: 90 });
    expect((await anybody.game('nim')).minutes).toBeNull();
  });

  it('opens a match that its last seat starts', async () => {
    const opened = await ann.createMatch({ game: 'highest', seats: 3, entropy: 'mine' });
    expect(opened).toMatchObject({ status: 'OPEN', version: 1, mySeat: 0, acting: [], invite: null, seed: null });
    expect(await anybody.view(opened.id)).toBeNull();
    expect(await anybody.description(opened.id)).toBeNull();
    expect(await ben.join(opened.id, { seat: 2 })).toMatchObject({ status: 'OPEN', mySeat: 2 });
    expect(await ben.join(opened.id)).toMatchObject({ version: 2, mySeat: 2 });
    expect(await ben.leave(opened.id)).toMatchObject({ version: 3, mySeat: null });
    await cho.join(opened.id);
    const started = await ben.join(opened.id, { entropy: 'his' });
    expect(started).toMatchObject({ status: 'ACTIVE', version: 6, mySeat: 2, acting: [0, 1, 2] });
    expect(started.seats.map(({ player }) => player?.name)).toEqual(['Ann', 'Cho', 'Ben']);
    expect(await anybody.match(opened.id)).toEqual({
      ...started,
      mySeat: null,
      canUndo: { possible: false, reason: 'NOT_SEATED' },
    });
    const types = (await anybody.events(opened.id)).map(({ type }) => type);
    expect(types.join(' ')).toBe('JOINED JOINED LEFT JOINED JOINED STARTED');
  });

  it('lets the creator open a match without a seat', async () => {
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

  it('undoes an action, and continues from there', async () => {
    const { id } = await ann.createMatch({ game: 'highest', seats: 2 });
    await ben.join(id);
    const [one, other] = (await ann.legalActions(id)) as [LegalJson, LegalJson];
    expect((await ann.submit(id, { action: one.action, actionId: 'a' })).match.canUndo).toEqual({
      possible: true,
      reason: null,
    });
    const undone = await ann.undo(id, 4);
    expect(undone).toMatchObject({ version: 5, event: { type: 'UNDONE', seat: 0, action: { version: 4 } } });
    expect(undone.match).toMatchObject({ acting: [0, 1], canUndo: { possible: false, reason: 'NOTHING_TO_UNDO' } });
    expect((await ann.events(id, { after: 3 })).map((event) => event.undone)).toEqual([true, false]);
    expect(await ann.legalActions(id)).toEqual([one, other]);
    expect(await ann.submit(id, { action: other.action, actionId: 'b' })).toMatchObject({ version: 6 });
    const [answer] = await ben.legalActions(id);
    expect((await ben.submit(id, { action: answer?.action })).match.canUndo).toMatchObject({ possible: false });
    expect(await refusalOf(ann.undo(id, 7))).toMatchObject({ code: 'CANNOT_UNDO' });
  });

  it('ends a match of two when one resigns, and opens its rematch', async () => {
    const { id } = await ann.createMatch({ game: 'highest', seats: 2, clock: { bankSeconds: 3600 } });
    const { clock, seats } = await ben.join(id);
    expect(clock).toEqual({ bankSeconds: 3600, incrementSeconds: 0, capSeconds: 3600, onTimeout: 'BOT' });
    expect(seats).toMatchObject([{ bankSeconds: 3600, deadline: expect.any(String) }, { vacant: false }]);
    const { event, match } = await ann.resign(id);
    expect(event).toMatchObject({ type: 'RESIGNED', seat: 0 });
    expect(match).toMatchObject({
      status: 'FINISHED',
      acting: [],
      result: { ranks: [2, 1] },
      seed: expect.any(String),
    });
    const again = await ann.rematch(id);
    expect(again).toMatchObject({ status: 'OPEN', rematchOf: id, mySeat: 1, clock });
    expect(await ben.rematch(id)).toMatchObject({ id: again.id, status: 'ACTIVE', mySeat: 0 });
  });

  it('takes standing orders, and lets nobody else read them before the end', async () => {
    const { id } = await ann.createMatch({ game: 'highest', seats: 2 });
    await ben.join(id);
    const { event, match } = await ben.setOrder(id, { play: 'lowest' });
    expect(event).toMatchObject({ version: 4, type: 'ORDERED', seat: 1, action: { order: { play: 'lowest' } } });
    expect(match).toMatchObject({ version: 5, acting: [0] }); // the order was followed at once
    expect([await ben.order(id), await ann.order(id)]).toEqual([{ play: 'lowest' }, null]);
    const [seen] = await ann.events(id, { after: 3 });
    expect(seen).toMatchObject({ type: 'ORDERED', seat: 1, action: null, label: null });
    for (let round = 1; round <= 3; round++) await ann.submit(id, { action: (await ann.legalActions(id))[0]?.action });
    expect(await ann.match(id)).toMatchObject({ status: 'FINISHED' });
    expect((await ann.events(id, { after: 3 }))[0]?.action).toEqual({ order: { play: 'lowest' } });
  });

  it('accepts null for arguments that are left out', async () => {
    const clock = { bankSeconds: 60, incrementSeconds: null, capSeconds: null, onTimeout: null };
    const nothing = { options: null, visibility: null, sit: null, bots: null, takeover: null, entropy: null };
    expect(await ann.createMatch({ game: 'highest', seats: 2, ...nothing, clock })).toMatchObject({
      visibility: 'PUBLIC',
      mySeat: 0,
      takeover: false,
      clock: { bankSeconds: 60, incrementSeconds: 0, capSeconds: 60, onTimeout: 'BOT' },
    });
  });

  it('seats bots, and calls a match off', async () => {
    const { id } = await ann.createMatch({ game: 'highest', seats: 3, bots: ['EASY'] });
    const bots = (await ann.addBot(id, 'HARD')).seats.map(({ player }) => player?.kind);
    expect(bots).toEqual(['HUMAN', 'BOT', 'BOT']);
    const other = await ann.createMatch({ game: 'highest', seats: 2 });
    expect(await ann.cancel(other.id)).toMatchObject({ status: 'CANCELLED', endedAt: expect.any(String) });
    expect(await ann.cancel(other.id)).toMatchObject({ version: 2 });
  });

  it('forks a match, for one player at every seat', async () => {
    const { finished, cho: analyst } = await worldOf(face, pair.urls);
    const fork = await analyst.fork(finished.id, 4);
    expect(fork).toMatchObject({ status: 'ACTIVE', visibility: 'PRIVATE', origin: { matchId: finished.id, at: 4 } });
    await playOut(fork.id, [analyst, analyst], () => 0);
    expect(await analyst.match(fork.id)).toMatchObject({ status: 'FINISHED' });
    expect(await refusalOf(ann.match(fork.id))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('exports what can be imported, once and unchanged', async () => {
    const { finished, ann: player } = await worldOf(face, pair.urls);
    const document = await player.export(finished.id, { names: true });
    expect(document).toMatchObject({ format: 'atoll-match-1', players: ['Ann', 'Ben'], status: 'FINISHED' });
    expect(await player.import(document)).toMatchObject({ id: finished.id, importedAt: null });
    const elsewhere = await startPair();
    const { token } = await face.client(elsewhere.urls).register('Guy');
    const guest = face.client(elsewhere.urls, token);
    const imported = await guest.import(document);
    expect(imported).toMatchObject({ id: finished.id, status: 'FINISHED', importedAt: expect.any(String) });
    expect(await guest.import(document)).toEqual(imported);
    expect(await guest.export(finished.id, { names: true })).toEqual(document);
    await elsewhere.stop();
  });

  it('deletes a player’s name, but not the actions', async () => {
    const { finished, ann: player } = await worldOf(face, pair.urls);
    expect(await player.deletePlayer()).toEqual({
      id: player.id,
      name: 'Deleted player',
      kind: 'HUMAN',
      tag: expect.any(String),
    });
    const { seats } = await anybody.match(finished.id);
    expect(seats.map((seat) => seat.player?.name)).toEqual(['Deleted player', 'Ben']);
    expect(await anybody.events(finished.id)).toHaveLength(9);
    await expect.poll(() => refusalOf(player.me()).then(({ code }) => code)).toBe('UNAUTHENTICATED');
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
    made.sort((a, b) => (a.id < b.id ? 1 : -1)); // ids of the same millisecond have no fixed order
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
      const rng = fastRng(id.length);
      await compare(
        match.id,
        players.map((p) => p.token),
      );
      const last = await playOut(match.id, players, (n) => rng.int(n));
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
    document: await api.export(id, { names: true }),
    looks: await Promise.all(
      [undefined, ...versions].map(async (at) => [
        await api.view(id, { at }),
        await api.board(id, { at }),
        await api.board(id, { at, width: 'NARROW' }),
        await api.description(id, { at }),
      ]),
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
  it('accepts an Idempotency-Key as actionId, and refuses two different ones', async () => {
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
