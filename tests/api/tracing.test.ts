/** Traces, as a collector receives them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { onFirstUse } from '../../src/first-use.ts';
import { openTracing } from '../../src/tracing.ts';
import { freshDatabase } from '../support/database.ts';
import { startInstance } from '../support/instance.ts';
import { type Received, startReceiver } from '../support/receiver.ts';

interface Exported {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: object }[];
}

async function collector() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(`${request.method} ${request.url}\n${Buffer.concat(chunks)}`);
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const spans = (): Exported[] =>
    bodies.flatMap((body) => {
      const { resourceSpans } = JSON.parse(body.slice(body.indexOf('\n'))) as {
        resourceSpans: { scopeSpans: { spans: Exported[] }[] }[];
      };
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, spans };
}

const SUBMIT = 'mutation Play($input: SubmitActionInput!) { submitAction(input: $input) { version } }';

test('no traces are made without an address to send them to', async () => {
  expect(await openTracing(readConfig({}))).toBeUndefined();
});

test("an action is one trace, below the caller's span, from the request to the append, and tells no secrets", async () => {
  const { url, bodies, spans } = await collector();
  const fresh = await freshDatabase();
  const tracing = await openTracing(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url }));
  if (!tracing) throw new Error('There is no tracing');
  const server = await startInstance(fresh.url, { parts: { tracing }, services: { tracing } });
  onTestFinished(async () => {
    await server.stop();
    await fresh.drop();
  });
  const trace = 'a'.repeat(32);
  const post = async (path: string, body: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      traceparent: `00-${trace}-${'b'.repeat(16)}-00`,
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, string>;
  };
  const { token = '' } = await post('/v1/players', { name: 'Whisperer' });
  const { id = '' } = await post('/v1/matches', { game: 'hashi', seats: 1 }, token);
  const legal = await fetch(`${server.url}/v1/matches/${id}/legal-actions`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { legalActions } = (await legal.json()) as { legalActions: { action: object }[] };
  const input = { matchId: id, action: legalActions[0]?.action };
  const query = { query: SUBMIT, operationName: 'Play', variables: { input } };
  expect(await post('/graphql', query, token)).toMatchObject({ data: { submitAction: { version: 3 } } });
  await fetch(`${server.url}/health/live`);
  await tracing.close();

  expect(bodies[0]).toMatch(/^POST \/v1\/traces\n/);
  const inTrace = spans().filter(({ traceId }) => traceId === trace);
  const byId = new Map(inTrace.map((span) => [span.spanId, span]));
  const pathOf = (span: Exported | undefined): string[] =>
    span ? [...pathOf(byId.get(span.parentSpanId ?? '')), span.name] : [];
  const append = inTrace.find(({ name, parentSpanId }) => {
    return name === 'match append' && byId.get(parentSpanId ?? '')?.name === 'match submit';
  });
  expect(pathOf(append)).toEqual(['POST /graphql', 'graphql mutation', 'match submit', 'match append']);
  expect(inTrace.filter(({ parentSpanId }) => parentSpanId === 'b'.repeat(16)).map(({ name }) => name)).toEqual([
    'POST /v1/players',
    'POST /v1/matches',
    'POST /graphql',
  ]);
  expect(inTrace.map(({ name }) => name)).toContain('match tell');
  const told = spans().flatMap(({ name, attributes }) => [name, ...attributes.map(({ key }) => key)]);
  expect(told.filter((text) => /health/.test(text))).toEqual([]);
  for (const secret of [token, 'Whisperer', id]) expect(bodies.join()).not.toContain(secret);
});

test('the decisions of bots are traced, and a webhook is told of the span of its delivery', async () => {
  const { url, spans } = await collector();
  await using receiver = await startReceiver();
  const fresh = await freshDatabase();
  const tracing = await openTracing(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url }));
  if (!tracing) throw new Error('There is no tracing');
  const env = { WEBHOOK_ALLOW_PRIVATE: 'true', NOTICE_DELAY_SECONDS: '0' };
  const notices = { pollMs: 50, sweepMs: 50 };
  const server = await startInstance(fresh.url, { env, parts: { tracing }, services: { tracing, notices } });
  const stop = onFirstUse(server.stop);
  onTestFinished(async () => {
    await stop();
    await fresh.drop();
  });
  const send = async (path: string, body?: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(
      server.url + path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    return (await response.json()) as Record<string, string> & { legalActions: { action: object }[] };
  };
  const { token } = await send('/v1/players', { name: 'Ann' });
  await send('/v1/webhooks', { url: receiver.url, events: ['MATCH_FINISHED'] }, token);
  const { id } = await send('/v1/matches', { game: 'haleakala', seats: 2, bots: ['EASY'] }, token);
  // Acts whenever it may, until the match has gone on without it.
  for (let own = 0; ; ) {
    const now = await send(`/v1/matches/${id}/legal-actions`, undefined, token);
    if (own > 0 && Number(now.version) > own) break;
    const action = now.legalActions[0]?.action;
    if (action) own = Number((await send(`/v1/matches/${id}/actions`, { action }, token)).version);
    else await sleep(20);
  }
  await send(`/v1/matches/${id}/resign`, {}, token);
  const [{ headers }] = (await receiver.until(1)) as [Received];
  await stop(); // the span of a delivery ends after its answer
  await tracing.close();

  const byId = new Map(spans().map((span) => [span.spanId, span]));
  expect(spans().map(({ name }) => name)).toEqual(expect.arrayContaining(['bot decide', 'match submit']));
  const [, traceId, spanId] = String(headers.traceparent).split('-');
  expect(byId.get(spanId ?? '')).toMatchObject({ name: 'notice deliver', traceId });
});
