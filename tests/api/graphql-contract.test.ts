/** What the GraphQL contract promises to clients that cache, page and generate code: descriptions, nodes, connections. */
import {
  buildSchema,
  type GraphQLInputField,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSchema } from '../../src/api/graphql/schema.ts';
import { fastRng } from '../../src/games/rng.ts';
import { playOut } from '../support/api.ts';
import { graphql, graphqlRun } from '../support/api-graphql.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { type Member, NOWHERE, newMember } from '../support/world.ts';

const chance = fastRng(7);
const schema = buildSchema(readSchema());
const own = Object.values(schema.getTypeMap()).filter((t) => !isIntrospectionType(t) && !isSpecifiedScalarType(t));

/** Everything of a type that a reader can ask about: itself, fields, arguments, enum values. */
function parts(type: GraphQLNamedType): [string, string | null | undefined][] {
  const named: [string, string | null | undefined][] = [[type.name, type.description]];
  if (isEnumType(type))
    for (const { name, description } of type.getValues()) named.push([`${type}.${name}`, description]);
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return named;
  for (const field of Object.values<GraphQLInputField>(type.getFields() as never)) {
    named.push([`${type}.${field.name}`, field.description]);
    for (const arg of ('args' in field ? field.args : []) as GraphQLInputField[])
      named.push([`${type}.${field.name}(${arg.name})`, arg.description]);
  }
  return named;
}

/** The mutations without an idempotency key, and why each makes nothing more when it is sent again. */
const MAKES_NOTHING_MORE = {
  joinMatch: 'one account holds one seat',
  leaveMatch: 'takes something away',
  undo: 'names the version that it was decided on',
  resign: 'takes something away',
  setOrder: 'replaces the order from before',
  cancelMatch: 'takes something away',
  updateWebhook: 'changes what there is',
  deleteWebhook: 'takes something away',
  testWebhook: 'sends a ping, which only its sender counts',
  redeliver: 'sends the same message, with the same id',
  setEmail: 'replaces the address from before',
  confirmEmail: 'a code is good once',
  removeEmail: 'takes something away',
  createTicket: 'nothing is kept of a ticket',
  revokeToken: 'takes something away',
  revokeApp: 'takes something away',
  deletePlayer: 'takes something away',
  setPrivacy: 'changes what there is',
  passkeyOptions: 'a challenge, which is good once and ends by itself',
  addPasskey: 'the challenge is good once',
  renamePasskey: 'changes what there is',
  removePasskey: 'takes something away',
  keepByEmail: 'changes what there is',
  removeEmailSignIn: 'takes something away',
  createRecoveryCodes: 'replaces the codes from before',
  endSession: 'takes something away',
  signOutEverywhere: 'takes something away',
  passkeySignInOptions: 'a challenge, which is good once and ends by itself',
  signInWithPasskey: 'the challenge is good once',
  beginEmailSignIn: 'a mail, of which only so many go to one mailbox',
  signInWithEmail: 'the code is good once',
  signInWithRecoveryCode: 'the code is good once',
} as const;

describe('the schema', () => {
  it('describes every type, field, argument, input field and enum value', () => {
    const all = own.flatMap(parts);
    expect(all.length).toBeGreaterThan(300);
    expect(all.filter(([, text]) => !text?.trim()).map(([name]) => name)).toEqual([]);
  });

  it('accepts an idempotency key or an action id for everything that creates something', () => {
    const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
    const keyless = mutations.filter(({ args }) => {
      const inputs = args.flatMap(({ type }) => {
        const named = getNamedType(type);
        return isInputObjectType(named) ? Object.keys(named.getFields()) : [];
      });
      return ![...inputs, ...args.map(({ name }) => name)].some((name) => /^(idempotencyKey|actionId)$/.test(name));
    });
    expect(keyless.map(({ name }) => name).sort()).toEqual(Object.keys(MAKES_NOTHING_MORE).sort());
    expect(mutations.length - keyless.length).toBeGreaterThan(9);
  });

  it('has connections that follow the Relay specification', () => {
    const connections = own.filter(({ name }) => name.endsWith('Connection'));
    expect(connections.length).toBeGreaterThan(2);
    for (const type of connections) {
      if (!isObjectType(type)) throw new Error(`${type} is no object`);
      const noun = type.name.slice(0, -'Connection'.length);
      expect(String(type.getFields().edges?.type)).toBe(`[${noun}Edge!]!`);
      expect(String(type.getFields().pageInfo?.type)).toBe('PageInfo!');
      const edge = schema.getType(`${noun}Edge`);
      if (!isObjectType(edge)) throw new Error(`${noun}Edge is no object`);
      expect(String(edge.getFields().cursor?.type)).toBe('String!');
      expect(edge.getFields().node?.type).toMatchObject({ ofType: { name: noun } });
    }
    for (const type of own.filter(isObjectType)) {
      for (const { name, args, type: of } of Object.values(type.getFields())) {
        if (!/Connection!$/.test(String(of))) continue;
        expect([`${type}.${name}`, ...args.map((a) => a.name)]).toEqual(
          expect.arrayContaining(['first', 'after', 'last', 'before']),
        );
      }
    }
  });

  it('gives an id of their own to all that implement Node', () => {
    const node = schema.getType('Node');
    if (!isInterfaceType(node)) throw new Error('Node is no interface');
    const kinds = schema.getPossibleTypes(node).map(({ name }) => name);
    expect(kinds).toEqual(expect.arrayContaining(['Match', 'MatchEvent', 'Seat', 'Player', 'Game', 'Delivery']));
  });
});

describe('a server', () => {
  let database: FreshDatabase;
  let instance: Instance;
  let ann: Member;
  let ben: Member;
  let matchId: string;
  type Run = <T>(query: string, variables?: Record<string, unknown>) => Promise<T>;
  let asAnn: Run;
  let asBen: Run;
  let asAnybody: Run;

  beforeAll(async () => {
    database = await freshDatabase();
    instance = await startInstance(database.url, { env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
    [ann, ben] = [await newMember(graphql, [instance.url], 'Ann'), await newMember(graphql, [instance.url], 'Ben')];
    [asAnn, asBen, asAnybody] = [
      graphqlRun([instance.url], ann.token),
      graphqlRun([instance.url], ben.token),
      graphqlRun([instance.url]),
    ];
    const match = await ann.createMatch({ game: 'highest', seats: 2 });
    matchId = match.id;
    await ben.join(matchId);
    await playOut(matchId, [ann, ben], (n) => chance.int(n));
  });
  afterAll(async () => {
    await instance?.stop();
    await database?.drop();
  });

  it('says what an answer cost', async () => {
    const ask = async (query: string) => {
      const body = JSON.stringify({ query });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${instance.url}/graphql`, { method: 'POST', headers, body })).json() as Promise<unknown>;
    };
    expect(await ask('{ games { id } }')).toMatchObject({ data: {}, extensions: { cost: 11 } });
    expect(await ask('{ nothing }')).not.toHaveProperty('extensions');
  });

  it('finds every node by its id, for those who may see it', async () => {
    type Found = { node: { __typename: string; id: string } | null };
    const { webhook } = (
      await asAnn<{ createWebhook: { webhook: { id: string } } }>(
        'mutation { createWebhook(input: { url: "http://127.0.0.1:8080/hook" }) { webhook { id } } }',
      )
    ).createWebhook;
    const { me } = await asAnn<{ me: { tokens: { id: string }[] } }>('{ me { tokens { id } } }');
    const cases: [string, string, boolean][] = [
      ['Match', matchId, true],
      ['MatchEvent', `${matchId}:3`, true],
      ['MatchState', `${matchId}@3`, true],
      ['Seat', `${matchId}:seat:1`, true],
      ['Player', ben.id, true],
      ['Game', 'cacao', true],
      ['Webhook', webhook.id, false],
      ['Token', me.tokens[0]?.id as string, false],
    ];
    const query = 'query ($id: ID!) { node(id: $id) { __typename id } }';
    for (const [__typename, id, isPublic] of cases) {
      expect(await asAnn<Found>(query, { id })).toEqual({ node: { __typename, id } });
      expect(await asBen<Found>(query, { id })).toEqual({ node: isPublic ? { __typename, id } : null });
      expect(await asAnybody<Found>(query, { id })).toEqual({ node: isPublic ? { __typename, id } : null });
    }
    for (const id of ['', 'chess', NOWHERE, `${NOWHERE}:1`, `${matchId}:0`, `${matchId}:9999`, `${matchId}:seat:2`])
      expect([id, await asAnn<Found>(query, { id })]).toEqual([id, { node: null }]);
    const hidden = await ann.createMatch({ game: 'highest', seats: 2, visibility: 'PRIVATE' });
    const ids = [hidden.id, `${hidden.id}:1`, `${hidden.id}@1`, 'hashi'];
    const several =
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Match { status } ... on MatchEvent { type } } }';
    expect(await asBen(several, { ids })).toEqual({ nodes: [null, null, null, { id: 'hashi' }] });
    expect(await asAnn(several, { ids })).toMatchObject({
      nodes: [{ status: 'OPEN' }, { type: 'JOINED' }, { id: `${hidden.id}@1` }, { id: 'hashi' }],
    });
    await expect(asAnn(several, { ids: Array(101).fill('hashi') })).rejects.toThrow(/At most 100 ids/);
  });

  it('has the schemas of every version of the rules, the same on both faces', async () => {
    const query =
      '{ game(id: "cacao") { rules rulesVersions old: schemas(rules: 1) schemas none: schemas(rules: 9) } }';
    const { game } = await asAnybody<{ game: Record<string, unknown> }>(query);
    expect(game).toMatchObject({ rulesVersions: [1, 2], none: null });
    expect([game.old, game.schemas]).toMatchObject([{ $id: 'urn:atoll:cacao:1' }, { $id: 'urn:atoll:cacao:2' }]);
    const response = await fetch(`${instance.url}/v1/games/cacao/schemas/1`);
    expect(await response.json()).toEqual(game.old);
    expect((await fetch(`${instance.url}/v1/games/cacao/schemas/9`)).status).toBe(404);
  });

  it('gives seats and events ids that never change', async () => {
    const { match } = await asAnybody<{ match: { seats: object[]; events: object[] } }>(
      'query ($id: ID!) { match(id: $id) { seats { id index } events(first: 2) { id version } } }',
      { id: matchId },
    );
    expect(match.seats).toEqual([0, 1].map((index) => ({ id: `${matchId}:seat:${index}`, index })));
    expect(match.events).toEqual([1, 2].map((version) => ({ id: `${matchId}:${version}`, version })));
  });

  interface Page {
    edges: { cursor: string; node: { id: string } }[];
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  }

  /** Pages through a whole list in both directions, three items at a time, and checks the page info of each page. */
  async function walk(fetch: (page: object) => Promise<Page>, ids: readonly string[]): Promise<void> {
    const idsOf = ({ edges }: Page) => edges.map(({ node }) => node.id);
    const forth: string[] = [];
    for (let after: string | null = null; ; ) {
      const page: Page = await fetch({ first: 3, after });
      expect(page.pageInfo.hasPreviousPage).toBe(forth.length > 0);
      forth.push(...idsOf(page));
      expect(page.pageInfo.hasNextPage).toBe(forth.length < ids.length);
      after = page.pageInfo.endCursor;
      expect([page.edges[0]?.cursor, page.edges.at(-1)?.cursor]).toEqual([page.pageInfo.startCursor, after]);
      if (!page.pageInfo.hasNextPage) break;
    }
    expect(forth).toEqual(ids);
    const back: string[] = [];
    for (let before: string | null = null; ; ) {
      const page: Page = await fetch({ last: 3, before });
      expect(page.pageInfo.hasNextPage).toBe(back.length > 0);
      back.unshift(...idsOf(page));
      expect(page.pageInfo.hasPreviousPage).toBe(back.length < ids.length);
      before = page.pageInfo.startCursor;
      if (!page.pageInfo.hasPreviousPage) break;
    }
    expect(back).toEqual(ids);
    const [second, fourth] = [forth[1], forth[3]];
    const all = await fetch({ first: 100 });
    const cursor = (id?: string) => all.edges.find(({ node }) => node.id === id)?.cursor;
    expect(idsOf(await fetch({ first: 9, after: cursor(second), before: cursor(fourth) }))).toEqual([forth[2]]);
    expect(idsOf(await fetch({ last: 9, after: cursor(second), before: cursor(fourth) }))).toEqual([forth[2]]);
    await expect(fetch({ last: 0 })).rejects.toThrow(/last must be a number from 1/);
    await expect(fetch({ last: 1, before: 'x' })).rejects.toThrow(/before must be a cursor/);
  }

  const PAGE = 'edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
  const ARGS = 'first: $first, after: $after, last: $last, before: $before';
  const TYPES = '$first: Int, $after: String, $last: Int, $before: String';

  it('pages through matches in both directions', async () => {
    const dee = await newMember(graphql, [instance.url], 'Dee');
    const asDee = graphqlRun([instance.url], dee.token);
    const made: string[] = [];
    for (let i = 0; i < 7; i++) made.unshift((await dee.createMatch({ game: 'highest', seats: 2 })).id);
    const query = `query (${TYPES}) { matches(mine: true, ${ARGS}) { ${PAGE} } }`;
    await walk(async (page) => (await asDee<{ matches: Page }>(query, page as never)).matches, made);
  });

  it('pages through the events of a match in both directions', async () => {
    const { version } = await ann.match(matchId);
    const ids = Array.from({ length: version }, (_, i) => `${matchId}:${i + 1}`);
    const query = `query ($id: ID!, ${TYPES}) { match(id: $id) { page: eventConnection(${ARGS}) { ${PAGE} } } }`;
    await walk(
      async (page) => (await asBen<{ match: { page: Page } }>(query, { id: matchId, ...page })).match.page,
      ids,
    );
  });

  it('pages through deliveries in both directions', async () => {
    const { webhook } = (
      await asAnn<{ createWebhook: { webhook: { id: string } } }>(
        'mutation { createWebhook(input: { url: "http://127.0.0.1:8080/other" }) { webhook { id } } }',
      )
    ).createWebhook;
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      `INSERT INTO deliveries (id, webhook_id, type, player_id, at, status)
       SELECT gen_random_uuid(), $1, 'PING', $2, now(), 'DROPPED' FROM generate_series(1, 7)`,
      [webhook.id, ann.id],
    );
    const order = 'SELECT id FROM deliveries WHERE webhook_id = $1 ORDER BY created_at DESC, id DESC';
    const { rows } = await client.query<{ id: string }>(order, [webhook.id]);
    await client.end();
    const query = `query ($id: ID!, ${TYPES}) { node(id: $id) { ... on Webhook { deliveries(${ARGS}) { ${PAGE} } } } }`;
    await walk(
      async (page) => (await asAnn<{ node: { deliveries: Page } }>(query, { id: webhook.id, ...page })).node.deliveries,
      rows.map(({ id }) => id),
    );
  });
});
