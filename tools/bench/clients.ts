/** The lightest clients that still speak the real protocols, because the driver shares its cores with the server. */
import type { Socket } from 'node:net';
import { FrameSocket } from './frames.ts';
import { connectReading, Unread } from './reading.ts';

interface Pending<T> {
  resolve(answer: T): void;
  reject(error: Error): void;
}

interface Answer {
  data: unknown;
  errors?: { message: string; extensions?: { code?: string } }[];
}

function dataOf<T>({ data, errors }: Answer): T {
  if (errors) throw new Error(`${errors[0]?.extensions?.code ?? 'error'}: ${errors[0]?.message}`);
  return data as T;
}

/** Longer than any answer takes, so that a benchmark fails instead of waiting for ever. */
const PATIENCE_MS = 60_000;

/**
 * One keep-alive HTTP/1.1 connection to /graphql, with one request at a time. It is opened again if the server closed
 * it.
 */
export class GraphqlConnection {
  readonly #port: number;
  readonly #head: string;
  #socket: Socket | undefined;
  #pending: Pending<string> | undefined;
  readonly #unread = new Unread();

  constructor(port: number, token?: string) {
    this.#port = port;
    const authorization = token ? `Authorization: Bearer ${token}\r\n` : '';
    this.#head = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${authorization}Content-Length: `;
  }

  #open(): Socket {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket;
    const socket = connectReading(this.#port, (bytes) => this.#read(bytes));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on('error', (error) => this.#pending?.reject(error));
    socket.on('close', () => this.#pending?.reject(new Error('the server closed the connection')));
    this.#socket = socket;
    return socket;
  }

  #read(bytes: Buffer): void {
    const all = this.#unread.with(bytes);
    const end = all.indexOf('\r\n\r\n');
    const length = end < 0 ? undefined : /content-length: (\d+)/i.exec(all.toString('latin1', 0, end))?.[1];
    const isComplete = end >= 0 && (length === undefined || all.length >= end + 4 + Number(length));
    this.#unread.keep(all, isComplete ? all.length : 0);
    if (!isComplete) return;
    const pending = this.#pending;
    this.#pending = undefined;
    if (length === undefined) pending?.reject(new Error('the answer does not say how long it is'));
    else pending?.resolve(all.toString('utf8', end + 4));
  }

  async request<T>(query: string, variables: object = {}): Promise<T> {
    const body = JSON.stringify({ query, variables });
    const text = await new Promise<string>((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#open().write(`${this.#head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
    return dataOf(JSON.parse(text) as Answer);
  }

  close(): void {
    this.#socket?.destroy();
  }
}

type Next = (data: unknown) => void;

/** One WebSocket, for subscriptions and, if wanted, for requests as well. */
export class GraphqlSocket {
  readonly #socket: FrameSocket;
  readonly #ready: Promise<void>;
  readonly #subscriptions = new Map<string, Next>();
  readonly #requests = new Map<string, Pending<Answer>>();
  #requested = 0;
  #closing = false;

  constructor(port: number, token: string) {
    let acknowledged = () => {};
    let refused: (error: Error) => void = () => {};
    this.#ready = new Promise((resolve, reject) => {
      acknowledged = resolve;
      refused = reject;
    });
    this.#socket = new FrameSocket({
      port,
      path: '/graphql',
      protocol: 'graphql-transport-ws',
      onOpen: () => this.#send({ type: 'connection_init', payload: { token } }),
      onText: (text) => this.#read(text, acknowledged),
      onClose: (error = new Error('the socket was closed')) => {
        refused(error);
        if (!this.#closing) this.#fail(error);
      },
    });
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  #read(text: string, acknowledged: () => void): void {
    const { type, id = '', payload } = JSON.parse(text) as { type: string; id?: string; payload?: Answer };
    if (type === 'next') {
      const asked = this.#requests.get(id);
      if (asked) {
        this.#requests.delete(id);
        asked.resolve(payload as Answer);
      } else if (payload?.errors) this.#fail(new Error(text));
      else this.#subscriptions.get(id)?.(payload?.data);
    } else if (type === 'error') this.#fail(new Error(text));
    else if (type === 'ping') this.#send({ type: 'pong' });
    else if (type === 'connection_ack') acknowledged();
  }

  /** If a subscription fails, the benchmark measures nothing, so whoever waits is told, and the process ends. */
  #fail(error: Error): void {
    for (const { reject } of this.#requests.values()) reject(error);
    this.#requests.clear();
    if (this.#subscriptions.size > 0) throw error;
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  subscribe(id: string, query: string, variables: object, next: Next): void {
    this.#subscriptions.set(id, next);
    this.#send({ type: 'subscribe', id, payload: { query, variables } });
  }

  unsubscribe(id: string): void {
    this.#subscriptions.delete(id);
    this.#send({ type: 'complete', id });
  }

  async request<T>(query: string, variables: object = {}): Promise<T> {
    const id = `request-${this.#requested++}`;
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.#requests.set(id, { resolve, reject });
      this.#send({ type: 'subscribe', id, payload: { query, variables } });
    });
    return dataOf(answer);
  }

  close(): void {
    this.#closing = true;
    this.#subscriptions.clear();
    this.#socket.terminate();
  }
}
