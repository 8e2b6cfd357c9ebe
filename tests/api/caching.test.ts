/** What answers say to caches, and what they weigh. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, playOut } from '../support/api.ts';
import { rest } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { type Wire, wireTo } from '../support/wire.ts';
import { type Member, newMember } from '../support/world.ts';

let database: FreshDatabase;
let server: Instance;
let ann: Member;
let running: string;
let ended: string;
let hidden: string;
let invite: string;

beforeAll(async () => {
  database = await freshDatabase();
  server = await startInstance(database.url);
  ann = await newMember(rest, [server.url], 'Ann');
  const ben = await newMember(rest, [server.url], 'Ben');
  const start = async (visibility: string) => {
    const match = await ann.createMatch({ game: 'highest', seats: 2, visibility });
    await ben.join(match.id, { invite: match.invite });
    return match;
  };
  running = (await start('PUBLIC')).id;
  ended = (await start('PUBLIC')).id;
  await playOut(ended, [ann, ben], () => 0);
  const secret = await start('PRIVATE');
  [hidden, invite] = [secret.id, secret.invite as string];
  await playOut(hidden, [ann, ben], () => 0);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const lifetime = async (path: string, token?: string) => {
  const answer = await fetch(server.url + path, { headers: bearer(token) });
  expect(answer.headers.get('vary')).toContain('authorization, cookie');
  await answer.arrayBuffer();
  return answer.headers.get('cache-control');
};
const FOR_EVER = 'max-age=31536000, immutable';
const A_DAY = 'max-age=86400, immutable';

describe('caches', () => {
  it('store no answers about accounts, no refusals and no answers of GraphQL', async () => {
    for (const path of ['/v1/me', '/v1/tokens', '/v1/matches/nowhere', '/graphql?query={me{id}}']) {
      for (const token of [ann.token, undefined, 'wrong']) {
        expect([path, await lifetime(path, token)]).toEqual([path, 'private, no-store']);
      }
    }
    for (const path of [`/v1/matches/${ended}/view?at=99`, `/v1/matches/${hidden}/view`]) {
      expect([path, await lifetime(path)]).toEqual([path, 'private, no-store']);
    }
  });

  it('revalidate answers that may change', async () => {
    const match = `/v1/matches/${running}`;
    const paths = [
      '/v1/matches',
      match,
      ...['view', 'board.svg', 'events', 'legal-actions', 'export'].map((p) => `${match}/${p}`),
    ];
    for (const path of [...paths, `${match}/export?names=true`]) {
      for (const token of [ann.token, undefined]) {
        expect([path, await lifetime(path, token)]).toEqual([path, 'private, no-cache']);
      }
    }
    // A seat may be taken over before the end, so what its player may see can change.
    expect(await lifetime(`${match}/view?at=3`, ann.token)).toBe('private, no-cache');
  });

  it('store answers that can never change, shared or private', async () => {
    const match = `/v1/matches/${ended}`;
    for (const path of [
      `${match}/view`,
      `${match}/view?at=4`,
      `${match}/view?at=4&seat=1`,
      `${match}/events`,
      `${match}/export`,
    ]) {
      expect([path, await lifetime(path)]).toEqual([path, `public, ${FOR_EVER}`]);
      expect([path, await lifetime(path, ann.token)]).toEqual([path, `private, ${FOR_EVER}`]);
    }
    expect(await lifetime(`/v1/matches/${running}/view?at=3`)).toBe(`public, ${FOR_EVER}`);
    expect(await lifetime(`/v1/matches/${hidden}/view?at=3&invite=${invite}`)).toBe(`private, ${FOR_EVER}`);
  });

  it('store pictures, which contain names, for a day', async () => {
    for (const path of [`${ended}/board.svg`, `${ended}/board.png?at=4`, `${running}/board.svg?at=3`]) {
      expect([path, await lifetime(`/v1/matches/${path}`)]).toEqual([path, `public, ${A_DAY}`]);
    }
    expect(await lifetime(`/v1/matches/${ended}/description`, ann.token)).toBe(`private, ${A_DAY}`);
  });

  it('store answers that are the same for everybody for a short time', async () => {
    for (const path of ['/v1/games', '/v1/games/cacao']) {
      expect([path, await lifetime(path)]).toEqual([path, 'public, max-age=300']);
    }
  });
});

describe('validators', () => {
  let wire: Wire;
  beforeAll(() => {
    wire = wireTo(server.url);
  });
  afterAll(() => wire.close());

  it.each(['', 'gzip', 'br'])('are strong, and differ by encoding (%s)', async (encoding) => {
    const path = '/v1/games/cacao';
    const headers = { 'accept-encoding': encoding };
    const first = await wire.ask('GET', path, undefined, headers);
    expect(first.headers['content-encoding'] ?? '').toBe(encoding);
    expect(first.headers.etag).toMatch(encoding ? new RegExp(`^"[\\w-]{22}-${encoding}"$`) : /^"[\w-]{22}"$/);
    expect(first.headers.vary).toContain('accept-encoding');
    const etag = first.headers.etag as string;
    const again = await wire.ask('GET', path, undefined, { ...headers, 'if-none-match': `"other", ${etag}` });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    expect(again.headers['cache-control']).toBe(first.headers['cache-control']);
    const other = await wire.ask('GET', path, undefined, { ...headers, 'if-none-match': '"other"' });
    expect([other.status, other.text]).toEqual([200, first.text]);
  });

  it('change with the content', async () => {
    const path = `/v1/matches/${running}`;
    const authorization = `Bearer ${ann.token}`;
    const { etag } = (await wire.ask('GET', path, undefined, { authorization })).headers;
    const ask = () => wire.ask('GET', path, undefined, { authorization, 'if-none-match': etag as string });
    expect((await ask()).status).toBe(304);
    const [legal] = await ann.legalActions(running);
    await ann.submit(running, { action: legal?.action });
    expect((await ask()).status).toBe(200);
  });
});

describe('compression', () => {
  it('is used for every text that is long enough, and for nothing else', async () => {
    const wire = wireTo(server.url);
    const encodingOf = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await wire.ask('GET', path, undefined, headers);
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.headers['content-encoding'];
    };
    const long = ['/v1/games/cacao', '/openapi.json', '/docs/static/swagger-ui.css'];
    for (const path of [...long, '/schema.graphql', '/graphql?query={games{actionSchema}}']) {
      expect([path, await encodingOf(path)]).toEqual([path, 'br']);
    }
    const short = ['/v1/games', '/health/live', `/v1/matches/${ended}/board.png`];
    for (const path of short) expect([path, await encodingOf(path)]).toEqual([path, undefined]);
    expect(await encodingOf('/v1/games/cacao', { 'accept-encoding': 'br;q=0, gzip' })).toBe('gzip');
    expect(await encodingOf('/v1/games/cacao', { 'accept-encoding': 'identity' })).toBeUndefined();
    expect(await encodingOf(`/v1/matches/${ended}/events?after=0`, { accept: 'text/event-stream' })).toBeUndefined();
    wire.close();
  });

  it('leaves schemas out of the list of games unless they are requested', async () => {
    const list = async (query: string) =>
      (await (await fetch(`${server.url}/v1/games${query}`)).json()) as { games: object[] };
    const [brief] = (await list('')).games;
    expect(Object.keys(brief as object).sort()).toEqual(['id', 'maxSeats', 'minSeats', 'minutes', 'name', 'rules']);
    const [whole] = (await list('?schemas=true')).games;
    expect(whole).toMatchObject({ actionSchema: {}, optionsSchema: {}, viewSchema: {} });
    expect(await (await fetch(`${server.url}/v1/games/cacao`)).json()).toMatchObject({ actionSchema: {} });
  });
});

it('every answer says how much is left of the minute', async () => {
  const ask = async (token?: string) => (await fetch(`${server.url}/v1/games`, { headers: bearer(token) })).headers;
  const own = await ask(ann.token);
  expect(own.get('ratelimit-policy')).toBe('"player";q=6000;w=60');
  const left = (headers: Headers) => Number(/^"player";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '')?.[1]);
  expect(left(own)).toBeLessThan(6000);
  expect((await ask()).get('ratelimit')).toMatch(/^"address";r=\d+;t=\d+$/);
});
