/** Tickets in URLs, for what cannot send headers: each opens one thing, for a while, on every server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/pool.ts';
import { openTickets } from '../../src/players/tokens/tickets.ts';
import { bearer, type Json, type MatchJson } from '../support/api.ts';
import { rest } from '../support/api-rest.ts';
import { type Member, newMember, type Pair, startPair } from '../support/world.ts';

interface TicketJson {
  ticket: string;
  purpose: string;
  matchId: string | null;
  expiresAt: string;
}
type Use = { purpose: string; matchId?: string };
type Make = (use: Use, token?: string) => Promise<TicketJson>;

let pair: Pair;
let ann: Member;
let hidden: MatchJson;

beforeAll(async () => {
  pair = await startPair({ parts: { recheckMs: 100 } });
  ann = await newMember(rest, pair.urls, 'Ann');
  hidden = await ann.createMatch({ game: 'cacao', seats: 2, visibility: 'PRIVATE', bots: ['EASY'] });
});
afterAll(() => pair.stop());

async function post(path: string, body: Json, token?: string): Promise<Json> {
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  const response = await fetch(pair.urls[0] + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Json;
}

const byRest: Make = async (use, token = ann.token) => (await post('/v1/tickets', use, token)) as never;
const byGraphql: Make = async (variables, token = ann.token) => {
  const query = `mutation ($purpose: TicketPurpose!, $matchId: ID) {
    createTicket(purpose: $purpose, matchId: $matchId) { ticket purpose matchId expiresAt } }`;
  const { data, errors } = (await post('/graphql', { query, variables }, token)) as { data: Json; errors: Json[] };
  return (data?.createTicket ?? errors[0]?.extensions) as never;
};

/** As a browser asks: no header of ours, and of the server that did not make the ticket. */
const asked = (path: string, ticket: string, accept = 'text/event-stream') => {
  const url = new URL(path, pair.urls[1]);
  url.searchParams.set('ticket', ticket);
  return fetch(url, { headers: { accept } });
};
async function refusal(answer: Promise<Response>) {
  const response = await answer;
  const { code, errors } = (await response.json()) as { code?: string; errors?: { extensions: Json }[] };
  return [response.status, code ?? errors?.[0]?.extensions.code];
}
const REFUSED = [401, 'UNAUTHENTICATED'];
const events = () => `/v1/matches/${hidden.id}/events`;
const picture = (kind = 'svg') => `/v1/matches/${hidden.id}/board.${kind}`;

/** A stream may begin with an empty comment. */
async function firstMessage(response: Response): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  while (!text.includes('data:')) text += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  return text;
}

describe.each([
  ['REST', byRest],
  ['GraphQL', byGraphql],
])('a ticket made by %s', (_, make) => {
  it('opens the events of a private match', async () => {
    const made = await make({ purpose: 'EVENTS', matchId: hidden.id });
    expect(made).toMatchObject({ purpose: 'EVENTS', matchId: hidden.id });
    const left = Date.parse(made.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60_000);
    const response = await asked(events(), made.ticket);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-cache, no-transform']);
    expect(await firstMessage(response)).toMatch(/^id: 1$/m);
  });

  it('opens the pictures of a private match', async () => {
    const { ticket } = await make({ purpose: 'PICTURES', matchId: hidden.id });
    for (const kind of ['svg', 'png']) {
      const response = await asked(picture(kind), ticket, 'image/*');
      expect([response.status, response.headers.get('content-type')?.split(/[+;]/)[0]]).toEqual([200, `image/${kind}`]);
      expect(response.headers.get('cache-control')).toMatch(/^private/);
    }
  });

  it('opens the turns and the lobby', async () => {
    for (const [purpose, path] of [
      ['TURNS', '/v1/turns'],
      ['LOBBY', '/v1/matches'],
    ] as const) {
      const { ticket } = await make({ purpose });
      const response = await asked(path, ticket);
      expect([purpose, response.status]).toEqual([purpose, 200]);
      await response.body?.cancel();
    }
  });

  it('requires a match exactly if its purpose is about one', async () => {
    for (const use of [{ purpose: 'EVENTS' }, { purpose: 'TURNS', matchId: hidden.id }])
      expect(await make(use)).toMatchObject({ code: 'BAD_INPUT' });
    expect(await make({ purpose: 'TURNS' }, 'wrong')).toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('a ticket is refused', () => {
  it('for another match, purpose or route, and for an answer that is not a stream', async () => {
    const other = await ann.createMatch({ game: 'cacao', seats: 2, visibility: 'PRIVATE' });
    const { ticket } = await byRest({ purpose: 'EVENTS', matchId: hidden.id });
    const { ticket: lobby } = await byRest({ purpose: 'LOBBY' });
    for (const path of [
      `/v1/matches/${other.id}/events`,
      picture(),
      '/v1/turns',
      '/v1/matches',
      `/v1/matches/${hidden.id}`,
      `/v1/matches/${hidden.id}/view`,
      '/v1/me',
      '/v1/games',
      '/graphql?query={me{id}}',
    ])
      expect([path, await refusal(asked(path, ticket))]).toEqual([path, REFUSED]);
    expect(await refusal(asked(events(), ticket, 'application/json'))).toEqual(REFUSED);
    expect(await refusal(asked('/v1/matches?mine=true', lobby, '*/*'))).toEqual(REFUSED);
    const again = await fetch(`${pair.urls[0]}/v1/tickets?ticket=${lobby}`, { method: 'POST' });
    expect(again.status).toBe(401);
  });

  it('if one character is changed, or it is no ticket at all', async () => {
    const { ticket } = await byRest({ purpose: 'PICTURES', matchId: hidden.id });
    for (const at of [0, 20, 60, ticket.length - 5]) {
      const altered = ticket.slice(0, at) + (ticket[at] === 'A' ? 'B' : 'A') + ticket.slice(at + 1);
      expect(await refusal(asked(picture(), altered))).toEqual(REFUSED);
    }
    for (const none of ['', 'x', ann.token]) expect(await refusal(asked(picture(), none))).toEqual(REFUSED);
  });

  it('once its time is over', async () => {
    const database = openDatabase({ url: pair.database.url, poolSize: 1 });
    let time = Date.now();
    const tickets = openTickets(database, 'secret', () => time);
    const viewer = { id: ann.id, name: 'Ann', kind: 'HUMAN', tag: null, expiresAt: null } as const;
    const maker = { ...viewer, tokenId: ann.id, scopes: ['READ'] } as const;
    for (const [purpose, seconds] of [
      ['EVENTS', 60],
      ['PICTURES', 600],
    ] as const) {
      const use = { purpose, matchId: hidden.id };
      const { ticket } = tickets.create(maker, use);
      time += seconds * 1000 - 1;
      expect(tickets.open(ticket, use)).toEqual({ kind: 'token', id: ann.id });
      time += 1;
      expect(() => tickets.open(ticket, use)).toThrow('This ticket is not valid');
    }
    expect(() =>
      openTickets(database, 'other').open(tickets.create(maker, { purpose: 'TURNS' }).ticket, { purpose: 'TURNS' }),
    ).toThrow();
    await database.close();
  });

  it('once the session it was made in has ended', async () => {
    const origin = { origin: pair.urls[0], 'content-type': 'application/json' };
    const call = (method: string, path: string, headers: Record<string, string>, body = '{}') =>
      fetch(pair.urls[0] + path, { method, headers: { ...origin, ...headers }, body });
    const signedIn = await call('POST', '/v1/session', bearer(ann.token) as Record<string, string>);
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] as string;
    const use = JSON.stringify({ purpose: 'PICTURES', matchId: hidden.id });
    const { ticket } = (await (await call('POST', '/v1/tickets', { cookie }, use)).json()) as TicketJson;
    expect((await asked(picture(), ticket)).status).toBe(200);
    expect((await call('DELETE', '/v1/session', { cookie })).status).toBe(200);
    expect(await refusal(asked(picture(), ticket))).toEqual(REFUSED);
  });

  it('once its token is revoked, which also ends the stream', async () => {
    const { id, token } = await ann.createToken('page', { scopes: ['READ'] });
    const { ticket } = await byRest({ purpose: 'TURNS' }, token);
    const stream = await asked('/v1/turns', ticket);
    expect(stream.status).toBe(200);
    await ann.revokeToken(id);
    await stream.text(); // comes to its end
    expect(await refusal(asked('/v1/turns', ticket))).toEqual(REFUSED);
  });
});
