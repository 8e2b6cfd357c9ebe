/** Clients of the siege: a well-behaved one, and what attackers need besides. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';

/** Where a caller comes from and who it is. */
export interface From {
  port: number;
  /** The loopback address from which it calls, so that the server can distinguish attackers from the bystander. */
  address: string;
  token?: string | undefined;
  /** The media type that it accepts. */
  accept?: string;
  /** It reads no more than this many bytes of an answer. */
  most?: number;
  /** Further headers, which may replace the usual ones. */
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  text: string;
  /** The cookie that it sets. */
  cookie?: string | undefined;
}

/** No client waits longer than this for an answer. */
export const PATIENCE_MS = 5000;

/** A caller with keep-alive connections of its own. */
export class Caller {
  readonly #agent: Agent;
  readonly #from: From;

  constructor(from: From, maxSockets = 64) {
    this.#from = from;
    this.#agent = new Agent({ keepAlive: true, maxSockets });
  }

  send(method: string, path: string, body?: string, patience = PATIENCE_MS): Promise<Answer> {
    const { port, address, token, accept, most, headers: further } = this.#from;
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(accept && { accept }),
      ...further,
    };
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, host: '127.0.0.1', port, localAddress: address, method, path, headers };
      const sent = request(options, (answer) => read(answer, most).then((text) => settle(answer, text), fail));
      const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${patience} ms`)), patience);
      const settle = ({ statusCode: status = 0, headers: { 'set-cookie': set } }: IncomingMessage, text: string) => {
        clearTimeout(timer);
        resolve({ status, text, cookie: set?.[0]?.split(';', 1)[0] });
      };
      const fail = (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      };
      sent.on('error', fail);
      sent.end(body);
    });
  }

  /** The data of a GraphQL operation; throws what its errors say. */
  async graphql<T>(query: string, variables: object = {}): Promise<T> {
    const { status, text } = await this.send('POST', '/graphql', JSON.stringify({ query, variables }));
    const { data, errors } = JSON.parse(text) as { data?: T; errors?: { message: string }[] };
    if (errors || !data) throw new Error(`${status} ${errors?.[0]?.message ?? text}`);
    return data;
  }

  /** The same before anything is measured. A machine that is busy with something else may need several tries. */
  async insist<T>(query: string, variables: object = {}): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.graphql<T>(query, variables);
      } catch (error) {
        if (tries === 40) throw error;
        await sleep(500);
      }
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function read(answer: IncomingMessage, most = Number.POSITIVE_INFINITY): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) break; // this also closes the connection
  }
  return Buffer.concat(chunks).toString();
}

/** A socket that speaks graphql-transport-ws, after its greeting. `hear` receives every message. */
export async function openSocket(
  from: From,
  hear: (message: { type: string; id?: string; payload?: unknown }) => void,
) {
  const socket = new WebSocket(`ws://127.0.0.1:${from.port}/graphql`, 'graphql-transport-ws', {
    localAddress: from.address,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', (code) => reject(new Error(`the socket was closed with ${code}`)));
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: from.token ? { token: from.token } : {} })),
    );
    socket.on('message', (text) => {
      const message = JSON.parse(String(text)) as { type: string; id?: string; payload?: unknown };
      if (message.type === 'connection_ack') resolve();
      else if (message.type === 'ping') socket.send('{"type":"pong"}');
      else hear(message);
    });
  });
  socket.on('error', () => {}); // attackers expect to be cut off
  return socket;
}

export const subscribe = (socket: WebSocket, id: string, query: string, variables: object = {}): void =>
  socket.send(JSON.stringify({ type: 'subscribe', id, payload: { query, variables } }));

/** A bare connection that writes what it is told and reads nothing. */
export function rawConnection({ port, address }: From): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress: address });
  socket.on('error', () => {});
  return socket.pause();
}

/** The bytes of a request, to be sent by a raw connection. */
export function requestText({ token }: From, method: string, path: string, body = '', headers = ''): string {
  const authorization = token ? `Authorization: Bearer ${token}\r\n` : '';
  const content = body ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}${headers}${content}\r\n${body}`;
}
