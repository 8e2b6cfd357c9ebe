/** Answers that are not read are given up. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { boundUnread } from '../../src/api/http/limits/unread.ts';

let app: FastifyInstance | undefined;
afterEach(async () => {
  await app?.close();
});

const BIG = 600_000;
/** More than the buffers of the operating system hold. */
const HUGE = 30_000_000;

async function start(limits: Partial<Parameters<typeof boundUnread>[1]> = {}): Promise<number> {
  app = Fastify({ forceCloseConnections: true });
  boundUnread(app, {
    MAX_CONNECTIONS_PER_ADDRESS: 1000,
    UNREAD_LIMIT_BYTES: 2 * BIG,
    ANSWER_TIMEOUT_SECONDS: 60,
    TRUST_PROXY: 'false',
    ...limits,
  });
  app.get('/big', async () => 'x'.repeat(BIG));
  app.get('/huge', async () => 'x'.repeat(HUGE));
  app.get('/slow', async () => {
    await sleep(3000);
    return 'slow';
  });
  app.get('/small', async () => 'small');
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { port: number }).port;
}

const newConnection = () => once((app as FastifyInstance).server, 'connection');
const connections = () => new Promise<number>((done) => app?.server.getConnections((_, n) => done(n)));
const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('a connection with too many unread answers is closed', async () => {
  const port = await start();
  const arrived = newConnection();
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(ask('/big').repeat(50));
  await arrived;
  await expect.poll(connections).toBe(0);
  socket.resume(); // it reads now, and finds the connection closed
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await once(socket, 'close');
  expect(bytes).toBeLessThan(4 * BIG);
});

test('unread answers of a closed connection no longer count', async () => {
  const port = await start();
  for (let i = 0; i < 30; i++) {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => {});
    socket.write(ask('/big').repeat(10));
    await sleep(30);
    socket.destroy();
  }
  await sleep(100);
  expect((await (await fetch(`http://127.0.0.1:${port}/big`)).text()).length).toBe(BIG);
});

test('a connection may have only so many requests under way', async () => {
  const port = await start();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(ask('/slow').repeat(40));
  await once(socket, 'close');
  expect((await fetch(`http://127.0.0.1:${port}/small`)).status).toBe(200);
});

test('a client that reads its answers may request any amount', async () => {
  const port = await start();
  const socket = connect(port, '127.0.0.1');
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  for (let i = 1; i <= 20; i++) {
    socket.write(ask('/big'));
    while (bytes < i * BIG) await sleep(5);
  }
  socket.destroy();
  const answers = await Promise.all(
    Array.from({ length: 10 }, async () => (await (await fetch(`http://127.0.0.1:${port}/big`)).text()).length),
  );
  expect(answers).toEqual(new Array(10).fill(BIG));
});

test('a client that reads too slowly is disconnected', async () => {
  const port = await start({ ANSWER_TIMEOUT_SECONDS: 0.5 });
  const arrived = newConnection();
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(ask('/huge'));
  await arrived;
  await expect.poll(connections).toBe(0);
  socket.destroy();
});

test('an address may have only so many connections, unless it is that of a proxy', async () => {
  const port = await start({ MAX_CONNECTIONS_PER_ADDRESS: 3 });
  const sockets = Array.from({ length: 5 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  const ended = () => sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length;
  await expect.poll(ended).toBe(2);
  await expect.poll(connections).toBe(3);
  expect(ended()).toBe(2);
  sockets.find(({ destroyed, readableEnded }) => !destroyed && !readableEnded)?.destroy();
  await expect.poll(connections).toBe(2);
  const again = connect(port, '127.0.0.1').setEncoding('utf8');
  again.write(ask('/small'));
  expect(String((await once(again, 'data'))[0])).toContain('200 OK');
  for (const socket of [...sockets, again]) socket.destroy();
  await app?.close();
  const behind = await start({ MAX_CONNECTIONS_PER_ADDRESS: 1, TRUST_PROXY: 'loopback' });
  expect(
    (await Promise.all([1, 2, 3].map(() => fetch(`http://127.0.0.1:${behind}/small`)))).map((r) => r.status),
  ).toEqual([200, 200, 200]);
});
