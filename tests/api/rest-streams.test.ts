/** The streams of REST: lobby, turns and events, as server-sent events and as lines of JSON, and everything in bulk. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, type Json, playOut } from '../support/api.ts';
import { rest } from '../support/api-rest.ts';
import { type Member, newMember, type Pair, startPair } from '../support/world.ts';

let pair: Pair;
let ann: Member;
let ben: Member;
let ended: string;

beforeAll(async () => {
  pair = await startPair();
  ann = await newMember(rest, pair.urls, 'Ann');
  ben = await newMember(rest, pair.urls, 'Ben');
  ended = (await started()).id;
  await playOut(ended, [ann, ben], () => 0);
});
afterAll(() => pair.stop());

async function started() {
  const match = await ann.createMatch({ game: 'highest', seats: 2 });
  return ben.join(match.id);
}

interface Reading {
  seen: Json[];
  response: Response;
  leave(): void;
  ended: Promise<void>;
}

const FORMS = ['text/event-stream', 'application/x-ndjson'] as const;

/** Reads a stream of the second server: what happens on the first must reach it. */
async function read(path: string, form: string, token?: string): Promise<Reading> {
  const stop = new AbortController();
  const headers = { accept: form, ...bearer(token) };
  const response = await fetch(`${pair.urls[1]}/v1${path}`, { headers, signal: stop.signal });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, `${form}; charset=utf-8`]);
  const seen: Json[] = [];
  const go = async () => {
    let text = '';
    for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      const data =
        form === 'text/event-stream' ? lines.filter((l) => l.startsWith('data: ')).map((l) => l.slice(6)) : lines;
      for (const line of data) if (line !== '') seen.push(JSON.parse(line) as Json);
    }
  };
  return { seen, response, leave: () => stop.abort(), ended: go().catch(() => {}) };
}

describe.each(FORMS)('%s', (form) => {
  it('the lobby: tables appear, change and go', async () => {
    const before = await ann.createMatch({ game: 'highest', seats: 3 });
    await ann.createMatch({ game: 'highest', seats: 3, visibility: 'PRIVATE' });
    const lobby = await read('/matches', form);
    const kinds = (id: string) =>
      lobby.seen
        .filter((one) => one.id === id || (one.match as Json | undefined)?.id === id)
        .map(({ type, match }) => [type, (match as Json | undefined)?.version]);
    await expect.poll(() => kinds(before.id)).toEqual([['OPEN', 1]]);
    const table = await ann.createMatch({ game: 'highest', seats: 2 });
    await expect.poll(() => kinds(table.id)).toEqual([['OPEN', 1]]);
    await ben.join(before.id);
    await expect
      .poll(() => kinds(before.id))
      .toEqual([
        ['OPEN', 1],
        ['OPEN', 2],
      ]);
    await ben.join(table.id);
    await expect
      .poll(() => kinds(table.id))
      .toEqual([
        ['OPEN', 1],
        ['GONE', undefined],
      ]);
    await ann.cancel(before.id);
    await expect.poll(() => kinds(before.id).at(-1)).toEqual(['GONE', undefined]);
    expect(lobby.seen.some(({ match }) => (match as Json | undefined)?.visibility === 'PRIVATE')).toBe(false);
    lobby.leave();
    await lobby.ended;
  });

  it('the lobby of one game has no tables of others', async () => {
    const other = await ann.createMatch({ game: 'cacao', seats: 2 });
    const lobby = await read('/matches?game=cacao', form);
    await expect.poll(() => lobby.seen.length).toBeGreaterThan(0);
    await ann.cancel(other.id);
    await expect.poll(() => lobby.seen.at(-1)).toEqual({ type: 'GONE', id: other.id });
    const games = lobby.seen.flatMap(({ match }) => (match ? [(match as Json).game] : []));
    expect(new Set(games)).toEqual(new Set(['cacao']));
    lobby.leave();
    await lobby.ended;
  });

  it('turns are sent as they come and go', async () => {
    const cho = await newMember(rest, pair.urls, 'Cho');
    const match = await cho.createMatch({ game: 'highest', seats: 2 });
    const turns = await read('/turns', form, cho.token);
    await ben.join(match.id);
    const told = () => turns.seen.map(({ acting, match: of }) => [(of as Json).id, acting]);
    await expect.poll(told).toEqual([[match.id, true]]);
    const now = await (await fetch(`${pair.urls[0]}/v1/turns`, { headers: bearer(cho.token) })).json();
    expect((now as { turns: Json[] }).turns).toMatchObject([{ acting: true, match: { id: match.id } }]);
    const [legal] = await cho.legalActions(match.id);
    await cho.submit(match.id, { action: legal?.action });
    await expect.poll(told).toEqual([
      [match.id, true],
      [match.id, false],
    ]);
    turns.leave();
    await turns.ended;
    expect((await fetch(`${pair.urls[0]}/v1/turns`, { headers: { accept: form } })).status).toBe(401);
  });

  it('events can include the table as it stood then', async () => {
    const events = await read(`/matches/${ended}/events?include=view,board,legalActions`, form, ann.token);
    await events.ended;
    const { version } = await ann.match(ended);
    const own = events.seen.filter((event) => event.version !== undefined);
    expect(own.map((event) => event.version)).toEqual(Array.from({ length: version }, (_, i) => i + 1));
    for (const event of own) {
      const at = event.version as number;
      const then = event.matchThen as Json;
      expect(then.version).toBe(at);
      expect(then.view).toEqual(await ann.view(ended, { at }));
      expect(then.board).toEqual(then.view === null ? null : await ann.board(ended, { at }));
      expect(then.acting).toEqual(event.acting);
    }
    expect(own.some((event) => ((event.matchThen as Json).legalActions as Json[]).length > 0)).toBe(true);
    const last = events.seen.at(-1) as Json;
    expect(last).toEqual(form === 'text/event-stream' ? {} : { event: 'end', data: {} });
  });
});

describe('in bulk', () => {
  const get = async (path: string, token?: string, accept = 'application/json') =>
    fetch(`${pair.urls[0]}/v1${path}`, { headers: { accept, ...bearer(token) } });

  it('states are what each version looked like', async () => {
    const answer = (await (await get(`/matches/${ended}/states?from=2&to=6`, ben.token)).json()) as { states: Json[] };
    expect(answer.states.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6]);
    for (const { version, view } of answer.states) expect(view).toEqual(await ben.view(ended, { at: version }));
    const lines = await get(`/matches/${ended}/states?from=2&to=6`, ben.token, 'application/x-ndjson');
    expect(
      (await lines.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(answer.states);
    const events = (await (await get(`/matches/${ended}/events?include=view&first=6`, ben.token)).json()) as {
      events: Json[];
    };
    expect(events.events.slice(1).map(({ matchThen }) => matchThen)).toEqual(answer.states);
  });

  it('a seat sees no more of a running match than it could then', async () => {
    const { id } = await started();
    const [legal] = await ann.legalActions(id);
    await ann.submit(id, { action: legal?.action });
    const seen = async (token?: string) =>
      JSON.stringify(await (await get(`/matches/${id}/states?include=view,legalActions`, token)).json());
    expect(await seen(ann.token)).not.toEqual(await seen(ben.token));
    const { states } = JSON.parse(await seen(ben.token)) as { states: { view: Json | null; version: number }[] };
    for (const { version, view } of states) expect(view).toEqual(await ben.view(id, { at: version }));
  });

  it('too many states, or none, are refused', async () => {
    for (const query of ['from=5&to=4', 'to=9999', 'from=-1', 'include=seed', 'include=view,view,view,view,view']) {
      const refused = await get(`/matches/${ended}/states?${query}`);
      expect([query, refused.status, ((await refused.json()) as Json).code]).toEqual([query, 400, 'BAD_INPUT']);
    }
  });

  it('all my matches are one document a line', async () => {
    const dee = await newMember(rest, pair.urls, 'Dee');
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await dee.createMatch({ game: 'highest', seats: 2 })).id);
    const answer = await get('/me/matches/export', dee.token);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const documents = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    expect(documents.map(({ id }) => id)).toEqual(ids.reverse());
    for (const document of documents) expect(document).toEqual(await dee.export(document.id as string));
    expect((await get('/me/matches/export')).status).toBe(401);
  });
});
