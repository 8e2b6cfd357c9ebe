/** Who reads the metrics, and which ports webhooks may lead to. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createMetrics, openMetricsServer } from '../../src/metrics.ts';
import { portFault } from '../../src/notices/address.ts';
import { freePort } from '../support/programs.ts';

describe('metrics', () => {
  const config = (env: Record<string, string>) => readConfig({ HOST: '127.0.0.1', ...env });
  it('are served on a separate port, and only with the token', async () => {
    const port = await freePort();
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
