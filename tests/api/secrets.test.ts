/** What a seat, another seat and a spectator learn of what is hidden, by every way of asking: no more than they may. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastRng } from '../../src/games/rng.ts';
import { tinyGames } from '../games/tiny/index.ts';
import { type Api, type EventJson, type Json, type LegalJson, playOut, Refusal } from '../support/api.ts';
import { graphql, graphqlRun } from '../support/api-graphql.ts';
import { rest } from '../support/api-rest.ts';
import { startInstance, withSample } from '../support/instance.ts';
import { socketSubscription, ways } from '../support/streams.ts';
import { type Member, newMember, type Pair, startPair } from '../support/world.ts';

let pair: Pair;
let sql: pg.Client;
let ann: Member;
let ben: Member;
let cho: Member;

beforeAll(async () => {
  pair = await startPair();
  sql = new pg.Client({ connectionString: pair.database.url });
  await sql.connect();
  [ann, ben, cho] = (await Promise.all(['Ann', 'Ben', 'Cho'].map((name) => newMember(rest, pair.urls, name)))) as [
    Member,
    Member,
    Member,
  ];
});
afterAll(async () => {
  await sql.end();
  await pair.stop();
});

/** Two matches of Ann and Ben that begin alike, to the last card. */
async function twins(game = 'highest'): Promise<[string, string]> {
  const opener = await startInstance(pair.database.url);
  const creator = rest.client([opener.url], ann.token);
  const ids = [];
  for (let n = 0; n < 2; n++) ids.push((await creator.createMatch({ game, seats: 2 })).id);
  await opener.stop(); // only it remembers the seeds that these replace
  await sql.query('UPDATE matches SET server_seed = $1 WHERE id = ANY($2)', [Buffer.alloc(32, 7), ids]);
  for (const id of ids) await ben.join(id);
  return ids as [string, string];
}

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error) => (error instanceof Refusal ? [error.message, error.details] : Promise.reject(error)));

const statesTo = (version: number) => `query ($id: ID!) { match(id: $id) { states(from: 0, to: ${version}) {
  version acting view board description legalActions { action label targets } event { action label targets }
} } }`;

/** All that a caller can get out of a match, by every way of asking, and what it is told when it asks too much. */
async function everything(id: string, token: string | undefined): Promise<unknown> {
  const { version } = await rest.client(pair.urls).match(id);
  const versions = Array.from({ length: version + 1 }, (_, at) => at);
  const of = async (api: Api) => ({
    match: await api.match(id),
    legal: await api.legalActions(id),
    events: await api.events(id),
    document: await api.export(id),
    views: await Promise.all(versions.map((at) => api.view(id, { at }))),
    boards: await Promise.all(versions.slice(3).map((at) => api.board(id, { at, width: at % 2 ? 'WIDE' : 'NARROW' }))),
    descriptions: await Promise.all(versions.map((at) => api.description(id, { at }))),
    refused: await Promise.all([
      refusal(api.view(id, { seat: 1 })),
      refusal(api.board(id, { seat: 1, at: 4 })),
      refusal(api.description(id, { seat: 1, at: 4 })),
      refusal(api.view(id, { at: 99 })),
      refusal(api.submit(id, { action: { type: 'card', card: 0 } })),
      refusal(api.submit(id, { action: { type: 'card', card: 0 }, actionId: 'secret' })),
      refusal(api.submit(id, { action: {}, expectedVersion: 1 })),
      refusal(api.undo(id, version)),
      refusal(api.join(id)),
    ]),
  });
  const faces = await Promise.all([graphql, rest].map((face) => of(face.client(pair.urls, token))));
  const states = await graphqlRun(pair.urls, token)(statesTo(version), { id });
  const streams = ways.map(([, open], n) => open(pair.urls[n % 2] as string, { id, token }));
  for (const stream of streams) await expect.poll(() => stream.seen.length).toBe(version);
  for (const stream of streams) stream.cut();
  return scrub([faces, states, streams.map(({ seen }) => seen)], id);
}

const APART = new Set(['at', 'hash', 'createdAt', 'startedAt', 'endedAt']);

/** Without what differs between any two matches. */
function scrub(value: unknown, id: string): unknown {
  const text = JSON.stringify(value, (key, inner) =>
    APART.has(key) && typeof inner === 'string' ? `<${key}>` : inner,
  );
  return JSON.parse(text.replaceAll(id, '<id>'));
}

const act = async (player: Api, id: string, choice: number, more: Json = {}) =>
  player.submit(id, { action: ((await player.legalActions(id))[choice] as LegalJson).action, ...more });

describe('a secret choice of another seat', () => {
  it('changes nothing that anybody else can read, until it is revealed', async () => {
    const [one, other] = await twins();
    await act(ben, one, 0, { actionId: 'secret' });
    await act(ben, other, 1, { actionId: 'secret' });
    for (const token of [ann.token, cho.token, undefined]) {
      expect(await everything(one, token)).toEqual(await everything(other, token));
    }
    expect((await ben.events(one, { after: 3 }))[0]).toMatchObject({
      seat: 1,
      action: { type: 'card' },
      targets: [expect.stringMatching(/^card:/)],
      effects: [{ type: 'laid', data: { seat: 1 }, text: expect.stringMatching(/^Seat 1 lays the/) }],
    });
    expect((await ann.events(one, { after: 3 }))[0]).toMatchObject({ action: null, targets: null, effects: null });
    const receipts = await Promise.all([one, other].map((id) => act(ann, id, 0)));
    // Now it is revealed: the same look sees the difference.
    expect(scrub(receipts[0], one)).not.toBe(scrub(receipts[1], other));
    expect(await everything(one, ann.token)).not.toEqual(await everything(other, ann.token));
    const [event] = (await ann.events(one, { after: 3 })) as [EventJson];
    expect(event).toMatchObject({
      seat: 1,
      action: { type: 'card' },
      label: expect.stringMatching(/^play the/),
      effects: [{ type: 'laid' }],
    });
  });

  it('that was taken back is hidden from everybody else before the end', async () => {
    const [one, other] = await twins();
    await act(ben, one, 0);
    await act(ben, other, 1);
    for (const id of [one, other]) {
      await ben.undo(id, 4);
      await act(ben, id, 1);
    }
    for (const token of [ann.token, undefined]) {
      expect(await everything(one, token)).toEqual(await everything(other, token));
    }
    for (const id of [one, other]) await act(ann, id, 0);
    for (const token of [ann.token, undefined]) {
      expect(await everything(one, token)).toEqual(await everything(other, token));
    }
    const ended = await playOut(one, [ann, ben], () => 0);
    expect((await ann.events(one, { after: 3 }))[0]).toMatchObject({ version: 4, undone: true, seat: 1 });
    expect((await ann.events(one, { after: 3, first: 1 }))[0]?.action).not.toBeNull();
    expect(ended).toBe(11);
  });
});

it('a standing order is told to nobody before the end', async () => {
  const [one, other] = await twins('cacao');
  await ben.setOrder(one, { work: 'sell' });
  await ben.setOrder(other, { work: 'ask' });
  for (const token of [ann.token, undefined]) {
    expect(await everything(one, token)).toEqual(await everything(other, token));
  }
  await ben.resign(one);
  expect((await ann.events(one, { after: 3 }))[0]).toMatchObject({
    type: 'ORDERED',
    action: { order: { work: 'sell' } },
  });
});

interface Row {
  version: number;
  seat: number;
  secret: boolean;
  epoch: number;
}

describe.each(withSample.games.map(({ id, seats }) => ({ id, seats })))(
  '$id, looked at all along',
  ({ id: game, seats }) => {
    const count = Math.max(2, seats.min);
    const often = tinyGames.some(({ id }) => id === game) ? 1 : 31;

    it('shows at each version what may be known then, and later what was known then', async () => {
      const players = [ann, ben, cho, await newMember(graphql, pair.urls, 'Dee')].slice(0, count);
      const match = await ann.createMatch({ game, seats: count });
      for (const player of players.slice(1)) await player.join(match.id);
      const callers: [number | null, Api][] = [
        ...players.map((p, seat) => [seat, p] as [number, Api]),
        [null, rest.client(pair.urls)],
      ];
      const looks: {
        version: number;
        seat: number | null;
        view: unknown;
        shown: unknown;
        mayAct: boolean;
        events: EventJson[];
      }[] = [];
      /** A picture and a description that change with what the caller may choose now. */
      const shownBy = (api: Api, look: Json) =>
        Promise.all([api.board(match.id, look), api.description(match.id, look)]);
      const rng = fastRng(3);
      await playOut(
        match.id,
        players,
        (n) => rng.int(n),
        async (version) => {
          if (version % often !== 0) return;
          expect(await ann.match(match.id)).toMatchObject({ seed: null, commitment: match.commitment });
          for (const [seat, api] of callers) {
            const [view, shown, legal, events] = await Promise.all([
              api.view(match.id),
              shownBy(api, {}),
              api.legalActions(match.id),
              api.events(match.id, { first: 500 }),
            ]);
            looks.push({ version, seat, view, shown, mayAct: legal.length > 0, events });
          }
        },
      );
      const { rows } = await sql.query<Row>(
        'SELECT version, seat, secret, epoch FROM events WHERE match_id = $1 ORDER BY version',
        [match.id],
      );
      expect(looks.filter(({ mayAct }) => !mayAct).length).toBeGreaterThan(0);
      for (const { version, seat, view, shown, mayAct, events } of looks) {
        const [, api] = callers.find(([who]) => who === seat) as [number | null, Api];
        expect(await api.view(match.id, { at: version })).toEqual(view);
        if (!mayAct) expect(await shownBy(api, { at: version })).toEqual(shown);
        const epochNow = (rows[version] as Row).epoch; // that of a state stands with the event after it
        for (const event of events) {
          const row = rows[event.version - 1] as Row;
          const hidden = row.secret && row.seat !== seat && row.epoch >= epochNow;
          const { action, label, targets, effects } = event;
          const isNull = hidden || event.type !== 'ACTED';
          expect([event.version, ...[action, label, targets, effects].map((field) => field === null)]).toEqual([
            event.version,
            ...[isNull, isNull, isNull, isNull],
          ]);
        }
      }
      await expectOpen(match.id, callers);
    });
  },
);

/** After the end: every seat's eyes, every action, and the seed that was promised. */
async function expectOpen(id: string, callers: [number | null, Api][]): Promise<void> {
  const [, spectator] = callers.at(-1) as [null, Api];
  for (const [seat, api] of callers) {
    if (seat !== null) expect(await spectator.view(id, { at: 5, seat })).toEqual(await api.view(id, { at: 5 }));
  }
  const events = await spectator.events(id, { first: 500 });
  expect(events.filter(({ type, action }) => type === 'ACTED' && action === null)).toEqual([]);
  const { seed, commitment } = await spectator.match(id);
  expect(
    createHash('sha256')
      .update(Buffer.from(seed ?? '', 'hex'))
      .digest('hex'),
  ).toBe(commitment);
}

describe.each([graphql, rest])('a private match, by $name', (face) => {
  it('does not exist for outsiders, by any route or field', async () => {
    const [owner, guest, outsider] = (await Promise.all(
      [ann, ben, cho].map(({ token }) => face.client(pair.urls, token)),
    )) as [Api, Api, Api];
    const anybody = face.client(pair.urls);
    const { id, invite } = await owner.createMatch({ game: 'highest', seats: 2, visibility: 'PRIVATE' });
    if (invite === null) return expect.fail('no invite');
    const ids = async (api: Api, filter: Json = {}) =>
      (await api.matches({ first: 100, ...filter })).matches.map((match) => match.id);
    expect(await ids(owner)).toContain(id);
    expect((await guest.join(id, { invite })).invite).toBe(invite);
    for (const api of [outsider, anybody]) {
      expect(await ids(api)).not.toContain(id);
      expect(await ids(api, { status: 'ACTIVE', game: 'highest' })).not.toContain(id);
      expect(await refusal(api.match(id))).toEqual(expect.arrayContaining([expect.stringContaining('NOT_FOUND')]));
      // Whoever was let in looks on, but cannot let others in.
      expect(await api.match(id, invite)).toMatchObject({ invite: null, mySeat: null, status: 'ACTIVE' });
      expect(await api.view(id, { invite })).toMatchObject({ hand: [] });
      expect(await api.events(id, { invite })).toHaveLength(3);
    }
    expect(await ids(owner, { mine: true })).toContain(id);
    expect((await guest.match(id)).invite).toBe(invite);
  });
});

describe.each(ways)('a private match, by a stream of %s', (_, open) => {
  it('does not exist without a seat or the invite', async () => {
    const { id, invite } = await ann.createMatch({ game: 'highest', seats: 2, visibility: 'PRIVATE' });
    const [url] = pair.urls;
    for (const token of [undefined, cho.token]) {
      expect(await open(url, { id, token }).ended).toBe('refused NOT_FOUND');
      expect(await open(url, { id, token, invite: 'guessed' }).ended).toBe('refused NOT_FOUND');
    }
    const insiders = [open(url, { id, token: ann.token }), open(url, { id, invite: invite ?? '' })];
    for (const { seen } of insiders) await expect.poll(() => seen.length).toBe(1);
    for (const { cut } of insiders) cut();
  });
});

it('turns are sent only to their player', async () => {
  const turns = (token?: string) =>
    socketSubscription(pair.urls[0], token, 'subscription { turns { match { id } } }', {});
  expect(await turns().ended).toBe('refused UNAUTHENTICATED');
  const eve = await newMember(rest, pair.urls, 'Eve');
  const hers = turns(eve.token);
  const { id } = await ann.createMatch({ game: 'highest', seats: 2 });
  await ben.join(id);
  const mine = await eve.createMatch({ game: 'highest', seats: 2 });
  await ben.join(mine.id);
  await expect.poll(() => hers.seen).toEqual([{ match: { id: mine.id } }]);
  hers.cut();
});
