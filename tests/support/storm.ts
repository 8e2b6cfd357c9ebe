/** A server that gets many broken requests at once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STATUS } from '../../src/errors.ts';
import type { Rng } from '../../src/games/game.ts';
import { fastRng } from '../../src/games/rng.ts';
import { rest } from './api-rest.ts';
import { type FreshDatabase, freshDatabase } from './database.ts';
import { type Instance, startInstance } from './instance.ts';
import { type RawAnswer, type RawRequest, send } from './raw.ts';
import { type World, worldOf } from './world.ts';

const env = {
  LOG_LEVEL: 'debug',
  RATE_LIMIT_PER_PLAYER: '1000000',
  RATE_LIMIT_PER_ADDRESS: '1000000',
  RATE_LIMIT_REGISTRATIONS: '1000000',
};

/** Every code that a caller may get. */
export const codes = new Set<unknown>(Object.keys(STATUS).filter((code) => code !== 'INTERNAL'));

export const mediaTypes = [
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/',
  '*',
];

export interface Target {
  readonly server: Instance;
  readonly world: World;
  /** The export of an ended match from another server. */
  readonly document: string;
  tokens(rng: Rng): Record<string, string>;
  /** Runs so many requests, some at a time; a failure names the request, its seed and what the server said of it. */
  storm(times: number, make: (rng: Rng) => RawRequest, check: (answer: RawAnswer) => void): Promise<void>;
}

/** Starts the server for the tests of a file. */
export function underStorm(): Target {
  let databases: FreshDatabase[];
  let server: Instance;
  let world: World;
  let document: string;

  beforeAll(async () => {
    const [database, elsewhere] = [await freshDatabase(), await freshDatabase()];
    databases = [database, elsewhere];
    server = await startInstance(database.url, { env });
    world = await worldOf(rest, [server.url]);
    const other = await startInstance(elsewhere.url);
    const { ann, finished } = await worldOf(rest, [other.url]);
    document = JSON.stringify(await ann.export(finished.id));
    await other.stop();
  });
  afterAll(async () => {
    await server.stop();
    for (const { drop } of databases) await drop();
  });

  const failures = () => server.log.filter((line) => line.startsWith('{"level":50'));
  return {
    get server() {
      return server;
    },
    get world() {
      return world;
    },
    get document() {
      return document;
    },
    tokens: (rng) => tokens(world, rng),
    async storm(times, make, check) {
      let next = 0;
      const lane = async () => {
        while (next < times) {
          const seed = next++;
          const request = make(fastRng(seed));
          const shown = `${seed}: ${JSON.stringify(request).slice(0, 800)}`;
          const answer = await send(server.url, request).catch((error) => expect.fail(`${error} by ${shown}`));
          try {
            check(answer);
          } catch (error) {
            const said = [JSON.stringify(answer), ...failures().slice(-1)].map((text) => text.slice(0, 1500));
            expect.fail([(error as Error).message, shown, ...said].join('\n'));
          }
        }
      };
      await Promise.all(Array.from({ length: 6 }, lane));
      expect(failures()).toEqual([]);
    },
  };
}

function tokens({ ann, ben }: World, rng: Rng): Record<string, string> {
  const authorization = rng.pick([
    undefined,
    `Bearer ${ann.token}`,
    `Bearer ${ben.token}`,
    `bearer ${ben.token}`,
    `Bearer ${ann.token}x`,
    'Bearer',
    'Basic YTpi',
    `Bearer ${'x'.repeat(4000)}`,
  ]);
  return authorization === undefined ? {} : { authorization };
}

/** To be called last: checks that the server still works, and that no token was logged. */
export function afterTheStorm(target: Target): void {
  it('nothing is worse off afterwards', async () => {
    const { server, world } = target;
    for (const path of ['/health/live', '/health/ready', '/v1/games']) {
      expect((await fetch(`${server.url}${path}`)).status).toBe(200);
    }
    const { ann, ben, finished } = world;
    expect(await ann.match(finished.id)).toMatchObject({ version: 9, status: 'FINISHED' });
    const { id } = await ann.createMatch({ game: 'highest', seats: 2 });
    expect(await ben.join(id)).toMatchObject({ status: 'ACTIVE' });
    for (const name of ['polluted', 'admin', 'a']) expect(Object.prototype).not.toHaveProperty(name);
    await expect.poll(() => server.metric('atoll_live_connections')).toBe(0);
    await expect.poll(() => server.metric('atoll_watchers')).toBe(0);
  });

  it('and no token is in the log', () => {
    const { log } = target.server;
    expect(log.length).toBeGreaterThan(500);
    expect(log.filter((line) => /atoll_[\w-]{20}/.test(line))).toEqual([]);
    for (const { token } of [target.world.ann, target.world.ben]) expect(log.join('')).not.toContain(token.slice(6));
  });
}
