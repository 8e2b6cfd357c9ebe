/** No input, however broken, gets a 500, an INTERNAL, a hang, or a server that is worse off afterwards: REST and HTTP. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Rng } from '../../src/games/game.ts';
import { damaged, junkBody, junkParam, nearlyRight } from '../support/junk.ts';
import type { RawAnswer, RawRequest } from '../support/raw.ts';
import { afterTheStorm, codes, mediaTypes, underStorm } from '../support/storm.ts';
import { NOWHERE } from '../support/world.ts';

const target = underStorm();

function expectProblem({ status, type, body }: RawAnswer): void {
  expect(status).toBeLessThan(500);
  if (status < 400) return;
  expect(type).toBe('application/problem+json; charset=utf-8');
  if (body === '') return; // the answer to a HEAD request
  const problem = JSON.parse(body) as Record<string, unknown>;
  expect(codes).toContain(problem.code);
  expect(problem).toMatchObject({ status, type: 'about:blank', detail: expect.any(String) });
}

const FAREWELLS = ['/v1/me', '/v1/account/sign-out'];

interface Operation {
  method: string;
  path: string;
  query: string[];
  fields: string[];
}

async function operations(): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${target.server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Documented>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      query: parameters.filter((p) => p.in === 'query').map((p) => p.name),
      fields: Object.keys(requestBody?.content['application/json']?.schema.properties ?? {}),
    })),
  );
}
interface Documented {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: { properties?: object } }> };
}

describe('REST', () => {
  function broken({ method, path, query, fields }: Operation, rng: Rng): RawRequest {
    const { active, open, hidden, finished } = target.world;
    const id = () =>
      rng.pick([active.id, active.id, open.id, hidden.id, finished.id, NOWHERE, junkParam(rng), '%', '%ff']);
    const params = Array.from({ length: rng.int(4) }, () => {
      const name = rng.pick([...query, ...query, 'nonsense', '__proto__', 'a[b]']);
      return `${name}=${rng.pick([junkParam(rng), String(rng.int(9)), 'true', '%zz'])}`;
    });
    const object = () => nearlyRight(fields, rng);
    const body = rng.pick([object, object, object, () => junkBody(rng), () => damaged(target.document, rng)]);
    const accept = rng.pick(['*/*', 'text/event-stream', 'application/json', 'image/png', ';;;']);
    return {
      // A valid DELETE /v1/me would delete the caller, and signing out everywhere would end its token.
      method:
        rng.int(8) > 0 || FAREWELLS.includes(path)
          ? method
          : rng.pick(['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND', 'DELETE', 'POST', 'GET']),
      path: path.replace(/\{\w+\}/g, () => safe(id())) + (params.length > 0 ? `?${params.join('&')}` : ''),
      headers: {
        accept,
        ...target.tokens(rng),
        ...(rng.int(5) === 0 && { 'last-event-id': rng.pick(['x', '-1', '99', '1', '9999999999']) }),
        ...(rng.int(5) === 0 && { 'idempotency-key': rng.pick(['x', 'y'.repeat(200), ' ']) }),
        ...(method !== 'GET' && { 'content-type': rng.pick(mediaTypes) }),
      },
      body: method === 'GET' ? undefined : body(),
    };
  }
  const safe = (segment: string) => segment.replace(/[^\x21-\x7e]|[?#]/g, '_') || '_';

  it('refuses whatever is broken, at every route', async () => {
    const all = (await operations()).filter(({ method, path }) => method === 'GET' || !FAREWELLS.includes(path));
    expect(all.length).toBeGreaterThan(20);
    await target.storm(all.length * 40, (rng) => broken(rng.pick(all), rng), expectProblem);
  });

  it('refuses damaged documents', async () => {
    const headers = { authorization: `Bearer ${target.world.cho.token}`, 'content-type': 'application/json' };
    const make = (rng: Rng) => ({
      method: 'POST',
      path: '/v1/matches/import',
      headers,
      body: damaged(target.document, rng),
    });
    await target.storm(150, make, expectProblem);
  });

  it('answers odd paths and methods', async () => {
    const paths = [
      '/',
      '//',
      '/v1',
      '/v1/',
      '/v1//me',
      '/v1/matches/',
      '/v1/../v1/me',
      '/%2e%2e/',
      '/v1/%00',
      '/docs/..%2f',
      '/graphiql/%2e%2e/',
      '/v1/matches/x/nothing',
      `/${'x'.repeat(3000)}`,
      '/*',
      '/health',
      '/v1/matches//events',
    ];
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'LOCK', 'SEARCH'];
    await target.storm(
      paths.length * methods.length,
      (rng) => ({ method: rng.pick(methods), path: rng.pick(paths), headers: target.tokens(rng) }),
      expectProblem,
    );
  });
});

it('what is not even HTTP is refused, and the connection closed', async () => {
  const { port } = new URL(target.server.url);
  for (const text of [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: a\r\nx: \0\r\n\r\n',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
    'POST /v1/players HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
  ]) {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
      let heard = '';
      socket.setTimeout(60_000, () => reject(new Error(`no answer to ${text.slice(0, 40)}`)));
      socket.on('data', (data) => {
        heard += data;
      });
      socket.on('close', () => resolve(heard));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  }
});

afterTheStorm(target);
