import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { type TestApi, testApi } from '../support/test-api.ts';

let server: TestServer;
let api: TestApi;

beforeAll(async () => {
  api = testApi();
  server = await startServer(api, { MAX_SUBSCRIPTIONS_PER_PLAYER: '3' }, { recheckMs: 100 });
});
beforeEach(async () => {
  api.tokens.add('tui');
  await quiet();
});
afterAll(() => server.stop());

async function quiet() {
  await expect.poll(() => api.watching).toBe(0);
  const metrics = async () => await (await fetch(`${server.url}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^atoll_live_connections 0$/m);
  await expect.poll(metrics).toMatch(/^atoll_subscriptions 0$/m);
}

interface Stream {
  response: http.IncomingMessage;
  text(): string;
  ended: Promise<void>;
  leave(): void;
}

function stream(query: string, token?: string): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const request = http.request(`${server.url}/graphql`, { method: 'POST', headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      const ended = new Promise<void>((done) => response.once('close', done));
      response.on('error', () => {});
      resolve({ response, text: () => text, ended, leave: () => request.destroy() });
    });
    request.on('error', reject);
    request.end(JSON.stringify({ query }));
  });
}

test('a client of the protocol gets every event, in order', async () => {
  const client = createClient({ url: `${server.url}/graphql`, headers: { authorization: 'Bearer tui' } });
  const seen: unknown[] = [];
  for await (const { data } of client.iterate({ query: 'subscription { count(to: 50) }' })) seen.push(data?.count);
  expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  client.dispose();
});

test('queries and refusals are streams with one message', async () => {
  const query = await stream('{ hello }');
  await query.ended;
  expect(query.text()).toContain(
    'event: next\ndata: {"data":{"hello":"hello"},"extensions":{"cost":1}}\n\nevent: complete',
  );
  const refused = await stream('subscription { refused }');
  await refused.ended;
  expect(refused.text()).toContain('"code":"FORBIDDEN"');
});

test.each([
  ['atoll', 'MATCH_OVER'],
  ['bug', 'INTERNAL'],
])('what breaks on the way (%s) says so and ends', async (how, code) => {
  const broken = await stream(`subscription { breaks(how: "${how}") }`);
  await broken.ended;
  expect(broken.text()).toContain(`"code":"${code}"`);
  expect(broken.text()).toMatch(/event: complete\ndata:\n\n$/);
  expect(broken.text()).not.toContain('secret');
});

test('an invalid document is not answered with a stream', async () => {
  const refused = await stream('subscription { nothing }');
  await refused.ended;
  expect(refused.response.statusCode).toBe(400);
  expect(refused.response.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('everything is freed when a client leaves', async () => {
  const streams = await Promise.all([1, 2, 3].map(() => stream('subscription { forever }', 'tui')));
  await expect.poll(() => api.watching).toBe(3);
  const fourth = await stream('subscription { forever }', 'tui');
  await fourth.ended;
  expect(fourth.text()).toContain('"code":"RATE_LIMITED"');
  for (const { leave } of streams) leave();
  await quiet();
});

test('everything is freed when a client leaves before the stream has begun', async () => {
  const controller = new AbortController();
  const request = fetch(`${server.url}/graphql?query=subscription{late}`, {
    headers: { accept: 'text/event-stream' },
    signal: controller.signal,
  });
  await sleep(100);
  controller.abort();
  await expect(request).rejects.toThrow();
  await sleep(300);
  await quiet();
});

test('a revoked token ends its streams', async () => {
  const revoked = await stream('subscription { forever }', 'tui');
  await expect.poll(revoked.text).toContain('"forever":1');
  api.tokens.delete('tui');
  await revoked.ended;
  expect(revoked.text()).not.toContain('complete');
});

test('a client that does not read pauses its subscription', async () => {
  const before = api.flooded;
  const slow = await stream('subscription { flood }');
  slow.response.pause();
  await expect
    .poll(async () => {
      const reached = api.flooded;
      await sleep(300);
      return api.flooded - reached;
    })
    .toBe(0);
  expect(api.flooded - before).toBeLessThan(400);
  slow.leave();
});
