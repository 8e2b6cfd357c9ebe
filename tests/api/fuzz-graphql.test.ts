/** No input, however broken, gets a 500, an INTERNAL, a hang, or a server that is worse off afterwards: GraphQL. */
import {
  buildClientSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Rng } from '../../src/games/game.ts';
import { junkBody, junkJson, junkText, nearlyRight } from '../support/junk.ts';
import type { RawAnswer, RawRequest } from '../support/raw.ts';
import { afterTheStorm, codes, mediaTypes, underStorm } from '../support/storm.ts';

/** Valid calls of these would delete or sign out the caller. */
const FAREWELLS = ['deletePlayer', 'signOutEverywhere'];
const target = underStorm();

async function introspected(): Promise<GraphQLSchema> {
  const response = await fetch(`${target.server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  return buildClientSchema(((await response.json()) as { data: Parameters<typeof buildClientSchema>[0] }).data);
}

describe('GraphQL', () => {
  function expectKnown({ status, body, type }: RawAnswer): void {
    expect(status).toBeLessThan(500);
    if (type.startsWith('text/event-stream')) return;
    const { errors } = JSON.parse(body) as { errors?: { extensions: { code: string } }[] };
    for (const { extensions } of errors ?? []) expect(codes).toContain(extensions.code);
  }

  const post = (rng: Rng, body: string, type = 'application/json'): RawRequest => ({
    method: 'POST',
    path: '/graphql',
    headers: {
      'content-type': type,
      accept: rng.pick([
        'application/json',
        'application/graphql-response+json',
        'text/event-stream',
        'text/html',
        '*/*',
      ]),
      ...target.tokens(rng),
    },
    body,
  });

  it('refuses requests that are not valid', async () => {
    await target.storm(
      250,
      (rng) => {
        const member = (name: string) =>
          `"${name}":${rng.pick([junkJson(rng), '"{ me { id } }"', '"query A { me { id } } query B { games { id } }"', '{}', 'null'])}`;
        const body = rng.pick([
          () => junkBody(rng),
          () => `{${['query', 'variables', 'operationName', 'extensions'].filter(() => rng.int(4) > 0).map(member)}}`,
        ]);
        return post(rng, body(), rng.pick(mediaTypes));
      },
      expectKnown,
    );
  });

  it('refuses documents that are too long, deep or expensive', async () => {
    const nest = (n: number) => `{ games ${'{ games '.repeat(n)}${'}'.repeat(n)} }`;
    const documents = [
      nest(50),
      nest(600),
      `{ ${'me { id } '.repeat(600)} }`,
      `{ ${Array.from({ length: 200 }, (_, i) => `a${i}: games { viewSchema }`)} }`,
      `query ${'(a: '.repeat(400)}`,
      '{ me { ...F } } fragment F on Player { ...F }',
      `{ match(id: "${'x'.repeat(100_000)}") { id } }`,
      'subscription { turns { acting } matchEvents(matchId: "x") { version } }',
      '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
      '{ __proto__ }',
      '{ me @skip(if: $x) { id } }',
      '\0',
      '#',
      '{ a: __typename '.repeat(300),
      `mutation { createMatch(input: {game: "highest", seats: 2, options: ${'{a:'.repeat(500)}1${'}'.repeat(500)}}) { id } }`,
    ];
    await target.storm(
      documents.length * 4,
      (rng) => post(rng, JSON.stringify({ query: rng.pick(documents) })),
      expectKnown,
    );
  });

  it('refuses wrong arguments of every field', async () => {
    const schema = await introspected();
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const cases: { root: string; field: GraphQLField<unknown, unknown>; inside?: string }[] = roots.flatMap((type) =>
      Object.values(type?.getFields() ?? {}).map((field) => ({ root: type?.name ?? '', field })),
    );
    const inner = Object.values((schema.getType('Match') as ReturnType<typeof objectType>).getFields()).filter(
      (f) => f.args.length > 0,
    );
    expect(cases.length).toBeGreaterThan(15);
    expect(inner.map(({ name }) => name)).toEqual(expect.arrayContaining(['view', 'board', 'events', 'export']));
    await target.storm(
      cases.length * 30,
      (rng) => {
        const { root, field } = rng.pick(cases.filter(({ field: { name } }) => !FAREWELLS.includes(name)));
        return post(rng, JSON.stringify({ query: operation(root.toLowerCase(), field, rng) }));
      },
      expectKnown,
    );
    await target.storm(
      inner.length * 40,
      (rng) => {
        const field = rng.pick(inner);
        const text = `{ match(id: "${rng.pick([target.world.active.id, target.world.open.id, target.world.finished.id])}") { ${call(field, rng)} } }`;
        return post(rng, JSON.stringify({ query: text }));
      },
      expectKnown,
    );
    await target.storm(
      cases.length * 20,
      (rng) =>
        post(rng, withVariables(rng.pick(cases.filter(({ field: { name } }) => !FAREWELLS.includes(name))), rng)),
      expectKnown,
    );
  });

  const objectType = (type: unknown) => {
    if (!isObjectType(type) && !isInterfaceType(type)) throw new Error('no object type');
    return type;
  };

  /** Leaves of what a field returns; of a match, what needs its log. */
  function selection(field: GraphQLField<unknown, unknown>): string {
    const type = getNamedType(field.type);
    if (isLeafType(type)) return '';
    const leaves = Object.values(objectType(type).getFields()).filter((f) => isLeafType(getNamedType(f.type)));
    return ` { __typename ${leaves.map(({ name }) => name).join(' ')} }`;
  }

  const call = (field: GraphQLField<unknown, unknown>, rng: Rng): string => {
    const given = field.args.filter((arg) => isNonNullType(arg.type) || rng.int(3) > 0);
    const args = given.map((arg) => `${arg.name}: ${literal(arg.type, rng)}`);
    return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${selection(field)}`;
  };
  const operation = (root: string, field: GraphQLField<unknown, unknown>, rng: Rng) =>
    `${root} { ${call(field, rng)} }`;

  /** A literal that is mostly of the right type, and then mostly of an awkward value. */
  function literal(wanted: GraphQLArgument['type'], rng: Rng): string {
    if (rng.int(12) === 0)
      return rng.pick(['null', '1', '"x"', '[]', '{}', 'RED', 'true', '1.5', '{__proto__: {a: 1}}']);
    const type = getNullableType(wanted);
    if (isListType(type)) return '[]';
    if (isEnumType(type)) return rng.pick([...type.getValues().map(({ name }) => name), 'NOTHING']);
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter((f) => isNonNullType(f.type) || rng.int(2) === 0);
      return `{${fields.map((f) => `${f.name}: ${literal(f.type, rng)}`).join(', ')}}`;
    }
    const { active, open, hidden, finished } = target.world;
    const text = () =>
      JSON.stringify(rng.pick([junkText(rng), junkText(rng), active.id, active.id, open.id, hidden.id, finished.id]));
    const number = () => String(rng.pick([0, 1, 2, 4, -1, 2147483647, 2147483648, 1e21, 0.5]));
    if ('name' in type && type.name === 'Int') return number();
    if ('name' in type && type.name === 'Boolean') return rng.pick(['true', 'false', '0']);
    if ('name' in type && type.name === 'JSON')
      return rng.pick([
        text,
        number,
        () => '{type: "card", card: 1}',
        () => '{__proto__: {polluted: true}}',
        () => '[[]]',
      ])();
    return text();
  }

  function withVariables({ root, field }: { root: string; field: GraphQLField<unknown, unknown> }, rng: Rng): string {
    const declared = field.args.map((arg) => `$${arg.name}: ${String(arg.type)}`);
    const args = field.args.map((arg) => `${arg.name}: $${arg.name}`);
    const query = `${root.toLowerCase()} ${declared.length > 0 ? `(${declared})` : ''} { ${field.name}${args.length > 0 ? `(${args})` : ''}${selection(field)} }`;
    if (field.args.every((arg) => !isInputObjectType(getNullableType(arg.type)))) {
      const ids = {
        matchId: `"${target.world.open.id}"`,
        id: `"${target.world.active.id}"`,
        seat: '1',
        document: target.document,
      };
      const variables = nearlyRight(
        field.args.map(({ name }) => name),
        rng,
        ids,
      );
      return `{"query":${JSON.stringify(query)},"variables":${variables}}`;
    }
    const values = field.args.map(
      (arg) =>
        `"${arg.name}":${isInputObjectType(getNullableType(arg.type)) ? inputJson(arg, rng) : rng.pick([junkJson(rng), `"${target.world.active.id}"`])}`,
    );
    return `{"query":${JSON.stringify(query)},"variables":{${values}}}`;
  }

  function inputJson(arg: GraphQLArgument, rng: Rng): string {
    const type = getNullableType(arg.type);
    const names = isInputObjectType(type) ? Object.keys(type.getFields()) : [];
    return nearlyRight(names, rng, { matchId: `"${target.world.active.id}"` });
  }
});

afterTheStorm(target);
