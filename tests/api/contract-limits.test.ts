/** RATE_LIMITED and UNAVAILABLE: both faces give the same code and say when to try again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api, Face, Refusal } from '../support/api.ts';
import { graphql } from '../support/api-graphql.ts';
import { rest } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { type DatabaseProxy, databaseProxy } from '../support/proxy.ts';
import { type World, worldOf } from '../support/world.ts';

const faces = [graphql, rest];
let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const caught = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    () => expect.fail('accepted'),
    (error) => error,
  );

describe.each(faces)('$name, asked too often', (face) => {
  let server: Instance;
  const env = { RATE_LIMIT_PER_PLAYER: '5', RATE_LIMIT_PER_ADDRESS: '8', RATE_LIMIT_REGISTRATIONS: '3' };
  beforeAll(async () => {
    server = await startInstance(database.url, { env });
  });
  afterAll(() => server.stop());

  const expectLimited = ({ code, headers, details }: Refusal) => {
    expect(code).toBe('RATE_LIMITED');
    expect(details.retryAfter).toBeGreaterThan(0);
    return headers.get('retry-after');
  };

  it('limits registrations, players and addresses separately', async () => {
    const anybody = face.client([server.url]);
    const registered: Awaited<ReturnType<Api['register']>>[] = [];
    for (let n = 0; n < 3; n++) registered.push(await anybody.register('Ann'));
    expectLimited(await caught(anybody.register('Ann')));
    const [ann, ben] = registered.map(({ token }) => face.client([server.url], token)) as [Api, Api];
    for (let n = 0; n < 5; n++) await ann.me();
    expect(Number(expectLimited(await caught(ann.me())))).toBeGreaterThan(0);
    await ben.me();
    // Wrong tokens count against the address that guesses them: this is its fifth to eighth request.
    const guess = face.client([server.url], 'atoll_guess');
    for (let n = 0; n < 4; n++) expect((await caught(guess.me())).code).toBe('UNAUTHENTICATED');
    expect(Number(expectLimited(await caught(guess.me())))).toBeGreaterThan(0);
    expect(Number(expectLimited(await caught(anybody.games())))).toBeGreaterThan(0);
    await ben.me();
  });
});

it.each(faces)('$name refuses callers who guess tokens, without asking the database', async (face) => {
  const proxy = await databaseProxy(database.url);
  const server = await startInstance(proxy.url, { env: { RATE_LIMIT_PER_ADDRESS: '4' } });
  try {
    const { token } = await face.client([server.url]).register('Ann');
    const ann = face.client([server.url], token);
    const { id } = await ann.me();
    const guess = (n: number) => caught(face.client([server.url], `atoll_guess${n}`).me());
    const guessed: string[] = [];
    for (let n = 0; n < 4; n++) guessed.push((await guess(n)).code);
    // The registration was a request of this address, too.
    expect(guessed).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED', 'UNAUTHENTICATED', 'RATE_LIMITED']);
    await proxy.cut();
    const { code, headers, details } = await guess(4);
    expect([code, details.retryAfter]).toEqual(['RATE_LIMITED', Number(headers.get('retry-after'))]);
    expect(details.retryAfter).toBeGreaterThan(0);
    expect(await ann.me()).toMatchObject({ id });
  } finally {
    await server.stop();
    await proxy.close();
  }
});

describe('while the database is away', () => {
  let proxy: DatabaseProxy;
  let server: Instance;
  const worlds = new Map<Face, World>();

  beforeAll(async () => {
    proxy = await databaseProxy(database.url);
    server = await startInstance(proxy.url);
    for (const face of faces) worlds.set(face, await worldOf(face, [server.url]));
    await proxy.cut();
  });
  afterAll(async () => {
    await server.stop();
    await proxy.close();
  });

  const asked: [string, (world: World) => Promise<unknown>][] = [
    ['registering', (w) => w.anybody.register('Dee')],
    ['a token not seen before', (w) => w.stranger.me()],
    ['tokens', (w) => w.ann.tokens()],
    ['a new token', (w) => w.ann.createToken('laptop')],
    ['opening a match', (w) => w.ann.createMatch({ game: 'highest', seats: 2 })],
    ['a match', (w) => w.anybody.match(w.active.id)],
    ['the list', (w) => w.anybody.matches()],
    ['my turns', (w) => w.ben.matches({ myTurn: true })],
    ['joining', (w) => w.ben.join(w.open.id)],
    ['leaving', (w) => w.ann.leave(w.open.id)],
    ['view', (w) => w.ann.view(w.active.id)],
    ['board', (w) => w.ann.board(w.active.id)],
    ['legal actions', (w) => w.ben.legalActions(w.active.id)],
    ['events', (w) => w.ben.events(w.active.id)],
    ['acting', (w) => w.ben.submit(w.active.id, { action: { type: 'card', card: 1 } })],
  ];

  it.each(faces.flatMap((face) => asked.map(([what, run]) => [face.name, what, face, run] as const)))(
    '%s says UNAVAILABLE and when to ask again: %s',
    async (_name, _what, face, run) => {
      const { code, details, headers } = await caught(run(worlds.get(face) as World));
      expect(code).toBe('UNAVAILABLE');
      expect(details.retryAfter).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    },
  );

  it('the process is alive but not ready, and recovers afterwards', async () => {
    const status = async (path: string) => (await fetch(`${server.url}${path}`)).status;
    expect([await status('/health/live'), await status('/health/ready'), await status('/v1/games')]).toEqual([
      200, 503, 200,
    ]);
    await proxy.restore();
    await expect.poll(() => status('/health/ready')).toBe(200);
    for (const face of faces) {
      const { ben, active } = worlds.get(face) as World;
      const [legal] = await ben.legalActions(active.id);
      expect(await ben.submit(active.id, { action: legal?.action })).toMatchObject({ version: 5 });
    }
  });
});
