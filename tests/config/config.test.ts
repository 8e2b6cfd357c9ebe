import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigError, readConfig, trustProxy, variables } from '../../src/config.ts';
import { CONFIGURATION, configurationPage } from '../../tools/configuration.ts';

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

test('an empty environment is enough', () => {
  const config = readConfig({});
  expect(config.PORT).toBe(4000);
  expect(config.DATABASE_URL).toBeUndefined();
  expect(config.CORS_ORIGINS).toEqual(['*']);
  expect(config.METRICS).toBe(true);
});

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}));
});

test('texts are converted to the types of their variables', () => {
  const config = readConfig({
    PORT: '0',
    METRICS: 'False',
    CORS_ORIGINS: 'https://a.example, http://localhost:3000 ,',
    LOG_LEVEL: 'debug',
    DATABASE_URL: 'postgres://u:p@db/atoll',
  });
  expect(config).toMatchObject({
    PORT: 0,
    METRICS: false,
    CORS_ORIGINS: ['https://a.example', 'http://localhost:3000'],
    LOG_LEVEL: 'debug',
    DATABASE_URL: 'postgres://u:p@db/atoll',
  });
});

test.each([
  ['false', false],
  ['true', true],
  ['loopback', 'loopback'],
  ['10.0.0.0/8, ::1, uniquelocal', '10.0.0.0/8, ::1, uniquelocal'],
])('TRUST_PROXY %s', (given, meant) => {
  expect(trustProxy(readConfig({ TRUST_PROXY: given }))).toBe(meant);
});

test.each([
  ['not a number', { PORT: 'http' }, 'PORT is "http", but must be a whole number from 0 to 65535.'],
  ['a fraction', { PORT: '80.5' }, 'PORT is "80.5", but must be a whole number from 0 to 65535.'],
  ['too great', { PORT: '65536' }, 'PORT is "65536", but must be a whole number from 0 to 65535.'],
  ['too small', { MEMO_MATCHES: '-1' }, 'MEMO_MATCHES is "-1", but must be a whole number from 1 to 1000000.'],
  ['not one of a few', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud", but must be one of fatal, error, warn, info,'],
  ['not a flag', { METRICS: 'maybe' }, 'METRICS is "maybe", but must be true or false.'],
  ['not an origin', { CORS_ORIGINS: 'https://a.example/page' }, 'but must be origins such as https://example.org'],
  ['not a proxy', { TRUST_PROXY: 'nginx' }, 'TRUST_PROXY is "nginx", but must be true, false, or addresses'],
  ['not a host', { HOST: 'a b' }, 'HOST is "a b", but must be a host name or an address.'],
])('refused: %s', (_, env, sentence) => {
  expect(refusal(env as unknown as Record<string, string>)).toContain(sentence);
});

test('an invalid database URL is reported without being shown', () => {
  const sentence = refusal({ DATABASE_URL: 'mysql://root:secret@db/atoll' });
  expect(sentence).toBe('DATABASE_URL (not shown here) must be a URL that begins with postgresql://.');
});

test.each([
  ['nats://bus:4222/secret', 'BUS_URL (not shown here) must be a URL such as redis://user:password@host:6379'],
  ['redis://:se/cret@bus', 'BUS_URL (not shown here) must be a URL'],
  ['redis://:secret@bus:port', 'BUS_URL (not shown here) is no URL'],
])('a wrong URL of a bus is named but not shown: %s', (given, sentence) => {
  expect(refusal({ BUS_URL: given })).toContain(sentence);
  expect(refusal({ BUS_URL: given })).not.toMatch(/se\/?cret/);
});

test.each(['redis://bus', 'rediss://user:pa%40ss@bus.example:6380/3', 'valkey://[::1]:6379/'])(
  'BUS_URL %s',
  (given) => {
    expect(readConfig({ BUS_URL: given }).BUS_URL).toBe(given);
  },
);

test('all invalid variables are reported at once', () => {
  expect(refusal({ PORT: 'x', LOG_LEVEL: 'y' }).split('\n')).toHaveLength(2);
});

test('every variable is described, and the page says what the schema says', () => {
  for (const [name, { description }] of variables) expect(description, name).toMatch(/\.$/);
  expect(readFileSync(CONFIGURATION, 'utf8')).toBe(configurationPage());
});
