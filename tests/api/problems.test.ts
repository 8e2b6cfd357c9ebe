import net from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { STATUS } from '../../src/errors.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { testApi } from '../support/test-api.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer(testApi());
});
beforeEach(() => {
  server.log.length = 0;
});
afterAll(() => server.stop());

async function call(path: string, init: RequestInit = {}) {
  const response = await fetch(server.url + path, init);
  const body = JSON.parse(await response.text()) as Record<string, unknown>;
  return { status: response.status, type: response.headers.get('content-type'), headers: response.headers, body };
}

const post = (body: string, type = 'application/json') =>
  call('/v1/things', { method: 'POST', body, headers: { 'content-type': type } });

test.each(Object.entries(STATUS))('%s is a problem of status %i', async (code, status) => {
  const { type, body, ...answer } = await call(`/v1/code/${code}`);
  expect(answer.status).toBe(status);
  expect(type).toBe('application/problem+json; charset=utf-8');
  expect(body).toMatchObject({ type: 'about:blank', status, code, detail: 'As you asked.', version: 7 });
});

test.each([
  ['a wrong type', '{"seats":"3"}', { in: 'body', field: 'seats', detail: 'body/seats must be integer.' }],
  ['a missing field', '{}', { in: 'body', field: 'seats', detail: "body must have required property 'seats'." }],
  ['a field too many', '{"seats":3,"chairs":1}', { in: 'body', field: 'chairs', detail: 'body has no field chairs.' }],
  ['a wrong type deep down', '{"seats":3,"nested":{"deep":4}}', { in: 'body', field: 'nested/deep' }],
  ['a list', '[]', { in: 'body' }],
  ['not JSON', '{"seats":', {}],
  ['nothing', '', {}],
  ['poison', '{"seats":3,"__proto__":{"a":1}}', {}],
])('bad input names what is wrong: %s', async (_, text, expected) => {
  const { status, type, body } = await post(text);
  expect(status).toBe(400);
  expect(type).toBe('application/problem+json; charset=utf-8');
  expect(body).toMatchObject({ code: 'BAD_INPUT', status: 400, ...expected });
  expect(server.log).toEqual([]);
});

test('numbers in a URL are parsed, and wrong ones are refused', async () => {
  expect((await call('/v1/things/1?at=3')).body).toEqual({ at: 3, viewer: null });
  expect((await call('/v1/things/1?at=x')).body).toMatchObject({ code: 'BAD_INPUT', in: 'querystring', field: 'at' });
});

test.each([
  ['too long a body', 413, () => post(`{"seats":3,"x":"${'y'.repeat(300_000)}"}`)],
  ['a media type nobody reads', 415, () => post('seats=3', 'application/x-www-form-urlencoded')],
  ['text, which any page could send', 415, () => post('{"seats":3}', 'text/plain')],
  ['no such place', 404, () => call('/v1/nowhere')],
  ['a place with a slash too many', 404, () => call('/v1/things/1/')],
  ['no such method', 405, () => call('/v1/things', { method: 'DELETE' })],
  ['a URL that is none', 400, () => call('/v1/things/%E0%A4%A')],
  ['a wrong token', 401, () => call('/v1/things/1', { headers: { authorization: 'Bearer nobody' } })],
])('%s is a problem of status %i', async (_, status, ask) => {
  const { body, type, ...answer } = await ask();
  expect(answer.status).toBe(status);
  expect(type).toBe('application/problem+json; charset=utf-8');
  expect(body.code).toBe({ 404: 'NOT_FOUND', 401: 'UNAUTHENTICATED' }[status] ?? 'BAD_INPUT');
  if (status === 405) expect(answer.headers.get('allow')).toBe('POST');
  if (status === 401) expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  expect(server.log).toEqual([]);
});

test('an internal error is described only in the log, with the id of the request', async () => {
  const { status, body } = await call('/v1/bug');
  expect([status, body.code]).toEqual([500, 'INTERNAL']);
  expect(JSON.stringify(body)).not.toContain('secret');
  const entry = JSON.parse(server.log[0] ?? '{}') as { reqId: string; err: { message: string } };
  expect(entry.err.message).toBe('the secret of the bug');
  expect(entry.reqId).toMatch(/^[0-9a-f]{8}-/);
});

test('a database that cannot be reached is not an internal error', async () => {
  const { status, body, headers } = await call('/v1/unreachable');
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '2']);
});

test.each([
  ['what is not even HTTP', 'NONSENSE\r\n\r\n', 400, 'This is not an HTTP request.'],
  ['a header without end', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'The headers are too long.'],
])('%s is answered as a problem and closed', async (_, sent, status, detail) => {
  const { port } = new URL(server.url);
  const text = await new Promise<string>((resolve) => {
    let received = '';
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(sent));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
  });
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain('content-type: application/problem+json');
  expect(JSON.parse(body)).toMatchObject({ status, code: 'BAD_INPUT', detail });
});
