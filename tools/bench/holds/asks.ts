/** One request, as it is sent and measured. */
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import type { World } from './world.ts';

export interface Target {
  port: number;
  world: World;
}

export interface Answer {
  /** The HTTP status, or 200 for what was delivered over a socket. */
  status: number;
  bytes: number;
  /** The beginning of a refusal. */
  refusal: string;
}

export interface Ask {
  name: string;
  /** Makes what the request needs, and returns a function that sends it: only that is measured. */
  prepare(target: Target): Promise<() => Promise<Answer>>;
}

export interface Sent {
  method?: string;
  path: string;
  body?: unknown;
  /** Is sent as it is. */
  text?: string;
  token?: string | undefined;
  headers?: Record<string, string>;
}

/** Streams are read for this long. */
const STREAM_MS = 1500;
const PATIENCE_MS = 60_000;

async function read(response: Response, until: number): Promise<{ bytes: number; head: string }> {
  const reader = response.body?.getReader();
  let bytes = 0;
  let head = '';
  while (reader) {
    const left = Math.max(1, until - performance.now());
    const piece = await Promise.race([reader.read(), sleep(left, undefined, { ref: false })]);
    if (!piece || piece.done) break;
    if (head.length < 300) head += Buffer.from(piece.value).toString().slice(0, 300);
    bytes += piece.value.length;
  }
  await reader?.cancel();
  return { bytes, head };
}

/** Sends a request by HTTP and reads the answer. */
export async function send(port: number, { method, path, body, text, token, headers }: Sent): Promise<Answer> {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: method ?? (content === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const { bytes, head } = await read(response, performance.now() + (isStream ? STREAM_MS : PATIENCE_MS));
  const isRefused = response.status >= 400 || head.startsWith('{"errors"') || /"data":null/.test(head);
  const refusal = isRefused ? (/"(?:code|message|detail)":"([^"]*)/.exec(head)?.[1] ?? head.slice(0, 60)) : '';
  return { status: response.status, bytes, refusal };
}

const tokenOf = ({ world }: Target) => world.members[0]?.token;

/** A request of the first member, made anew for every time it is sent. */
export const ask = (name: string, sent: (target: Target) => Sent | Promise<Sent>): Ask => ({
  name,
  async prepare(target) {
    const request = { token: tokenOf(target), ...(await sent(target)) };
    return () => send(target.port, request);
  },
});

export const graphql = (name: string, query: (target: Target) => string | Promise<string>): Ask =>
  ask(`GraphQL ${name}`, async (target) => ({ path: '/graphql', body: { query: await query(target) } }));

export const tool = (name: string, given: (target: Target) => object | Promise<object>): Ask =>
  ask(`MCP ${name}`, async (target) => ({
    path: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: await given(target) } },
  }));

/** Reads what a subscription delivers for some seconds. */
export const subscription = (name: string, query: (target: Target) => string): Ask => ({
  name: `GraphQL ${name}`,
  async prepare(target) {
    const socket = new WebSocket(`ws://127.0.0.1:${target.port}/graphql`, 'graphql-transport-ws');
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    socket.send(JSON.stringify({ type: 'connection_init', payload: { token: tokenOf(target) } }));
    await new Promise((resolve) => socket.once('message', resolve));
    return async () => {
      let [bytes, refusal] = [0, ''];
      socket.on('message', (text: Buffer) => {
        bytes += text.length;
        if (text.includes('"type":"error"')) refusal = text.toString().slice(0, 100);
      });
      socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query: query(target) } }));
      await sleep(STREAM_MS);
      socket.terminate();
      return { status: 200, bytes, refusal };
    };
  },
});
