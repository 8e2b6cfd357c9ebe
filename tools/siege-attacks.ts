/** The attacks. Each continues until its time is up, whatever the answers. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type WebSocket from 'ws';
import { type Answer, Caller, type From, openSocket, rawConnection, requestText, subscribe } from './siege-client.ts';
import { LONG, type World } from './siege-world.ts';

/** How the server answered. */
export interface Tally {
  ok: number;
  refused: number;
  failed: number;
  /** The text of the last refusal or failure. */
  said: string;
}

interface Siege extends World {
  until: number;
  tally: Tally;
}

const isOver = ({ until }: Siege) => performance.now() >= until;

const player = ({ port, address, tokens }: Siege, i = 0): From => ({ port, address, token: tokens[i % tokens.length] });
const anybody = ({ port, address }: Siege): From => ({ port, address });

function count({ tally }: Siege, { status, text }: Answer): void {
  const error =
    status >= 400 || text.startsWith('{"errors"') ? (/"(?:message|detail)":"([^"]*)/.exec(text)?.[1] ?? text) : '';
  if (error) tally.said = error.slice(0, 120);
  if (error) tally.refused++;
  else tally.ok++;
}

/** Sends in this many lanes, one request after another in each, until the time is up. */
async function storm(siege: Siege, lanes: number, send: (lane: number, n: number) => Promise<Answer>): Promise<void> {
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let n = 0; !isOver(siege); n++) {
        try {
          const answer = await send(lane, n);
          count(siege, answer);
          if (answer.status === 429) await sleep(20);
        } catch (error) {
          siege.tally.failed++;
          siege.tally.said = (error as Error).message.slice(0, 120);
          await sleep(20);
        }
      }
    }),
  );
}

const operation = (query: string, variables: object = {}) => JSON.stringify({ query, variables });
const aliased = (n: number, field: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => `a${i}: ${field(i)}`).join(' ');

/** Sends operations of one caller, over and over. */
function operations(
  siege: Siege,
  lanes: number,
  from: (lane: number) => From,
  query: (lane: number, n: number) => string,
) {
  const callers = Array.from({ length: lanes }, (_, lane) => new Caller(from(lane)));
  return storm(siege, lanes, (lane, n) =>
    (callers[lane] as Caller).send('POST', '/graphql', operation(query(lane, n)), 30_000),
  );
}

/** Sockets that subscribe and read as fast as they can. Each subscription that ends is started again. */
async function subscriptions(siege: Siege, sockets: number, each: number, from: From, query: string): Promise<void> {
  const open: WebSocket[] = [];
  const hear = (socket: () => WebSocket | undefined) => (message: { type: string; id?: string; payload?: unknown }) => {
    const { type, id = '', payload } = message;
    if (type === 'next') siege.tally.ok++;
    if (type === 'error') siege.tally.said = JSON.stringify(payload).slice(0, 200);
    if (type === 'error') siege.tally.refused++;
    if (type === 'next') return;
    setTimeout(() => {
      const own = socket();
      if (own?.readyState === 1 && !isOver(siege)) subscribe(own, id, query);
    }, 20);
  };
  for (let i = 0; i < sockets && !isOver(siege); i++) {
    try {
      const socket = await openSocket(
        from,
        hear(() => open[i]),
      );
      open[i] = socket;
      for (let n = 0; n < each; n++) subscribe(socket, String(n), query);
    } catch (error) {
      siege.tally.failed++;
      siege.tally.said = (error as Error).message;
    }
  }
  await sleep(Math.max(0, siege.until - performance.now()));
  for (const socket of open) socket?.terminate();
}

/** Connections that ask for more and more and read nothing. */
async function unread(siege: Siege, connections: number, text: string): Promise<void> {
  const open = Array.from({ length: connections }, () => rawConnection(anybody(siege)));
  while (!isOver(siege)) {
    for (const [i, socket] of open.entries()) {
      if (socket.destroyed) {
        siege.tally.refused++;
        siege.tally.said = 'the connection was closed';
        open[i] = rawConnection(anybody(siege));
      } else if (socket.writableLength < 1_000_000) {
        socket.write(text);
        siege.tally.ok++;
      }
    }
    await sleep(100);
  }
  for (const socket of open) socket.destroy();
}

const rng = (n: number) => Math.floor(Math.random() * n);

const createMatch = (input: string) => `createMatch(input: { ${input} }) { id }`;

export const ATTACKS: Record<string, (siege: Siege) => Promise<void>> = {
  'subscription: an export with every event': (siege) =>
    subscriptions(
      siege,
      2,
      4,
      anybody(siege),
      `subscription { matchEvents(matchId: "${siege.long}", after: 0) { version match { id export } } }`,
    ),
  'subscription: 29 earlier views with every event': (siege) =>
    subscriptions(
      siege,
      1,
      4,
      anybody(siege),
      `subscription { matchEvents(matchId: "${siege.ordinary}", after: 0) { match { ${aliased(29, (i) => `view(at: ${100 + 2 * i})`)} } } }`,
    ),
  'subscription: boards, from the beginning': (siege) =>
    subscriptions(
      siege,
      10,
      20,
      anybody(siege),
      `subscription { matchEvents(matchId: "${siege.long}", after: 0) { version match { board view legalActions { label } } } }`,
    ),
  'event streams of a long match, over and over': (siege) => {
    const from = { ...anybody(siege), accept: 'text/event-stream' };
    const callers = Array.from({ length: 20 }, () => new Caller(from));
    return storm(siege, 20, (lane) =>
      (callers[lane] as Caller).send('GET', `/v1/matches/${siege.long}/events?after=0`, undefined, 30_000),
    );
  },
  'earlier views and boards of a long match': (siege) =>
    operations(
      siege,
      16,
      () => anybody(siege),
      () =>
        `{ match(id: "${siege.long}") { ${aliased(30, (i) => `${i % 2 ? 'view' : 'board'}(at: ${LONG - rng(500)})`)} } }`,
    ),
  'exports by GraphQL': (siege) =>
    operations(
      siege,
      8,
      () => anybody(siege),
      () => `{ match(id: "${siege.long}") { ${aliased(15, () => 'export')} } }`,
    ),
  'exports by REST': (siege) => {
    const callers = Array.from({ length: 16 }, () => new Caller(anybody(siege)));
    return storm(siege, 16, (lane) =>
      (callers[lane] as Caller).send('GET', `/v1/matches/${siege.long}/export`, undefined, 30_000),
    );
  },
  'the dearest documents': (siege) =>
    operations(
      siege,
      16,
      () => anybody(siege),
      (_, n) =>
        n % 2
          ? '{ matches(first: 100) { edges { node { board view legalActions { label } } } } }'
          : `{ match(id: "${siege.long}") { ${aliased(4, (i) => `events(first: 500, after: ${i * 500}) { version type seat action label acting at hash }`)} } }`,
    ),
  'long matches that nobody remembers': (siege) => {
    const callers = Array.from({ length: 24 }, () => new Caller(anybody(siege)));
    return storm(siege, 24, (lane, n) =>
      (callers[lane] as Caller).send(
        'GET',
        `/v1/matches/${siege.cold[(lane + n) % siege.cold.length]}`,
        undefined,
        30_000,
      ),
    );
  },
  'standing orders, 30 in a request': (siege) =>
    operations(
      siege,
      8,
      (lane) => player(siege, lane % 2),
      () =>
        `mutation { ${aliased(30, () => `setOrder(matchId: "${siege.running}", order: { work: "ask" }) { version }`)} }`,
    ),
  'acting and taking back': async (siege) => {
    const callers = [0, 1].map((i) => new Caller(player(siege, i)));
    await storm(siege, 2, async (lane) => {
      const caller = callers[lane] as Caller;
      const path = `/v1/matches/${siege.running}`;
      const legal = await caller.send('GET', `${path}/legal-actions`);
      const { legalActions = [] } = JSON.parse(legal.text) as { legalActions?: { action: object }[] };
      const [first] = legalActions;
      if (first) await caller.send('POST', `${path}/actions`, JSON.stringify({ action: first.action }));
      const { version } = JSON.parse((await caller.send('GET', path)).text) as { version: number };
      return caller.send('POST', `${path}/undo`, JSON.stringify({ expectedVersion: version }));
    });
  },
  forks: (siege) =>
    operations(
      siege,
      8,
      (lane) => player(siege, lane),
      () => `mutation { ${aliased(30, () => `forkMatch(matchId: "${siege.long}", at: ${LONG - rng(500)}) { id }`)} }`,
    ),
  imports: (siege) => {
    const text = readFileSync(siege.document, 'utf8');
    // Wrong only in its last event, so that all of it has to be proven.
    const end = text.lastIndexOf('"stateHash":"') + '"stateHash":"'.length;
    const wrong = `${text.slice(0, end)}${'0'.repeat(64)}${text.slice(end + 64)}`;
    const callers = Array.from({ length: 4 }, (_, lane) => new Caller(player(siege, lane)));
    return storm(siege, 4, (lane, n) =>
      (callers[lane] as Caller).send('POST', '/v1/matches/import', n % 2 ? text : wrong, 60_000),
    );
  },
  'answers that nobody reads': (siege) =>
    unread(siege, 25, requestText(anybody(siege), 'GET', `/v1/matches/${siege.ordinary}/export`).repeat(400)),
  'pictures that nobody reads': (siege) =>
    unread(siege, 100, requestText(anybody(siege), 'GET', `/v1/matches/${siege.ordinary}/board.svg`).repeat(100)),
  'event streams that nobody reads': (siege) =>
    unread(
      siege,
      300,
      requestText(anybody(siege), 'GET', `/v1/matches/${siege.long}/events`, '', 'Accept: text/event-stream\r\n'),
    ),
  'thousands of connections': async (siege) => {
    const open = Array.from({ length: 4000 }, () => rawConnection(anybody(siege)));
    for (const socket of open) socket.write('GET /v1/games HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    await sleep(Math.max(0, siege.until - performance.now()));
    siege.tally.ok = open.filter(({ destroyed, connecting }) => !destroyed && !connecting).length;
    siege.tally.refused = open.length - siege.tally.ok;
    for (const socket of open) socket.destroy();
  },
  'matches, as many as can be': (siege) =>
    operations(
      siege,
      16,
      (lane) => player(siege, lane),
      () => `mutation { ${aliased(30, () => createMatch('game: "hawaii", seats: 5'))} }`,
    ),
  'matches of five hard bots': (siege) =>
    operations(
      siege,
      4,
      (lane) => player(siege, lane),
      () =>
        `mutation { ${aliased(30, () => createMatch('game: "hawaii", seats: 5, sit: false, bots: [HARD, HARD, HARD, HARD, HARD]'))} }`,
    ),
  registrations: (siege) =>
    operations(
      siege,
      8,
      () => anybody(siege),
      () => `mutation { ${aliased(30, (i) => `register(name: "nobody ${i}") { token }`)} }`,
    ),
  'wrong tokens': (siege) =>
    operations(
      siege,
      16,
      (lane) => ({ ...anybody(siege), token: `atoll_${lane}${'x'.repeat(42)}` }),
      () => '{ me { id } }',
    ),
};
