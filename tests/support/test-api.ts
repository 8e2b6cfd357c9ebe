import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLScalarType } from 'graphql';
import { Type } from 'typebox';
import type { Api } from '../../src/api/api.ts';
import { workOf } from '../../src/api/http/limits/work.ts';
import { readConfig } from '../../src/config.ts';
import { AtollError } from '../../src/errors.ts';
import { cancellable } from '../../src/matches/live/streams.ts';
import { SCOPES } from '../../src/players/player.ts';

/** Replaces the real API in tests that are only about the transport. */
export interface TestApi extends Api {
  /** Tokens that are valid; each is the id of its player. */
  tokens: Set<string>;
  /** Subscriptions whose generator has not ended. */
  readonly watching: number;
  /** Events that the `flood` subscription has made so far. */
  readonly flooded: number;
}

const schema = `
  scalar JSON
  type Query {
    hello: String!
    viewer: ID
    echo(value: JSON): JSON
    node: Node!
    nodes(first: Int = 20): [Node!]!
    page(first: Int = 20): Page!
    code(code: String!): String
    bug: String
    bugInside: Node
    never: String!
  }
  type Node { id: ID!, next: Node!, list: [Node!]!, many(first: Int = 20): [Node!]!, owner: String }
  type Page { edges: [Edge!]! }
  type Edge { node: Node! }
  type Mutation { add(n: Int!, m: Int = 1): Int! }
  type Subscription {
    count(to: Int!): Int!
    forever: Int!
    late: Int!
    flood: String!
    refused: Int!
    breaks(how: String!): Int!
  }
`;

export function testApi(): TestApi {
  const work = workOf(readConfig({}));
  const tokens = new Set<string>(['tui', 'kea']);
  const state = { watching: 0, flooded: 0 };
  const watched = <T>(run: (signal: AbortSignal) => AsyncGenerator<T, void>) =>
    cancellable(async function* (signal) {
      state.watching++;
      try {
        yield* run(signal);
      } finally {
        state.watching--;
      }
    });
  return {
    tokens,
    get watching() {
      return state.watching;
    },
    get flooded() {
      return state.flooded;
    },
    schema,
    resolvers: {
      JSON: new GraphQLScalarType({
        name: 'JSON',
        parseValue(value) {
          if (value === 'bad') throw new TypeError('this is a bad value');
          return value;
        },
      }),
      Query: queries,
      Node: { next: node, list: () => [node(), node()], many: () => [node()] },
      Mutation: { add: (_: unknown, { n, m }: { n: number; m: number }) => n + m },
      Subscription: {
        count: { subscribe: (_: unknown, { to }: { to: number }) => watched(() => counted(to)) },
        forever: { subscribe: () => watched((signal) => waiting(signal)) },
        late: {
          subscribe: async () => {
            await sleep(200);
            return watched((signal) => waiting(signal));
          },
        },
        flood: { subscribe: () => watched((signal) => flooding(signal, state)) },
        refused: {
          subscribe: () => {
            throw new AtollError('FORBIDDEN', 'Not for you.', { why: 'a test' });
          },
        },
        breaks: { subscribe: (_: unknown, { how }: { how: string }) => watched(() => breaking(how)) },
      },
    },
    loaders: {
      Node: {
        owner: async (queries: { obj: { id: string } }[]) => queries.map((q) => `${queries.length}:${q.obj.id}`),
      },
    },
    rest: async (app) => {
      const body = Type.Object(
        { seats: Type.Integer(), nested: Type.Optional(Type.Object({ deep: Type.String() })) },
        { additionalProperties: false },
      );
      app.post('/v1/things', { schema: { body } }, async ({ body }) => body);
      app.get(
        '/v1/things/:id',
        { schema: { querystring: Type.Object({ at: Type.Optional(Type.Integer()) }) } },
        async (request) => ({ ...(request.query as object), viewer: request.viewer?.id ?? null }),
      );
      app.get('/v1/bug', async () => {
        throw new Error('the secret of the bug');
      });
      app.get('/v1/unreachable', async () => {
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      });
      app.get('/v1/code/:code', async ({ params }) => {
        const { code } = params as { code: 'STALE_VERSION' };
        throw new AtollError(code, 'As you asked.', { version: 7 });
      });
      app.get('/v1/slow', async () => {
        await sleep(500);
        return { slow: true };
      });
    },
    async authenticate({ authorization }) {
      if (authorization === undefined) return undefined;
      const id = String(authorization).replace('Bearer ', '');
      if (id === 'down') throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      if (!tokens.has(id)) throw new AtollError('UNAUTHENTICATED', 'This token is not valid.');
      return { id, name: id, kind: 'HUMAN', tag: null, tokenId: id, scopes: SCOPES, expiresAt: null };
    },
    context: (viewer, request) => ({ viewer, request, work: work(viewer, request) }),
  };
}

const node = () => ({ id: 'n' });

const queries = {
  hello: () => 'hello',
  viewer: (_: unknown, __: unknown, { viewer }: { viewer?: { id: string } }) => viewer?.id,
  echo: (_: unknown, { value }: { value: unknown }) => value,
  node,
  nodes: (_: unknown, { first }: { first: number }) => Array.from({ length: first }, (_x, i) => ({ id: `n${i}` })),
  page: (_: unknown, { first }: { first: number }) => ({
    edges: Array.from({ length: first }, () => ({ node: node() })),
  }),
  code: (_: unknown, { code }: { code: 'STALE_VERSION' }) => {
    throw new AtollError(code, 'As you asked.', { version: 7 });
  },
  bug: () => {
    throw new Error('the secret of the bug');
  },
  bugInside: () => ({ id: null }),
  never: () => null,
};

async function* counted(to: number) {
  for (let n = 1; n <= to; n++) yield { count: n };
}

async function* waiting(signal: AbortSignal) {
  yield { forever: 1 };
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

async function* flooding(signal: AbortSignal, state: { flooded: number }) {
  while (!signal.aborted) {
    state.flooded++;
    yield { flood: 'x'.repeat(65_536) };
    await sleep(0);
  }
}

async function* breaking(how: string) {
  yield { breaks: 1 };
  if (how === 'atoll') throw new AtollError('MATCH_OVER', 'It is over.');
  throw new Error('the secret of the bug');
}
