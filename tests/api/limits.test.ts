/** What the default limits let pass of the real contract: everything a client needs, nothing that stops a process. */
import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { expect, test, vi } from 'vitest';
import { documents, isDocument } from '../../src/api/graphql/documents/parsing.ts';
import { readSchema } from '../../src/api/graphql/schema.ts';
import { board, description, view } from '../../src/api/present.ts';
import { readConfig } from '../../src/config.ts';
import { registry } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import { matchAt } from '../../src/matches/log/rebuild.ts';
import { playedMatch } from '../../tools/record-matches.ts';
import { EVENT, MATCH, RECEIPT } from '../support/api-graphql.ts';
import { freeWork } from '../support/work.ts';

const { GRAPHQL_MAX_DEPTH, GRAPHQL_MAX_ALIASES, GRAPHQL_MAX_COST, GRAPHQL_MAX_TOKENS } = readConfig({});
const check = documents(buildSchema(readSchema()), {
  depth: GRAPHQL_MAX_DEPTH,
  aliases: GRAPHQL_MAX_ALIASES,
  cost: GRAPHQL_MAX_COST,
  tokens: GRAPHQL_MAX_TOKENS,
});

const aliased = (n: number, field: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => `a${i}: ${field(i)}`).join(' ');
const match = (fields: string, variables = '') => `query ${variables} { match(id: "x") { ${fields} } }`;
/** The events of a match lead back to it: the shortest way to ask for a field many times. */
const often = (times: number | '$n', fields: string) =>
  match(`events(first: ${times}) { match { ${fields} } }`, times === '$n' ? '($n: Int)' : '');

test.each([
  ["GraphiQL's example", readFileSync('assets/graphiql/example.graphql', 'utf8')],
  [
    'a match as it is played',
    match(`${MATCH} myOrder view board legalActions { action label } events(first: 100) { ${EVENT} }`),
  ],
  ['its whole history, page by page', match(`events(first: $n) { ${EVENT} }`, '($n: Int)')],
  ['a look back', match('view(at: 7) board(at: 7)')],
  ['a film of it', match(aliased(30, (at) => `board(at: ${at})`))],
  ['an export', match('export(names: true)')],
  ['the lobby', `{ matches(first: 100) { edges { cursor node { ${MATCH} } } pageInfo { hasNextPage endCursor } } }`],
  [
    'my tables with their boards',
    '{ matches(mine: true, first: 100) { edges { node { id board legalActions { label } } } } }',
  ],
  ['an archive of ten', '{ matches(status: FINISHED, first: 10) { edges { node { export } } } }'],
  ['the games', '{ games { id name optionsSchema actionSchema viewSchema ordersSchema } }'],
  ['an action', `mutation { submitAction(input: { matchId: "x", action: {} }) { ${RECEIPT} } }`],
  [
    'an audience',
    `subscription { matchEvents(matchId: "x") { ${EVENT} match { ${MATCH} view board legalActions { action label } } } }`,
  ],
  ['turns', `subscription { turns { acting match { ${MATCH} view board legalActions { action label } } } }`],
])('passes: %s', (_, query) => {
  const result = check(query);
  expect(isDocument(result) ? [] : result).toEqual([]);
});

test.each([
  ['exports', often(500, 'export')],
  ['exports by aliases', match(aliased(30, () => 'export'))],
  ['exports in a fragment', `${often(500, '...f')} fragment f on Match { ... on Match { export } }`],
  ['earlier views', often(500, 'view(at: 390)')],
  [
    'earlier views by variable',
    'query ($at: Int) { match(id: "x") { events(first: 500) { match { view(at: $at) } } } }',
  ],
  ['earlier boards', often(200, 'board(at: 390)')],
  ['boards', often(500, 'board')],
  [
    'views',
    often(
      500,
      aliased(5, (seat) => `view(seat: ${seat})`),
    ),
  ],
  ['legal actions', often(500, 'legalActions { label }')],
  ['schemas', often(500, 'game { viewSchema actionSchema optionsSchema ordersSchema }')],
  ['logs', `{ ${aliased(30, (i) => `matches(first: 100, after: "${i}") { edges { node { myOrder } } }`)} }`],
  ['events by variable', often('$n', 'events(first: 50) { version }')],
])('is too dear: %s', (_, query) => {
  expect(check(query)).toMatchObject([
    { message: `The operation exceeds the limit of ${GRAPHQL_MAX_COST} for its cost.` },
  ]);
});

test('an earlier version is replayed once, however often it is requested', async () => {
  const game = registry.game('cacao');
  const setup = vi.fn(game.setup);
  const match = { ...playedMatch(game, {}, 2, fastRng(3)), engine: { ...game, setup } };
  const drawing = { namesOf: async () => ['Ann', 'Ben'], work: freeWork };
  const looks = await Promise.all(
    Array.from({ length: 10 }, async () => [
      await view(match, null, { at: 20 }, freeWork),
      await board(match, null, { at: 20 }, drawing),
      await description(match, null, { at: 20 }, drawing),
    ]),
  );
  expect(setup).toHaveBeenCalledOnce();
  const seen = game.view(matchAt(match, 20).state as object, null);
  expect(looks.at(-1)).toEqual([seen, expect.stringMatching(/^<svg /), expect.any(Array)]);
  expect(await view(match, null, { at: 21 }, freeWork)).not.toEqual(seen);
  expect(await view(match, null, { at: 20 }, freeWork)).toEqual(seen);
});
