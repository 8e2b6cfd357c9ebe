/** The lightest clients that still speak the real protocols: the driver shares its cores with the server. */
import { connect, type Socket } from 'node:net';
import WebSocket from 'ws';

interface Pending {
  resolve(body: string): void;
  reject(error: Error): void;
}

/** One keep-alive HTTP/1.1 connection to /graphql, one request at a time. */
export class GraphqlConnection {
  readonly #socket: Socket;
  readonly #head: string;
  #pending: Pending | undefined;
  #received = '';

  constructor(port: number, token?: string) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('utf8');
    const authorization = token ? `Authorization: Bearer ${token}\r\n` : '';
    this.#head = `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${authorization}Content-Length: `;
    this.#socket.on('data', (chunk) => this.#read(String(chunk)));
    this.#socket.on('error', (error) => this.#pending?.reject(error));
    this.#socket.on('close', () => this.#pending?.reject(new Error('the server closed the connection')));
  }

  #read(chunk: string): void {
    this.#received += chunk;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1]);
    const body = this.#received.slice(end + 4);
    if (Buffer.byteLength(body) < length) return;
    this.#received = '';
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(body);
  }

  async request<T>(query: string, variables: object = {}): Promise<T> {
    const body = JSON.stringify({ query, variables });
    const text = await new Promise<string>((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#socket.write(`${this.#head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
    });
    const { data, errors } = JSON.parse(text) as { data: T; errors?: { message: string }[] };
    if (errors) throw new Error(errors[0]?.message);
    return data;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** One socket with many subscriptions; `next` hears the data of each message with its subscription's number. */
export async function subscribe(
  port: number,
  token: string,
  operations: { query: string; variables: object }[],
  next: (index: number, data: unknown) => void,
): Promise<() => void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', (code) => reject(new Error(`the socket was closed with ${code}`)));
    socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { token } })));
    socket.on('message', (text) => {
      const message = JSON.parse(String(text)) as { type: string; id: string; payload?: { data?: unknown } };
      if (message.type === 'connection_ack') resolve();
      else if (message.type === 'ping') socket.send('{"type":"pong"}');
      else if (message.type === 'next' && message.payload?.data) next(Number(message.id), message.payload.data);
      else if (message.type === 'error') reject(new Error(String(text)));
    });
  });
  for (const [i, payload] of operations.entries())
    socket.send(JSON.stringify({ type: 'subscribe', id: String(i), payload }));
  return () => socket.terminate();
}
