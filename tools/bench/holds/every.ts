/** Every operation of REST, every root field of GraphQL and every tool for agents, as their own documents list them. */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { newId } from '../../../src/id.ts';
import { type Ask, ask, graphql, send, subscription, type Target, tool } from './asks.ts';
import type { Member } from './world.ts';

interface Operation {
  operationId?: string;
  parameters?: { name: string; in: string }[];
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

/** Somebody whose account may be changed and deleted. */
async function stranger({ port }: Target): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/players`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Somebody"}',
  });
  return ((await response.json()) as { token: string }).token;
}

const idIn = (path: string, match: string, { world }: Target): string => {
  if (path.startsWith('/v1/matches')) return match;
  if (path.startsWith('/v1/games')) return 'hawaii';
  if (path.startsWith('/v1/players')) return (world.members[0] as Member).id;
  return newId();
};

/** Each operation with the body of its example, on the longest matches. */
export function everyOperation({ paths }: OpenApi, bodies: Record<string, unknown>): Ask[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { operationId }]) => operationId)
      .map(([method, { operationId = '' }]) => {
        const isRead = method === 'get';
        return ask(`REST ${operationId}`, async (target) => {
          const isOfMatch = path.startsWith('/v1/matches/{id}');
          const match = isRead || !isOfMatch ? target.world.long : await target.world.running();
          const own = isRead || isOfMatch ? {} : { token: await stranger(target) };
          const filled = path
            .replace('{id}', idIn(path, match, target))
            .replace('{rules}', '1')
            .replace(/\{[^}]+\}/g, newId());
          const body = bodies[operationId];
          return { method: method.toUpperCase(), path: filled, ...own, ...(!isRead && body !== undefined && { body }) };
        });
      }),
  );
}

const WIDE = 100;

function argument(type: GraphQLInputType, name: string, match: string, target: Target): string {
  const kind = getNamedType(type).name;
  if (isListType(isNonNullType(type) ? type.ofType : type)) return `[${JSON.stringify(match)}]`;
  if (kind === 'Int') return String(target.world.version - 1);
  if (kind === 'JSON') return '{}';
  if (kind === 'TicketPurpose') return 'TURNS';
  if (name === 'matchId') return JSON.stringify(match);
  return JSON.stringify(kind === 'ID' ? match : 'Somebody');
}

/** Inputs that no value of their type alone makes. */
const INPUTS: Record<string, (match: string) => string> = {
  createMatch: () => '{ game: "hawaii", seats: 2 }',
  submitAction: (match) => `{ matchId: "${match}", action: {} }`,
  createWebhook: () => '{ url: "https://bot.example.com/hook" }',
  updateWebhook: () => '{ enabled: false }',
  setPrivacy: () => '{ online: false }',
  report: (match) => `{ matchId: "${match}", text: "Look at this." }`,
};
const GAMES = ['game', 'games'];

const isRequired = ({ args }: GraphQLField<unknown, unknown>) => args.some(({ type }) => isNonNullType(type));

/** Everything that can be asked of a type without arguments, down to a depth. */
function selection(type: GraphQLOutputType, schema: GraphQLSchema, depth: number): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isAbstractType(named)) {
    const parts = schema.getPossibleTypes(named).map((one) => `... on ${one.name} ${selection(one, schema, depth)}`);
    return `{ __typename ${depth > 1 ? parts.filter((part) => part.endsWith('}')).join(' ') : ''} }`;
  }
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields())
    .filter((field) => !isRequired(field) && (depth > 1 || isLeafType(getNamedType(field.type))))
    .map((field) => `${field.name} ${selection(field.type, schema, depth - 1)}`);
  return `{ __typename ${fields.join(' ')} }`;
}

function fieldText(root: GraphQLField<unknown, unknown>, schema: GraphQLSchema, target: Target, plan: Plan): string {
  const game = GAMES.includes(root.name) ? 'hawaii' : plan.match;
  const given = root.args
    .filter(({ type, name }) => isNonNullType(type) || (plan.wide && name === 'first'))
    .map(({ type, name }) => {
      if (name === 'first') return `first: ${WIDE}`;
      if (name === 'input') return `input: ${INPUTS[root.name]?.(plan.match) ?? '{}'}`;
      return `${name}: ${argument(type, name, game, target)}`;
    });
  const args = given.length > 0 ? `(${given.join(', ')})` : '';
  return `${root.name}${args} ${selection(root.type, schema, plan.depth)}`;
}

interface Plan {
  match: string;
  depth: number;
  wide: boolean;
}

/** The deepest and widest operation that the server still allows. */
async function widest(text: (plan: Omit<Plan, 'match'>) => string, target: Target): Promise<string> {
  const token = target.world.members[0]?.token;
  for (const depth of [4, 3, 2, 1])
    for (const wide of [true, false]) {
      const query = text({ depth, wide });
      const { refusal } = await send(target.port, { path: '/graphql', body: { query }, token });
      if (!/exceeds the limit|longer than|too many|^BAD_INPUT/.test(refusal)) return query;
    }
  return text({ depth: 1, wide: false });
}

/** Each root field with everything below it that the limits allow. */
export function everyRootField(schema: GraphQLSchema): Ask[] {
  const fieldsOf = (type: ReturnType<GraphQLSchema['getQueryType']>) => Object.values(type?.getFields() ?? {});
  const queries = fieldsOf(schema.getQueryType()).map((root) => {
    const found = new Map<Target, Promise<string>>();
    return graphql(`query ${root.name}`, (target) => {
      const text = (plan: Omit<Plan, 'match'>) =>
        `{ ${fieldText(root, schema, target, { ...plan, match: target.world.long })} }`;
      if (!found.has(target)) found.set(target, widest(text, target));
      return found.get(target) as Promise<string>;
    });
  });
  const mutations = fieldsOf(schema.getMutationType()).map((root) => {
    const ofMatch = root.args.some(({ name }) => name === 'matchId') || root.name === 'submitAction';
    return ask(`GraphQL mutation ${root.name}`, async (target) => {
      const match = ofMatch ? await target.world.running() : target.world.long;
      const query = `mutation { ${fieldText(root, schema, target, { match, depth: 1, wide: false })} }`;
      return { path: '/graphql', body: { query }, ...(!ofMatch && { token: await stranger(target) }) };
    });
  });
  const subscriptions = fieldsOf(schema.getSubscriptionType()).map((root) =>
    subscription(
      `subscription ${root.name}`,
      (target) =>
        `subscription { ${fieldText(root, schema, target, { match: target.world.long, depth: 1, wide: false })} }`,
    ),
  );
  return [...queries, ...mutations, ...subscriptions];
}

/** Each tool, with a match where it takes one. */
export function everyTool(tools: readonly { name: string; input: { properties: object } }[]): Ask[] {
  return tools.map(({ name, input }) =>
    tool(name, async ({ world }) => {
      const known: Record<string, unknown> = {
        match: 'number' in input.properties ? await world.running() : world.long,
        game: 'hawaii',
        which: 'mine',
        from: world.version - 99,
        version: world.version - 100,
        number: 1,
        seconds: 1,
      };
      const names = Object.keys(input.properties).filter((property) => property in known);
      return Object.fromEntries(names.map((property) => [property, known[property]]));
    }),
  );
}
