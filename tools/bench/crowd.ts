/** The cheapest possible spectators: raw sockets in a separate process that only note when an event arrives. */
import { fork } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface Crowd {
  /** When the last spectator had this version, in milliseconds since the epoch. */
  allHave(version: number): Promise<number>;
  close(): void;
}

interface Asked {
  port: number;
  matchId: string;
  after: number;
  size: number;
}

type Told = { ready: true } | { version: number; at: number };

/** Resolves when all of them are subscribed. */
export async function openCrowd(asked: Asked): Promise<Crowd> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(asked)], { execArgv: ['--import', 'tsx'] });
  const seen = new Map<number, (at: number) => void>();
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the spectators could not be seated')));
    child.on('message', (told: Told) => {
      if ('ready' in told) resolve();
      else seen.get(told.version)?.(told.at);
    });
  });
  return {
    allHave: (version) => new Promise((resolve) => seen.set(version, resolve)),
    close: () => void child.kill(),
  };
}

/** A text frame of a client. The mask is zero, which leaves the text unchanged. */
function frame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const length = text.length < 126 ? [0x80 | text.length] : [0x80 | 126, text.length >> 8, text.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), text]);
}

const UPGRADE = [
  'GET /graphql HTTP/1.1',
  'Host: localhost',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Sec-WebSocket-Protocol: graphql-transport-ws',
  '\r\n',
].join('\r\n');

const QUERY = `subscription ($id: ID!, $after: Int) {
  matchEvents(matchId: $id, after: $after) { version seat action label acting } }`;

function spectator({ port, matchId, after }: Asked, onVersion: (version: number) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let stage: 'upgrade' | 'init' | 'live' = 'upgrade';
    socket.once('error', reject);
    socket.write(UPGRADE);
    socket.on('data', (chunk) => {
      if (stage === 'upgrade') {
        stage = 'init';
        socket.write(frame({ type: 'connection_init' }));
      } else if (stage === 'init') {
        stage = 'live';
        const payload = { query: QUERY, variables: { id: matchId, after } };
        socket.write(frame({ id: '1', type: 'subscribe', payload }));
        resolve(socket);
      } else {
        for (const [, version] of String(chunk).matchAll(/"version":(\d+)/g)) onVersion(Number(version));
        if (chunk.length === 2) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0])); // answer a ping with a pong
      }
    });
  });
}

async function watch(asked: Asked): Promise<void> {
  const counts = new Map<number, number>();
  const onVersion = (version: number) => {
    const count = (counts.get(version) ?? 0) + 1;
    counts.set(version, count);
    if (count === asked.size) process.send?.({ version, at: performance.timeOrigin + performance.now() });
  };
  for (let i = 0; i < asked.size; i += 100) {
    const some = Math.min(100, asked.size - i);
    await Promise.all(Array.from({ length: some }, () => spectator(asked, onVersion)));
  }
  process.send?.({ ready: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await watch(JSON.parse(process.argv[2] as string) as Asked);
