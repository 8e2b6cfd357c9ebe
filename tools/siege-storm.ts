/** What attacks are made of. */
import { setTimeout as sleep } from 'node:timers/promises';
import type WebSocket from 'ws';
import { type Answer, Caller, type From, openSocket, rawConnection, subscribe } from './siege-client.ts';
import type { World } from './siege-world.ts';

/** How the server answered. */
export interface Tally {
  ok: number;
  refused: number;
  failed: number;
  /** The text of the last refusal or failure. */
  said: string;
  /** Why the attack did not reach what it was aimed at; empty if it did. */
  missed: string;
}

export interface Siege extends World {
  until: number;
  tally: Tally;
}

export const isOver = ({ until }: Siege) => performance.now() >= until;

export const player = ({ port, address, tokens }: Siege, i = 0): From => ({
  port,
  address,
  token: tokens[i % tokens.length],
});
export const anybody = ({ port, address }: Siege): From => ({ port, address });

function count({ tally }: Siege, { status, text }: Answer): void {
  const error =
    status >= 400 || text.startsWith('{"errors"') ? (/"(?:message|detail)":"([^"]*)/.exec(text)?.[1] ?? text) : '';
  if (error) tally.said = error.slice(0, 120);
  if (error) tally.refused++;
  else tally.ok++;
}

/** The statuses that only the attacked part gives, or a test of the answer. */
export type Aim = readonly number[] | ((answer: Answer) => boolean);

/** Refusals that any part gives to a caller who asks too often, or while the server is busy. */
const BUSY = [429, 503];

const NOT_YET = 'no answer came from what was attacked';

/** An attack on a path that has moved would otherwise look like a server that holds. */
function judge({ tally }: Siege, answer: Answer, aim: Aim): void {
  const isHit = typeof aim === 'function' ? aim(answer) : aim.includes(answer.status);
  if (isHit && tally.missed === NOT_YET) tally.missed = '';
  if (!isHit && !BUSY.includes(answer.status) && !answer.text.includes('"RATE_LIMITED"'))
    tally.missed = `unexpected: ${answer.status} ${answer.text.slice(0, 120)}`;
}

/** Sends in this many lanes, one request after another in each, until the time is up. */
export async function storm(
  siege: Siege,
  lanes: number,
  send: (lane: number, n: number) => Promise<Answer>,
  aim?: Aim,
): Promise<void> {
  if (aim) siege.tally.missed = NOT_YET;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let n = 0; !isOver(siege); n++) {
        try {
          const answer = await send(lane, n);
          count(siege, answer);
          if (aim) judge(siege, answer, aim);
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

/** What a lane sends next. */
type Next = (lane: number, n: number) => [method: string, path: string, body: string | undefined];

/** Sends requests in this many lanes, each with connections of its own. */
export function requests(siege: Siege, lanes: number, from: (lane: number) => From, next: Next, aim: Aim) {
  const callers = Array.from({ length: lanes }, (_, lane) => new Caller(from(lane)));
  return storm(siege, lanes, (lane, n) => (callers[lane] as Caller).send(...next(lane, n), 30_000), aim);
}

export const operation = (query: string, variables: object = {}) => JSON.stringify({ query, variables });
export const aliased = (n: number, field: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => `a${i}: ${field(i)}`).join(' ');

/** Sends operations of one caller, over and over. */
export function operations(
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
export async function subscriptions(
  siege: Siege,
  sockets: number,
  each: number,
  from: From,
  query: string,
): Promise<void> {
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

/** Connections that ask for more and more and read nothing. `text`: what each of them sends. */
export async function unread(siege: Siege, connections: number, text: string | ((i: number) => string)): Promise<void> {
  const open = Array.from({ length: connections }, () => rawConnection(anybody(siege)));
  while (!isOver(siege)) {
    for (const [i, socket] of open.entries()) {
      if (socket.destroyed) {
        siege.tally.refused++;
        siege.tally.said = 'the connection was closed';
        open[i] = rawConnection(anybody(siege));
      } else if (socket.writableLength < 1_000_000) {
        socket.write(typeof text === 'string' ? text : text(i));
        siege.tally.ok++;
      }
    }
    await sleep(100);
  }
  for (const socket of open) socket.destroy();
}

/** Asks once and reads the answer, to be sure that those who do not read it ask for something that is there. */
export async function readOnce(
  { tally }: Siege,
  from: From,
  request: [method: string, path: string, body?: string],
  isRight: (text: string) => boolean,
): Promise<void> {
  const caller = new Caller(from);
  const { status, text } = await caller.send(...request).catch(({ message }: Error) => ({ status: 0, text: message }));
  caller.close();
  if (status !== 200 || !isRight(text)) tally.missed = `unexpected: ${status} ${text.slice(0, 120)}`;
}

export const rng = (n: number) => Math.floor(Math.random() * n);
