import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';
import { testApi } from '../support/test-api.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer(testApi());
});
afterAll(() => server.stop());

const audits = serverAudits({ url: () => `${server.url}/graphql` });

test('the reference audit has as many points as we know of', () => {
  expect(audits).toHaveLength(61);
});

test.each(audits.map((audit) => [`${audit.id} ${audit.name}`, audit] as const))('%s', async (_, audit) => {
  const result = await audit.fn();
  expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok');
});
