import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type Outgoing, outgoing } from '../../src/api/graphql/outgoing.ts';

/** What a client receives, and the place from which it is sent. */
async function pair(): Promise<{ out: Outgoing; received: string[] }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => client.terminate());
  const received: string[] = [];
  client.on('message', (data) => received.push(String(data)));
  const [socket, request] = await once(server, 'connection');
  if (client.readyState !== client.OPEN) await once(client, 'open');
  return { out: outgoing(socket, request.socket), received };
}

test('texts of every length and in any script arrive whole and in order', async () => {
  const { out, received } = await pair();
  const lengths = [0, 1, 125, 126, 65_535, 65_536, 70_000];
  const texts = lengths.flatMap((length) => ['a', 'é', 'ā', '🌋'].map((one) => one.repeat(length)));
  for (const text of texts) {
    out.send(text);
    out.sendWithin('{"id":"ʻō"', text, '}');
  }
  out.sendWithin('{"id":"another"', texts.at(-1) as string, '}');
  const wanted = texts.flatMap((text) => [text, `{"id":"ʻō"${text}}`]);
  await expect.poll(() => received.length).toBe(wanted.length + 1);
  expect(received).toEqual([...wanted, `{"id":"another"${texts.at(-1)}}`]);
});

test('what is sent before a socket is closed arrives, and nothing after it', async () => {
  const { out, received } = await pair();
  out.send('first');
  out.close(1000, 'done');
  expect(out.send('later')).toBeUndefined();
  await expect.poll(() => received).toEqual(['first']);
});
