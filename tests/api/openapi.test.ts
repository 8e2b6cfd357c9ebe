/** The contracts as they are served: valid, complete, and what the server really does. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  lexicographicSortSchema,
  parse,
  printSchema,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopeOfRoute } from '../../src/api/scopes.ts';
import { type Json, playOut, Refusal } from '../support/api.ts';
import { graphqlRun } from '../support/api-graphql.ts';
import { type Answer, rest, restApi, restCall } from '../support/api-rest.ts';
import { documentedBy, type OpenApi, routesOf } from '../support/documented.ts';
import { startInstance } from '../support/instance.ts';
import { refusals } from '../support/refusals.ts';
import { socketSubscription } from '../support/streams.ts';
import { newMember, type Pair, startPair, type World, worldOf } from '../support/world.ts';

let pair: Pair;
let url: string;
let document: OpenApi;

beforeAll(async () => {
  pair = await startPair();
  [url] = pair.urls;
  document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
});
afterAll(() => pair.stop());

it('is valid OpenAPI 3.1', async () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  const copy = structuredClone(document) as unknown as Parameters<Validator['validate']>[0];
  expect(await new Validator().validate(copy)).toMatchObject({ valid: true });
});

it('passes its linter without findings', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'atoll-openapi-')), 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const cli = resolve('node_modules/@redocly/cli/bin/cli.js');
  const args = [cli, 'lint', '--format', 'json', '--extends', 'recommended', file];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  rmSync(dirname(file), { recursive: true });
  const { problems } = JSON.parse(stdout || `{"problems":${JSON.stringify(stderr)}}`) as { problems: unknown };
  expect(problems).toEqual([]);
});

it('gives every operation a name, a tag and a description', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.length).toBeGreaterThan(50);
  expect(new Set(ids).size).toBe(ids.length);
  const known = (document as unknown as { tags: { name: string }[] }).tags.map(({ name }) => name);
  for (const { operationId = '', tags = [], summary, description, security, responses } of operations) {
    expect(operationId).toMatch(/^[a-z]+(?:[A-Z][a-z]*)*$/);
    expect([operationId, tags.length, known.includes(tags[0] as string)]).toEqual([operationId, 1, true]);
    expect([operationId, typeof summary, typeof description, Array.isArray(security)]).toEqual([
      operationId,
      'string',
      'string',
      true,
    ]);
    expect([operationId, Object.keys(responses).some((status) => status.startsWith('4'))]).toEqual([operationId, true]);
    if (responses[201] && operationId !== 'report')
      expect([operationId, responses[201].headers]).toEqual([
        operationId,
        expect.objectContaining({ Location: expect.anything() }),
      ]);
  }
});

it('takes an idempotency key wherever a POST makes something', () => {
  const keyless = Object.values(document.paths).flatMap(({ post }) =>
    post && !post.parameters?.some(({ name }) => name === 'idempotency-key') ? [post.operationId] : [],
  );
  // Why each makes nothing more when it is sent again is said in tests/api/graphql-contract.test.ts. Besides, a browser
  // has one session, and the links of mails carry codes that are good once.
  const once =
    'joinMatch undo resign redeliver testWebhook confirmEmail createTicket beginPasskey addPasskey keepByEmail ' +
    'createRecoveryCodes signOutEverywhere beginPasskeySignIn signInWithPasskey beginEmailSignIn signInWithEmail ' +
    'signInWithRecoveryCode startSession confirmEmailByLink unsubscribeByLink';
  expect(keyless.sort()).toEqual(once.split(' ').sort());
});

it('says which scope each operation needs, as the table has it', () => {
  let checked = 0;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, security }] of Object.entries(methods)) {
      const scope = path.startsWith('/v1/')
        ? scopeOfRoute(method.toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1'))
        : null;
      if (!scope) continue;
      const needed = (security ?? []).filter((way) => Object.keys(way).length > 0);
      expect([operationId, needed]).toEqual([operationId, [{ token: [] }, { app: [scope.toLowerCase()] }]]);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(50);
});

it('describes every route, and no other', () => {
  const served = pair.instances[0].app
    .printRoutes({ commonPrefix: false, includeHooks: false })
    .split('\n')
    .flatMap(routesOfLine(paths()));
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(served.filter((route) => /^\w+ \/(v1|health)/.test(route)).sort());
});

/** The stack of path segments above a line of Fastify's tree of routes. */
const paths = () => [] as string[];
const routesOfLine =
  (stack: string[]) =>
  (line: string): string[] => {
    const match = /^([│ ]*)[├└]── (\S*)(?: \(([\w, -]+)\))?/.exec(line);
    if (!match) return [];
    const depth = (match[1] as string).length / 4;
    stack.length = depth;
    stack[depth] = match[2] as string;
    const path = stack
      .join('')
      .replace(/:(\w+)/g, '{$1}')
      .replace(/(.)\/$/, '$1');
    return (match[3]?.split(', ') ?? [])
      .filter((method) => !/HEAD|OPTIONS|-/.test(method))
      .map((method) => `${method} ${path}`);
  };

describe('every answer is as described', () => {
  const answers: Answer[] = [];
  const face = {
    ...rest,
    client: (urls: readonly string[], token?: string) =>
      restApi(restCall(urls, token, (answer) => answers.push(answer))),
  };
  let world: World;

  it('of what is refused', async () => {
    world = await worldOf(face, pair.urls);
    for (const [, , run] of refusals) await run(world).catch((error) => expect(error).toBeInstanceOf(Refusal));
    expectDescribed();
  });

  it('of what is done and asked for', async () => {
    const { ann, ben, anybody, open, active, finished, hidden } = world;
    await restCall(pair.urls, ann.token, (answer) => answers.push(answer))('POST', '/tickets', { purpose: 'TURNS' });
    for (const path of ['/errors', '/games/cacao/schemas/1'])
      await restCall(pair.urls, undefined, (answer) => answers.push(answer))('GET', path);
    for (const id of [open.id, active.id, finished.id]) {
      for (const api of [ann, anybody]) {
        await api.match(id);
        await api.view(id);
        await api.description(id);
        await api.events(id);
        await api.legalActions(id);
        await api.export(id);
        if (id !== open.id) await api.board(id);
      }
    }
    await anybody.games();
    await anybody.game('highest');
    await anybody.matches();
    await ann.tokens();
    await ann.revokeToken((await ann.createToken('laptop')).id);
    await ben.join(hidden.id, { invite: hidden.invite });
    await ann.undo(active.id, 4);
    await ann.setOrder(active.id, { play: 'ask' });
    await ann.order(active.id);
    await ann.fork(finished.id, 5);
    await ann.rematch(finished.id);
    await ann.import(await ann.export(finished.id));
    await ann.addBot((await ann.createMatch({ game: 'highest', seats: 3, clock: { bankSeconds: 60 } })).id);
    await ann.cancel(open.id);
    await playOut(active.id, [ann, ben], () => 0);
    await ben.resign(hidden.id);
    const dee = await newMember(face, pair.urls, 'Dee');
    await dee.me();
    const call = restCall(pair.urls, dee.token, (answer) => answers.push(answer));
    await call('GET', '/players?search=d');
    await call('GET', '/players?name=Dee');
    await call('GET', `/players/${ann.id}`);
    await call('GET', `/players/${ann.id}/matches`);
    await call('GET', `/matches/${active.id}/presence`);
    await call('GET', '/me/privacy');
    await call('PATCH', '/me/privacy', { online: false });
    await call('GET', '/me/export');
    await call('POST', '/reports', { playerId: ann.id, text: 'She is too good.' });
    await dee.deletePlayer();
    for (const path of [`/v1/matches/${finished.id}/states?to=5`, '/v1/turns']) {
      const headers = { authorization: `Bearer ${ann.token}` };
      const response = await fetch(url + path, { headers });
      const answer = { method: 'GET', path: path.split('?')[0] as string, status: response.status };
      answers.push({ ...answer, type: 'application/json', body: await response.json() });
    }
    const mine = await fetch(`${url}/v1/me/matches/export`, { headers: { authorization: `Bearer ${ann.token}` } });
    const lines = { method: 'GET', path: '/v1/me/matches/export', status: mine.status, type: 'application/x-ndjson' };
    answers.push({ ...lines, body: await mine.text() });
    const pngPath = `/v1/matches/${finished.id}/board.png`;
    const picture = await fetch(url + pngPath);
    const body = Buffer.from(await picture.arrayBuffer()).toString('latin1');
    answers.push({
      method: 'GET',
      path: pngPath,
      status: picture.status,
      type: picture.headers.get('content-type') ?? '',
      body,
    });
    for (const path of ['/health/live', '/health/ready']) {
      const response = await fetch(`${url}${path}`);
      answers.push({
        method: 'GET',
        path,
        status: response.status,
        type: 'application/json',
        body: await response.json(),
      });
    }
    expectDescribed();
  });

  function expectDescribed(): void {
    const fault = documentedBy(document);
    const faults = answers.flatMap((answer) => {
      const said = fault(answer);
      return said === null ? [] : [`${answer.method} ${answer.path} ${answer.status}: ${said}`];
    });
    expect([...new Set(faults)].slice(0, 20)).toEqual([]);
  }

  it('every route was called', () => {
    const asked = new Set(
      answers.filter(({ status }) => status < 300).map(({ method, path }) => `${method} ${shape(path)}`),
    );
    // The others have their own tests.
    expect([...asked].sort()).toEqual(routesOf(document, ['notices', 'account', 'apps'], false));
  });
  const shape = (path: string) =>
    path
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '*')
      .replace(/games\/\w+/, 'games/*')
      .replace(/schemas\/\d/, 'schemas/*');
});

it('AsyncAPI has the streams, and every reference in it leads somewhere', async () => {
  const text = await (await fetch(`${url}/asyncapi.json`)).text();
  const contract = JSON.parse(text) as { asyncapi: string; channels: Record<string, { address: string }> };
  expect(contract.asyncapi).toBe('3.0.0');
  expect(Object.values(contract.channels).map(({ address }) => address)).toEqual(
    expect.arrayContaining(['/v1/matches/{id}/events', '/v1/matches', '/v1/turns', '/graphql']),
  );
  const follow = (path: string) =>
    path
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], contract);
  const refs = [...text.matchAll(/"\$ref":"(#[^"]+)"/g)].map(([, ref]) => ref as string);
  expect(refs.length).toBeGreaterThan(20);
  expect(refs.filter((ref) => follow(ref) === undefined)).toEqual([]);
});

it('pages of other origins may use every method', async () => {
  const server = await startInstance(pair.database.url, { env: { CORS_ORIGINS: 'https://example.org' } });
  const headers = { origin: 'https://example.org', 'access-control-request-method': 'POST' };
  const preflight = await fetch(`${server.url}/v1/matches`, { method: 'OPTIONS', headers });
  const allowed = preflight.headers.get('access-control-allow-methods')?.split(', ');
  const methods = Object.values(document.paths).flatMap((path) => Object.keys(path).map((name) => name.toUpperCase()));
  expect(allowed).toEqual(expect.arrayContaining([...new Set(methods)]));
  await server.stop();
});

it('/schema.graphql is the schema that is served', async () => {
  const text = await (await fetch(`${url}/schema.graphql`)).text();
  const served = await graphqlRun([url])<Parameters<typeof buildClientSchema>[0]>(getIntrospectionQuery());
  const print = (schema: ReturnType<typeof buildSchema>) => printSchema(lexicographicSortSchema(schema));
  expect(print(buildClientSchema(served))).toBe(print(buildSchema(text)));
});

it('every example of GraphiQL works', async () => {
  const example = readFileSync(new URL('../../assets/graphiql/example.graphql', import.meta.url), 'utf8');
  const names = parse(example).definitions.map((node) => ('name' in node && node.name?.value) || '');
  expect(names.length).toBeGreaterThan(3);
  const { token } = await newMember(rest, pair.urls, 'Fay');
  interface Handed {
    createMatch?: { id: string };
    match?: { version: number; legalActions: { action: object }[] };
  }
  let variables: Record<string, unknown> = {}; // as GraphiQL's page passes them on
  const run = (source: string) => graphqlRun([url], token)<Handed>(source, variables);
  for (const definition of parse(example).definitions) {
    const source = example.slice(definition.loc?.start, definition.loc?.end);
    if (source.startsWith('subscription')) {
      const stream = socketSubscription(url, token, source, variables);
      const ended = await Promise.race([stream.ended, new Promise((resolve) => setTimeout(resolve, 300, 'open'))]);
      expect(ended).toBe('open');
      stream.cut();
    } else {
      let answer = await run(source);
      if (answer.createMatch) variables = { match: answer.createMatch.id };
      while (answer.match?.legalActions.length === 0) answer = await run(source); // the bot thinks
      const { version, legalActions = [] } = answer.match ?? {};
      if (legalActions[0]) variables = { ...variables, version, action: legalActions[0].action };
    }
  }
});

it('every link on the entry page answers', async () => {
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  const links = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link as string);
  const listed = (await (await fetch(url)).json()) as { links: Record<string, string> };
  expect(links.length).toBeGreaterThanOrEqual(5);
  for (const link of new Set([...links, ...Object.values(listed.links)])) {
    if (['/graphql', '/v1', '/mcp'].includes(link)) continue; // endpoints that answer only to proper requests
    expect([link, (await fetch(new URL(link, url))).status]).toEqual([link, 200]);
  }
  const query = await fetch(`${url}/graphql?query={__typename}`);
  expect(query.status).toBe(200);
});
