/** What answers say to caches, who reads the metrics, and which ports webhooks may lead to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createMetrics, openMetricsServer } from '../../src/metrics.ts';
import { portFault } from '../../src/notices/address.ts';
import { rest } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { newMember } from '../support/world.ts';

let database: FreshDatabase;
let server: Instance;
beforeAll(async () => {
  database = await freshDatabase();
  server = await startInstance(database.url);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

describe('caches', () => {
  it('keep nothing that depends on who asks', async () => {
    const ann = await newMember(rest, [server.url], 'Ann');
    const { id } = await ann.createMatch({ game: 'highest', seats: 2, bots: ['EASY'] });
    const authorization = `Bearer ${ann.token}`;
    const paths = [
      '/v1/me',
      '/v1/matches',
      `/v1/matches/${id}`,
      `/v1/matches/${id}/view`,
      `/v1/matches/${id}/board.svg`,
      `/v1/matches/${id}/export`,
      '/v1/matches/nowhere',
      '/graphql?query={me{id}}',
    ];
    for (const path of paths) {
      for (const headers of [{ authorization }, {}, { authorization: 'Bearer wrong' }]) {
        const answer = await fetch(`${server.url}${path}`, { headers: headers as Record<string, string> });
        expect([path, answer.headers.get('cache-control')]).toEqual([path, 'private, no-store']);
        expect(answer.headers.get('vary')).toContain('authorization');
      }
    }
  });
});

describe('metrics', () => {
  const config = (env: Record<string, string>) => readConfig({ HOST: '127.0.0.1', ...env });
  const port = 20_000 + Math.floor(Math.random() * 20_000);

  it('are served on a port of their own, and only to who has the token', async () => {
    const token = 'a token for the metrics';
    expect(() => config({ METRICS_TOKEN: 'short' })).toThrow('METRICS_TOKEN (not shown here)');
    const METRICS_TOKEN = token.replaceAll(' ', '-');
    const own = await openMetricsServer(config({ METRICS_PORT: String(port), METRICS_TOKEN }), createMetrics());
    try {
      const read = (headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${port}/metrics`, { headers });
      expect((await read()).status).toBe(401);
      expect((await read({ authorization: 'Bearer something-else-of-it' })).status).toBe(401);
      const answer = await read({ authorization: `Bearer ${METRICS_TOKEN}` });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('atoll_http_request_seconds');
    } finally {
      await own?.close();
    }
    expect(await openMetricsServer(config({}), createMetrics())).toBeUndefined();
  });
});

describe('ports of webhooks', () => {
  it.each(['https://a.example', 'http://a.example', 'https://a.example:8443', 'http://a.example:3000'])('%s', (url) => {
    expect(portFault(new URL(url))).toBeNull();
  });

  it.each([22, 25, 53, 110, 143, 445, 465, 587, 993, 3306, 5432, 6379, 9200, 11_211, 27_017])('not %i', (port) => {
    expect(portFault(new URL(`http://a.example:${port}`))).toContain(`port ${port}`);
  });
});
