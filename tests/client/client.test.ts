/** What the client library promises when answers are lost, lines are cut and the server asks to wait. */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import {
  AtollError,
  type ClientOptions,
  CODES,
  connect,
  isRefusal,
  memoryStorage,
  type Operation,
  type Position,
  type State,
} from '../../packages/client/src/client.ts';
import { verify } from '../../packages/client/src/verify.ts';
import { STATUS } from '../../src/errors.ts';
import { registry } from '../../src/games/registry.ts';
import { rest } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { newMember } from '../support/world.ts';

let database: FreshDatabase;
let server: Instance;
beforeAll(async () => {
  database = await freshDatabase();
  server = await startInstance(database.url, { registry });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const anyAction = ({ legalActions }: Position) => legalActions[Math.floor(Math.random() * legalActions.length)];

/** Every seventh answer is lost after the server has done what it was asked. */
function losing(): typeof fetch {
  let n = 0;
  return async (...args) => {
    const response = await fetch(...args);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream || n++ % 7 !== 0) return response;
    await response.text();
    throw new TypeError('fetch failed');
  };
}

/** A socket that is cut after every seventh message. */
class CutSocket extends WebSocket {
  constructor(url: string, protocol: string) {
    super(url, protocol);
    let messages = 0;
    this.on('message', () => {
      if (++messages === 7) this.terminate();
    });
  }
}

/** An event stream that is cut after every few chunks. */
function cutting(): typeof fetch {
  return async (...args) => {
    const response = await fetch(...args);
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    let chunks = 0;
    const cut = new TransformStream({
      transform(chunk, controller) {
        if (++chunks === 5) controller.error(new TypeError('terminated'));
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(cut) ?? null, response);
  };
}

const lines: [string, ClientOptions][] = [
  ['answers are lost', { fetch: losing() }],
  ['the socket is cut', { webSocket: CutSocket }],
  ['the event stream is cut', { transport: 'sse', fetch: cutting() }],
];

it.each(lines)('plays exactly once, without gap or repeat, when %s', async (_, options) => {
  const atoll = connect(server.url, options);
  await atoll.register('Tui');
  const { id } = await atoll.createMatch({ game: 'hashi', seats: 1 });
  const heard: number[] = [];
  const acted: number[] = [];
  const { match, proof } = await atoll.play(id, anyAction, {
    verify,
    onEvent: ({ version }) => void heard.push(version),
    onActed: ({ version }) => void acted.push(version),
  });
  expect(match.status).toBe('FINISHED');
  expect(heard).toEqual(Array.from({ length: match.version - 2 }, (_none, i) => i + 3));
  expect(acted).toEqual(heard);
  expect(proof).toMatchObject({ matchId: id, game: 'hashi', actions: acted.length, result: match.result });
});

it('sends again what a program that was killed had sent, with the same id', async () => {
  const storage = memoryStorage();
  // The server does what it is asked, but the answer never arrives.
  const deaf: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (!String(init?.body).includes('submitAction')) return response;
    throw new TypeError('fetch failed');
  };
  const before = connect(server.url, { storage, patienceMs: 0, fetch: deaf });
  const player = await connect(server.url, { storage }).signIn('Tui');
  const { id } = await connect(server.url, { storage }).createMatch({ game: 'hashi', seats: 1 });
  await expect(before.play(id, anyAction)).rejects.toMatchObject({ code: 'OFFLINE' });
  const after = connect(server.url, { storage });
  expect(await after.signIn('Somebody else')).toEqual(player);
  expect((await after.match(id)).version).toBe(3);
  const acted: number[] = [];
  const { match } = await after.play(id, anyAction, { onActed: ({ version }) => void acted.push(version) });
  // The receipt of the action that had happened already comes first; then play goes on.
  expect(acted).toEqual(Array.from({ length: match.version - 2 }, (_none, i) => i + 3));
});

/** The server does what it is asked for first, but that answer never arrives; counts how often it was asked. */
function losingFirst(word: string): { fetch: typeof fetch; sent: () => number } {
  let sent = 0;
  return {
    sent: () => sent,
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (!String(init?.body).includes(word) || sent++ > 0) return response;
      await response.text();
      throw new TypeError('fetch failed');
    },
  };
}

it('looks whether a command without a key has happened before it sends it again', async () => {
  const storage = memoryStorage();
  const atoll = connect(server.url, { storage });
  await atoll.register('Tui');
  const { id } = await atoll.createMatch({ game: 'haleakala', seats: 2 });
  const guest = connect(server.url);
  await guest.register('Guest');

  const { id: wide } = await guest.createMatch({ game: 'cacao', seats: 3 });
  await atoll.joinMatch(wide);
  const leaving = losingFirst('leaveMatch(');
  const left = await connect(server.url, { storage, fetch: leaving.fetch }).leaveMatch(wide);
  expect([left.mySeat, left.seats[1]?.player, leaving.sent()]).toEqual([null, null, 1]);

  await guest.joinMatch(id);
  const [seat] = (await atoll.match(id)).acting;
  const [first, second] = (await atoll.match(id)).mySeat === seat ? [atoll, guest] : [guest, atoll];
  const { legalActions, version } = await first.position(id);
  const { version: acted } = await first.submit(id, legalActions[0]?.action, { expectedVersion: version });
  const undoing = losingFirst('undo(');
  const token = await first.token();
  const impatient = { token: token as string, patienceMs: 20_000 };
  const undone = await connect(server.url, { ...impatient, fetch: undoing.fetch }).undo(id, acted);
  expect([undone.version, undone.event.type, undone.event.seat]).toEqual([acted + 1, 'UNDONE', seat]);
  expect(undoing.sent()).toBe(1);
  // An action of another player in between is not taken for our undo.
  await expect(first.undo(id, acted)).rejects.toMatchObject({ code: 'STALE_VERSION' });

  const resigning = losingFirst('resign(');
  const resigned = await connect(server.url, { ...impatient, fetch: resigning.fetch }).resign(id);
  expect([resigned.event.type, resigned.event.seat, resigning.sent()]).toEqual(['RESIGNED', seat, 1]);
  expect((await second.match(id)).status).toBe('FINISHED');
  await expect(second.resign(id)).rejects.toMatchObject({ code: 'MATCH_OVER' });
});

it('continues from the log when the server has lost events', async () => {
  let chunks = 0;
  const message = { errors: [{ message: 'Events were lost.', extensions: { code: 'HISTORY_CUT', version: 4 } }] };
  const failover: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    if (!response.headers.get('content-type')?.startsWith('text/event-stream') || chunks > 4) return response;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        if (++chunks !== 5) return;
        controller.enqueue(new TextEncoder().encode(`event: next\ndata: ${JSON.stringify(message)}\n\n`));
        controller.terminate();
      },
    });
    return new Response(response.body?.pipeThrough(cut) ?? null, response);
  };
  const atoll = connect(server.url, { transport: 'sse', fetch: failover });
  await atoll.register('Tui');
  const { id } = await atoll.createMatch({ game: 'hashi', seats: 1 });
  const heard: number[] = [];
  const { match, proof } = await atoll.play(id, anyAction, {
    verify,
    onEvent: ({ version }) => void heard.push(version),
  });
  const again = heard.lastIndexOf(5);
  expect(heard.indexOf(5)).toBeLessThan(again);
  expect(heard.slice(again)).toEqual(Array.from({ length: match.version - 4 }, (_none, i) => i + 5));
  expect(proof?.actions).toBe(match.version - 2);
});

it('reads a whole replay, page by page', async () => {
  const file = new URL('../archive/hawaii-rules2-base-5.json', import.meta.url);
  const ann = await newMember(rest, [server.url], 'Ann');
  const { id, version } = await ann.import(JSON.parse(readFileSync(file, 'utf8')));
  const atoll = connect(server.url);
  const states: State[] = [];
  for await (const state of atoll.states(id, { include: ['view', 'legalActions'] })) states.push(state);
  expect(version).toBeGreaterThan(100); // more than the server has in one answer
  expect(states.map((state) => state.version)).toEqual(Array.from({ length: version + 1 }, (_none, i) => i));
  expect(states.at(-1)?.view).toEqual((await atoll.position(id)).view);
  const eyes = async (seat: number) => (await atoll.states(id, { from: 99, to: 99, seat }).next()).value?.view;
  expect(await eyes(0)).not.toEqual(await eyes(1));
  const narrow = atoll.states(id, { from: 99, to: 99, include: ['board'], width: 'narrow' });
  const phone = await fetch(await atoll.pictureUrl(id, { at: 99, width: 'narrow' }));
  expect((await narrow.next()).value?.board).toBe(await phone.text());
});

it('tells at which tables somebody can sit down', async () => {
  const atoll = connect(server.url, { webSocket: WebSocket });
  await atoll.register('Tui');
  const lobby = atoll.lobby({ game: 'haleakala' });
  const { id } = await atoll.createMatch({ game: 'haleakala', seats: 2 });
  expect((await lobby.next()).value).toMatchObject({ type: 'OPEN', matchId: id, match: { id, status: 'OPEN' } });
  await atoll.leaveMatch(id);
  expect((await lobby.next()).value).toEqual({ type: 'GONE', matchId: id, match: null });
  await lobby.return();
});

it('makes URLs that need no header', async () => {
  const atoll = connect(server.url);
  await atoll.register('Tui');
  const { id } = await atoll.createMatch({ game: 'hashi', seats: 1, visibility: 'PRIVATE' });
  /** Reads until this text comes. */
  const expectWord = async (url: string, accept: string, word: string) => {
    const stop = new AbortController();
    const { status, body } = await fetch(url, { headers: { accept }, signal: stop.signal });
    expect([url, status]).toEqual([url, 200]);
    let text = '';
    for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.includes(word)) break;
    }
    stop.abort();
    expect(text.includes(word)).toBe(true);
  };
  const ticketIn = (url: string) => new URL(url).searchParams.get('ticket');
  const picture = await atoll.pictureUrl(id);
  await expectWord(picture, 'image/*', '</svg>');
  expect(ticketIn(await atoll.pictureUrl(id, { at: 2, format: 'png' }))).toBe(ticketIn(picture));
  const events = await atoll.eventsUrl(id, { after: 1, include: ['view'] });
  await expectWord(events, 'text/event-stream', '"matchThen":{"version":2');
  await expectWord(await atoll.turnsUrl(), 'text/event-stream', '"acting":true');
  await connect(server.url, { token: (await atoll.token()) as string }).createMatch({ game: 'cacao', seats: 2 });
  await expectWord(await atoll.lobbyUrl({ game: 'cacao' }), 'text/event-stream', '"type":"OPEN"');
  expect(ticketIn(await connect(server.url).pictureUrl(id))).toBe(null);
});

it('keeps the commitment and the entropy, without which no proof succeeds', async () => {
  const [host, guest] = [connect(server.url), connect(server.url, { webSocket: WebSocket })];
  await host.register('Host');
  await guest.register('Guest');
  const { id, commitment } = await host.createMatch({ game: 'cacao', seats: 2 });
  await guest.joinMatch(id);
  await guest.joinMatch(id);
  expect(await guest.agreed(id)).toEqual({ commitment, entropy: expect.stringMatching(/^[0-9a-f]{32}$/) });
  const turns = guest.turns();
  const turn = turns.next();
  const asGuest = guest.play(id, anyAction, { verify });
  await host.play(id, anyAction, { verify });
  const { proof } = await asGuest;
  expect(proof?.draws).toBeGreaterThan(0);
  expect((await turn).value).toMatchObject({ match: { id } });
  await turns.return();
  const stranger = { commitment, entropy: 'not ours' };
  const document = await guest.export(id);
  expect(() => verify(document, stranger)).toThrow('No seat added the entropy that you saved');
  expect((await host.rematch(id)).status).toBe('OPEN');
});

describe('errors', () => {
  it('have the codes of the server, and one more', () => {
    expect([...CODES].sort()).toEqual([...Object.keys(STATUS), 'OFFLINE'].sort());
  });

  it('have a code that distinguishes them, and its details', async () => {
    const atoll = connect(server.url);
    await atoll.register('Tui');
    const { id } = await atoll.createMatch({ game: 'hashi', seats: 1 });
    const { legalActions, version } = await atoll.position(id);
    const action = legalActions[0]?.action;
    await atoll.submit(id, action, { expectedVersion: version });
    const stale = await atoll.submit(id, action, { expectedVersion: version }).catch((error) => error);
    if (!isRefusal(stale, 'STALE_VERSION')) throw stale;
    expect(stale.details.version).toBe(version + 1);
    await expect(atoll.match('none')).rejects.toMatchObject({ name: 'AtollError', code: 'NOT_FOUND' });
    await expect(atoll.export('none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const unseen = atoll.events('01a1ece3-276d-7de2-bfc4-7af76c8bdc7a');
    await expect(unseen.next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const revoked = connect(server.url, { token: 'none', webSocket: WebSocket });
    await expect(revoked.me()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(revoked.turns().next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('end a stream when the caller aborts it', async () => {
    const stop = new AbortController();
    const atoll = connect(server.url, { webSocket: WebSocket });
    await atoll.register('Tui');
    const { id } = await atoll.createMatch({ game: 'cacao', seats: 2 });
    const events = atoll.events(id, { signal: stop.signal });
    expect((await events.next()).value).toMatchObject({ version: 1, type: 'JOINED' });
    const next = events.next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });
});

async function withServer(answer: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const fake = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((done) => fake.once('listening', done));
  try {
    await use(`http://127.0.0.1:${(fake.address() as AddressInfo).port}`);
  } finally {
    fake.closeAllConnections();
    fake.close();
  }
}

describe('when the server asks to wait', () => {
  const body = JSON.stringify({ errors: [{ message: 'Wait.', extensions: { code: 'RATE_LIMITED', retryAfter: 1 } }] });

  it.each([
    ['in its answer', 200, body, {}],
    ['in a header', 503, '<html>', { 'retry-after': '1' }],
  ])('it waits as long as is said %s', async (_, status, text, headers) => {
    const times: number[] = [];
    const answer: RequestListener = (_request, response) => {
      times.push(performance.now());
      if (times.length > 1) return void response.end('{"data":{"games":[]}}');
      response.writeHead(status, headers).end(text);
    };
    await withServer(answer, async (url) => {
      expect(await connect(url).games()).toEqual([]);
      expect((times[1] as number) - (times[0] as number)).toBeGreaterThanOrEqual(995);
    });
  });

  it('sends a request without a key only once, and gives up after its patience', async () => {
    let asked = 0;
    const answer: RequestListener = (_request, response) => {
      asked++;
      response.writeHead(503).end('busy');
    };
    await withServer(answer, async (url) => {
      const own = 'mutation { resign(matchId: "x") { version } }' as Operation<unknown, object>;
      await expect(connect(url).query(own, {})).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(asked).toBe(1);
      const failed = await connect(url, { patienceMs: 300 })
        .games()
        .catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(AtollError);
      expect(asked).toBeGreaterThan(2);
    });
  });
});
